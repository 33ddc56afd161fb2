//! A passage in its surroundings, as it stood in the version it was picked in.

use super::lines::Lines;
use rex_shared::ids::Version;
use rex_shared::wire::place::{Excerpt, PlaceKind};
use std::ops::Range;

/// Lines shown above and below a passage.
const AROUND: usize = 3;
/// Bytes of either at most: a line can be as long as a chapter.
const LONGEST: usize = 600;

/// `range` of a version's source. A range that the source does not have shows nothing around it.
pub(super) fn excerpt(
    version: &Version,
    (source, lines): (&str, &Lines),
    range: Range<usize>,
    kind: PlaceKind,
) -> Excerpt {
    let whole = kind == PlaceKind::Document;
    let quote = source.get(range.clone()).filter(|_| !whole);
    let (before, after) = match quote {
        Some(_) => (above(&source[..range.start]), below(&source[range.end..])),
        None => ("", ""),
    };
    Excerpt {
        version: version.clone(),
        line: lines.of(range.start),
        before: before.to_owned(),
        quote: quote.unwrap_or_default().to_owned(),
        after: after.to_owned(),
    }
}

/// The end of a text: the last line as far as it goes, and the lines above it.
fn above(text: &str) -> &str {
    let start = text
        .rmatch_indices('\n')
        .nth(AROUND)
        .map_or(0, |(at, _)| at + 1);
    let mut start = start.max(text.len().saturating_sub(LONGEST));
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

/// The beginning of a text: the rest of its first line, and the lines below it.
fn below(text: &str) -> &str {
    let end = text
        .match_indices('\n')
        .nth(AROUND)
        .map_or(text.len(), |(at, _)| at);
    let mut end = end.min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::text;

    fn shown(source: &str, range: Range<usize>, kind: PlaceKind) -> Excerpt {
        let version = text::version(source.as_bytes());
        excerpt(&version, (source, &Lines::new(source)), range, kind)
    }

    fn around(source: &str, quote: &str) -> Excerpt {
        let start = source.find(quote).unwrap();
        shown(source, start..start + quote.len(), PlaceKind::Text)
    }

    #[test]
    fn a_passage_is_shown_with_its_own_line_and_three_on_each_side() {
        let source = "0\n1\n2\n3\nbefore HERE after\n5\n6\n7\n8\n";
        let shown = around(source, "HERE");
        assert_eq!(shown.line, 5);
        assert_eq!(shown.before, "1\n2\n3\nbefore ");
        assert_eq!(shown.quote, "HERE");
        assert_eq!(shown.after, " after\n5\n6\n7");
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let long = "é".repeat(1000);
        let shown = around(&format!("{long}HERE{long}"), "HERE");
        assert_eq!(shown.before, "é".repeat(300));
        assert_eq!(shown.after, "é".repeat(300));
    }

    #[test]
    fn a_whole_document_is_not_quoted() {
        let shown = shown("abc", 0..3, PlaceKind::Document);
        assert_eq!((shown.quote, shown.after), (String::new(), String::new()));
    }
}
