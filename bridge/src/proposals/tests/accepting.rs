//! Accepting piece by piece, and taking that back.

use super::world::{World, put};
use rex_shared::ids::ProposalId;
use rex_shared::wire::proposal::{Accept, AcceptHunk, HunkState, ProposalState, Reject};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

const TERMS: &str = "# Terms\r\n\r\nPaid in 14 days.\r\n\r\nAsk support.\r\n\r\nThe end";

async fn proposed(world: &World) -> ProposalId {
    let act = world.act(|copy| {
        let text = "# Terms\n\nPaid in 30 days.\n\nAsk the desk.\n\nThe very end\n";
        put(&copy.join("terms.md"), text);
    });
    act.await.unwrap()
}

#[tokio::test]
async fn one_is_accepted_one_rejected_one_taken_with_own_words_and_form_is_kept() {
    let world = World::new(&[("terms.md", TERMS)]).await;
    let file = world.root().join("terms.md");
    fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
    let proposal = proposed(&world).await;
    let hunks = world.hunks(&proposal).await;
    assert_eq!(hunks.len(), 3);
    world.accept(&proposal, &hunks[..1]).await.unwrap();
    assert_eq!(world.text("terms.md"), TERMS.replace("14", "30"));
    let reject = Reject {
        hunks: Some(vec![hunks[1].clone()]),
    };
    world.proposals.reject(&proposal, reject).await.unwrap();
    let own = Accept {
        hunks: vec![AcceptHunk {
            hunk_id: hunks[2].clone(),
            text: Some("Fin.\nReally".to_owned()),
        }],
        base: world.proposal(&proposal).await.files[0].base.clone(),
    };
    let changed = world.proposals.accept(&proposal, own).await.unwrap();
    let expected = TERMS
        .replace("14", "30")
        .replace("The end", "Fin.\r\nReally");
    assert_eq!(world.text("terms.md"), expected);
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o640);
    assert_eq!(changed.proposal.state, ProposalState::Accepted);
    let states = world.states(&proposal).await;
    assert_eq!(
        states,
        [
            HunkState::Accepted,
            HunkState::Rejected,
            HunkState::Accepted
        ]
    );
    assert_eq!(
        fs::read_dir(world.root()).unwrap().count(),
        1,
        "nothing of REX is left there"
    );
}

#[tokio::test]
async fn accepting_the_same_again_writes_nothing() {
    let world = World::new(&[("terms.md", TERMS)]).await;
    let proposal = proposed(&world).await;
    let hunks = world.hunks(&proposal).await;
    world.accept(&proposal, &hunks).await.unwrap();
    let before = fs::metadata(world.root().join("terms.md")).unwrap();
    let again = world.accept(&proposal, &hunks).await.unwrap();
    assert_eq!(again.undo_id, None);
    assert_eq!(
        fs::metadata(world.root().join("terms.md")).unwrap().ino(),
        before.ino()
    );
}

#[tokio::test]
async fn an_accept_is_taken_back_and_a_later_edit_of_ones_own_stays() {
    let world = World::new(&[("terms.md", TERMS)]).await;
    let proposal = proposed(&world).await;
    let hunks = world.hunks(&proposal).await;
    let undo = world
        .accept(&proposal, &hunks[..2])
        .await
        .unwrap()
        .undo_id
        .unwrap();
    let mine = world.text("terms.md").replace("# Terms", "# My terms");
    put(&world.root().join("terms.md"), &mine);
    assert_eq!(
        world.proposals.undo(&undo).await.unwrap(),
        Some(world.thread.clone())
    );
    assert_eq!(
        world.text("terms.md"),
        TERMS.replace("# Terms", "# My terms")
    );
    assert_eq!(world.states(&proposal).await, [HunkState::Open; 3]);
    assert_eq!(world.proposals.undo(&undo).await.unwrap(), None, "once");
}

/// R26: neither an accept nor an undo writes over what the person wrote.
#[tokio::test]
async fn where_both_changed_the_same_lines_nothing_is_written_and_both_sides_are_told() {
    let world = World::new(&[("terms.md", TERMS), ("other.md", "other\n")]).await;
    let proposal = world
        .act(|copy| {
            put(&copy.join("terms.md"), &TERMS.replace("14", "30"));
            put(&copy.join("other.md"), "changed\n");
        })
        .await
        .unwrap();
    let mine = TERMS.replace("14", "21");
    put(&world.root().join("terms.md"), &mine);
    let hunks = world.hunks(&proposal).await;
    let refused = world.accept(&proposal, &hunks).await.unwrap_err();
    assert_eq!(refused.status, 409);
    let conflict = &refused.facts["conflicts"][0];
    assert_eq!(conflict["document"], "terms.md");
    assert_eq!(conflict["line"], 3);
    assert_eq!(conflict["yours"], "Paid in 21 days.\r\n");
    assert_eq!(conflict["proposed"], "Paid in 30 days.\r\n");
    assert_eq!(
        (world.text("terms.md"), world.text("other.md")),
        (mine, "other\n".to_owned())
    );
    assert_eq!(world.states(&proposal).await, [HunkState::Open; 2]);

    let undo = world
        .accept(&proposal, &hunks[..1])
        .await
        .unwrap()
        .undo_id
        .unwrap();
    put(&world.root().join("other.md"), "mine\n");
    let refused = world.proposals.undo(&undo).await.unwrap_err();
    assert_eq!(refused.status, 409);
    assert_eq!(world.text("other.md"), "mine\n");
}

#[tokio::test]
async fn files_are_made_removed_renamed_and_all_of_it_is_taken_back() {
    let files = [
        ("gone.md", "gone\n"),
        ("old.md", "one\ntwo\nthree\n"),
        ("run.sh", "x\n"),
    ];
    let world = World::new(&files).await;
    let proposal = world
        .act(|copy| {
            fs::remove_file(copy.join("gone.md")).unwrap();
            fs::remove_file(copy.join("old.md")).unwrap();
            put(&copy.join("deep/new.md"), "one\ntwo\nthree\nfour\n");
            put(&copy.join("a/b/made.md"), "made\n");
            fs::set_permissions(copy.join("run.sh"), Permissions::from_mode(0o755)).unwrap();
        })
        .await
        .unwrap();
    let hunks = world.hunks(&proposal).await;
    let changed = world.accept(&proposal, &hunks).await.unwrap();
    assert!(!world.root().join("gone.md").exists() && !world.root().join("old.md").exists());
    assert_eq!(world.text("deep/new.md"), "one\ntwo\nthree\nfour\n");
    assert_eq!(world.text("a/b/made.md"), "made\n");
    assert_eq!(
        fs::metadata(world.root().join("run.sh")).unwrap().mode() & 0o777,
        0o755
    );
    world
        .proposals
        .undo(&changed.undo_id.unwrap())
        .await
        .unwrap();
    for (path, text) in files {
        assert_eq!(world.text(path), text);
    }
    assert!(
        !world.root().join("deep/new.md").exists() && !world.root().join("a/b/made.md").exists()
    );
    assert_eq!(
        fs::metadata(world.root().join("run.sh")).unwrap().mode() & 0o777,
        0o644
    );
}

#[tokio::test]
async fn a_file_behind_a_link_is_written_and_the_link_stays() {
    let world = World::new(&[("terms.md", TERMS)]).await;
    let proposal = proposed(&world).await;
    fs::rename(world.root().join("terms.md"), world.root().join("real.md")).unwrap();
    symlink("real.md", world.root().join("terms.md")).unwrap();
    let hunks = world.hunks(&proposal).await;
    world.accept(&proposal, &hunks[..1]).await.unwrap();
    assert_eq!(world.text("real.md"), TERMS.replace("14", "30"));
    assert!(
        fs::symlink_metadata(world.root().join("terms.md"))
            .unwrap()
            .is_symlink()
    );
}

/// R28: when the disk refuses, every file is as it was and the hunks wait as before.
#[tokio::test]
async fn when_one_file_cannot_be_written_none_is() {
    let world = World::new(&[("a.md", "a\n"), ("sub/b.md", "b\n")]).await;
    let proposal = world
        .act(|copy| {
            put(&copy.join("a.md"), "A\n");
            put(&copy.join("sub/b.md"), "B\n");
        })
        .await
        .unwrap();
    // A folder in the place where the second file's new content would be put in place of.
    fs::remove_file(world.root().join("sub/b.md")).unwrap();
    fs::create_dir(world.root().join("sub/b.md")).unwrap();
    let refused = world
        .accept(&proposal, &world.hunks(&proposal).await)
        .await
        .unwrap_err();
    assert!(refused.status >= 400);
    assert_eq!(world.text("a.md"), "a\n");
    assert_eq!(world.states(&proposal).await, [HunkState::Open; 2]);
}

#[tokio::test]
async fn another_base_than_the_one_shown_is_refused() {
    let world = World::new(&[("terms.md", TERMS)]).await;
    let proposal = proposed(&world).await;
    let hunk_id = world.hunks(&proposal).await.remove(0);
    let accept = Accept {
        hunks: vec![AcceptHunk {
            hunk_id,
            text: None,
        }],
        base: Some(crate::documents::version(b"another")),
    };
    let refused = world.proposals.accept(&proposal, accept).await.unwrap_err();
    assert_eq!(refused.status, 409);
    assert_eq!(world.text("terms.md"), TERMS);
}
