//! Places that are more than a run of text.

use super::*;
use rex_shared::wire::problem::ProblemType;

const PLANS: &str = "\
# Plans

![The plans side by side](plans.png)

## Prices

| Plan | Euros |
|------|------:|
| Solo | 9 |
| Team | 49 |

Prices are for a month.

## Refunds

Within 14 days.
";

impl World {
    /// A place of this kind on the first `quote`.
    async fn pick_whole(&self, kind: PlaceKind, quote: &str) -> NewPlace {
        NewPlace {
            kind,
            ..self.pick("plans.md", quote).await
        }
    }

    async fn pick_document(&self) -> NewPlace {
        NewPlace {
            start: 0,
            end: u32::try_from(PLANS.len()).unwrap(),
            ..self.pick_whole(PlaceKind::Document, "Plans").await
        }
    }
}

fn section(heading: &str) -> &'static str {
    let start = PLANS.find(heading).unwrap();
    let rest = &PLANS[start + 2..];
    let end = rest.find("\n## ").map_or(PLANS.len(), |at| start + 2 + at);
    PLANS[start..end].trim()
}

#[tokio::test]
async fn a_section_a_row_a_cell_an_image_and_the_document_are_places() {
    let world = World::new().await;
    world.write("plans.md", PLANS);
    let places = vec![
        world
            .pick_whole(PlaceKind::Section, section("## Prices"))
            .await,
        world.pick_whole(PlaceKind::Row, "| Team | 49 |").await,
        world.pick_whole(PlaceKind::Cell, "49").await,
        world
            .pick_whole(PlaceKind::Image, "![The plans side by side](plans.png)")
            .await,
        world.pick_document().await,
    ];
    let thread = world.draft(places).await;
    assert_eq!(world.states(&thread).await, [PlaceState::Exact; 5]);
    let shown = world.shown("plans.md").await;
    let quotes: Vec<&str> = shown
        .places
        .iter()
        .map(|p| p.place.quote.as_str())
        .collect();
    assert_eq!(quotes[1..3], ["| Team | 49 |", "49"]);
    assert_eq!(quotes[4], "", "a whole document is not quoted");
}

#[tokio::test]
async fn a_part_that_is_not_whole_is_refused() {
    let world = World::new().await;
    world.write("plans.md", PLANS);
    for (kind, quote) in [
        (PlaceKind::Section, "## Prices"),
        (PlaceKind::Section, "Prices are for a month."),
        (PlaceKind::Row, "| Team |"),
        (PlaceKind::Cell, "| 49 |"),
        (PlaceKind::Cell, "Prices"),
        (PlaceKind::Image, "The plans side by side"),
    ] {
        let place = world.pick_whole(kind, quote).await;
        let refused = world.documents.check_place(&world.workspace, &place).await;
        let kind = refused.unwrap_err().kind;
        assert_eq!(kind, ProblemType::QuoteMismatch, "{quote}");
    }
    // Code and plain text have no such parts.
    world.write("plans.txt", PLANS);
    let place = NewPlace {
        kind: PlaceKind::Row,
        ..world.pick("plans.txt", "| Team | 49 |").await
    };
    let refused = world.documents.check_place(&world.workspace, &place).await;
    assert_eq!(refused.unwrap_err().kind, ProblemType::QuoteMismatch);
}

/// Each kind has its own rule for gone: a whole document never is.
#[tokio::test]
async fn each_kind_is_followed_by_its_own_rule() {
    let world = World::new().await;
    world.write("plans.md", PLANS);
    let places = vec![
        world
            .pick_whole(PlaceKind::Section, section("## Refunds"))
            .await,
        world.pick_whole(PlaceKind::Row, "| Team | 49 |").await,
        world.pick_whole(PlaceKind::Cell, "49").await,
        world.pick_document().await,
    ];
    let thread = world.draft(places).await;
    let mut told = world.watched("plans.md").await;
    world.write("plans.md", &PLANS.replace("| Team | 49 |", "| Team | 59 |"));
    told.document("plans.md").await;
    assert_eq!(
        world.states(&thread).await,
        [
            PlaceState::Exact,
            PlaceState::Changed,
            PlaceState::Changed,
            PlaceState::Changed
        ]
    );
    world.write("plans.md", "Nothing that was here is left of it now.\n");
    told.document("plans.md").await;
    assert_eq!(
        world.states(&thread).await,
        [
            PlaceState::Gone,
            PlaceState::Gone,
            PlaceState::Gone,
            PlaceState::Changed
        ]
    );
}
