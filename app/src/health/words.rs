//! The words of anchor health. Pure, so that each can be tested.

use rex_shared::ids::Version;
use rex_shared::wire::change::{Outcome, Outcomes, PlaceChange};
use rex_shared::wire::place::PlaceKind;

/// What a change did, such as `12 same, 1 changed, 1 gone`; what it did to none is left out.
pub(super) fn outcomes(outcomes: &Outcomes) -> String {
    let counted = [
        (outcomes.same, "same"),
        (outcomes.moved, "moved"),
        (outcomes.changed, "changed"),
        (outcomes.gone, "gone"),
        (outcomes.back, "found again"),
    ];
    let said: Vec<_> = counted
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    if said.is_empty() {
        "no comment touched".to_owned()
    } else {
        said.join(", ")
    }
}

/// What a change did to one place, such as `moved, 6 lines down`.
pub(super) fn outcome(place: &PlaceChange) -> String {
    let word = match place.outcome {
        Outcome::Same => "same",
        Outcome::Moved => "moved",
        Outcome::Changed => "changed",
        Outcome::Gone => "gone",
        Outcome::Back => "found again",
    };
    match (place.lines, place.outcome) {
        (0, _) | (_, Outcome::Gone | Outcome::Back) => word.to_owned(),
        (lines, Outcome::Same) => by_lines(lines),
        (lines, _) => format!("{word}, {}", by_lines(lines)),
    }
}

fn by_lines(lines: i32) -> String {
    let count = lines.unsigned_abs();
    let s = if count == 1 { "" } else { "s" };
    let way = if lines < 0 { "up" } else { "down" };
    format!("{count} line{s} {way}")
}

/// What a place covers, such as `section “Limits”`; `None` for words, which say themselves.
pub(crate) fn kind_word(kind: PlaceKind, quote: &str) -> Option<String> {
    Some(match kind {
        PlaceKind::Text => return None,
        PlaceKind::Section => {
            let heading = quote.lines().next().unwrap_or_default();
            format!("section “{}”", heading.trim_matches(['#', ' ']))
        }
        PlaceKind::Cell => "cell".to_owned(),
        PlaceKind::Row => "row".to_owned(),
        PlaceKind::Image => "image".to_owned(),
        PlaceKind::Document => "whole document".to_owned(),
    })
}

/// Enough of a version to tell it from others by eye.
pub(super) fn short(version: &Version) -> String {
    version.as_str().chars().take(7).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn place(outcome: &str, lines: i32) -> PlaceChange {
        let id = "01890a5d-ac96-774b-bcce-b302099a8057";
        serde_json::from_value(json!({
            "threadId": id, "number": 4, "lane": "open", "placeId": id, "kind": "text", "outcome": outcome,
            "lines": lines, "line": null, "quote": "", "words": [], "origin": null, "offers": [],
        }))
        .unwrap()
    }

    #[test]
    fn only_what_happened_is_counted() {
        let edit = Outcomes {
            same: 12,
            changed: 1,
            gone: 1,
            ..Outcomes::default()
        };
        assert_eq!(outcomes(&edit), "12 same, 1 changed, 1 gone");
        assert_eq!(outcomes(&Outcomes::default()), "no comment touched");
    }

    #[test]
    fn a_place_says_how_far_it_went() {
        assert_eq!(outcome(&place("same", 0)), "same");
        assert_eq!(outcome(&place("same", 6)), "6 lines down");
        assert_eq!(outcome(&place("moved", -1)), "moved, 1 line up");
        assert_eq!(outcome(&place("changed", 2)), "changed, 2 lines down");
        assert_eq!(outcome(&place("gone", 0)), "gone");
        assert_eq!(outcome(&place("back", 0)), "found again");
    }

    #[test]
    fn a_section_is_named_by_its_heading() {
        let section = |quote| kind_word(PlaceKind::Section, quote);
        assert_eq!(
            section("## Limits\n\nNone.").as_deref(),
            Some("section “Limits”")
        );
        assert_eq!(
            section("Limits\n======").as_deref(),
            Some("section “Limits”")
        );
        assert_eq!(kind_word(PlaceKind::Text, "words"), None);
    }
}
