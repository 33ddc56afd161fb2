//! How a further selection joins the picks.

use rex_shared::wire::place::NewPlace;

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

/// How `place` joins `picks`, which stand in the order they were made.
pub(super) fn joins(picks: &[NewPlace], place: &NewPlace) -> Joins {
    let here = |pick: &NewPlace| pick.document == place.document && pick.version == place.version;
    let same = |pick: &NewPlace| here(pick) && (pick.start, pick.end) == (place.start, place.end);
    let overlaps = |pick: &NewPlace| here(pick) && pick.start < place.end && place.start < pick.end;
    if picks.iter().any(same) {
        Joins::Known
    } else if picks.last().is_some_and(overlaps) {
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
    use rex_shared::wire::place::PlaceKind;

    fn place(document: &str, start: u32, end: u32) -> NewPlace {
        NewPlace {
            place_id: PlaceId::parse("01890a5d-ac96-774b-bcce-b302099a8057").unwrap(),
            document: document.to_owned(),
            kind: PlaceKind::Text,
            start,
            end,
            version: version('a'),
            quote: String::new(),
        }
    }

    /// S3: passages of several documents stand in one tray, each with its own document.
    #[test]
    fn a_further_selection_joins_in_any_document() {
        let picks = [place("pricing.md", 10, 20)];
        assert_eq!(joins(&picks, &place("components.md", 10, 20)), Joins::New);
        assert_eq!(joins(&picks, &place("pricing.md", 20, 30)), Joins::New);
    }

    #[test]
    fn an_overlap_with_the_newest_pick_replaces_it_and_an_exact_duplicate_does_nothing() {
        let picks = [place("a.md", 10, 20), place("a.md", 40, 50)];
        assert_eq!(
            joins(&picks, &place("a.md", 45, 60)),
            Joins::InsteadOfNewest
        );
        assert_eq!(
            joins(&picks, &place("a.md", 15, 30)),
            Joins::New,
            "not the newest"
        );
        assert_eq!(joins(&picks, &place("a.md", 10, 20)), Joins::Known);
        assert_eq!(joins(&picks, &place("a.md", 40, 50)), Joins::Known);
        assert_eq!(joins(&[], &place("a.md", 40, 50)), Joins::New);
    }
}
