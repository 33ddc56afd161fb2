//! One document of a proposal for the page: both sides aligned, and what is the same folded. Pure.

use super::expected::Sides;
use super::text::Text;
use crate::store::{FileRecord, HunkRecord};
use rex_shared::change::{Hunk, Lines, words};
use rex_shared::document::Format;
use rex_shared::wire::place::{WordFate, Words};
use rex_shared::wire::proposal::{HunkKind, Stretch};
use std::ops::Range;

/// Lines that are shown around what differs.
const AROUND: usize = 3;
/// Bytes of a hunk's two sides that are still compared by word: beyond that nobody reads word by word.
const MOST_BY_WORD: usize = 64 * 1024;

/// The stretches of a comparison. `unfold` is the old line, counted from 1, at which a folded stretch begins that is
/// to be shown whole; 0 shows everything. A file that is no text has none.
pub(super) fn stretches(
    file: &FileRecord,
    sides: &Sides,
    format: Format,
    unfold: Option<u32>,
) -> Vec<Stretch> {
    let side = |there: bool, bytes: &[u8]| match there {
        true => Text::of(bytes).map(|text| text.source),
        false => Some(String::new()),
    };
    let (Some(old), Some(new)) = (
        side(file.before.is_some(), &sides.before),
        side(file.after.is_some(), &sides.after),
    ) else {
        return Vec::new();
    };
    let page = Page {
        old: Lines::of(&old),
        new: Lines::of(&new),
        format,
        unfold,
    };
    let lines = file
        .hunks
        .iter()
        .filter(|hunk| hunk.kind == HunkKind::Lines);
    let mut stretches = Vec::new();
    if file.before.is_none() || file.after.is_none() {
        stretches.extend(file.hunks.first().map(|hunk| page.whole(hunk)));
        return stretches;
    }
    let mut from = (0, 0);
    for hunk in lines {
        let (was, is) = (wide(&hunk.old_lines), wide(&hunk.new_lines));
        page.same(from, was.start, &mut stretches);
        stretches.push(page.hunk(hunk, was.clone(), is.clone()));
        from = (was.end, is.end);
    }
    page.same(from, page.old.len(), &mut stretches);
    stretches
}

struct Page<'a> {
    old: Lines<'a>,
    new: Lines<'a>,
    format: Format,
    unfold: Option<u32>,
}

impl Page<'_> {
    /// Lines that are the same, from a pair of lines to an old one; folded where nothing near them differs.
    fn same(&self, from: (usize, usize), to: usize, stretches: &mut Vec<Stretch>) {
        let head = if from.0 == 0 { 0 } else { AROUND };
        let tail = if to == self.old.len() { 0 } else { AROUND };
        let hidden = (from.0 + head).min(to)..to.saturating_sub(tail).max(from.0);
        let wanted = self.unfold == Some(0) || self.unfold == Some(number(hidden.start));
        // A fold that hides two lines takes as much room as they do.
        if hidden.len() <= 2 || wanted {
            self.shown(from, from.0..to, stretches);
            return;
        }
        self.shown(from, from.0..hidden.start, stretches);
        stretches.push(Stretch::Folded {
            old_line: number(hidden.start),
            new_line: number(hidden.start - from.0 + from.1),
            lines: u32::try_from(hidden.len()).unwrap_or(u32::MAX),
        });
        self.shown(from, hidden.end..to, stretches);
    }

    fn shown(&self, from: (usize, usize), lines: Range<usize>, stretches: &mut Vec<Stretch>) {
        if lines.is_empty() {
            return;
        }
        let new_line = lines.start - from.0 + from.1;
        stretches.push(Stretch::Same {
            old_line: number(lines.start),
            new_line: number(new_line),
            old_start: offset(self.old.bytes(lines.clone()).start),
            new_start: offset(self.new.bytes(new_line..new_line).start),
            text: self.old.text(lines).to_owned(),
        });
    }

    fn hunk(&self, hunk: &HunkRecord, was: Range<usize>, is: Range<usize>) -> Stretch {
        let lines = Hunk {
            old: was.clone(),
            new: is.clone(),
        };
        Stretch::Hunk {
            hunk_id: hunk.hunk_id.clone(),
            old_line: number(was.start),
            new_line: number(is.start),
            coarse: lines.is_coarse(&self.old, &self.new),
            words: self.words(self.old.text(was), self.new.text(is)),
        }
    }

    /// A file that is made or removed, all of it.
    fn whole(&self, hunk: &HunkRecord) -> Stretch {
        Stretch::Hunk {
            hunk_id: hunk.hunk_id.clone(),
            old_line: 1,
            new_line: 1,
            coarse: false,
            words: self.words(
                self.old.text(0..self.old.len()),
                self.new.text(0..self.new.len()),
            ),
        }
    }

    /// By word in prose; in code, where half a line means nothing, by line.
    fn words(&self, old: &str, new: &str) -> Vec<Words> {
        if self.format != Format::Code
            && !old.is_empty()
            && !new.is_empty()
            && old.len() + new.len() <= MOST_BY_WORD
        {
            return words(old, new);
        }
        [(WordFate::Removed, old), (WordFate::Added, new)]
            .into_iter()
            .filter(|(_, text)| !text.is_empty())
            .map(|(fate, text)| Words {
                fate,
                text: text.to_owned(),
            })
            .collect()
    }
}

fn wide(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

fn number(line: usize) -> u32 {
    offset(line + 1)
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposals::differences::{Difference, Side};
    use crate::proposals::propose::propose;

    fn compared(old: &str, new: &str, unfold: Option<u32>) -> Vec<Stretch> {
        let side = |text: &str| {
            Some(Side {
                bytes: text.as_bytes().to_vec(),
                mode: 0o644,
            })
        };
        let (files, _) = propose(vec![Difference {
            path: "a.md".to_owned(),
            before: side(old),
            after: side(new),
        }]);
        let sides = Sides {
            before: old.as_bytes().into(),
            after: new.as_bytes().into(),
        };
        stretches(&files[0], &sides, Format::Markdown, unfold)
    }

    fn numbered(change: &str) -> String {
        (1..=30)
            .map(|line| {
                if line == 15 {
                    format!("{change}\n")
                } else {
                    format!("line {line}\n")
                }
            })
            .collect()
    }

    #[test]
    fn what_is_far_from_a_change_is_folded_and_can_be_unfolded() {
        let (old, new) = (numbered("was"), numbered("is"));
        let shown = compared(&old, &new, None);
        assert!(
            matches!(
                shown[0],
                Stretch::Folded {
                    old_line: 1,
                    lines: 11,
                    ..
                }
            ),
            "{shown:?}"
        );
        assert!(
            matches!(&shown[1], Stretch::Same { old_line: 12, text, .. } if text.lines().count() == 3)
        );
        assert!(matches!(
            shown[2],
            Stretch::Hunk {
                old_line: 15,
                new_line: 15,
                ..
            }
        ));
        assert!(matches!(
            shown[4],
            Stretch::Folded {
                old_line: 19,
                lines: 12,
                ..
            }
        ));
        let one = compared(&old, &new, Some(19));
        assert!(matches!(&one[3], Stretch::Same { text, .. } if text.lines().count() == 15));
        let all = compared(&old, &new, Some(0));
        assert!(
            all.iter()
                .all(|stretch| !matches!(stretch, Stretch::Folded { .. }))
        );
    }

    #[test]
    fn prose_is_marked_by_word() {
        let shown = compared("Paid in 14 days.\n", "Paid in 30 days.\n", None);
        let Stretch::Hunk { words, .. } = &shown[0] else {
            panic!("{shown:?}");
        };
        let told: Vec<_> = words
            .iter()
            .map(|run| (run.fate, run.text.as_str()))
            .collect();
        let expected = [
            (WordFate::Kept, "Paid in "),
            (WordFate::Removed, "14"),
            (WordFate::Added, "30"),
            (WordFate::Kept, " days.\n"),
        ];
        assert_eq!(told, expected);
    }
}
