//! Which places are taken, and where they show.

use super::*;
use rex_shared::wire::problem::ProblemType;

/// S3: the places of one comment are in different documents, and each names its own.
#[tokio::test]
async fn places_of_one_comment_show_in_each_of_their_documents() {
    let world = World::new().await;
    world.write("docs/faq.md", "Refunds take a month.\n");
    let thread = world
        .draft(vec![
            world.pick("terms.md", "within 14 days").await,
            world.pick("docs/faq.md", "a month").await,
        ])
        .await;
    for (name, quote) in [("terms.md", "within 14 days"), ("docs/faq.md", "a month")] {
        let document = world.shown(name).await;
        let [shown] = document.places.as_slice() else {
            panic!("{:?}", document.places);
        };
        assert_eq!(shown.thread_id, thread);
        assert_eq!(shown.place.document, name);
        assert_eq!(shown.place.quote, quote);
        assert_eq!(shown.place.state, PlaceState::Exact);
        assert_eq!(shown.place.version, document.version);
    }
}

#[tokio::test]
async fn a_place_whose_quote_is_not_there_is_refused() {
    let world = World::new().await;
    let good = world.pick("terms.md", "14 days").await;
    for bad in [
        NewPlace {
            start: good.start + 1,
            ..good.clone()
        },
        NewPlace {
            end: good.end + 1,
            ..good.clone()
        },
        NewPlace {
            end: 90_000,
            ..good.clone()
        },
        NewPlace {
            start: good.end,
            end: good.start,
            ..good.clone()
        },
        NewPlace {
            start: 1,
            end: 1,
            quote: String::new(),
            ..good.clone()
        },
        NewPlace {
            quote: "15 days".to_owned(),
            ..good.clone()
        },
        NewPlace {
            kind: PlaceKind::Document,
            ..good.clone()
        },
    ] {
        let problem = world.documents.check_place(&world.workspace, &bad).await;
        assert_eq!(
            problem.unwrap_err().kind,
            ProblemType::QuoteMismatch,
            "{bad:?}"
        );
    }
    let whole = NewPlace {
        kind: PlaceKind::Document,
        start: 0,
        end: u32::try_from(TERMS.len()).unwrap(),
        ..good
    };
    let checked = world
        .documents
        .check_place(&world.workspace, &whole)
        .await
        .unwrap();
    assert_eq!(checked.place.quote, "");
}

#[tokio::test]
async fn a_place_on_a_served_version_is_resolved_forward_and_on_an_unknown_one_is_stale() {
    let world = World::new().await;
    let place = world.pick("terms.md", "14 days").await;
    let new = format!("A word before.\n\n{TERMS}");
    world.write("terms.md", &new);
    let checked = world
        .documents
        .check_place(&world.workspace, &place)
        .await
        .unwrap();
    assert_eq!(checked.place, place);
    assert_eq!(&*checked.source, TERMS.as_bytes());
    assert_eq!(checked.standing.state, PlaceState::Exact);
    let found = checked.standing.found.unwrap();
    assert_eq!(found.start as usize, new.find("14 days").unwrap());
    assert_eq!(
        checked.standing.version,
        Some(text::version(new.as_bytes()))
    );

    let unheard_of = NewPlace {
        version: text::version(b"never served"),
        ..place.clone()
    };
    let problem = world
        .documents
        .check_place(&world.workspace, &unheard_of)
        .await
        .unwrap_err();
    assert_eq!(problem.kind, ProblemType::StaleVersion);
    assert_eq!(
        problem.facts["currentVersion"],
        text::version(new.as_bytes()).as_str()
    );
    fs::remove_file(world.at("terms.md")).unwrap();
    let checked = world
        .documents
        .check_place(&world.workspace, &place)
        .await
        .unwrap();
    assert_eq!(checked.standing.state, PlaceState::Unknown);
}
