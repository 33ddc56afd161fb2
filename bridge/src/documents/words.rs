//! Two texts compared by word, for a person to read.

use rex_shared::wire::place::{WordFate, Words};
use similar::{ChangeTag, TextDiff};
use std::time::Duration;

/// How long a comparison may look for the shortest answer; after that a longer one will do.
const PATIENCE: Duration = Duration::from_millis(200);

/// What became of the words of `old` on the way to `new`.
pub(super) fn compare(old: &str, new: &str) -> Vec<Words> {
    let diff = TextDiff::configure()
        .timeout(PATIENCE)
        .diff_unicode_words(old, new);
    let mut words: Vec<Words> = Vec::new();
    for change in diff.iter_all_changes() {
        let fate = match change.tag() {
            ChangeTag::Equal => WordFate::Kept,
            ChangeTag::Delete => WordFate::Removed,
            ChangeTag::Insert => WordFate::Added,
        };
        match words.last_mut() {
            Some(last) if last.fate == fate => last.text.push_str(change.value()),
            _ => words.push(Words {
                fate,
                text: change.value().to_owned(),
            }),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use WordFate::{Added, Kept, Removed};

    fn told(old: &str, new: &str) -> Vec<(WordFate, String)> {
        let words = compare(old, new);
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
                let words = compare(&old, &new);
                let words = words.into_iter().filter(|run| run.fate != left_out);
                words.map(|run| run.text).collect()
            };
            proptest::prop_assert_eq!(text(Added), old.clone());
            proptest::prop_assert_eq!(text(Removed), new.clone());
        }
    }
}
