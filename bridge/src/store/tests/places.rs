use crate::store::StoreError;
use crate::store::fixture::{Home, at, new_thread, place, record, standing, version};
use rex_shared::ids::{PlaceId, ThreadId};
use rex_shared::lane::Lane;
use rex_shared::wire::place::{Place, PlaceState};
use rex_shared::wire::thread::{Draft, ThreadPatch, ThreadStatus};

async fn places(home: &Home, thread: &ThreadId) -> Vec<Place> {
    home.store.thread(thread).await.unwrap().unwrap().places
}

async fn lane(home: &Home, thread: &ThreadId) -> Lane {
    home.store.row(thread).await.unwrap().unwrap().1.lane
}

/// S2 S3: a comment has several places, in several documents, each with its own.
#[tokio::test]
async fn a_comment_spans_documents() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat", "12 euros"], at(1)).await;
    home.store
        .add_places(&thread, vec![place("components.md", "per team")], at(2))
        .await
        .unwrap();
    let documents: Vec<_> = places(&home, &thread)
        .await
        .into_iter()
        .map(|place| place.document)
        .collect();
    assert_eq!(documents, ["pricing.md", "pricing.md", "components.md"]);
}

/// S58 S59: places join with any message, and each remembers the one that brought it.
#[tokio::test]
async fn each_place_knows_the_message_that_brought_it() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let first = home.send(&thread, "Why per seat?", at(2)).await;
    home.store
        .finish_run(
            &first.run_id,
            crate::store::fixture::ended(rex_shared::transcript::RunState::Done),
            at(3),
        )
        .await
        .unwrap();
    home.store
        .add_places(&thread, vec![place("components.md", "per team")], at(4))
        .await
        .unwrap();
    let mut second = home.prompt(&thread, "Here it says the opposite.");
    second.places = vec![place("faq.md", "per company")];
    let second = home.store.begin_run(second, at(5)).await.unwrap().run;
    let brought: Vec<_> = places(&home, &thread)
        .await
        .into_iter()
        .map(|place| (place.document, place.message_id))
        .collect();
    assert_eq!(
        brought,
        [
            ("pricing.md".to_owned(), Some(first.message_id)),
            ("components.md".to_owned(), Some(second.message_id.clone())),
            ("faq.md".to_owned(), Some(second.message_id)),
        ]
    );
}

/// S57: picked passages move from a draft into the comment that is open, and the draft that held them is gone.
#[tokio::test]
async fn passages_of_a_draft_join_another_comment() {
    let home = Home::new().await;
    let open = home.draft(&["per seat"], at(1)).await;
    let draft = home.draft(&["per team", "per company"], at(2)).await;
    let typed = ThreadPatch {
        draft: Some(Draft {
            text: "And this?".to_owned(),
            ..Draft::default()
        }),
        ..ThreadPatch::default()
    };
    home.store.patch_thread(&draft, typed, at(3)).await.unwrap();
    let ids: Vec<PlaceId> = places(&home, &draft)
        .await
        .into_iter()
        .map(|place| place.place_id)
        .collect();

    let moved = home
        .store
        .move_places(vec![ids[0].clone()], &open, at(4))
        .await
        .unwrap();
    assert_eq!(
        (moved.changed, moved.removed),
        (vec![draft.clone()], vec![])
    );
    let moved = home
        .store
        .move_places(ids.clone(), &open, at(5))
        .await
        .unwrap();
    assert_eq!(moved.removed, std::slice::from_ref(&draft));
    assert!(home.store.thread(&draft).await.unwrap().is_none());
    let open_now = home.store.thread(&open).await.unwrap().unwrap();
    assert_eq!(open_now.places.len(), 3);
    assert_eq!(
        open_now.draft.text, "And this?",
        "what was typed goes along"
    );

    let again = home.store.move_places(ids, &open, at(6)).await.unwrap();
    assert!(again.changed.is_empty() && again.removed.is_empty());
}

#[tokio::test]
async fn what_a_message_brought_stays_with_it() {
    let home = Home::new().await;
    let sent = home.draft(&["per seat"], at(1)).await;
    home.send(&sent, "Why?", at(2)).await;
    let other = home.draft(&[], at(3)).await;
    let ids = places(&home, &sent)
        .await
        .into_iter()
        .map(|place| place.place_id)
        .collect();
    let refused = home.store.move_places(ids, &other, at(4)).await;
    assert!(matches!(refused, Err(StoreError::UnknownPlace)));
}

#[tokio::test]
async fn a_place_added_twice_is_added_once() {
    let home = Home::new().await;
    let thread = home.draft(&[], at(1)).await;
    let picked = place("pricing.md", "per seat");
    for _ in 0..2 {
        home.store
            .add_places(&thread, vec![picked.clone()], at(2))
            .await
            .unwrap();
    }
    assert_eq!(places(&home, &thread).await.len(), 1);
    let mut other = place("pricing.md", "per team");
    other.place.place_id = picked.place.place_id.clone();
    let refused = home.store.add_places(&thread, vec![other], at(3)).await;
    assert!(matches!(refused, Err(StoreError::IdReused(_))));
}

/// S73: a comment is gone only when its text was looked for and is not there; a file that cannot be read says nothing.
#[tokio::test]
async fn gone_is_checked_and_unknown_is_not_gone() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    home.turn(&thread, "Why?", "Because.", at(2)).await;
    let id = places(&home, &thread).await[0].place_id.clone();
    let record = async |state, text| record(&home, &id, standing(state, text), at(3)).await;
    record(PlaceState::Unknown, "").await;
    assert_eq!(lane(&home, &thread).await, Lane::Open);
    let gone = record(PlaceState::Gone, "Something else.").await;
    assert_eq!((gone.counts.gone, gone.threads), (1, vec![thread.clone()]));
    assert_eq!(lane(&home, &thread).await, Lane::Gone);
    let same = record(PlaceState::Gone, "Still something else.").await;
    assert!(same.threads.is_empty(), "no row changed");
}

/// S75: a resolved comment whose text is removed stays resolved.
#[tokio::test]
async fn a_resolved_comment_never_moves_to_gone() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let resolve = ThreadPatch {
        status: Some(ThreadStatus::Resolved),
        ..ThreadPatch::default()
    };
    home.store
        .patch_thread(&thread, resolve, at(2))
        .await
        .unwrap();
    let id = places(&home, &thread).await[0].place_id.clone();
    record(&home, &id, standing(PlaceState::Gone, "else"), at(3)).await;
    assert_eq!(lane(&home, &thread).await, Lane::Resolved);
}

#[tokio::test]
async fn a_place_shows_its_newest_finding_and_keeps_its_anchor() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let made = places(&home, &thread).await[0].clone();
    assert_eq!(
        (made.quote.as_str(), made.state),
        ("per seat", PlaceState::Exact)
    );
    let record = async |standing| record(&home, &made.place_id, standing, at(2)).await;
    record(standing(PlaceState::Changed, "per active seat")).await;
    let changed = places(&home, &thread).await[0].clone();
    assert_eq!(
        (changed.quote.as_str(), changed.state),
        ("per active seat", PlaceState::Changed)
    );
    assert_eq!(changed.version, version("per active seat"));
    record(standing(PlaceState::Gone, "nothing of it")).await;
    let gone = places(&home, &thread).await[0].clone();
    assert_eq!(
        (gone.quote.as_str(), gone.state),
        ("per active seat", PlaceState::Gone)
    );
    record(standing(PlaceState::Exact, "per seat")).await;
    assert_eq!(
        places(&home, &thread).await[0],
        made,
        "text that comes back is found again"
    );

    let anchors = home
        .store
        .anchors(&home.workspace, "pricing.md")
        .await
        .unwrap();
    assert_eq!(
        (anchors[0].quote.as_str(), anchors[0].start, anchors[0].end),
        ("per seat", 0, 8)
    );
    let known = home
        .store
        .known_standings(&home.workspace, "pricing.md", &version("per active seat"))
        .await
        .unwrap();
    assert_eq!(
        known[&made.place_id],
        standing(PlaceState::Changed, "per active seat")
    );
}

#[tokio::test]
async fn a_reattached_place_stands_in_for_the_one_that_is_gone() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    home.turn(&thread, "Why?", "Because.", at(2)).await;
    let old = places(&home, &thread).await[0].clone();
    let gone = standing(PlaceState::Gone, "else");
    record(&home, &old.place_id, gone, at(3)).await;
    let new = place("terms.md", "for each seat");
    let new_id = new.place.place_id.clone();
    for _ in 0..2 {
        home.store
            .reattach(&thread, &old.place_id, new.clone(), at(3))
            .await
            .unwrap();
    }
    assert_eq!(lane(&home, &thread).await, Lane::Open);
    let now = places(&home, &thread).await;
    assert_eq!(now[0].state, PlaceState::Gone);
    assert_eq!(now[1].replaces, Some(old.place_id));
    assert_eq!(now[1].message_id, old.message_id);
    let row = home.store.row(&thread).await.unwrap().unwrap().1;
    assert_eq!(row.places.len(), 1);

    home.store
        .remove_place(&thread, &new_id, at(4))
        .await
        .unwrap();
    assert_eq!(
        lane(&home, &thread).await,
        Lane::Gone,
        "taking it back leaves the old one"
    );
}

/// S5: from a document one reaches the threads in it, from a thread its places.
#[tokio::test]
async fn a_document_knows_its_comments() {
    let home = Home::new().await;
    let first = home.draft(&["per seat", "12 euros"], at(1)).await;
    let second = home.draft(&["per seat"], at(2)).await;
    let found = home
        .store
        .document_places(&home.workspace, "pricing.md")
        .await
        .unwrap();
    let found: Vec<_> = found
        .into_iter()
        .map(|place| (place.number, place.thread_id, place.lane))
        .collect();
    assert_eq!(
        found,
        [
            (1, first.clone(), Lane::Draft),
            (1, first.clone(), Lane::Draft),
            (2, second, Lane::Draft)
        ]
    );
    let resolve = ThreadPatch {
        status: Some(ThreadStatus::Resolved),
        ..ThreadPatch::default()
    };
    home.store
        .patch_thread(&first, resolve, at(3))
        .await
        .unwrap();
    let counts = home.store.document_counts(&home.workspace).await.unwrap();
    assert_eq!(counts["pricing.md"], 1);
}

#[tokio::test]
async fn the_text_a_comment_was_made_on_is_kept_once() {
    let home = Home::new().await;
    home.draft(&["per seat", "per seat"], at(1)).await;
    let kept = home.store.snapshot(&version("per seat")).await.unwrap();
    assert_eq!(kept.as_deref(), Some(&b"per seat"[..]));
    assert_eq!(home.store.snapshot(&version("other")).await.unwrap(), None);
    let refused = home
        .store
        .create_thread(&crate::fresh::id(), new_thread(), Vec::new(), at(2))
        .await;
    assert!(matches!(refused, Err(StoreError::UnknownWorkspace)));
}
