//! From tokens back to characters: the ends of a place as exact as the selection's were.

use super::mapping::Mapped;
use super::units::{Token, Units};
use std::ops::Range;

/// The characters of the new text for tokens that stand for a selection.
///
/// What the selection held before its first token (indentation, a mark, a pipe) is taken where it stands before the
/// new one too; marks of another kind count as marks. Where the selection cut a word, the same word is cut.
pub(super) fn fit(
    (old_text, old): (&str, &Units),
    (new_text, new): (&str, &Units),
    selection: &Range<usize>,
    selected: &Range<u32>,
    mapped: &Mapped,
) -> Range<usize> {
    let (Some(first), Some(last)) = (
        new.slice(&mapped.tokens).first(),
        new.slice(&mapped.tokens).last(),
    ) else {
        return 0..0;
    };
    let (mut start, mut end) = (first.start as usize, last.end as usize);
    let (outer_start, outer_end) = new
        .marks_in(&mapped.tokens)
        .fold((start, end), |(start, end), mark| {
            (start.min(mark.start), end.max(mark.end))
        });
    let old_tokens = old.slice(selected);
    if let (true, Some(token)) = (mapped.ends.0, old_tokens.first()) {
        let token_start = token.start as usize;
        if selection.start < token_start {
            let lead = &old_text[selection.start..token_start];
            start = extend_back(new_text, lead, start).min(if has_marks(lead) {
                outer_start
            } else {
                start
            });
        } else if let Some(cut) = same_cut(old_text, new_text, token, first, selection.start) {
            start = cut;
        }
    }
    if let (true, Some(token)) = (mapped.ends.1, old_tokens.last()) {
        let token_end = token.end as usize;
        if token_end < selection.end {
            let tail = &old_text[token_end..selection.end];
            end = extend_on(new_text, tail, end).max(if has_marks(tail) { outer_end } else { end });
        } else if let Some(cut) = same_cut(old_text, new_text, token, last, selection.end) {
            end = cut;
        }
    }
    if start >= end {
        return first.start as usize..last.end as usize;
    }
    balanced(new, &mapped.tokens, start..end)
}

/// A range that holds all words of an inline element and one of its marks takes the other one in too.
fn balanced(units: &Units, tokens: &Range<u32>, mut range: Range<usize>) -> Range<usize> {
    for mark in units.marks_in(tokens) {
        if range.start <= mark.start && mark.start < range.end {
            range.end = range.end.max(mark.end);
        } else if range.start < mark.end && mark.end <= range.end {
            range.start = range.start.min(mark.start);
        }
    }
    range
}

fn is_mark(c: char) -> bool {
    matches!(c, '*' | '_' | '`' | '~' | '[' | ']' | '<' | '>' | '#' | '|')
}

fn has_marks(text: &str) -> bool {
    text.contains(is_mark)
}

/// Goes back over what stands before `at` as it stood before the selection's first word.
fn extend_back(text: &str, lead: &str, at: usize) -> usize {
    let before = text[..at].chars().rev();
    let (same, all) = same_marks(lead.chars().rev(), before);
    let start = at - same;
    if all {
        return start;
    }
    // A fence's language may have changed.
    let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
    if lead.trim_start().starts_with("```") && text[line..start].starts_with("```") {
        return line;
    }
    at - text[start..at].trim_start().len()
}

/// Goes on over what stands behind `at` as it stood behind the selection's last word.
fn extend_on(text: &str, tail: &str, at: usize) -> usize {
    let (same, all) = same_marks(tail.chars(), text[at..].chars());
    let whole = &text[at..at + same];
    at + if all { same } else { whole.trim_end().len() }
}

/// Bytes of the found characters that are the wanted ones, or marks where marks were; and whether all are.
fn same_marks(
    wanted: impl Iterator<Item = char>,
    mut found: impl Iterator<Item = char>,
) -> (usize, bool) {
    let mut same = 0;
    for wanted in wanted {
        match found.next() {
            Some(found) if wanted == found || (is_mark(wanted) && is_mark(found)) => {
                same += found.len_utf8();
            }
            _ => return (same, false),
        }
    }
    (same, true)
}

/// Where `at` cuts a word, the same byte of the same word in the new text.
fn same_cut(old_text: &str, new_text: &str, old: &Token, new: &Token, at: usize) -> Option<usize> {
    let (old, new) = (
        old.start as usize..old.end as usize,
        new.start as usize..new.end as usize,
    );
    if at == old.start || at == old.end || old_text.get(old.clone()) != new_text.get(new.clone()) {
        return None;
    }
    new.start.checked_add(at.checked_sub(old.start)?)
}
