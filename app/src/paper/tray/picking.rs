//! How a further selection joins the picks.

use crate::model::Pick;
use rex_shared::wire::place::{NewPlace, PlaceKind};

/// What a selection does to the picks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Joins {
    /// It is one more.
    New,
    /// It corrects the newest one, which it overlaps.
    InsteadOfNewest,
    /// It is there already.
    Known,
}

/// How `pick` joins `picks`, which stand in the order they were made.
pub(super) fn joins(picks: &[Pick], pick: &Pick) -> Joins {
    let place = &pick.place;
    let here = |pick: &NewPlace| pick.document == place.document && pick.version == place.version;
    // A selection that stays is met again, however far its pick was widened meanwhile.
    let is_again = |known: &Pick| here(&known.place) && known.made == pick.made;
    let same = |pick: &NewPlace| {
        here(pick) && (pick.kind, pick.start, pick.end) == (place.kind, place.start, place.end)
    };
    // What was picked whole was widened to on purpose: words selected in it are one more pick.
    let overlaps = |pick: &NewPlace| {
        let is_text = pick.kind == PlaceKind::Text;
        here(pick) && is_text && pick.start < place.end && place.start < pick.end
    };
    if picks.iter().any(|pick| same(&pick.place)) || picks.last().is_some_and(is_again) {
        Joins::Known
    } else if picks.last().is_some_and(|pick| overlaps(&pick.place)) {
        Joins::InsteadOfNewest
    } else {
        Joins::New
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::pages::tests::version;
    use super::*;
    use rex_shared::ids::PlaceId;

    fn pick(document: &str, start: u32, end: u32) -> Pick {
        Pick::new(NewPlace {
            place_id: PlaceId::parse("01890a5d-ac96-774b-bcce-b302099a8057").unwrap(),
            document: document.to_owned(),
            kind: PlaceKind::Text,
            start,
            end,
            version: version('a'),
            quote: String::new(),
        })
    }

    /// A pick widened to the whole document.
    fn widened(mut pick: Pick) -> Pick {
        pick.place.kind = PlaceKind::Document;
        (pick.place.start, pick.place.end) = (0, 90);
        pick
    }

    /// S3: passages of several documents stand in one tray, each with its own document.
    #[test]
    fn a_further_selection_joins_in_any_document() {
        let picks = [pick("pricing.md", 10, 20)];
        assert_eq!(joins(&picks, &pick("components.md", 10, 20)), Joins::New);
        assert_eq!(joins(&picks, &pick("pricing.md", 20, 30)), Joins::New);
    }

    #[test]
    fn an_overlap_with_the_newest_pick_replaces_it_and_an_exact_duplicate_does_nothing() {
        let picks = [pick("a.md", 10, 20), pick("a.md", 40, 50)];
        assert_eq!(joins(&picks, &pick("a.md", 45, 60)), Joins::InsteadOfNewest);
        assert_eq!(
            joins(&picks, &pick("a.md", 15, 30)),
            Joins::New,
            "not the newest"
        );
        assert_eq!(joins(&picks, &pick("a.md", 10, 20)), Joins::Known);
        assert_eq!(joins(&picks, &pick("a.md", 40, 50)), Joins::Known);
        assert_eq!(joins(&[], &pick("a.md", 40, 50)), Joins::New);
    }

    #[test]
    fn words_selected_in_what_was_picked_whole_are_one_more_pick() {
        let picks = [widened(pick("a.md", 40, 50))];
        assert_eq!(joins(&picks, &pick("a.md", 60, 70)), Joins::New);
        assert_eq!(joins(&picks, &pick("a.md", 0, 90)), Joins::New);
        assert_eq!(joins(&picks, &widened(pick("a.md", 60, 70))), Joins::Known);
    }

    #[test]
    fn the_selection_that_a_widened_pick_was_made_of_is_no_further_one() {
        let picks = [widened(pick("a.md", 40, 50))];
        assert_eq!(joins(&picks, &pick("a.md", 40, 50)), Joins::Known);
    }
}
