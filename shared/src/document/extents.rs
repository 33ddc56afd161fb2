//! What of a document can be picked whole: sections, tables' rows and cells, images, the document itself.
//!
//! An extent is a range of the source without white space at its ends. Those that hold something are nested, so that
//! a pick is widened by going to the next one around it.

use super::markdown;
use super::tree::Format;
use crate::wire::place::PlaceKind;
use pulldown_cmark::{Event, HeadingLevel, Tag};
use std::ops::Range;

/// One piece of a document that can be picked whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extent {
    /// What it is; never a run of text.
    pub kind: PlaceKind,
    /// Its bytes in the source.
    pub range: Range<usize>,
}

/// All extents of a document: the document first, then by where they begin, the wider ones first.
///
/// A section is a heading at the top level and all up to the next one that is not below it. Code and plain text have
/// no parts that could be told without guessing.
pub fn extents(format: Format, source: &str) -> Vec<Extent> {
    let mut extents = vec![Extent {
        kind: PlaceKind::Document,
        range: 0..source.len(),
    }];
    if format != Format::Markdown {
        return extents;
    }
    let mut open: Vec<(HeadingLevel, usize)> = Vec::new();
    let mut depth = 0usize;
    let mut keep = |kind, range| {
        let range = trimmed(source, range);
        if !range.is_empty() {
            extents.push(Extent { kind, range });
        }
    };
    for (event, range) in markdown::events(source) {
        match event {
            Event::Start(tag) => {
                match tag {
                    Tag::Heading { level, .. } if depth == 0 => {
                        while let Some((_, start)) = open.pop_if(|(above, _)| *above >= level) {
                            keep(PlaceKind::Section, start..range.start);
                        }
                        open.push((level, range.start));
                    }
                    Tag::TableHead | Tag::TableRow => keep(PlaceKind::Row, range),
                    Tag::TableCell => keep(PlaceKind::Cell, range),
                    Tag::Image { .. } => keep(PlaceKind::Image, range),
                    _ => {}
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    for (_, start) in open {
        keep(PlaceKind::Section, start..source.len());
    }
    extents[1..].sort_by_key(|extent| (extent.range.start, usize::MAX - extent.range.end));
    extents
}

/// What holds a range, the narrowest first; an extent that is the range itself is among them.
pub fn around(extents: &[Extent], range: &Range<usize>) -> Vec<Extent> {
    let mut around: Vec<Extent> = extents
        .iter()
        .filter(|extent| extent.range.start <= range.start && range.end <= extent.range.end)
        .cloned()
        .collect();
    around.sort_by_key(|extent| extent.range.len());
    around
}

/// The range without white space at its ends.
pub(super) fn trimmed(source: &str, range: Range<usize>) -> Range<usize> {
    let text = &source[range.clone()];
    let start = range.start + (text.len() - text.trim_start().len());
    start..(start + text.trim().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICING: &str = "\
---
title: Pricing
---
# Pricing

![A chart of prices](chart.png)

## Plans

| Plan | Price \\| month |
|---|---:|
| Team | **49** |

> ## Not a section

### Small print

None.

## Refunds
";

    fn named(extents: &[Extent]) -> Vec<(PlaceKind, &str)> {
        let first_line = |range: &Range<usize>| PRICING[range.clone()].lines().next();
        extents
            .iter()
            .map(|extent| (extent.kind, first_line(&extent.range).unwrap_or_default()))
            .collect()
    }

    #[test]
    fn a_document_has_sections_rows_cells_and_images() {
        use PlaceKind::{Cell, Document, Image, Row, Section};
        assert_eq!(
            named(&extents(Format::Markdown, PRICING)),
            [
                (Document, "---"),
                (Section, "# Pricing"),
                (Image, "![A chart of prices](chart.png)"),
                (Section, "## Plans"),
                (Row, "| Plan | Price \\| month |"),
                (Cell, "Plan"),
                (Cell, "Price \\| month"),
                (Row, "| Team | **49** |"),
                (Cell, "Team"),
                (Cell, "**49**"),
                (Section, "### Small print"),
                (Section, "## Refunds"),
            ]
        );
        assert_eq!(extents(Format::Text, PRICING).len(), 1);
    }

    #[test]
    fn a_section_ends_where_the_next_one_of_its_level_begins() {
        let all = extents(Format::Markdown, PRICING);
        let plans = all
            .iter()
            .find(|extent| PRICING[extent.range.clone()].starts_with("## Plans"))
            .unwrap();
        assert!(PRICING[plans.range.clone()].ends_with("None."));
    }

    #[test]
    fn a_pick_is_widened_from_its_cell_to_the_document() {
        use PlaceKind::{Cell, Document, Row, Section};
        let at = PRICING.find("49").unwrap();
        let around = around(&extents(Format::Markdown, PRICING), &(at..at + 2));
        let kinds: Vec<_> = around.iter().map(|extent| extent.kind).collect();
        assert_eq!(kinds, [Cell, Row, Section, Section, Document]);
    }

    proptest::proptest! {
        #[test]
        fn whatever_the_text_extents_slice_it(source in "[#|\\-!\\[\\]() a\u{e9}\n>`*]{0,80}") {
            for extent in extents(Format::Markdown, &source) {
                proptest::prop_assert!(source.get(extent.range).is_some());
            }
        }
    }
}
