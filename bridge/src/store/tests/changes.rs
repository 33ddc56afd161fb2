use crate::store::fixture::{Home, at, place, record, standing, version};
use crate::store::{Standing, Store, StoreError};
use rex_shared::ids::PlaceId;
use rex_shared::wire::change::Outcomes;
use rex_shared::wire::place::{Offer, PlaceState, Vanished};

async fn only_place(home: &Home) -> (rex_shared::ids::ThreadId, PlaceId) {
    let thread = home.draft(&["per seat"], at(1)).await;
    let places = home.store.thread(&thread).await.unwrap().unwrap().places;
    (thread, places[0].place_id.clone())
}

fn gone_with_offer(text: &str) -> Standing {
    Standing {
        offers: vec![Offer {
            document: "terms.md".to_owned(),
            version: version("for each seat"),
            start: 0,
            end: 13,
            quote: "for each seat".to_owned(),
            line: 1,
        }],
        ..standing(PlaceState::Gone, text)
    }
}

#[tokio::test]
async fn the_first_version_is_no_change_and_the_next_one_is() {
    let home = Home::new().await;
    let (_, place) = only_place(&home).await;
    let same = record(
        &home,
        &place,
        standing(PlaceState::Exact, "per seat"),
        at(2),
    )
    .await;
    assert_eq!(same.change, None, "the version is the one it was made on");
    let next = standing(PlaceState::Changed, "per active seat");
    let change = record(&home, &place, next, at(3)).await.change.unwrap();
    assert_eq!(change.before, version("per seat"));
    assert_eq!(change.after, version("per active seat"));
    let outcomes = Outcomes {
        changed: 1,
        ..Outcomes::default()
    };
    assert_eq!((change.at, change.outcomes), (at(3), outcomes));
    let stored = home.store.change(&change.change_id).await.unwrap().unwrap();
    assert_eq!(stored.change, change);
    assert_eq!(stored.places[0].before.state, PlaceState::Exact);
    let unreadable = record(&home, &place, standing(PlaceState::Unknown, ""), at(4)).await;
    assert_eq!(unreadable.change, None);
}

/// What happened while no comment was in a document is nobody's change.
#[tokio::test]
async fn a_document_without_comments_has_no_changes() {
    let home = Home::new().await;
    let (thread, first) = only_place(&home).await;
    home.store
        .remove_place(&thread, &first, at(2))
        .await
        .unwrap();
    let later = version("per team");
    let recorded = home.store.record_standings(
        &home.workspace,
        "pricing.md",
        Some(later),
        Vec::new(),
        at(3),
    );
    assert_eq!(recorded.await.unwrap().change, None);
    let other = place("pricing.md", "per company");
    let id = other.place.place_id.clone();
    home.store
        .add_places(&thread, vec![other], at(4))
        .await
        .unwrap();
    let next = standing(PlaceState::Changed, "per firm");
    let change = record(&home, &id, next, at(5)).await.change.unwrap();
    assert_eq!(change.before, version("per company"));
}

/// S73: since when a text is gone is kept, while its file is away too, and forgotten when the text is back.
#[tokio::test]
async fn when_a_text_vanished_is_kept_until_it_is_back() {
    let home = Home::new().await;
    let (thread, place) = only_place(&home).await;
    let vanished = async || {
        let thread = home.store.thread(&thread).await.unwrap().unwrap();
        thread.places[0].vanished.clone()
    };
    assert_eq!(vanished().await, None);
    let since = Some(Vanished {
        at: at(2),
        version: version("else"),
        said_at: None,
    });
    record(&home, &place, standing(PlaceState::Gone, "else"), at(2)).await;
    assert_eq!(vanished().await, since);
    record(&home, &place, standing(PlaceState::Gone, "more"), at(3)).await;
    assert_eq!(vanished().await, since);
    record(&home, &place, standing(PlaceState::Unknown, ""), at(4)).await;
    assert_eq!(vanished().await, None, "nothing is claimed");
    record(&home, &place, standing(PlaceState::Gone, "more"), at(5)).await;
    assert_eq!(vanished().await, since);
    record(
        &home,
        &place,
        standing(PlaceState::Exact, "per seat"),
        at(6),
    )
    .await;
    assert_eq!(vanished().await, None);
}

#[tokio::test]
async fn what_a_person_said_to_be_gone_is_asked_again_only_after_it_was_there() {
    let home = Home::new().await;
    let (thread, place) = only_place(&home).await;
    let said_at = async || {
        let thread = home.store.thread(&thread).await.unwrap().unwrap();
        thread.places[0]
            .vanished
            .clone()
            .and_then(|since| since.said_at)
    };
    let say = async |gone| home.store.say_gone(&thread, &place, gone, at(9)).await;
    assert!(
        matches!(say(true).await, Err(StoreError::MovedOn(_))),
        "it is there"
    );
    record(&home, &place, standing(PlaceState::Gone, "else"), at(2)).await;
    say(true).await.unwrap();
    assert_eq!(said_at().await, Some(at(9)));
    say(false).await.unwrap();
    assert_eq!(said_at().await, None);
    say(true).await.unwrap();
    record(&home, &place, standing(PlaceState::Unknown, ""), at(3)).await;
    record(&home, &place, standing(PlaceState::Gone, "more"), at(4)).await;
    assert_eq!(said_at().await, Some(at(9)));
    let there = standing(PlaceState::Exact, "per seat");
    record(&home, &place, there, at(5)).await;
    record(&home, &place, standing(PlaceState::Gone, "else"), at(6)).await;
    assert_eq!(said_at().await, None);
}

#[tokio::test]
async fn offers_belong_to_the_version_the_text_is_gone_from() {
    let home = Home::new().await;
    let (thread, place) = only_place(&home).await;
    let offers = async || {
        let record = home.store.place_record(&thread, &place).await;
        record.unwrap().unwrap().offers
    };
    record(&home, &place, gone_with_offer("else"), at(2)).await;
    assert_eq!(offers().await, gone_with_offer("else").offers);
    record(&home, &place, standing(PlaceState::Gone, "more"), at(3)).await;
    assert_eq!(offers().await, []);
    // That version again, as it is known from before.
    let known = home
        .store
        .known_standings(&home.workspace, "pricing.md", &version("else"))
        .await
        .unwrap();
    record(&home, &place, known[&place].clone(), at(4)).await;
    assert_eq!(offers().await, gone_with_offer("else").offers);
    record(
        &home,
        &place,
        standing(PlaceState::Exact, "per seat"),
        at(5),
    )
    .await;
    assert_eq!(offers().await, []);
}

#[tokio::test]
async fn a_place_is_put_onto_other_text_once_and_that_can_be_taken_back() {
    let home = Home::new().await;
    let (thread, old) = only_place(&home).await;
    record(&home, &old, standing(PlaceState::Gone, "else"), at(2)).await;
    let (one, two) = (place("terms.md", "each seat"), place("terms.md", "a seat"));
    home.store
        .reattach(&thread, &old, one.clone(), at(3))
        .await
        .unwrap();
    let refused = home.store.reattach(&thread, &old, two.clone(), at(4)).await;
    assert!(matches!(refused, Err(StoreError::MovedOn(_))));
    let undo = home.store.remove_place(&thread, &one.place.place_id, at(5));
    let undo = undo.await.unwrap();
    home.store
        .reattach(&thread, &old, two, at(6))
        .await
        .unwrap();
    // The one that was taken back does not come again beside it.
    let refused = home.store.undo(&undo.undo_id, at(7)).await;
    assert!(matches!(refused, Err(StoreError::MovedOn(_))));
}

/// A replaced place is resolved all the same, so that it is right at once when the new one is taken back.
#[tokio::test]
async fn a_replaced_place_is_still_looked_for_and_does_not_count() {
    let home = Home::new().await;
    let (thread, old) = only_place(&home).await;
    record(&home, &old, standing(PlaceState::Gone, "else"), at(2)).await;
    let new = place("pricing.md", "per team");
    home.store
        .reattach(&thread, &old, new, at(3))
        .await
        .unwrap();
    let anchors = home.store.anchors(&home.workspace, "pricing.md").await;
    assert_eq!(anchors.unwrap().len(), 2);
    let back = record(&home, &old, standing(PlaceState::Exact, "per seat"), at(4)).await;
    assert_eq!(back.counts.exact, 1, "only the new one counts");
    assert_eq!(back.change.unwrap().outcomes, Outcomes::default());
}

#[tokio::test]
async fn a_renamed_document_takes_its_threads_and_changes_along() {
    let home = Home::new().await;
    let (thread, old) = only_place(&home).await;
    let next = standing(PlaceState::Changed, "per active seat");
    record(&home, &old, next, at(2)).await;
    let renamed = home
        .store
        .rename_document(&home.workspace, "pricing.md", "prices.md", false)
        .await
        .unwrap();
    assert_eq!(renamed.threads, std::slice::from_ref(&thread));
    assert_eq!(renamed.counts.changed, 1);
    let changes = home.store.changes(&home.workspace, "prices.md").await;
    assert_eq!(changes.unwrap()[0].document, "prices.md");
    let places = home.store.thread(&thread).await.unwrap().unwrap().places;
    assert_eq!(places[0].document, "prices.md");
    let again = home
        .store
        .rename_document(&home.workspace, "pricing.md", "x.md", false);
    assert!(matches!(again.await, Err(StoreError::UnknownDocument)));
}

/// Many saves: the newest changes are kept with their texts, and nothing else grows.
#[tokio::test]
async fn old_changes_and_their_texts_are_let_go() {
    let home = Home::new().await;
    let (thread, place) = only_place(&home).await;
    let saved = |n: usize| format!("per seat, saved {n} times");
    let mut changes = Vec::new();
    for n in 0..25 {
        let text = saved(n);
        let bytes = text.as_bytes().into();
        let kept = home.store.keep_snapshot(&version(&text), bytes).await;
        kept.unwrap();
        let next = standing(PlaceState::Changed, &text);
        changes.extend(record(&home, &place, next, at(2)).await.change);
    }
    let kept = home.store.changes(&home.workspace, "pricing.md").await;
    changes.reverse();
    assert_eq!(kept.unwrap(), changes[..20]);
    let has = async |text: &str| home.store.snapshot(&version(text)).await.unwrap().is_some();
    assert!(has("per seat").await, "the text the place was made on");
    assert!(!has(&saved(2)).await);
    assert!(has(&saved(4)).await, "the oldest change leads from it");
    assert!(has(&saved(24)).await);
    let known = async |text: &str| {
        let text = version(text);
        let known = home
            .store
            .known_standings(&home.workspace, "pricing.md", &text);
        known.await.unwrap().len()
    };
    assert_eq!((known(&saved(2)).await, known(&saved(24)).await), (0, 1));

    // What only a deleted comment needs stays until that can no longer be taken back.
    let undo = home
        .store
        .remove_place(&thread, &place, at(3))
        .await
        .unwrap();
    home.store.undo(&undo.undo_id, at(4)).await.unwrap();
    assert!(has("per seat").await);
    home.store
        .remove_place(&thread, &place, at(5))
        .await
        .unwrap();
    home.store.close().await;
    let a_day_later = at(5 + 24 * 60 * 60 * 1000);
    let store = Store::open(&home.path(), a_day_later).unwrap();
    store.takes_writes().await.unwrap();
    let text = store.snapshot(&version("per seat")).await.unwrap();
    assert_eq!(text, None);
}
