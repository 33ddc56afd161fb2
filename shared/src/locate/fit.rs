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
    let mut start = at;
    let before = text[..at].chars().rev();
    for (wanted, found) in lead.chars().rev().zip(before) {
        if wanted != found && !(is_mark(wanted) && is_mark(found)) {
            break;
        }
        start -= found.len_utf8();
    }
    start
}

fn extend_on(text: &str, tail: &str, at: usize) -> usize {
    let mut end = at;
    for (wanted, found) in tail.chars().zip(text[at..].chars()) {
        if wanted != found && !(is_mark(wanted) && is_mark(found)) {
            break;
        }
        end += found.len_utf8();
    }
    end
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
