//! Where a place of one version of a document stands in another version.
//!
//! One [`Alignment`] is made for a pair of versions and answers for all places of the document. It is deliberately
//! strict: it finds text that did not change, wherever that now stands, and claims nothing else. A place whose
//! words were edited is therefore `gone` here and not `changed`; naming the successor of edited text takes an
//! alignment by sentences, which fits behind the same two calls. It never lands on other words.

mod order;

use crate::wire::place::{PlaceKind, PlaceState};
use order::lines_in_order;
use std::ops::Range;

/// Part of the key of every stored resolution: counted up when the answers of this module change.
pub const RESOLVER_VERSION: u32 = 1;

/// Where a place was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// How sure the place is the same.
    pub state: PlaceState,
    /// Bytes of the new text; `None` when the place is gone.
    pub range: Option<Range<usize>>,
}

impl Located {
    const GONE: Self = Self {
        state: PlaceState::Gone,
        range: None,
    };

    fn at(state: PlaceState, range: Range<usize>) -> Self {
        Self {
            state,
            range: Some(range),
        }
    }
}

/// Two versions of one document, laid side by side.
#[derive(Debug)]
pub struct Alignment<'a> {
    old: &'a str,
    new: &'a str,
    /// Bytes that both versions begin with, and that both end with; in the shorter one they do not overlap.
    prefix: usize,
    suffix: usize,
    /// Where the common start is not enough: the lines that did not change, in the order of both.
    fixed: Vec<(Range<usize>, Range<usize>)>,
}

impl<'a> Alignment<'a> {
    /// Aligns two versions.
    pub fn new(old: &'a str, new: &'a str) -> Self {
        let prefix = common_prefix(old, new);
        let suffix = common_suffix(&old[prefix..], &new[prefix..]);
        let fixed = if old == new {
            Vec::new()
        } else {
            lines_in_order(old, new)
        };
        Self {
            old,
            new,
            prefix,
            suffix,
            fixed,
        }
    }

    /// Finds the place `range` of the old version in the new one. A range that the old text does not have is gone.
    pub fn locate(&self, range: Range<usize>, kind: PlaceKind) -> Located {
        if kind == PlaceKind::Document {
            let state = if self.old == self.new {
                PlaceState::Exact
            } else {
                PlaceState::Changed
            };
            return Located::at(state, 0..self.new.len());
        }
        let Some(quote) = self.old.get(range.clone()) else {
            return Located::GONE;
        };
        if quote.trim().is_empty() {
            return Located::GONE;
        }
        if let Some(range) = self.in_common_part(&range) {
            return Located::at(PlaceState::Exact, range);
        }
        let wider = [
            range.clone(),
            sentence(self.old, &range),
            lines(self.old, &range),
        ];
        for around in wider {
            if let Some(start) = self.only_home(&around) {
                let start = start + (range.start - around.start);
                let found = start..start + quote.len();
                let state = if self.keeps_order(&range, &found) {
                    PlaceState::Exact
                } else {
                    PlaceState::Moved
                };
                return Located::at(state, found);
            }
        }
        Located::GONE
    }

    /// The place together with its lines and one more on each side lies in what both versions begin or end with.
    fn in_common_part(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let around = with_neighbours(self.old, range);
        if around.end <= self.prefix {
            return Some(range.clone());
        }
        if around.start >= self.old.len() - self.suffix {
            let from_end = |at: usize| self.new.len() - (self.old.len() - at);
            return Some(from_end(range.start)..from_end(range.end));
        }
        None
    }

    /// Where `range` of the old text stands in the new one, if it says enough to be told from other text and
    /// stands exactly once in each.
    fn only_home(&self, range: &Range<usize>) -> Option<usize> {
        let text = &self.old[range.clone()];
        if !says_enough(text) {
            return None;
        }
        once(self.old, text)?;
        once(self.new, text)
    }

    /// Whether the unchanged lines before and behind the old place are before and behind the new one.
    fn keeps_order(&self, old: &Range<usize>, new: &Range<usize>) -> bool {
        let behind = self
            .fixed
            .partition_point(|(line, _)| line.end <= old.start);
        let before = behind.checked_sub(1).and_then(|at| self.fixed.get(at));
        // The line that the place is part of says nothing about its order.
        let after = self.fixed[behind..]
            .iter()
            .find(|(line, _)| line.start >= old.end);
        before.is_none_or(|(_, line)| line.end <= new.start)
            && after.is_none_or(|(_, line)| line.start >= new.end)
    }
}

/// At least three words and twelve letters, or as many letters where words are not spaced.
fn says_enough(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .count();
    let unspaced = text.chars().filter(|c| *c >= '\u{2e80}').count();
    letters >= 12 && (words >= 3 || unspaced >= 12)
}

/// Where `needle` stands, if it stands exactly once.
fn once(text: &str, needle: &str) -> Option<usize> {
    let first = text.find(needle)?;
    let step = needle.chars().next().map_or(1, char::len_utf8);
    text[first + step..].find(needle).is_none().then_some(first)
}

fn common_prefix(old: &str, new: &str) -> usize {
    let same = old
        .bytes()
        .zip(new.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    floor(old, same)
}

/// The longest common end, cut to a character boundary of both.
fn common_suffix(old: &str, new: &str) -> usize {
    let mut same = old
        .bytes()
        .rev()
        .zip(new.bytes().rev())
        .take_while(|(a, b)| a == b)
        .count();
    while !old.is_char_boundary(old.len() - same) {
        same -= 1;
    }
    same
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The whole lines that `range` touches, without the last line break.
fn lines(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.end..]
        .find('\n')
        .map_or(text.len(), |at| range.end + at);
    start..end
}

/// `range` out to the ends of its sentence, inside its lines.
fn sentence(text: &str, range: &Range<usize>) -> Range<usize> {
    let lines = lines(text, range);
    let ends = |piece: &str, at: usize| {
        piece[..at].ends_with(['.', '!', '?']) && piece[at..].starts_with(char::is_whitespace)
    };
    let before = &text[lines.start..range.start];
    let start = before
        .char_indices()
        .rev()
        .find(|(at, _)| ends(before, *at))
        .map_or(lines.start, |(at, space)| {
            lines.start + at + space.len_utf8()
        });
    let behind = &text[range.end..lines.end];
    let end = behind
        .char_indices()
        .find(|(at, _)| ends(behind, *at))
        .map_or(lines.end, |(at, _)| range.end + at);
    start..end
}

/// The lines of `range` and one written line on each side.
fn with_neighbours(text: &str, range: &Range<usize>) -> Range<usize> {
    let own = lines(text, range);
    let above = text[..own.start].trim_end().len();
    let start = text[..above].rfind('\n').map_or(0, |at| at + 1);
    let rest = &text[own.end..];
    let below = own.end + (rest.len() - rest.trim_start().len());
    let end = text[below..].find('\n').map_or(text.len(), |at| below + at);
    start..end
}

#[cfg(test)]
mod tests;
