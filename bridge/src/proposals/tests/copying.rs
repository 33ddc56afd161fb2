//! The private copy, and what differs in it afterwards.

use super::world::{World, put};
use crate::runs::receipt::DiskState;
use rex_shared::wire::proposal::{FileChange, ProposalState};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

const TERMS: &str = "# Terms\n\nPaid in 14 days.\n\nAsk support.\n";

#[tokio::test]
async fn the_copy_has_everything_and_the_workspace_is_left_as_it_was() {
    let world = World::new(&[
        ("terms.md", TERMS),
        (".git/HEAD", "ref: x"),
        ("sub/a.txt", "a"),
    ])
    .await;
    symlink("terms.md", world.root().join("link.md")).unwrap();
    let file = world.root().join("sub/a.txt");
    fs::set_permissions(&file, Permissions::from_mode(0o750)).unwrap();
    let before = DiskState::of(&world.root());
    let copy = world.copy();
    let copied = copy.path();
    assert_eq!(
        fs::read_to_string(copied.join(".git/HEAD")).unwrap(),
        "ref: x"
    );
    assert_eq!(
        fs::read_link(copied.join("link.md")).unwrap().to_str(),
        Some("terms.md")
    );
    let (was, is) = (
        fs::metadata(&file).unwrap(),
        fs::metadata(copied.join("sub/a.txt")).unwrap(),
    );
    assert_eq!((was.mode(), was.mtime_nsec()), (is.mode(), is.mtime_nsec()));
    // Nothing of it is shared: what a run overwrites stays its own.
    assert_ne!(was.ino(), is.ino());
    put(&copied.join(".git/HEAD"), "ref: other");
    put(&copied.join("terms.md"), "other");
    assert_eq!(
        before.changed(&DiskState::of(&world.root())),
        Vec::<String>::new()
    );
}

#[tokio::test]
async fn a_huge_ignored_folder_is_left_out_and_named_and_a_small_one_is_not() {
    let world = World::new(&[(".gitignore", "/big\nsmall\n"), ("small/a", "a")]).await;
    fs::create_dir(world.root().join("big")).unwrap();
    let big = fs::File::create(world.root().join("big/file")).unwrap();
    big.set_len(crate::proposals::LARGEST_IGNORED + 1).unwrap();
    let copy = world.copy();
    assert_eq!(copy.left_out(), ["big"]);
    assert_eq!(fs::read_dir(copy.path().join("big")).unwrap().count(), 0);
    assert!(copy.path().join("small/a").exists());
}

#[tokio::test]
async fn a_copy_is_gone_with_its_run_even_if_the_run_locked_its_folders() {
    let world = World::new(&[("sub/a.md", "a")]).await;
    let copy = world.copy();
    let folder = copy.path();
    fs::set_permissions(folder.join("sub"), Permissions::from_mode(0o000)).unwrap();
    drop(copy);
    assert!(!folder.exists());
    assert_eq!(
        fs::read_dir(world.folder.path().join("runs"))
            .unwrap()
            .count(),
        0
    );
}

#[tokio::test]
async fn what_differs_is_proposed_and_what_is_ignored_or_only_touched_is_not() {
    let world = World::new(&[
        ("terms.md", TERMS),
        ("old.md", "one\ntwo\nthree\n"),
        ("gone.md", "gone\n"),
        ("same.md", "same\n"),
        ("data.bin", "\0\u{1}"),
        ("run.sh", "x\n"),
        ("target.md", "through a link\n"),
        (".gitignore", "build\n"),
    ])
    .await;
    symlink("target.md", world.root().join("link.md")).unwrap();
    let proposal = world
        .act(|copy| {
            put(&copy.join("terms.md"), &TERMS.replace("14", "30"));
            fs::rename(copy.join("old.md"), copy.join("new.md")).unwrap();
            fs::remove_file(copy.join("gone.md")).unwrap();
            put(&copy.join("same.md"), "same\n");
            put(&copy.join("data.bin"), "\0\u{2}");
            fs::set_permissions(copy.join("run.sh"), Permissions::from_mode(0o755)).unwrap();
            put(&copy.join("made/inside.md"), "made\n");
            put(&copy.join("build/out"), "built");
            fs::remove_file(copy.join("link.md")).unwrap();
            put(&copy.join("link.md"), "changed through a link\n");
            symlink("/etc/hostname", copy.join("outside")).unwrap();
            put(&copy.join(".git/config"), "[core]\n");
        })
        .await
        .unwrap();
    let proposal = world.proposal(&proposal).await;
    let files: Vec<_> = proposal
        .files
        .iter()
        .map(|file| (file.document.as_str(), file.change, file.binary))
        .collect();
    assert_eq!(
        files,
        [
            ("data.bin", FileChange::Edit, true),
            ("gone.md", FileChange::Delete, false),
            ("made/inside.md", FileChange::Create, false),
            ("new.md", FileChange::Rename, false),
            ("run.sh", FileChange::Mode, false),
            ("target.md", FileChange::Edit, false),
            ("terms.md", FileChange::Edit, false),
        ]
    );
    assert_eq!(proposal.files[3].renamed_from.as_deref(), Some("old.md"));
    assert_eq!(proposal.files[4].modes, Some((0o644, 0o755)));
}

#[tokio::test]
async fn a_run_that_changes_nothing_proposes_nothing() {
    let world = World::new(&[("terms.md", TERMS)]).await;
    assert_eq!(world.act(|_| ()).await, None);
}

#[tokio::test]
async fn what_the_person_wrote_during_the_run_is_no_part_of_the_proposal() {
    let world = World::new(&[("terms.md", TERMS)]).await;
    let root = world.root();
    let proposal = world
        .act(|copy| {
            put(&root.join("terms.md"), &format!("Mine.\n\n{TERMS}"));
            put(&copy.join("terms.md"), &TERMS.replace("14", "30"));
        })
        .await
        .unwrap();
    let hunks = world.hunks(&proposal).await;
    assert_eq!(hunks.len(), 1);
    let changed = world.accept(&proposal, &hunks).await.unwrap();
    assert!(changed.written[0].merged);
    assert_eq!(
        world.text("terms.md"),
        format!("Mine.\n\n{}", TERMS.replace("14", "30"))
    );
}

#[tokio::test]
async fn the_next_run_starts_from_what_waits_and_its_proposal_stands_in_for_that() {
    let world = World::new(&[("terms.md", TERMS)]).await;
    let first = world
        .act(|copy| put(&copy.join("terms.md"), &TERMS.replace("14", "30")))
        .await
        .unwrap();
    // Only asked: what waits goes on waiting.
    assert_eq!(world.act(|_| ()).await, None);
    let second = world
        .act(|copy| {
            let text = fs::read_to_string(copy.join("terms.md")).unwrap();
            assert!(text.contains("30 days"));
            put(&copy.join("terms.md"), &text.replace("support", "the desk"));
        })
        .await
        .unwrap();
    assert_eq!(world.hunks(&second).await.len(), 2);
    let first = world.proposal(&first).await;
    assert_eq!(first.state, ProposalState::Superseded);
    let refused = world
        .accept(&first.proposal_id, &world.hunks(&first.proposal_id).await)
        .await;
    assert_eq!(refused.unwrap_err().status, 409);
    assert_eq!(world.text("terms.md"), TERMS);
}
