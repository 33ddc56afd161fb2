//! What holds of every text and every edit.

use crate::sound::{check_blocks, check_places, inside};
use proptest::prelude::*;
use rex_shared::document::{Format, parse, parse_piece};
use rex_shared::locate::{Alignment, Located, OtherFile, elsewhere, renamed, through_drift};
use rex_shared::wire::place::{PlaceKind, PlaceState};

fn formats() -> impl Strategy<Value = Format> {
    prop_oneof![
        Just(Format::Markdown),
        Just(Format::Code),
        Just(Format::Text)
    ]
}

/// Text made of what Markdown and Unicode make difficult.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,6} ",
        "[a-z]{1,5}[.!?] ",
        Just("\n\n".to_owned()),
        Just("\n## ".to_owned()),
        Just("\n- [ ] ".to_owned()),
        Just("\n> ".to_owned()),
        Just("\n| a | b |\n| --- | --- |\n| ".to_owned()),
        Just(" | ".to_owned()),
        Just("\n```rust\n".to_owned()),
        Just("**".to_owned()),
        Just("_x_ `y` ".to_owned()),
        Just("[l](u) ![i](p.png) [^1] ".to_owned()),
        Just("<!-- c --><br>&amp;".to_owned()),
        Just("e\u{301} \u{ad}x 👩‍👩‍👧 ".to_owned()),
        Just("日本語。二つ目。".to_owned()),
        Just("\r\n".to_owned()),
        Just("---\nk: v\n---\n".to_owned()),
        "\\PC{0,4}",
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn a_document_that_did_not_change_keeps_every_place(
        format in formats(), text in texts(), a in any::<usize>(), b in any::<usize>(),
    ) {
        let range = inside(&text, a, b);
        prop_assume!(!text[range.clone()].trim().is_empty());
        let located = Alignment::new(format, &text, &text.clone()).locate(range.clone(), PlaceKind::Text);
        prop_assert_eq!(located, Located { state: PlaceState::Exact, range: Some(range) });
    }

    #[test]
    fn any_two_texts_are_aligned_without_a_panic_and_ranges_are_whole_characters(
        format in formats(), old in texts(), new in texts(), a in any::<usize>(), b in any::<usize>(),
    ) {
        let range = inside(&old, a, b);
        check_places(format, &old, &new, &range);
        let unheard_of = Alignment::new(format, &old, &new).locate(a..b, PlaceKind::Text);
        prop_assert!(unheard_of.range.is_none_or(|range| new.get(range).is_some()));
        let other = OtherFile { path: "b.md", format, before: None, after: &new };
        if let Some(found) = elsewhere(format, &old, &range, &[other]) {
            prop_assert!(new.get(found.range).is_some());
        }
        prop_assert!(renamed(format, &old, &new).is_none_or(|share| share <= 1.0));
    }

    #[test]
    fn an_edit_that_is_taken_back_gives_every_place_back(
        format in formats(), text in texts(), edited in texts(), a in any::<usize>(), b in any::<usize>(),
    ) {
        // By way of the edited text, whether the place was found there or not.
        let range = inside(&text, a, b);
        prop_assume!(!text[range.clone()].trim().is_empty());
        let between = Alignment::new(format, &text, &edited).locate(range.clone(), PlaceKind::Text);
        let origin = Alignment::new(format, &text, &text);
        let back = match between.range {
            Some(found) => {
                let step = Alignment::new(format, &edited, &text);
                through_drift((&origin, range.clone()), (&step, found), PlaceKind::Text)
            }
            None => origin.locate(range.clone(), PlaceKind::Text),
        };
        prop_assert_eq!(back.state, PlaceState::Exact);
        let found = back.range.unwrap_or_default();
        prop_assert_eq!(&text[found], &text[range]);
    }

    #[test]
    fn the_order_in_which_places_are_asked_for_does_not_matter(
        old in texts(), new in texts(), ends in proptest::collection::vec((any::<usize>(), any::<usize>()), 1..8),
    ) {
        let ranges: Vec<_> = ends.iter().map(|(a, b)| inside(&old, *a, *b)).collect();
        let forwards = Alignment::new(Format::Markdown, &old, &new);
        let there: Vec<_> = ranges.iter().map(|range| forwards.locate(range.clone(), PlaceKind::Text)).collect();
        let backwards = Alignment::new(Format::Markdown, &old, &new);
        let mut back: Vec<_> = ranges.iter().rev().map(|range| backwards.locate(range.clone(), PlaceKind::Text)).collect();
        back.reverse();
        prop_assert_eq!(there, back);
    }

    #[test]
    fn what_is_exact_reads_the_same(old in texts(), new in texts(), a in any::<usize>(), b in any::<usize>()) {
        let range = inside(&old, a, b);
        let located = Alignment::new(Format::Text, &old, &new).locate(range.clone(), PlaceKind::Text);
        if let (PlaceState::Exact | PlaceState::Moved, Some(found)) = (located.state, located.range) {
            let letters = |text: &str| text.chars().filter(|c| c.is_ascii_alphanumeric()).collect::<String>();
            prop_assert_eq!(letters(&old[range]), letters(&new[found]));
        }
    }

    #[test]
    fn every_range_of_the_parsed_tree_slices_its_source(format in formats(), text in texts()) {
        check_blocks(&parse(format, &text), &text);
        check_blocks(&parse_piece(&text), &text);
    }
}
