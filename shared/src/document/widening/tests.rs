//! What a pick is widened to, on one document with all that can be picked.

use super::*;
use crate::document::{extents, parse};

const PLANS: &str = "\
# Pricing

The meter stops at **100 %**. It says so
at once! ![A meter](meter.png) Then it waits.

## Plans

- Pays monthly, or
  yearly.
  - Never daily. Ask first.

| Plan | Price |
|---|---:|
| Team | **49** |

```rust
let a = 1;
let b = 2;
```

## Refunds

None.
";

fn read(format: Format, source: &str) -> Vec<Readable> {
    parse(format, source)
        .into_iter()
        .map(|block| Readable::new(block, |_| None).unwrap())
        .collect()
}

fn around(selected: &str) -> Vec<(What, PlaceKind, &'static str)> {
    let start = PLANS.find(selected).unwrap() as u32;
    let range = start..start + selected.len() as u32;
    widening(
        Format::Markdown,
        &read(Format::Markdown, PLANS),
        true,
        PlaceKind::Text,
        &range,
    )
    .into_iter()
    .map(|step| {
        let quote = &PLANS[step.range.start as usize..step.range.end as usize];
        (step.what, step.kind, quote)
    })
    .collect()
}

fn names(selected: &str) -> Vec<String> {
    let steps = around(selected).into_iter();
    steps.map(|(what, ..)| format!("{what:?}")).collect()
}

#[test]
fn a_piece_of_a_word_widens_to_the_word_its_sentence_and_on_to_the_document() {
    use PlaceKind::{Document, Section, Text};
    let steps = around("eter stop");
    assert_eq!(steps[0], (What::Selection, Text, "eter stop"));
    assert_eq!(steps[1], (What::Words, Text, "meter stops"));
    assert_eq!(
        steps[2],
        (What::Sentence, Text, "The meter stops at **100 %**.")
    );
    assert_eq!(steps[3].0, What::Paragraph);
    assert_eq!(
        (&steps[4].0, steps[4].1),
        (&What::Section("Pricing".to_owned()), Section)
    );
    assert_eq!(steps[5], (What::Document, Document, PLANS));
    assert_eq!(steps.len(), 6);
}

#[test]
fn a_sentence_goes_over_a_line_end_and_stops_at_its_item() {
    assert_eq!(around("says so\nat")[1].2, "It says so\nat once!");
    assert_eq!(around("or\n")[0].2, "or\n");
    let steps = around("Never daily");
    assert_eq!(steps[1].2, "Never daily.");
    assert_eq!(steps[2].2, "- Never daily. Ask first.");
    assert_eq!(
        names("Never daily"),
        [
            "Words",
            "Sentence",
            "Item",
            "Item",
            "Section(\"Plans\")",
            "Section(\"Pricing\")",
            "Document"
        ]
    );
    assert_eq!(around("monthly")[1].2, "Pays monthly, or\n  yearly.");
}

#[test]
fn a_cell_widens_to_its_row_and_its_table() {
    use PlaceKind::{Cell, Row, Text};
    let steps = around("**49**");
    assert_eq!(steps[0], (What::Sentence, Text, "**49**"));
    assert_eq!(steps[1], (What::Cell, Cell, "**49**"));
    assert_eq!(steps[2], (What::Row, Row, "| Team | **49** |"));
    assert_eq!(steps[3].0, What::Table);
}

#[test]
fn code_widens_by_the_line() {
    assert_eq!(
        names("= 1")[..3],
        ["Words", "Line", "Code"].map(str::to_owned)
    );
    let source = "one two\nthree\n\nfour\n";
    let steps = widening(
        Format::Text,
        &read(Format::Text, source),
        true,
        PlaceKind::Text,
        &(4..7),
    );
    let whats: Vec<_> = steps.into_iter().map(|step| step.what).collect();
    assert_eq!(
        whats,
        [What::Words, What::Line, What::Blocks, What::Document]
    );
}

#[test]
fn the_only_image_of_a_selection_comes_first() {
    use PlaceKind::Image;
    let steps = around("at once! ![A meter](meter.png) Then");
    assert_eq!(steps[0], (What::Image, Image, "![A meter](meter.png)"));
    assert_eq!(steps[1].0, What::Words);
}

#[test]
fn an_image_that_was_picked_by_itself_is_called_one() {
    let image = "![A meter](meter.png)";
    let blocks = read(Format::Markdown, image);
    let range = 0..image.len() as u32;
    let steps = widening(Format::Markdown, &blocks, true, PlaceKind::Image, &range);
    assert_eq!(steps[0].what, What::Image);
    assert_eq!(steps[1].what, What::Paragraph);
}

#[test]
fn what_has_not_come_whole_is_no_step() {
    let blocks = read(Format::Markdown, PLANS);
    let steps = widening(Format::Markdown, &blocks, false, PlaceKind::Text, &(11..20));
    assert_eq!(steps.last().unwrap().what, What::Paragraph);
    let plans = PLANS.find("Pays").unwrap() as u32;
    let steps = widening(
        Format::Markdown,
        &blocks,
        false,
        PlaceKind::Text,
        &(plans..plans + 4),
    );
    assert_eq!(
        steps.last().unwrap().what,
        What::Section("Plans".to_owned())
    );
}

proptest::proptest! {
    /// What is picked whole is what the bridge takes for whole.
    #[test]
    fn every_part_of_a_document_is_an_extent_and_every_step_is_around_the_last(
        source in "([#|\\-!\\[\\]() a\u{e9}.\n>`*=]|# |\\n- |\\n\\n|\\| a \\|\\n|\\|-\\|\\n|!\\[a\\]\\(b\\)){0,40}",
        at in 0usize..80,
        length in 1usize..20,
    ) {
        let blocks = read(Format::Markdown, &source);
        let start = source.floor_char_boundary(at.min(source.len()));
        let end = source.floor_char_boundary((start + length).min(source.len()));
        let range = start as u32..end as u32;
        let extents = extents::extents(Format::Markdown, &source);
        let mut before: Option<Range<u32>> = None;
        for step in widening(Format::Markdown, &blocks, true, PlaceKind::Text, &range) {
            let bytes = step.range.start as usize..step.range.end as usize;
            proptest::prop_assert!(source.get(bytes.clone()).is_some());
            if let Some(before) = before {
                proptest::prop_assert!(step.range.start <= before.start && before.end <= step.range.end);
            }
            before = Some(step.range);
            let is_one = extents.iter().any(|extent| extent.kind == step.kind && extent.range == bytes);
            proptest::prop_assert!(step.kind == PlaceKind::Text || is_one, "{:?} {:?}", step.what, bytes);
        }
    }
}
