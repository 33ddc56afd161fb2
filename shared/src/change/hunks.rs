//! The stretches of lines that differ between two texts.

use super::lines::Lines;
use crate::locate::sequence::{TABLE, in_order};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Stretches of up to this many pairs of lines are compared exactly at once.
const SMALL: usize = 10_000;
/// What a blank line is worth beside one with words: two texts are not alike because both have paragraphs.
const BLANK: f32 = 0.05;

/// A stretch of lines that another stretch replaces. Hunks of one comparison are in order, and between two of them
/// stands at least one line that is the same in both texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// Lines of the old text, counted from 0; empty when lines are only added.
    pub old: Range<usize>,
    /// Lines of the new text; empty when lines are only removed.
    pub new: Range<usize>,
}

impl Hunk {
    /// Whether the stretch was too large to be looked into although lines in it are the same in both texts.
    pub fn is_coarse(&self, old: &Lines<'_>, new: &Lines<'_>) -> bool {
        if self.old.len() * self.new.len() <= TABLE {
            return false;
        }
        let within = |lines: &Lines<'_>, range: &Range<usize>| {
            let words = lines.iter().skip(range.start).take(range.len());
            words
                .filter(|line| !is_blank(line))
                .map(str::to_owned)
                .collect::<FxHashSet<_>>()
        };
        !within(old, &self.old).is_disjoint(&within(new, &self.new))
    }
}

/// What differs. The work is bounded: about 500 steps for each line, whatever the texts are.
pub fn hunks(old: &Lines<'_>, new: &Lines<'_>) -> Vec<Hunk> {
    let mut known: FxHashMap<&str, u32> = FxHashMap::default();
    let mut coded = |line| {
        let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
        *known.entry(line).or_insert(next)
    };
    let old_codes: Vec<u32> = old.iter().map(&mut coded).collect();
    let new_codes: Vec<u32> = new.iter().map(&mut coded).collect();
    let worth: Vec<f32> = old
        .iter()
        .map(|line| if is_blank(line) { BLANK } else { 1.0 })
        .collect();
    let same = in_order(&old_codes, &new_codes, SMALL, &|line| worth[line]);
    between(&same, old.len(), new.len())
}

/// What stands between the pairs that are the same.
pub(super) fn between(same: &[(usize, usize)], old: usize, new: usize) -> Vec<Hunk> {
    let mut hunks = Vec::new();
    let mut from = (0, 0);
    for (i, j) in same.iter().copied().chain([(old, new)]) {
        if from.0 < i || from.1 < j {
            hunks.push(Hunk {
                old: from.0..i,
                new: from.1..j,
            });
        }
        from = (i + 1, j + 1);
    }
    hunks
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(old: &str, new: &str) -> Vec<(Range<usize>, Range<usize>)> {
        let hunks = hunks(&Lines::of(old), &Lines::of(new));
        hunks.into_iter().map(|hunk| (hunk.old, hunk.new)).collect()
    }

    #[test]
    fn each_paragraph_that_differs_is_a_hunk_of_its_own() {
        let old = "# Terms\n\nPaid in 14 days.\n\nAsk support.\n\nEnd.\n";
        let new = "# Terms\n\nPaid in 30 days.\n\nAsk support.\n\nThe end.\n";
        assert_eq!(found(old, new), [(2..3, 2..3), (6..7, 6..7)]);
    }

    #[test]
    fn added_and_removed_lines_have_an_empty_other_side() {
        assert_eq!(found("a\nb\n", "a\nx\nb\n"), [(1..1, 1..2)]);
        assert_eq!(found("a\nx\nb\n", "a\nb\n"), [(1..2, 1..1)]);
        assert_eq!(found("", "a\n"), [(0..0, 0..1)]);
        assert_eq!(found("a\n", "a\n"), []);
    }

    #[test]
    fn a_line_end_is_part_of_its_line() {
        assert_eq!(found("a\nb", "a\nb\n"), [(1..2, 1..2)]);
        assert_eq!(found("a\r\nb\n", "a\nb\n"), [(0..1, 0..1)]);
    }

    #[test]
    fn what_was_not_looked_into_says_so() {
        let repeated = |number: usize, line: &str| format!("{line}\nboth\n").repeat(number);
        let (old, new) = (repeated(400, "old"), repeated(400, "new"));
        let (old, new) = (Lines::of(&old), Lines::of(&new));
        let hunks = hunks(&old, &new);
        assert!(hunks.iter().any(|hunk| hunk.is_coarse(&old, &new)));

        let (old, new) = ("old\n".repeat(800), "new\n".repeat(800));
        let (old, new) = (Lines::of(&old), Lines::of(&new));
        let hunks = super::hunks(&old, &new);
        assert_eq!(hunks.len(), 1);
        assert!(!hunks[0].is_coarse(&old, &new), "nothing in common to find");
    }
}
