//! What the next start makes of an act that a crash interrupted, at every step of it.

use super::world::{World, put};
use crate::proposals::act::Contents;
use crate::proposals::writing;
use crate::store::{Content, FileAct, FileWrite};
use crate::workspaces::Root;
use crate::{documents, fresh};
use rex_shared::ids::ProposalId;
use rex_shared::wire::proposal::HunkState;

fn content(text: &str) -> Content {
    Content {
        hash: documents::version(text.as_bytes()),
        mode: 0o644,
    }
}

/// An accept of two files that got as far as its journal.
async fn begun(world: &World) -> (ProposalId, FileAct) {
    let proposal = world
        .act(|copy| {
            put(&copy.join("a.md"), "A\n");
            put(&copy.join("b.md"), "B\n");
        })
        .await
        .unwrap();
    let write = |path: &str, before: &str, after: &str| FileWrite {
        path: path.to_owned(),
        before: Some(content(before)),
        after: Some(content(after)),
        staged_as: format!(".rex-{path}"),
    };
    let act = FileAct {
        act_id: uuid::Uuid::now_v7().to_string(),
        proposal_id: proposal.clone(),
        takes_back: None,
        at: fresh::now(),
        writes: vec![write("a.md", "a\n", "A\n"), write("b.md", "b\n", "B\n")],
        hunks: world
            .hunks(&proposal)
            .await
            .into_iter()
            .map(|hunk| (hunk, None))
            .collect(),
    };
    world.store.stage_act(act.clone()).await.unwrap();
    (proposal, act)
}

async fn world() -> World {
    World::new(&[("a.md", "a\n"), ("b.md", "b\n")]).await
}

fn lay_down(world: &World, act: &FileAct, count: usize) -> Root {
    let root = Root::open(&world.root()).unwrap();
    let contents = Contents::from(
        [("A\n", "a"), ("B\n", "b")]
            .map(|(text, _)| (documents::version(text.as_bytes()), text.as_bytes().into())),
    );
    for write in &act.writes[..count] {
        let after = write.after.as_ref().unwrap();
        writing::stage(&root, write, &contents[&after.hash]).unwrap();
    }
    root
}

/// R53: a crash before every new content was laid down leaves the old files, and nothing beside them.
#[tokio::test]
async fn a_crash_while_contents_are_laid_down_leaves_the_old_files() {
    for laid_down in 0..=2 {
        let world = world().await;
        let (proposal, act) = begun(&world).await;
        lay_down(&world, &act, laid_down);
        let world = world.restarted().await;
        world.proposals.recover().await.unwrap();
        assert_eq!(
            (world.text("a.md"), world.text("b.md")),
            ("a\n".to_owned(), "b\n".to_owned())
        );
        assert_eq!(std::fs::read_dir(world.root()).unwrap().count(), 2);
        assert_eq!(world.states(&proposal).await, [HunkState::Open; 2]);
    }
}

/// R53: a crash after that is finished at the next start, wherever it was.
#[tokio::test]
async fn a_crash_while_files_get_their_contents_is_finished() {
    for put_in_place in 0..=2 {
        let world = world().await;
        let (proposal, act) = begun(&world).await;
        let root = lay_down(&world, &act, 2);
        world.store.act_goes(&act.act_id).await.unwrap();
        for write in &act.writes[..put_in_place] {
            writing::put(&root, write).unwrap();
        }
        let world = world.restarted().await;
        world.proposals.recover().await.unwrap();
        assert_eq!(
            (world.text("a.md"), world.text("b.md")),
            ("A\n".to_owned(), "B\n".to_owned())
        );
        assert_eq!(std::fs::read_dir(world.root()).unwrap().count(), 2);
        assert_eq!(world.states(&proposal).await, [HunkState::Accepted; 2]);
        // It is as any other accept from then on.
        world.proposals.undo(&act.act_id).await.unwrap();
        assert_eq!(
            (world.text("a.md"), world.text("b.md")),
            ("a\n".to_owned(), "b\n".to_owned())
        );
    }
}

#[tokio::test]
async fn what_the_person_wrote_after_the_crash_is_theirs() {
    let world = world().await;
    let (_, act) = begun(&world).await;
    lay_down(&world, &act, 2);
    world.store.act_goes(&act.act_id).await.unwrap();
    put(&world.root().join("b.md"), "mine\n");
    let world = world.restarted().await;
    world.proposals.recover().await.unwrap();
    assert_eq!(
        (world.text("a.md"), world.text("b.md")),
        ("A\n".to_owned(), "mine\n".to_owned())
    );
}
