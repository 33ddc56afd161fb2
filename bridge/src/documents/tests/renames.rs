//! Documents that have another path, and text that is in another file.

use super::*;
use rex_shared::wire::document::RenameOffer;
use rex_shared::wire::follow::Rail;
use rex_shared::wire::problem::ProblemType;

impl World {
    fn mv(&self, from: &str, to: &str) {
        fs::create_dir_all(self.at(to).parent().unwrap()).unwrap();
        fs::rename(self.at(from), self.at(to)).unwrap();
    }

    async fn documents_of(&self, thread: &ThreadId) -> Vec<String> {
        let (_, row) = self.store.row(thread).await.unwrap().unwrap();
        row.places.into_iter().map(|place| place.document).collect()
    }

    async fn offers(&self) -> Vec<RenameOffer> {
        let files = self.documents.files(&self.workspace).await.unwrap();
        files.renames
    }
}

impl Told {
    async fn rename(&mut self) -> (Option<String>, String) {
        loop {
            if let Frame::Document(frame) = self.next().await
                && frame.renamed_from.is_some()
            {
                return (frame.renamed_from, frame.document);
            }
        }
    }
}

/// S82: a file renamed outside keeps its comments: equal bytes in one new file are certain.
#[tokio::test]
async fn a_file_renamed_outside_takes_its_comments_along() {
    let (world, thread) = World::commented().await;
    let mut told = world.watched("terms.md").await;
    world.mv("terms.md", "legal/conditions.md");
    let renamed = (
        Some("terms.md".to_owned()),
        "legal/conditions.md".to_owned(),
    );
    assert_eq!(told.rename().await, renamed);
    let Frame::Rail(Rail::Row { row }) = told.next().await else {
        panic!("the rail was not told");
    };
    assert_eq!(row.places[0].document, "legal/conditions.md");
    // It is watched under its new name from the first moment.
    told.document("legal/conditions.md").await;
    assert_eq!(world.states(&thread).await, [PlaceState::Exact]);
    world.write("legal/conditions.md", "None.\n");
    assert_eq!(told.document("legal/conditions.md").await.counts.gone, 1);
    let files = world.documents.files(&world.workspace).await.unwrap();
    assert_eq!(files.missing, Vec::<String>::new());
}

#[tokio::test]
async fn a_renamed_folder_takes_all_its_comments_along() {
    let world = World::new().await;
    world.write("docs/a.md", "The first document of the folder.\n");
    world.write("docs/b.md", "The second document of the folder.\n");
    let thread = world
        .draft(vec![
            world.pick("docs/a.md", "first document").await,
            world.pick("docs/b.md", "second document").await,
        ])
        .await;
    let mut told = world.watched("docs/b.md").await;
    world.mv("docs", "guides");
    let mut to = [told.rename().await.1, told.rename().await.1];
    to.sort();
    assert_eq!(to, ["guides/a.md", "guides/b.md"]);
    assert_eq!(world.documents_of(&thread).await, to);
}

#[tokio::test]
async fn a_file_renamed_while_nobody_watched_is_found_at_the_start() {
    let (world, thread) = World::commented().await;
    world.mv("terms.md", "Terms.md");
    world.watched("Terms.md").await;
    assert_eq!(world.documents_of(&thread).await, ["Terms.md"]);
    assert_eq!(world.states(&thread).await, [PlaceState::Exact]);
}

/// An editor that keeps the old file under another name while it writes the new one.
#[tokio::test]
async fn a_backup_made_while_saving_is_no_rename() {
    let (world, thread) = World::commented().await;
    let mut told = world.watched("terms.md").await;
    world.mv("terms.md", "terms.md~");
    world.write("terms.md", &format!("{TERMS}\nMore.\n"));
    let frame = told.document("terms.md").await;
    assert_eq!((frame.renamed_from, frame.counts.exact), (None, 1));
    assert_eq!(world.documents_of(&thread).await, ["terms.md"]);
}

/// S82: what is alike and not equal is offered, listed as missing until then, and can be taken back.
#[tokio::test]
async fn a_file_renamed_and_edited_is_offered_and_taken_by_the_person() {
    let world = World::new().await;
    let text = "One line of it.\n\nAnother line of it.\n\nA third line of it.\n\nWithin 14 days.\n";
    world.write("old.md", text);
    let thread = world
        .draft(vec![world.pick("old.md", "Within 14 days.").await])
        .await;
    let mut told = world.watched("old.md").await;
    world.write("new.md", &format!("{text}\nAnd something quite new.\n"));
    fs::remove_file(world.at("old.md")).unwrap();
    assert_eq!(told.document("old.md").await.version, None);
    let files = world.documents.files(&world.workspace).await.unwrap();
    assert_eq!(files.missing, ["old.md"]);
    let offers = world.offers().await;
    let [offer] = offers.as_slice() else {
        panic!("{offers:?}");
    };
    assert_eq!(
        (offer.from.as_str(), offer.to.as_str()),
        ("old.md", "new.md")
    );
    assert!((50..100).contains(&offer.alike), "{}", offer.alike);
    assert_eq!(
        world.documents_of(&thread).await,
        ["old.md"],
        "only offered"
    );

    let rename = world.documents.rename(&world.workspace, "old.md", "new.md");
    rename.await.unwrap();
    let renamed = (Some("old.md".to_owned()), "new.md".to_owned());
    assert_eq!(told.rename().await, renamed);
    assert_eq!(told.document("new.md").await.counts.exact, 1);
    assert_eq!(world.offers().await, []);

    let back = world.documents.rename(&world.workspace, "new.md", "old.md");
    back.await.unwrap();
    assert_eq!(world.documents_of(&thread).await, ["old.md"]);
}

/// What a person took back is offered, after the next start too, and not done again until they say so.
#[tokio::test]
async fn a_rename_that_a_person_took_back_is_not_made_again() {
    let (world, thread) = World::commented().await;
    let mut told = world.watched("terms.md").await;
    world.mv("terms.md", "copy.md");
    assert_eq!(told.rename().await.1, "copy.md");
    let back = world
        .documents
        .rename(&world.workspace, "copy.md", "terms.md");
    back.await.unwrap();
    assert_eq!(told.rename().await.1, "terms.md");
    assert_eq!(told.document("terms.md").await.version, None);
    assert_eq!(world.documents_of(&thread).await, ["terms.md"]);
    let [offer] = &world.offers().await[..] else {
        panic!("not offered");
    };
    assert_eq!((offer.to.as_str(), offer.alike), ("copy.md", 100));

    let hub = Hub::default();
    let mut told = Told(hub.follow_workspace(&world.workspace));
    let next = Documents::new(world.store.clone(), hub, LiveTable::default());
    world.stop.cancel();
    let stop = CancellationToken::new();
    next.watch(&world.workspace, stop.clone());
    assert_eq!(told.document("terms.md").await.version, None);
    assert_eq!(world.documents_of(&thread).await, ["terms.md"]);

    let yes = next.rename(&world.workspace, "terms.md", "copy.md");
    yes.await.unwrap();
    assert_eq!(told.rename().await.1, "copy.md");
    told.document("copy.md").await;
    world.mv("copy.md", "conditions.md");
    assert_eq!(told.rename().await.1, "conditions.md");
    stop.cancel();
}

#[tokio::test]
async fn two_equal_new_files_are_both_offered_and_neither_is_taken() {
    let (world, thread) = World::commented().await;
    let mut told = world.watched("terms.md").await;
    world.write("one.md", TERMS);
    world.write("two.md", TERMS);
    fs::remove_file(world.at("terms.md")).unwrap();
    assert_eq!(told.document("terms.md").await.version, None);
    let to: Vec<String> = world.offers().await.into_iter().map(|o| o.to).collect();
    assert_eq!(to, ["one.md", "two.md"]);
    assert_eq!(world.documents_of(&thread).await, ["terms.md"]);
}

#[tokio::test]
async fn comments_are_never_heaped_onto_a_document_that_has_its_own() {
    let world = World::new().await;
    world.write("faq.md", "Refunds take a month.\n");
    world
        .draft(vec![
            world.pick("terms.md", "within 14 days").await,
            world.pick("faq.md", "a month").await,
        ])
        .await;
    for (to, problem) in [
        ("faq.md", ProblemType::Conflict),
        ("terms.md", ProblemType::Conflict),
        ("../x.md", ProblemType::BadRequest),
    ] {
        let refused = world.documents.rename(&world.workspace, "terms.md", to);
        assert_eq!(refused.await.unwrap_err().kind, problem, "{to}");
    }
    let refused = world
        .documents
        .rename(&world.workspace, "none.md", "new.md");
    assert_eq!(
        refused.await.unwrap_err().kind,
        ProblemType::UnknownDocument
    );
}

/// Two names that differ in case only are two documents where the disk knows them apart, one file or not.
#[tokio::test]
async fn another_name_of_the_same_file_is_no_rename() {
    let (world, thread) = World::commented().await;
    let mut told = world.watched("terms.md").await;
    fs::hard_link(world.at("terms.md"), world.at("TERMS.md")).unwrap();
    world.write("terms.md", &format!("{TERMS}\nMore.\n"));
    let frame = told.document("terms.md").await;
    assert_eq!((frame.renamed_from, frame.counts.exact), (None, 1));
    assert_eq!(world.documents_of(&thread).await, ["terms.md"]);
}

#[tokio::test]
async fn a_link_that_took_a_files_place_is_another_document() {
    let (world, thread) = World::commented().await;
    let mut told = world.watched("terms.md").await;
    world.write("other.md", "Nothing of it.\n");
    fs::remove_file(world.at("terms.md")).unwrap();
    std::os::unix::fs::symlink("other.md", world.at("terms.md")).unwrap();
    let frame = told.document("terms.md").await;
    assert_eq!((frame.version, frame.counts.unknown), (None, 1));
    assert_eq!(world.states(&thread).await, [PlaceState::Unknown]);
}

/// Cut here, pasted there, saved one after the other: offered in the other file, and never applied.
#[tokio::test]
async fn text_moved_to_another_file_is_offered_there() {
    let sentence = "Every night a full copy of the database is written to another city.";
    let world = World::new().await;
    world.write("a.md", &format!("# A\n\nFirst.\n\n{sentence}\n\nLast.\n"));
    world.write("b.md", "# B\n\nSomething else altogether.\n");
    let thread = world.draft(vec![world.pick("a.md", sentence).await]).await;
    world.shown("b.md").await;
    let mut told = world.watched("a.md").await;
    world.write("a.md", "# A\n\nFirst.\n\nLast.\n");
    world.write(
        "b.md",
        &format!("# B\n\nSomething else altogether.\n\n{sentence}\n"),
    );
    assert_eq!(told.document("a.md").await.counts.gone, 1);
    let place = world.store.thread(&thread).await.unwrap().unwrap().places[0].clone();
    let detail = async || {
        world
            .documents
            .place(&thread, &place.place_id)
            .await
            .unwrap()
    };
    let first = async || {
        detail()
            .await
            .offers
            .into_iter()
            .find(|o| o.document == "b.md")
    };
    // The second file may have been heard of a moment later.
    let offer = loop {
        match first().await {
            Some(offer) => break offer,
            None => drop(told.next().await),
        }
    };
    assert_eq!((offer.quote.as_str(), offer.line), (sentence, 5));
    assert_eq!(detail().await.place.state, PlaceState::Gone);

    // Yes, here.
    let new = NewPlace {
        place_id: fresh::id(),
        document: offer.document,
        kind: place.kind,
        start: offer.start,
        end: offer.end,
        version: offer.version,
        quote: offer.quote,
    };
    let checked = world.documents.check_place(&world.workspace, &new).await;
    let taken = world
        .store
        .reattach(&thread, &place.place_id, checked.unwrap(), fresh::now());
    taken.await.unwrap();
    assert_eq!(world.states(&thread).await, [PlaceState::Exact]);
    assert_eq!(world.documents_of(&thread).await, ["b.md"]);
}
