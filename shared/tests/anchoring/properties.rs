//! What holds of every text and every edit.

use proptest::prelude::*;
use rex_shared::document::{Format, Node, parse};
use rex_shared::locate::{Alignment, Located, OtherFile, Selector, elsewhere, renamed};
use rex_shared::wire::place::{PlaceKind, PlaceState};
use std::ops::Range;

const KINDS: [PlaceKind; 6] = [
    PlaceKind::Text,
    PlaceKind::Section,
    PlaceKind::Cell,
    PlaceKind::Row,
    PlaceKind::Image,
    PlaceKind::Document,
];

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

fn inside(text: &str, a: usize, b: usize) -> Range<usize> {
    let (a, b) = (a % (text.len() + 1), b % (text.len() + 1));
    text.floor_char_boundary(a.min(b))..text.ceil_char_boundary(a.max(b))
}

fn is_sound(located: &Located, new: &str) -> bool {
    match &located.range {
        None => located.state == PlaceState::Gone,
        Some(range) => {
            located.state != PlaceState::Gone
                && located.state != PlaceState::Unknown
                && new.get(range.clone()).is_some()
        }
    }
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
        let alignment = Alignment::new(format, &old, &new);
        let range = inside(&old, a, b);
        for kind in KINDS {
            let located = alignment.locate(range.clone(), kind);
            prop_assert!(is_sound(&located, &new), "{:?} {:?}", kind, located);
        }
        prop_assert_eq!(alignment.locate(a..b, PlaceKind::Text).range.is_some_and(|range| new.get(range).is_none()), false);
        for candidate in alignment.candidates(&range, 3) {
            prop_assert!(new.get(candidate.range).is_some());
        }
        let other = OtherFile { path: "b.md", format, before: None, after: &new };
        if let Some(found) = elsewhere(format, &old, &range, &[other]) {
            prop_assert!(new.get(found.range).is_some());
        }
        prop_assert!(renamed(format, &old, &new).is_none_or(|share| share <= 1.0));
        if let Some(selector) = Selector::of(format, &old, &range) {
            prop_assert!(is_sound(&selector.find(format, &new), &new));
        }
    }

    #[test]
    fn an_edit_that_is_taken_back_gives_every_place_back(
        format in formats(), old in texts(), new in texts(), a in any::<usize>(), b in any::<usize>(),
    ) {
        // Through the edited text and back: the origin finds it again, whatever became of it in between.
        let range = inside(&old, a, b);
        prop_assume!(!old[range.clone()].trim().is_empty());
        let _between = Alignment::new(format, &old, &new).locate(range.clone(), PlaceKind::Text);
        let back = Alignment::new(format, &old, &old.clone()).locate(range.clone(), PlaceKind::Text);
        prop_assert_eq!(back, Located { state: PlaceState::Exact, range: Some(range) });
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
        let mut end = 0;
        for block in parse(format, &text) {
            prop_assert_eq!(block.start, end);
            end = block.end;
            let source = block.source.unwrap();
            prop_assert_eq!(Some(source.as_str()), text.get(block.start as usize..block.end as usize));
            if let Some(node) = &block.node {
                slices(node, &source)?;
            }
        }
    }
}

fn slices(node: &Node, source: &str) -> Result<(), TestCaseError> {
    let slice = |at: &rex_shared::document::Span| source.get(at.start as usize..at.end as usize);
    match node {
        Node::Text { text, at, atom } | Node::Code { text, at, atom } => {
            let read = slice(at);
            prop_assert!(
                read.is_some() && (*atom || read == Some(text)),
                "{:?}",
                node
            );
        }
        Node::Html { text, at } | Node::FrontMatter { text, at } => {
            prop_assert_eq!(slice(at), Some(text.as_str()));
        }
        Node::CodeBlock { lines, .. } => {
            for line in lines {
                let text: String = line.runs.iter().map(|run| run.text.as_str()).collect();
                prop_assert_eq!(slice(&line.at), Some(text.as_str()));
            }
        }
        Node::Emphasis { at, .. }
        | Node::Strong { at, .. }
        | Node::Strike { at, .. }
        | Node::Link { at, .. }
        | Node::Image { at, .. }
        | Node::Math { at, .. }
        | Node::MathBlock { at, .. }
        | Node::FootnoteRef { at, .. }
        | Node::Break { at, .. } => prop_assert!(slice(at).is_some(), "{:?}", node),
        _ => {}
    }
    node.children()
        .iter()
        .try_for_each(|child| slices(child, source))
}
