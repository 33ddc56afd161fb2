//! What the page gets, and that getting it writes nothing.

use super::*;
use rex_shared::wire::problem::ProblemType;

#[tokio::test]
async fn a_document_comes_in_pages_of_blocks() {
    let world = World::new().await;
    let long: Vec<_> = (0..450).map(|n| format!("Paragraph {n}.\n")).collect();
    world.write("long.md", &long.join("\n"));
    let first = world.shown("long.md").await;
    assert_eq!((first.total, first.from, first.blocks.len()), (450, 0, 200));
    let last = world
        .page(Ask {
            from: Some(400),
            count: Some(9000),
            ..ask("long.md")
        })
        .await;
    assert_eq!((last.from, last.blocks.len()), (400, 50));
    assert_eq!(last.blocks[0].source.as_deref(), Some("Paragraph 400.\n\n"));
}

#[tokio::test]
async fn only_changed_blocks_come_again_and_older_versions_are_kept() {
    let world = World::new().await;
    let old = world.shown("terms.md").await;
    world.write("terms.md", &TERMS.replace("14", "30"));
    let since = world
        .page(Ask {
            since: Some(old.version.clone()),
            ..ask("terms.md")
        })
        .await;
    let sent: Vec<_> = since
        .blocks
        .iter()
        .map(|block| block.source.is_some())
        .collect();
    assert_eq!(sent, [false, true, false]);
    assert_ne!(since.version, old.version);
    let again = world
        .page(Ask {
            version: Some(old.version.clone()),
            ..ask("terms.md")
        })
        .await;
    assert_eq!(
        (again.version, again.blocks),
        (old.version.clone(), old.blocks)
    );
    let nothing = world
        .page(Ask {
            since: Some(since.version.clone()),
            ..ask("terms.md")
        })
        .await;
    assert!(nothing.blocks.iter().all(|block| block.node.is_none()));
    let unheard_of = Ask {
        version: Some(text::version(b"never served")),
        ..ask("terms.md")
    };
    let problem = world.documents.page(&world.workspace, unheard_of).await;
    assert_eq!(problem.unwrap_err().kind, ProblemType::UnknownDocument);
}

#[tokio::test]
async fn a_name_through_links_is_the_document_it_leads_to() {
    let world = World::new().await;
    std::os::unix::fs::symlink("terms.md", world.at("linked.md")).unwrap();
    world
        .draft(vec![world.pick("linked.md", "14 days").await])
        .await;
    let document = world.shown("linked.md").await;
    assert_eq!(document.document, "terms.md");
    assert_eq!(document.places[0].place.document, "terms.md");
    let files = world.documents.files(&world.workspace).await.unwrap();
    let listed: Vec<_> = files
        .entries
        .iter()
        .map(|f| (f.path.as_str(), f.threads))
        .collect();
    assert_eq!(listed, [("terms.md", 1)]);
}

/// S104: looking at documents and files writes neither rows nor files.
#[tokio::test]
async fn looking_writes_nothing() {
    let world = World::new().await;
    let thread = world
        .draft(vec![world.pick("terms.md", "14 days").await])
        .await;
    let old = world.shown("terms.md").await.version;
    world.write("terms.md", &TERMS.replace("14 days", "two weeks"));
    let before = (stamps(&world.at("")), world.states(&thread).await);
    for _ in 0..2 {
        let now = world.shown("terms.md").await;
        // It says how the place stands, and leaves the record of it to the watch.
        assert_eq!(now.places[0].place.state, PlaceState::Changed);
        let known = world
            .store
            .known_standings(&world.workspace, "terms.md", &now.version);
        assert!(known.await.unwrap().is_empty());
        world
            .page(Ask {
                version: Some(old.clone()),
                ..ask("terms.md")
            })
            .await;
        world.documents.files(&world.workspace).await.unwrap();
        world
            .documents
            .raw(&world.workspace, "terms.md")
            .await
            .unwrap();
        world.documents.first(&world.workspace).await.unwrap();
        assert!(
            world
                .documents
                .read(&world.workspace, "none.md")
                .await
                .is_err()
        );
    }
    assert_eq!((stamps(&world.at("")), world.states(&thread).await), before);
}

/// Names, sizes and times of a folder's files.
fn stamps(folder: &std::path::Path) -> Vec<(PathBuf, u64, std::time::SystemTime)> {
    let mut stamps: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let metadata = entry.metadata().unwrap();
            (entry.path(), metadata.len(), metadata.modified().unwrap())
        })
        .collect();
    stamps.sort();
    stamps
}
