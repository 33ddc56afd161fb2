//! Keeping the place where a person reads: by words, not by pixels.
//!
//! A document changes under the reader, is left and opened again, is reloaded. What stood at the top of the view is
//! looked for again: the same block, else the same text, else the most similar one near by.

use super::pages::Shown;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// How many blocks from the top are remembered, in case the first is gone.
pub(super) const REMEMBERED: usize = 3;

/// Blocks on either side in which a changed text is looked for.
pub(super) const NEAR: usize = 400;

/// Below this share of common words it is another text.
const SIMILAR: f64 = 0.4;

/// A block that stood in view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// The block's key.
    pub key: String,
    /// Its index.
    pub index: usize,
    /// The beginning of its text.
    pub text: String,
    /// How far its upper edge stood below the view's, in pixels.
    pub below: f64,
}

impl Kept {
    /// Remembers a block.
    pub fn of(shown: &Shown, index: usize, below: f64) -> Self {
        Self {
            key: shown.key.clone(),
            index,
            text: beginning(shown),
            below,
        }
    }
}

/// Where to bring which block: its index, and how far below the view's upper edge.
pub(super) fn find(kept: &[Kept], blocks: &[Shown]) -> Option<(usize, f64)> {
    let same = kept.iter().find_map(|kept| {
        let index = blocks.iter().position(|shown| shown.key == kept.key)?;
        Some((index, kept.below))
    });
    same.or_else(|| {
        kept.iter()
            .filter(|kept| !kept.text.is_empty())
            .find_map(|kept| Some((most_similar(kept, blocks)?, kept.below)))
    })
}

fn most_similar(kept: &Kept, blocks: &[Shown]) -> Option<usize> {
    let from = kept.index.saturating_sub(NEAR).min(blocks.len());
    let to = (kept.index + NEAR).min(blocks.len());
    let words = words(&kept.text);
    let mut best: Option<(f64, usize)> = None;
    for (offset, shown) in blocks[from..to].iter().enumerate() {
        let index = from + offset;
        let likeness = likeness(&words, &beginning(shown));
        let nearer = |other: usize| index.abs_diff(kept.index) < other.abs_diff(kept.index);
        let better = best
            .is_none_or(|(score, other)| likeness > score || (likeness >= score && nearer(other)));
        if likeness >= SIMILAR && better {
            best = Some((likeness, index));
        }
    }
    best.map(|(_, index)| index)
}

/// The share of words that two texts have in common, 0 to 1.
fn likeness(words_of_one: &HashSet<&str>, other: &str) -> f64 {
    let other = words(other);
    let all = words_of_one.len() + other.len();
    if all == 0 {
        return 0.0;
    }
    2.0 * words_of_one.intersection(&other).count() as f64 / all as f64
}

fn words(text: &str) -> HashSet<&str> {
    text.split_whitespace().collect()
}

fn beginning(shown: &Shown) -> String {
    shown
        .readable
        .body
        .reading
        .text()
        .chars()
        .take(240)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::pages::Pages;
    use super::super::pages::tests::document;
    use super::*;

    fn blocks(texts: &[&str]) -> Vec<Shown> {
        Pages::begin(document('a', texts), None).unwrap().blocks
    }

    const BEFORE: [&str; 4] = [
        "Pricing",
        "Every workspace is on exactly one plan.",
        "The three plans differ in size, not in features.",
        "A downgrade takes effect on the first day.",
    ];

    /// What is remembered while the view's upper edge lies in the second block.
    fn kept() -> Vec<Kept> {
        let shown = blocks(&BEFORE);
        (1..4)
            .map(|index| Kept::of(&shown[index], index, index as f64 * 40.0 - 60.0))
            .collect()
    }

    /// S63: the text being read stays where it is while text is put in above it.
    #[test]
    fn what_was_read_is_found_again_under_new_text() {
        let after = blocks(&["Pricing", "New.", "New too.", BEFORE[1], BEFORE[2]]);
        assert_eq!(find(&kept(), &after), Some((3, -20.0)));
    }

    /// S63: an agent's edit of the very block is followed by its words.
    #[test]
    fn a_changed_block_is_found_by_its_words() {
        let after = blocks(&[
            "New.",
            "Pricing",
            "Every workspace is on one of three plans.",
        ]);
        assert_eq!(find(&kept(), &after), Some((2, -20.0)));
    }

    #[test]
    fn when_the_first_block_is_gone_the_next_one_counts() {
        let after = blocks(&["Pricing", BEFORE[2], BEFORE[3]]);
        assert_eq!(find(&kept(), &after), Some((1, 20.0)));
    }

    #[test]
    fn another_text_is_not_taken_for_it() {
        assert_eq!(
            find(&kept(), &blocks(&["Nothing of that", "was ever here"])),
            None
        );
        assert_eq!(find(&[], &blocks(&BEFORE)), None);
    }
}
