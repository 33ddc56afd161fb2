//! Two texts compared by word, for a person to read.

use super::hunks::between;
use crate::locate::sequence::in_order;
use crate::wire::place::{WordFate, Words};
use rustc_hash::FxHashMap;
use unicode_segmentation::UnicodeSegmentation as _;

/// Stretches of up to this many pairs of words are compared exactly at once.
const SMALL: usize = 40_000;
/// What white space and punctuation are worth beside a word.
const SPACE: f32 = 0.1;

/// What became of the words of `old` on the way to `new`. The runs without the added ones are `old`, those without the
/// removed ones are `new`.
pub fn words(old: &str, new: &str) -> Vec<Words> {
    let old: Vec<&str> = old.split_word_bounds().collect();
    let new: Vec<&str> = new.split_word_bounds().collect();
    let mut known: FxHashMap<&str, u32> = FxHashMap::default();
    let mut coded = |word| {
        let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
        *known.entry(word).or_insert(next)
    };
    let old_codes: Vec<u32> = old.iter().copied().map(&mut coded).collect();
    let new_codes: Vec<u32> = new.iter().copied().map(&mut coded).collect();
    let worth: Vec<f32> = old.iter().map(|word| weight(word)).collect();
    let same = in_order(&old_codes, &new_codes, SMALL, &|word| worth[word]);
    let mut runs = Vec::new();
    let mut from = 0;
    for hunk in between(&same, old.len(), new.len()) {
        add(&mut runs, WordFate::Kept, &old[from..hunk.old.start]);
        add(&mut runs, WordFate::Removed, &old[hunk.old.clone()]);
        add(&mut runs, WordFate::Added, &new[hunk.new]);
        from = hunk.old.end;
    }
    add(&mut runs, WordFate::Kept, &old[from..]);
    runs
}

fn weight(word: &str) -> f32 {
    if word.chars().any(char::is_alphanumeric) {
        1.0
    } else {
        SPACE
    }
}

fn add(runs: &mut Vec<Words>, fate: WordFate, words: &[&str]) {
    if !words.is_empty() {
        runs.push(Words {
            fate,
            text: words.concat(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use WordFate::{Added, Kept, Removed};

    fn told(old: &str, new: &str) -> Vec<(WordFate, String)> {
        let words = words(old, new);
        words.into_iter().map(|run| (run.fate, run.text)).collect()
    }

    fn run(fate: WordFate, text: &str) -> (WordFate, String) {
        (fate, text.to_owned())
    }

    #[test]
    fn a_word_that_turns_the_meaning_stands_out() {
        assert_eq!(
            told("Refunds may be paid.", "Refunds must not be paid."),
            [
                run(Kept, "Refunds "),
                run(Removed, "may"),
                run(Added, "must not"),
                run(Kept, " be paid."),
            ]
        );
    }

    #[test]
    fn equal_texts_are_one_run() {
        assert_eq!(told("a b", "a b"), [run(Kept, "a b")]);
        assert_eq!(told("", ""), []);
    }

    proptest::proptest! {
        #[test]
        fn the_runs_are_both_texts(old in "[ab .\u{e9}]{0,30}", new in "[ab .\u{e9}]{0,30}") {
            let text = |left_out: WordFate| -> String {
                let runs = words(&old, &new);
                let runs = runs.into_iter().filter(|run| run.fate != left_out);
                runs.map(|run| run.text).collect()
            };
            proptest::prop_assert_eq!(text(Added), old.clone());
            proptest::prop_assert_eq!(text(Removed), new.clone());
        }
    }
}
