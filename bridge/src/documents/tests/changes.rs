//! What a change on disk did to the places, told as it happens and read back later.

use super::*;
use rex_shared::ids::PlaceId;
use rex_shared::lane::Lane;
use rex_shared::wire::change::{Change, ChangeReport, Outcome, Outcomes};
use rex_shared::wire::place::{PlaceDetail, WordFate};
use rex_shared::wire::thread::{ThreadPatch, ThreadStatus};

const GUIDE: &str = "\
# Guide

The starter plan is meant for people who work alone.

Refunds may be paid within 14 days of the invoice.

Every night a copy of the database is written to another city.

Ask support about everything that is not said here.
";

impl World {
    async fn with_guide(quotes: &[&str]) -> (Self, ThreadId) {
        let world = Self::new().await;
        world.write("guide.md", GUIDE);
        let mut places = Vec::new();
        for quote in quotes {
            places.push(world.pick("guide.md", quote).await);
        }
        let thread = world.draft(places).await;
        (world, thread)
    }

    async fn report(&self, change: &Change) -> ChangeReport {
        self.documents.change(&change.change_id).await.unwrap()
    }

    async fn detail(&self, thread: &ThreadId, at: usize) -> PlaceDetail {
        let place = self.place_of(thread, at).await;
        self.documents.place(thread, &place).await.unwrap()
    }

    async fn place_of(&self, thread: &ThreadId, at: usize) -> PlaceId {
        let thread = self.store.thread(thread).await.unwrap().unwrap();
        thread.places[at].place_id.clone()
    }
}

/// S6: a paragraph put in above leaves the mark on its text, two lines further down, and says that nothing else
/// changed.
#[tokio::test]
async fn a_paragraph_put_in_above_leaves_every_place_the_same_and_says_how_far_it_went() {
    let (world, _) = World::with_guide(&["within 14 days", "another city"]).await;
    let mut told = world.watched("guide.md").await;
    let new = GUIDE.replace("The starter", "Prices hold for a year.\n\nThe starter");
    world.write("guide.md", &new);
    let change = told.document("guide.md").await.change.unwrap();
    let outcomes = Outcomes {
        same: 2,
        ..Outcomes::default()
    };
    assert_eq!(change.outcomes, outcomes);
    assert_eq!(change.before, text::version(GUIDE.as_bytes()));
    assert_eq!(change.after, text::version(new.as_bytes()));
    let report = world.report(&change).await;
    assert_eq!(report.change, change);
    let places: Vec<_> = report
        .places
        .iter()
        .map(|place| (place.quote.as_str(), place.outcome, place.lines, place.line))
        .collect();
    assert_eq!(
        places,
        [
            ("within 14 days", Outcome::Same, 2, Some(7)),
            ("another city", Outcome::Same, 2, Some(9)),
        ]
    );
}

/// S73: what changed is told by its words, what is gone by the text that was there, and a word that turns the meaning
/// is never the same.
#[tokio::test]
async fn a_change_says_what_it_did_to_each_place() {
    let (world, thread) = World::with_guide(&[
        "The starter plan is meant for people who work alone.",
        "Refunds may be paid within 14 days of the invoice.",
        "Every night a copy of the database is written to another city.",
    ])
    .await;
    let mut told = world.watched("guide.md").await;
    let night = "Every night a copy of the database is written to another city.\n\n";
    let new = GUIDE.replace("may be", "must not be").replace(night, "");
    world.write("guide.md", &new);
    let change = told.document("guide.md").await.change.unwrap();
    let outcomes = Outcomes {
        same: 1,
        changed: 1,
        gone: 1,
        ..Outcomes::default()
    };
    assert_eq!(change.outcomes, outcomes);
    let report = world.report(&change).await;
    let [_, changed, gone] = report.places.as_slice() else {
        panic!("{:?}", report.places);
    };
    let word = |fate: WordFate| {
        let words = changed.words.iter().filter(|run| run.fate == fate);
        words.map(|run| run.text.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(word(WordFate::Removed), ["may"]);
    assert_eq!(word(WordFate::Added), ["must not"]);
    assert_eq!(gone.quote, night.trim());
    let origin = gone.origin.as_ref().unwrap();
    assert_eq!((origin.line, origin.quote.as_str()), (7, night.trim()));
    assert!(origin.before.ends_with("of the invoice.\n\n"));
    assert!(origin.after.starts_with("\n\nAsk support"));

    // The card says the same, whatever way it was opened, and since when.
    let detail = world.detail(&thread, 2).await;
    assert_eq!(detail.origin.as_ref(), Some(origin));
    assert_eq!(detail.place.quote, night.trim());
    let vanished = detail.place.vanished.unwrap();
    assert_eq!((vanished.version, vanished.at), (change.after, change.at));
    assert_eq!(world.detail(&thread, 1).await.words, changed.words);
}

#[tokio::test]
async fn undoing_an_edit_brings_a_place_back_without_a_trace() {
    let (world, thread) = World::with_guide(&["Every night a copy of the database"]).await;
    let mut told = world.watched("guide.md").await;
    world.write("guide.md", "# Guide\n\nNothing of it.\n");
    let gone = told.document("guide.md").await.change.unwrap();
    assert_eq!(gone.outcomes.gone, 1);
    assert_eq!(world.states(&thread).await, [PlaceState::Gone]);
    world.write("guide.md", GUIDE);
    let back = told.document("guide.md").await.change.unwrap();
    assert_eq!(back.outcomes.back, 1);
    let detail = world.detail(&thread, 0).await;
    assert_eq!(detail.place.state, PlaceState::Exact);
    assert_eq!((detail.place.vanished, detail.offers), (None, Vec::new()));
    let changes = world.documents.changes(&world.workspace, "guide.md").await;
    assert_eq!(changes.unwrap(), [back, gone]);
}

/// A branch is checked out and left again: what was found once in those bytes is known.
#[tokio::test]
async fn a_version_that_comes_back_is_answered_from_what_was_found_before() {
    let (world, thread) = World::with_guide(&["within 14 days"]).await;
    let mut told = world.watched("guide.md").await;
    let other = GUIDE.replace("14 days", "30 days");
    world.write("guide.md", &other);
    told.document("guide.md").await;
    world.write("guide.md", GUIDE);
    told.document("guide.md").await;
    let place = world.place_of(&thread, 0).await;
    for source in [GUIDE, &other] {
        let version = text::version(source.as_bytes());
        let known = world
            .store
            .known_standings(&world.workspace, "guide.md", &version);
        assert!(known.await.unwrap().contains_key(&place), "{version}");
    }
}

/// Ten small edits: every step is small, and what is told in the end is the difference from the beginning.
#[tokio::test]
async fn text_that_drifts_away_is_followed_and_compared_with_its_origin() {
    let sentence = "Every night a copy of the database is written to another city.";
    let (world, thread) = World::with_guide(&[sentence]).await;
    let mut told = world.watched("guide.md").await;
    let steps = [
        "Every night a full copy of the database is written to another city.",
        "Every night a full copy of the database is sent to another city.",
        "Every night a full copy of the tables is sent to another city.",
        "Every night a full copy of the tables is sent to a second city.",
        "Each evening a full copy of the tables is sent to a second city.",
        "Each evening a full copy of the tables is sent to a second site.",
        "Each evening a full dump of the tables is sent to a second site.",
        "Each evening a full dump of all tables is sent to a second site.",
    ];
    for step in steps {
        world.write("guide.md", &GUIDE.replace(sentence, step));
        let frame = told.document("guide.md").await;
        assert_eq!(frame.counts.changed, 1, "{step}");
    }
    // An edit elsewhere is none of this place, and it is still not what it was made on.
    let last = GUIDE
        .replace(sentence, steps[7])
        .replace("# Guide", "# The guide");
    world.write("guide.md", &last);
    let frame = told.document("guide.md").await;
    assert_eq!(frame.change.unwrap().outcomes.same, 1);
    let detail = world.detail(&thread, 0).await;
    assert_eq!(detail.place.state, PlaceState::Changed);
    assert_eq!(detail.place.quote, steps[7]);
    assert_eq!(detail.origin.unwrap().quote, sentence);
}

/// S75: a resolved comment whose text is removed stays resolved.
#[tokio::test]
async fn a_resolved_comment_stays_where_it_is_when_its_text_goes() {
    let (world, thread) = World::with_guide(&["within 14 days"]).await;
    let resolve = ThreadPatch {
        status: Some(ThreadStatus::Resolved),
        ..ThreadPatch::default()
    };
    let patched = world.store.patch_thread(&thread, resolve, fresh::now());
    patched.await.unwrap();
    let mut told = world.watched("guide.md").await;
    world.write("guide.md", "None.\n");
    assert_eq!(told.document("guide.md").await.counts.gone, 1);
    let (_, row) = world.store.row(&thread).await.unwrap().unwrap();
    assert_eq!(row.lane, Lane::Resolved);
    let reopen = ThreadPatch {
        status: Some(ThreadStatus::Open),
        ..ThreadPatch::default()
    };
    let patched = world.store.patch_thread(&thread, reopen, fresh::now());
    patched.await.unwrap();
    let (_, row) = world.store.row(&thread).await.unwrap().unwrap();
    assert_eq!(row.lane, Lane::Gone, "its text is looked for all the same");
}

#[tokio::test]
async fn what_happened_while_nobody_watched_is_a_change_too() {
    let (world, _) = World::with_guide(&["within 14 days"]).await;
    world.write("guide.md", &GUIDE.replace("# Guide", "# The guide"));
    let mut told = Told(world.hub.follow_workspace(&world.workspace));
    world.documents.watch(&world.workspace, world.stop.clone());
    let change = told.document("guide.md").await.change.unwrap();
    assert_eq!(change.before, text::version(GUIDE.as_bytes()));
    assert_eq!(change.outcomes.same, 1);
}
