//! What is found again, and what is not.

use super::*;
use crate::document::Format;
use crate::wire::place::PlaceKind;
use proptest::prelude::*;

const PRICING: &str = "\
# Pricing

The starter plan costs 9 euros a month.

Refunds are paid within 14 days. Ask support for one.

The team plan costs 49 euros a month.
";

fn locate(old: &str, range: Range<usize>, new: &str) -> Located {
    Alignment::new(Format::Markdown, old, new).locate(range, PlaceKind::Text)
}

fn find(old: &str, quote: &str, new: &str) -> (PlaceState, Option<String>) {
    let start = old.find(quote).unwrap();
    let located = locate(old, start..start + quote.len(), new);
    (
        located.state,
        located.range.map(|range| new[range].to_owned()),
    )
}

fn found(state: PlaceState, text: &str) -> (PlaceState, Option<String>) {
    (state, Some(text.to_owned()))
}

#[test]
fn the_same_bytes_are_the_same_place() {
    let quote = "within 14 days";
    assert_eq!(
        find(PRICING, quote, PRICING),
        found(PlaceState::Exact, quote)
    );
}

/// S6: a paragraph put in above leaves the place on its text, and says nothing else changed.
#[test]
fn a_paragraph_above_moves_the_place_down_and_nothing_else() {
    let new = PRICING.replace("The starter", "Prices hold for a year.\n\nThe starter");
    for quote in ["within 14 days", "49", "The starter plan costs 9 euros"] {
        let start = PRICING.find(quote).unwrap();
        let located = locate(PRICING, start..start + quote.len(), &new);
        let shift = new.len() - PRICING.len();
        assert_eq!(located.state, PlaceState::Exact, "{quote}");
        assert_eq!(
            located.range,
            Some(start + shift..start + shift + quote.len()),
            "{quote}"
        );
    }
}

#[test]
fn a_short_quote_keeps_to_its_sentence() {
    let new = PRICING
        .replace("9 euros", "14 euros")
        .replace("Ask support for one.", "Ask us.");
    assert_eq!(find(PRICING, "14", &new), found(PlaceState::Exact, "14"));
    let start = new.find("within 14").unwrap() + "within ".len();
    let old = PRICING.find("14").unwrap();
    let located = locate(PRICING, old..old + 2, &new);
    assert_eq!(located.range, Some(start..start + 2));
}

#[test]
fn edited_words_are_changed_where_their_sentence_went() {
    let new = PRICING.replace("within 14 days", "within 30 days");
    assert_eq!(
        find(PRICING, "within 14 days", &new),
        found(PlaceState::Changed, "within 30 days")
    );
    assert_eq!(find(PRICING, "14", &new), found(PlaceState::Changed, "30"));
}

/// S73: gone is said when neither the text nor a successor of it is there, though a look-alike is.
#[test]
fn a_deleted_twin_is_gone_and_its_twin_is_left_alone() {
    let old = "One.\n\nSame words in a row here.\n\nTwo.\n\nSame words in a row here.\n\nThree.\n";
    let new = "One.\n\nTwo.\n\nSame words in a row here.\n\nThree.\n";
    let (state, range) = find(old, "Same words in a row here.", new);
    assert_eq!((state, range), (PlaceState::Gone, None));
}

#[test]
fn text_that_changed_its_neighbours_has_moved() {
    let new = "\
# Pricing

Refunds are paid within 14 days. Ask support for one.

The team plan costs 49 euros a month.

The starter plan costs 9 euros a month.
";
    let quote = "The starter plan costs 9 euros a month.";
    assert_eq!(find(PRICING, quote, new), found(PlaceState::Moved, quote));
    let quote = "Refunds are paid within 14 days.";
    assert_eq!(find(PRICING, quote, new), found(PlaceState::Exact, quote));
}

#[test]
fn text_that_comes_back_is_found_again() {
    let quote = "Refunds are paid within 14 days.";
    assert_eq!(find(PRICING, quote, "").0, PlaceState::Gone);
    assert_eq!(
        find(PRICING, quote, PRICING),
        found(PlaceState::Exact, quote)
    );
}

#[test]
fn the_whole_document_is_never_lost() {
    let alignment = Alignment::new(Format::Markdown, PRICING, "");
    let located = alignment.locate(0..PRICING.len(), PlaceKind::Document);
    assert_eq!(located, Located::at(PlaceState::Changed, 0..0));
}

#[test]
fn a_range_that_is_not_in_the_old_text_is_gone() {
    for range in [9000..9001, 8..12, 0..0, 1..2] {
        assert_eq!(locate("é and more", range, "é"), Located::GONE);
    }
}

proptest! {
    #[test]
    fn whatever_the_texts_a_found_place_is_a_slice_of_the_new_one(
        old in "([a-c \u{e9}\u{4e2d}]{0,9}[.\n]){0,20}",
        new in "([a-c \u{e9}\u{4e2d}]{0,9}[.\n]){0,20}",
        a in 0usize..200,
        b in 0usize..200,
    ) {
        let located = locate(&old, a..b, &new);
        prop_assert_eq!(located.state == PlaceState::Gone, located.range.is_none());
        if let Some(range) = located.range {
            prop_assert!(new.get(range).is_some_and(|text| !text.trim().is_empty()));
        }
    }

    #[test]
    fn text_put_in_between_paragraphs_never_loses_a_place(
        paragraphs in proptest::collection::vec("[a-z]{4,8} [a-z]{4,8} [a-z]{4,8}", 3..9),
        at in 0usize..9,
        which in 0usize..9,
    ) {
        let mut unique: Vec<_> = paragraphs.iter().enumerate()
            .map(|(n, text)| format!("{text} number {n}")).collect();
        let which = which % unique.len();
        let old = unique.join("\n\n");
        let quote = unique[which].clone();
        unique.insert(at % (unique.len() + 1), "Something quite new stands here.".to_owned());
        let new = unique.join("\n\n");
        prop_assert_eq!(find(&old, &quote, &new), found(PlaceState::Exact, &quote));
    }
}
