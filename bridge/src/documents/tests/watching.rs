//! Changes on disk: what is noticed, recorded and told.

use super::*;
use crate::store::RowQuery;
use rex_shared::ids::PlaceId;
use rex_shared::lane::Lane;
use rex_shared::wire::follow::{Counts, Rail};
use std::io::Write as _;

fn counts(exact: u32, gone: u32, unknown: u32) -> Counts {
    Counts {
        exact,
        gone,
        unknown,
        ..Counts::default()
    }
}

/// S6: a paragraph put in above a place leaves it on its text, and the tab is told that nothing else changed.
#[tokio::test]
async fn a_change_on_disk_is_noticed_and_every_place_found_again() {
    let world = World::new().await;
    let thread = world
        .draft(vec![
            world.pick("terms.md", "within 14 days").await,
            world.pick("terms.md", "Ask support").await,
        ])
        .await;
    let mut told = world.watched("terms.md").await;
    let new = TERMS.replace("Refunds", "Prices hold for a year.\n\nRefunds");
    world.write("terms.md", &new);
    let frame = told.document("terms.md").await;
    assert_eq!(frame.version, Some(text::version(new.as_bytes())));
    assert_eq!(frame.counts, counts(2, 0, 0));
    assert_eq!(world.states(&thread).await, [PlaceState::Exact; 2]);
    let stored = world
        .store
        .document_places(&world.workspace, "terms.md")
        .await
        .unwrap();
    for shown in stored {
        let range = shown.place.start as usize..shown.place.end as usize;
        assert_eq!(&new[range], shown.place.quote);
    }
}

/// S73: gone is said after looking at the file, and text that comes back is found again.
#[tokio::test]
async fn text_that_is_deleted_is_gone_until_it_comes_back() {
    let (world, thread) = World::commented().await;
    let mut told = world.watched("terms.md").await;
    world.write("terms.md", "# Terms\n\nNone.\n");
    assert_eq!(told.document("terms.md").await.counts, counts(0, 1, 0));
    let Frame::Rail(Rail::Row { row }) = told.next().await else {
        panic!("the row's lane changed and nobody was told");
    };
    assert_eq!(
        (row.thread_id.clone(), row.lane),
        (thread.clone(), Lane::Gone)
    );
    // Saved by an editor that writes a new file and renames it.
    world.write("terms.md~", TERMS);
    fs::rename(world.at("terms.md~"), world.at("terms.md")).unwrap();
    assert_eq!(told.document("terms.md").await.counts, counts(1, 0, 0));
    assert_eq!(world.states(&thread).await, [PlaceState::Exact]);
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_unknown_and_not_gone() {
    let (world, thread) = World::commented().await;
    let mut told = world.watched("terms.md").await;
    fs::remove_file(world.at("terms.md")).unwrap();
    let frame = told.document("terms.md").await;
    assert_eq!((frame.version, frame.counts), (None, counts(0, 0, 1)));
    assert_eq!(world.states(&thread).await, [PlaceState::Unknown]);
    let files = world.documents.files(&world.workspace).await.unwrap();
    assert_eq!(files.missing, ["terms.md"]);
    let rows = world.store.rows(RowQuery {
        workspace_id: world.workspace.clone(),
        lane: Some(Lane::Gone),
        document: None,
        limit: 0,
        after: None,
    });
    assert_eq!(rows.await.unwrap(), []);
}

#[tokio::test]
async fn a_file_that_is_empty_for_a_moment_was_being_saved() {
    let world = World::new().await;
    world
        .draft(vec![world.pick("terms.md", "within 14 days").await])
        .await;
    let mut told = world.watched("terms.md").await;
    world.write("terms.md", "");
    tokio::time::timeout(Duration::from_millis(300), told.next())
        .await
        .unwrap_err();
    world.write("terms.md", &format!("{TERMS}\nMore.\n"));
    // The first thing told is the file as it was saved.
    assert_eq!(told.document("terms.md").await.counts, counts(1, 0, 0));
}

#[tokio::test]
async fn new_folders_and_ignored_ones_are_noticed_too() {
    let world = World::new().await;
    world.write(".gitignore", "ignored/\n");
    world.write("ignored/a.md", TERMS);
    world
        .draft(vec![world.pick("ignored/a.md", "14 days").await])
        .await;
    let mut told = world.watched("ignored/a.md").await;
    // An ignored folder is looked at from time to time.
    world.write("ignored/a.md", "None.\n");
    assert_eq!(told.document("ignored/a.md").await.counts, counts(0, 1, 0));
    // A folder made while watching is watched.
    world.write("new/deep/b.md", TERMS);
    world.shown("new/deep/b.md").await;
    world.write("new/deep/b.md", "None.\n");
    let frame = told.document("new/deep/b.md").await;
    assert!(frame.version.is_some());
}

#[tokio::test]
async fn places_are_found_again_at_the_start() {
    let (world, thread) = World::commented().await;
    // While no bridge was running.
    world.write("terms.md", "None.\n");
    world.watched("terms.md").await;
    assert_eq!(world.states(&thread).await, [PlaceState::Gone]);
    let place: PlaceId = world.shown("terms.md").await.places[0]
        .place
        .place_id
        .clone();
    let version = text::version(b"None.\n");
    let known = world
        .store
        .known_standings(&world.workspace, "terms.md", &version);
    assert_eq!(known.await.unwrap()[&place].state, PlaceState::Gone);
}

/// Editors save in many ways. None of what is on the disk in between is ever told.
#[tokio::test]
async fn whatever_way_an_editor_saves_the_first_thing_told_is_what_it_saved() {
    type Save = fn(&World, &str);
    let styles: [(&str, Save); 8] = [
        ("in place", |world, text| world.write("terms.md", text)),
        ("emptied, then written", |world, text| {
            fs::File::create(world.at("terms.md")).unwrap();
            world.write("terms.md", text);
        }),
        ("another file renamed over it", |world, text| {
            world.write(".terms.md.tmp", text);
            fs::rename(world.at(".terms.md.tmp"), world.at("terms.md")).unwrap();
        }),
        ("the old one kept beside it", |world, text| {
            fs::rename(world.at("terms.md"), world.at("terms.md~")).unwrap();
            world.write("terms.md", text);
            fs::remove_file(world.at("terms.md~")).unwrap();
        }),
        ("removed and made again", |world, text| {
            fs::remove_file(world.at("terms.md")).unwrap();
            world.write("terms.md", text);
        }),
        ("in pieces", |world, text| {
            let mut file = fs::File::create(world.at("terms.md")).unwrap();
            for piece in text.as_bytes().chunks(7) {
                file.write_all(piece).unwrap();
                file.sync_all().unwrap();
            }
        }),
        ("written long, then cut", |world, text| {
            let mut file = fs::File::options()
                .write(true)
                .open(world.at("terms.md"))
                .unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file.set_len(text.len() as u64).unwrap();
        }),
        ("a link swapped for it", |world, text| {
            world.write(".terms.md.tmp", text);
            fs::remove_file(world.at("terms.md")).unwrap();
            fs::hard_link(world.at(".terms.md.tmp"), world.at("terms.md")).unwrap();
            fs::remove_file(world.at(".terms.md.tmp")).unwrap();
        }),
    ];
    let world = World::new().await;
    world
        .draft(vec![world.pick("terms.md", "within 14 days").await])
        .await;
    let mut told = world.watched("terms.md").await;
    for (at, (style, save)) in styles.iter().enumerate() {
        let text = format!("{TERMS}\nSaved {at} times, now {style}.\n");
        save(&world, &text);
        let frame = told.document("terms.md").await;
        let version = text::version(text.as_bytes());
        assert_eq!(frame.version, Some(version), "{style}");
        assert_eq!(frame.counts, counts(1, 0, 0), "{style}");
    }
}
