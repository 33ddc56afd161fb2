//! Comments between the two sides.

use super::world::{World, put};
use crate::fresh;
use rex_shared::lane::Lane;
use rex_shared::locate::panes::{About, Mark};
use rex_shared::wire::place::{NewPlace, PlaceKind, PlaceState};
use rex_shared::wire::proposal::{Comparison, Proposal, Reject};
use rex_shared::wire::thread::NewThread;

const TERMS: &str =
    "# Terms\n\nRefunds are paid within 14 days.\n\nAsk support for a refund first.\n";
const NEW: &str = "# Terms\n\nRefunds are paid within 14 days.\n\nEvery customer signs a contract before paying.\n";

async fn comment(world: &World, text: &str, quote: &str) -> rex_shared::ids::ThreadId {
    let start = text.find(quote).unwrap();
    let place = NewPlace {
        place_id: fresh::id(),
        document: "terms.md".to_owned(),
        kind: PlaceKind::Text,
        start: u32::try_from(start).unwrap(),
        end: u32::try_from(start + quote.len()).unwrap(),
        version: crate::documents::version(text.as_bytes()),
        quote: quote.to_owned(),
    };
    let places = world
        .documents
        .check_places(&world.workspace, &[place])
        .await
        .unwrap();
    let new = NewThread {
        thread_id: fresh::id(),
        ws: None,
        note: None,
        places: Vec::new(),
        is_note: false,
    };
    let thread = new.thread_id.clone();
    let created = world
        .store
        .create_thread(&world.workspace, new, places, fresh::now());
    created.await.unwrap();
    thread
}

async fn lane(world: &World, thread: &rex_shared::ids::ThreadId) -> Lane {
    world.store.row(thread).await.unwrap().unwrap().1.lane
}

async fn compared(world: &World, proposal: &Proposal) -> Comparison {
    let id = &proposal.proposal_id;
    world
        .proposals
        .comparison(id, "terms.md", None)
        .await
        .unwrap()
}

/// S17 S18: a comment on the new text is about the change while the proposal waits, and gone with its text when that is
/// dropped; no row of it is rewritten.
#[tokio::test]
async fn a_comment_on_the_new_side_lives_as_long_as_the_proposal() {
    let world = World::new(&[("terms.md", TERMS)]).await;
    let both = comment(&world, TERMS, "within 14 days").await;
    let removed = comment(&world, TERMS, "Ask support for a refund first.").await;
    let proposal = world
        .act(|copy| put(&copy.join("terms.md"), NEW))
        .await
        .unwrap();
    let proposal = world.proposal(&proposal).await;
    let added = comment(&world, NEW, "signs a contract").await;
    let shown = compared(&world, &proposal).await;
    let about = |thread: &rex_shared::ids::ThreadId| {
        let place = shown
            .places
            .iter()
            .find(|place| place.place.thread_id == *thread)
            .unwrap();
        (place.about, place.document, place.proposal)
    };
    assert_eq!(about(&both), (About::Document, Mark::Full, Mark::Full));
    assert_eq!(
        about(&removed),
        (About::Document, Mark::Removed, Mark::None)
    );
    assert_eq!(about(&added), (About::Change, Mark::None, Mark::Full));
    assert_eq!(lane(&world, &added).await, Lane::Draft);

    let all = Reject::default();
    world
        .proposals
        .reject(&proposal.proposal_id, all)
        .await
        .unwrap();
    assert_eq!(lane(&world, &added).await, Lane::Gone);
    let places = world
        .store
        .conversation(&added, None)
        .await
        .unwrap()
        .unwrap()
        .places;
    assert_eq!(
        (places[0].state, places[0].quote.as_str()),
        (PlaceState::Gone, "signs a contract")
    );
}

/// S17: accepted, the same place stands in the document without a row of it being rewritten.
#[tokio::test]
async fn a_comment_on_the_new_side_is_about_the_document_once_it_is_accepted() {
    let world = World::new(&[("terms.md", TERMS)]).await;
    let proposal = world
        .act(|copy| put(&copy.join("terms.md"), NEW))
        .await
        .unwrap();
    let added = comment(&world, NEW, "signs a contract").await;
    let hunks = world.hunks(&proposal).await;
    world.accept(&proposal, &hunks).await.unwrap();
    let page = crate::documents::Ask {
        document: "terms.md".to_owned(),
        ..crate::documents::Ask::default()
    };
    let page = world.documents.page(&world.workspace, page).await.unwrap();
    let place = page
        .places
        .iter()
        .find(|place| place.thread_id == added)
        .unwrap();
    assert_eq!(place.place.state, PlaceState::Exact);
}
