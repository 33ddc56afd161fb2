//! Two changes of one text, brought together.

use super::hunks::{Hunk, hunks};
use super::lines::Lines;
use std::ops::Range;

/// What came of two changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merge {
    /// Both stand in it, whole.
    Clean(String),
    /// They are about the same lines, or about neighbours, and differ.
    Conflicts(Vec<Conflict>),
}

/// One stretch that both changed, as it stands in each of the three texts, in lines counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// In the text that both began with.
    pub base: Range<usize>,
    /// In the one.
    pub ours: Range<usize>,
    /// In the other.
    pub theirs: Range<usize>,
}

/// Brings `ours` and `theirs`, both made from `base`, together.
///
/// Lines of neither are lost: what both changed is either the same or a conflict. Neighbouring lines count as the same
/// place, for a sentence may run over both.
pub fn merge(base: &str, ours: &str, theirs: &str) -> Merge {
    let (base, ours, theirs) = (Lines::of(base), Lines::of(ours), Lines::of(theirs));
    let mut mine = Side::new(hunks(&base, &ours));
    let mut other = Side::new(hunks(&base, &theirs));
    let mut merged = String::new();
    let mut conflicts = Vec::new();
    let mut done = 0;
    while let Some(start) = mine.starts().into_iter().chain(other.starts()).min() {
        merged.push_str(base.text(done..start));
        let mut stretch = start..start;
        let (mut by_me, mut by_other) = (false, false);
        loop {
            let took = (mine.takes(&mut stretch), other.takes(&mut stretch));
            by_me |= took.0;
            by_other |= took.1;
            if took == (false, false) {
                break;
            }
        }
        let here = mine.lines(&stretch);
        let there = other.lines(&stretch);
        let (my_text, other_text) = (ours.text(here.clone()), theirs.text(there.clone()));
        match (by_me, by_other) {
            (true, false) => merged.push_str(my_text),
            (false, true) => merged.push_str(other_text),
            _ if my_text == other_text => merged.push_str(my_text),
            _ => conflicts.push(Conflict {
                base: stretch.clone(),
                ours: here,
                theirs: there,
            }),
        }
        mine.pass();
        other.pass();
        done = stretch.end;
    }
    merged.push_str(base.text(done..base.len()));
    if conflicts.is_empty() {
        Merge::Clean(merged)
    } else {
        Merge::Conflicts(conflicts)
    }
}

/// The hunks of one side, walked through.
struct Side {
    hunks: Vec<Hunk>,
    /// The first hunk of the stretch, and the first one after it.
    from: usize,
    next: usize,
    /// How far lines before the stretch are further down than in the base.
    drift: isize,
}

impl Side {
    fn new(hunks: Vec<Hunk>) -> Self {
        Self {
            hunks,
            from: 0,
            next: 0,
            drift: 0,
        }
    }

    fn starts(&self) -> Option<usize> {
        self.hunks.get(self.next).map(|hunk| hunk.old.start)
    }

    /// Takes the next hunk into the stretch if it is about its lines or touches them.
    fn takes(&mut self, stretch: &mut Range<usize>) -> bool {
        let Some(hunk) = self.hunks.get(self.next) else {
            return false;
        };
        if hunk.old.start > stretch.end {
            return false;
        }
        stretch.end = stretch.end.max(hunk.old.end);
        self.next += 1;
        true
    }

    /// The stretch in this side's text.
    fn lines(&self, stretch: &Range<usize>) -> Range<usize> {
        let start = moved(stretch.start, self.drift);
        let within: isize = self.hunks[self.from..self.next].iter().map(growth).sum();
        start..moved(stretch.end, self.drift + within)
    }

    fn pass(&mut self) {
        self.drift += self.hunks[self.from..self.next]
            .iter()
            .map(growth)
            .sum::<isize>();
        self.from = self.next;
    }
}

fn growth(hunk: &Hunk) -> isize {
    hunk.new.len().cast_signed() - hunk.old.len().cast_signed()
}

fn moved(line: usize, by: isize) -> usize {
    line.saturating_add_signed(by)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "one\n\ntwo\n\nthree\n";

    #[test]
    fn changes_of_different_lines_are_both_kept() {
        let merged = merge(BASE, "ONE\nmore\n\ntwo\n\nthree\n", "one\n\ntwo\n\nTHREE\n");
        assert_eq!(
            merged,
            Merge::Clean("ONE\nmore\n\ntwo\n\nTHREE\n".to_owned())
        );
    }

    #[test]
    fn the_same_change_on_both_sides_is_one() {
        let both = "one\n\n2\n\nthree\n";
        assert_eq!(merge(BASE, both, both), Merge::Clean(both.to_owned()));
    }

    #[test]
    fn different_changes_of_a_line_are_a_conflict_with_both_sides() {
        let merged = merge(
            BASE,
            "new\none\n\nmine\n\nthree\n",
            "one\n\nyours\nand more\n\nthree\n",
        );
        let conflict = Conflict {
            base: 2..3,
            ours: 3..4,
            theirs: 2..4,
        };
        assert_eq!(merged, Merge::Conflicts(vec![conflict]));
    }

    #[test]
    fn a_removed_line_that_the_other_changed_is_a_conflict() {
        let merged = merge(BASE, "one\n\n\nthree\n", "one\n\nTWO\n\nthree\n");
        assert!(matches!(merged, Merge::Conflicts(_)));
    }

    #[test]
    fn neighbours_are_not_brought_together_by_guessing() {
        let merged = merge("a\nb\n", "A\nb\n", "a\nB\n");
        assert!(matches!(merged, Merge::Conflicts(_)));
    }
}
