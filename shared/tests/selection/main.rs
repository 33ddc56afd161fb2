//! A selection in the page becomes a range of the source and comes back as the same words.
//!
//! Documents are written here together with their trees, so that these tests hold whatever a parser does.

mod markdown;
mod pen;

use pen::{Ink, Written, document};
use proptest::prelude::*;
use rex_shared::document::reading::{Readable, Utf16};
use rex_shared::document::selection::{Point, Refusal, Selected, select, stretches};
use rex_shared::document::{Block, Node, Span};

fn source(blocks: &[Readable]) -> String {
    blocks
        .iter()
        .map(|readable| readable.body.source.as_str())
        .collect()
}

fn point(block: usize, offset: u32) -> Point {
    Point {
        block,
        offset: Utf16(offset),
    }
}

/// What the page would show under the highlight of a range.
fn shown(blocks: &[Readable], selected: &Selected) -> String {
    stretches(blocks, &(selected.start..selected.end))
        .into_iter()
        .map(|stretch| {
            let units: Vec<u16> = blocks[stretch.block]
                .body
                .reading
                .text()
                .encode_utf16()
                .collect();
            let cut = stretch.units.start.0 as usize..stretch.units.end.0 as usize;
            String::from_utf16_lossy(&units[cut])
        })
        .collect()
}

fn text(text: &str) -> Ink {
    Ink::Text(text.to_owned())
}

/// One paragraph, the selection in UTF-16 offsets of its text, and the source it must give.
fn quote(inks: &[Ink], from: u32, to: u32) -> Result<String, Refusal> {
    let blocks = document(&[Written::Paragraph(inks.to_vec())]);
    let selected = select(&blocks, point(0, from), point(0, to))?;
    let all = source(&blocks);
    assert_eq!(
        all[selected.start as usize..selected.end as usize],
        selected.quote
    );
    assert_eq!(shown(&blocks, &selected), selected.text);
    Ok(selected.quote)
}

#[test]
fn marks_come_along_when_their_words_do() {
    let inks = [
        text("You "),
        Ink::Strong(vec![text("must not")]),
        text(" do it"),
    ];
    assert_eq!(quote(&inks, 0, 15).unwrap(), "You **must not** do");
    assert_eq!(quote(&inks, 4, 12).unwrap(), "**must not**");
    assert_eq!(quote(&inks, 4, 8).unwrap(), "must");
    let inks = [text("see "), Ink::Link(vec![text("the API")])];
    assert_eq!(quote(&inks, 4, 11).unwrap(), "[the API](api.md)");
    assert_eq!(
        quote(&[Ink::Code("a ` b".to_owned())], 0, 5).unwrap(),
        "`` a ` b ``"
    );
}

#[test]
fn what_is_not_the_sources_own_text_is_taken_whole() {
    let inks = [text("AT"), Ink::Entity, text("T pays"), Ink::Footnote];
    assert_eq!(quote(&inks, 0, 4).unwrap(), "AT&amp;T");
    assert_eq!(quote(&inks, 5, 10).unwrap(), "pays[^why]");
    assert_eq!(quote(&[text("is "), Ink::Math], 4, 5).unwrap(), "$x^2$");
}

#[test]
fn white_space_at_the_ends_was_not_meant() {
    let inks = [
        text("one "),
        Ink::Soft,
        text("two"),
        Ink::Hard,
        text("three"),
    ];
    assert_eq!(quote(&inks, 3, 9).unwrap(), "two");
    assert_eq!(quote(&inks, 0, 8).unwrap(), "one \ntwo");
}

#[test]
fn a_letter_is_never_cut() {
    let inks = [text("a👩‍👩‍👧 e\u{301}té \u{5e9}\u{5dc}\u{5d5}\u{5dd}")];
    assert_eq!(quote(&inks, 2, 11).unwrap(), "👩‍👩‍👧 e\u{301}");
    assert_eq!(quote(&inks, 10, 11), Err(Refusal::TooShort));
    assert_eq!(
        quote(&inks, 14, 19).unwrap(),
        "\u{5e9}\u{5dc}\u{5d5}\u{5dd}"
    );
}

#[test]
fn a_slip_of_the_hand_is_ignored_without_a_word() {
    for (from, to) in [(0, 0), (0, 2), (2, 3), (3, 4)] {
        let refusal = quote(&[text("ab  cd")], from, to).unwrap_err();
        assert_eq!(refusal.sentence(), None, "{from}..{to}");
    }
}

#[test]
fn a_triple_click_that_ends_in_the_next_block_belongs_to_the_former() {
    let blocks = document(&[
        Written::Paragraph(vec![text("First words.")]),
        Written::Rule,
        Written::Paragraph(vec![text("Second.")]),
    ]);
    let selected = select(&blocks, point(0, 0), point(2, 0)).unwrap();
    assert_eq!(selected.quote, "First words.");
    let backwards = select(&blocks, point(2, 0), point(0, 0)).unwrap();
    assert_eq!(backwards, selected);
}

/// S2: several blocks are one contiguous range of the source, link definitions between them included.
#[test]
fn a_selection_over_blocks_is_one_range() {
    let blocks = document(&[
        Written::Quote(vec![text("A request"), Ink::Soft, text("is one call")]),
        Written::Table(vec![vec![text("a | b")], vec![text("c")]]),
    ]);
    let selected = select(&blocks, point(0, 2), point(1, 5)).unwrap();
    assert_eq!(
        selected.quote,
        "request\n> is one call\n\n[api]: api.md\n| a | b"
    );
    assert_eq!(selected.text, "request is one calla | b");
    assert_eq!(stretches(&blocks, &(selected.start..selected.end)).len(), 2);
}

/// S151: code is selected by the same gesture, its line ends whatever they are.
#[test]
fn lines_of_code_are_quoted_as_they_stand() {
    let lines = ["fn main() {", "", "    run();"].map(str::to_owned);
    let blocks = document(&[Written::Code(lines.to_vec())]);
    let selected = select(&blocks, point(0, 3), point(0, 23)).unwrap();
    assert_eq!(selected.quote, "main() {\r\n\r\n    run();");
    assert_eq!(shown(&blocks, &selected), "main() {\n\n    run();");
}

#[test]
fn a_tree_that_contradicts_its_source_is_refused_and_never_panics() {
    let far = Span::from((7, 900));
    let node = Node::Paragraph {
        children: vec![Node::Text {
            text: "words that are not there".to_owned(),
            at: far,
            atom: false,
        }],
    };
    let block = Block {
        block_id: String::new(),
        start: 0,
        end: 4,
        source: Some("no\n".to_owned()),
        node: Some(node),
    };
    let blocks = [Readable::new(block, |_| None).unwrap()];
    let refusal = select(&blocks, point(0, 0), point(0, 9)).unwrap_err();
    assert_eq!(refusal, Refusal::Untied);
    assert!(refusal.sentence().is_some());
}

fn ink() -> impl Strategy<Value = Ink> {
    let word = prop_oneof![
        "[a-z ]{1,12}",
        Just("👩‍👩‍👧 é".to_owned()),
        Just("e\u{301}\u{302}".to_owned()),
        Just("\u{5e9}\u{5dc}\u{5d5}\u{5dd} نص".to_owned()),
        Just("🇩🇪🇫🇷".to_owned()),
        Just("漢字かな".to_owned()),
    ];
    let leaf = prop_oneof![
        6 => word.clone().prop_map(Ink::Text),
        1 => word.prop_map(Ink::Code),
        1 => Just(Ink::Entity),
        1 => Just(Ink::Escape),
        1 => Just(Ink::Soft),
        1 => Just(Ink::Hard),
        1 => Just(Ink::Footnote),
        1 => Just(Ink::Math),
        1 => Just(Ink::Image),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let inks = prop::collection::vec(inner, 0..4);
        prop_oneof![inks.clone().prop_map(Ink::Strong), inks.prop_map(Ink::Link)]
    })
}

fn written() -> impl Strategy<Value = Written> {
    let inks = prop::collection::vec(ink(), 0..5).boxed();
    prop_oneof![
        inks.clone().prop_map(Written::Paragraph),
        inks.clone().prop_map(Written::Quote),
        prop::collection::vec(inks.clone(), 0..4).prop_map(Written::List),
        prop::collection::vec(inks, 1..4).prop_map(Written::Table),
        prop::collection::vec("[a-z ]{0,9}", 0..4).prop_map(Written::Code),
        Just(Written::Rule),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// S92: whatever is pointed at is tied to the source and comes back as the same words.
    #[test]
    fn every_selection_comes_back_as_the_same_words(
        written in prop::collection::vec(written(), 1..5),
        (a, b) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        (from, to) in (0u32..60, 0u32..60),
    ) {
        let blocks = document(&written);
        let (a, b) = (a.index(blocks.len()), b.index(blocks.len()));
        match select(&blocks, point(a, from), point(b, to)) {
            Ok(selected) => {
                let all = source(&blocks);
                prop_assert_eq!(&all[selected.start as usize..selected.end as usize], &selected.quote);
                prop_assert_eq!(shown(&blocks, &selected), selected.text.clone());
                prop_assert_eq!(selected.text.trim(), &selected.text);
            }
            Err(refusal) => prop_assert_eq!(refusal, Refusal::TooShort),
        }
    }
}
