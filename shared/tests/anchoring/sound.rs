//! What every answer must be, for any text: used by the property tests and by the fuzz targets.

use rex_shared::document::Format;
use rex_shared::document::{Block, Node, Span};
use rex_shared::locate::{Alignment, Located, Selector};
use rex_shared::wire::place::{PlaceKind, PlaceState};
use std::ops::Range;

/// Every kind of place.
pub(crate) const KINDS: [PlaceKind; 6] = [
    PlaceKind::Text,
    PlaceKind::Section,
    PlaceKind::Cell,
    PlaceKind::Row,
    PlaceKind::Image,
    PlaceKind::Document,
];

/// Blocks tile `text`, and every range of every node slices its block's source; what is not an atom reads as the
/// source it stands on.
pub(crate) fn check_blocks(blocks: &[Block], text: &str) {
    let mut end = 0;
    for block in blocks {
        assert_eq!(block.start, end, "blocks tile the text");
        end = block.end;
        let source = text.get(block.start as usize..block.end as usize);
        assert_eq!(block.source.as_deref(), source);
        if let (Some(node), Some(source)) = (&block.node, source) {
            check_node(node, source);
        }
    }
    assert!(
        blocks.is_empty() || end as usize == text.len(),
        "the last block ends with the text"
    );
}

fn check_node(node: &Node, source: &str) {
    let slice = |at: &Span| source.get(at.start as usize..at.end as usize);
    match node {
        Node::Text { text, at, atom } | Node::Code { text, at, atom } => {
            let read = slice(at);
            assert!(read.is_some() && (*atom || read == Some(text)), "{node:?}");
        }
        Node::Html { text, at } | Node::FrontMatter { text, at } => {
            assert_eq!(slice(at), Some(text.as_str()), "{node:?}");
        }
        Node::CodeBlock { lines, .. } => {
            for line in lines {
                let text: String = line.runs.iter().map(|run| run.text.as_str()).collect();
                assert_eq!(slice(&line.at), Some(text.as_str()), "{line:?}");
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
        | Node::Break { at, .. } => assert!(slice(at).is_some(), "{node:?}"),
        _ => {}
    }
    for child in node.children() {
        check_node(child, source);
    }
}

/// Whatever is asked of two texts, the answer is gone or whole characters of the new one.
pub(crate) fn check_places(format: Format, old: &str, new: &str, range: &Range<usize>) {
    let alignment = Alignment::new(format, old, new);
    for kind in KINDS {
        check_located(&alignment.locate(range.clone(), kind), new);
    }
    for candidate in alignment.candidates(range, 3) {
        assert!(new.get(candidate.range).is_some());
    }
    if let Some(selector) = Selector::of(format, old, range) {
        check_located(&selector.find(format, new), new);
    }
}

fn check_located(located: &Located, new: &str) {
    match &located.range {
        None => assert_eq!(located.state, PlaceState::Gone),
        Some(range) => {
            assert!(
                !matches!(located.state, PlaceState::Gone | PlaceState::Unknown),
                "{located:?}"
            );
            assert!(new.get(range.clone()).is_some(), "{located:?}");
        }
    }
}

/// A range of whole characters of `text`, from any two numbers.
pub(crate) fn inside(text: &str, a: usize, b: usize) -> Range<usize> {
    let (a, b) = (a % (text.len() + 1), b % (text.len() + 1));
    text.floor_char_boundary(a.min(b))..text.ceil_char_boundary(a.max(b))
}
