//! What the turns of a card say beyond their text: numbers of places, attempts. Pure.

use rex_shared::ids::PlaceId;
use rex_shared::wire::message::Role;
use rex_shared::wire::place::Place;
use std::collections::{BTreeSet, HashSet};

/// The places that stand, in order: those that no other place stands in for.
pub(super) fn standing(places: &[Place]) -> Vec<&Place> {
    let replaced: HashSet<&PlaceId> = places
        .iter()
        .filter_map(|place| place.replaces.as_ref())
        .collect();
    places
        .iter()
        .filter(|place| !replaced.contains(&place.place_id))
        .collect()
}

/// How many places a comment has, such as `3 places in 2 documents`.
pub(super) fn total(places: &[Place]) -> String {
    let standing = standing(places);
    let documents: BTreeSet<&str> = standing
        .iter()
        .map(|place| place.document.as_str())
        .collect();
    match standing.len() {
        0 => "No place".to_owned(),
        places => format!(
            "{} in {}",
            super::words::count(places, "place", "places"),
            super::words::count(documents.len(), "document", "documents")
        ),
    }
}

/// The number a place has in the card's list, from 1.
pub(super) fn place_number(places: &[Place], id: &PlaceId) -> Option<usize> {
    standing(places)
        .iter()
        .position(|place| place.place_id == *id || place.replaces.as_ref() == Some(id))
        .map(|at| at + 1)
}

/// Which attempt at the same prompt the message at `at` is, from 1, by who spoke before it.
pub(super) fn attempt(roles: &[Role], at: usize) -> usize {
    roles[..=at.min(roles.len().saturating_sub(1))]
        .iter()
        .rev()
        .take_while(|role| **role == Role::Assistant)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rex_shared::ids::Version;
    use rex_shared::wire::place::{PlaceKind, PlaceState};

    fn uuid(n: u32) -> String {
        format!("01890a5d-ac96-774b-bcce-{n:012x}")
    }

    fn place(n: u32, document: &str) -> Place {
        Place {
            place_id: PlaceId::parse(&uuid(n)).unwrap(),
            document: document.to_owned(),
            kind: PlaceKind::Text,
            start: 0,
            end: 4,
            version: Version::parse(&"a".repeat(64)).unwrap(),
            quote: "word".to_owned(),
            state: PlaceState::Exact,
            message_id: None,
            replaces: None,
            vanished: None,
        }
    }

    /// S61: the head counts every place that stands, in all documents.
    #[test]
    fn the_head_says_how_many_places_in_how_many_documents() {
        let replacing = Place {
            replaces: Some(place(2, "").place_id),
            ..place(4, "a.md")
        };
        let places = [
            place(1, "a.md"),
            place(2, "a.md"),
            place(3, "b.md"),
            replacing,
        ];
        assert_eq!(total(&places), "3 places in 2 documents");
        assert_eq!(total(&places[..1]), "1 place in 1 document");
    }

    /// S60: a chip carries the number its place has in the head.
    #[test]
    fn a_place_has_the_same_number_in_a_turn_as_in_the_head() {
        let places = [place(1, "a.md"), place(2, "a.md"), place(3, "b.md")];
        assert_eq!(place_number(&places, &places[2].place_id), Some(3));
        assert_eq!(place_number(&places, &place(9, "").place_id), None);
    }

    #[test]
    fn a_place_picked_anew_keeps_its_chip_in_the_old_turn() {
        let old = place(1, "a.md");
        let new = Place {
            replaces: Some(old.place_id.clone()),
            ..place(2, "a.md")
        };
        assert_eq!(place_number(&[old.clone(), new], &old.place_id), Some(1));
    }

    #[test]
    fn attempts_at_one_prompt_are_counted_from_that_prompt() {
        use Role::{Assistant, User};
        let roles = [User, Assistant, User, Assistant, Assistant];
        assert_eq!(attempt(&roles, 1), 1);
        assert_eq!(attempt(&roles, 4), 2);
    }
}
