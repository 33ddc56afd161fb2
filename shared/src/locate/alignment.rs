//! Two versions of one document, laid side by side.

use super::aligned::Aligned;
use super::candidates::{Candidate, candidates};
use super::extent::{extent, in_common_part};
use super::fit::fit;
use super::{Located, structure, unread};
use crate::document::Format;
use crate::wire::place::{PlaceKind, PlaceState};
use std::ops::Range;
use std::sync::OnceLock;

/// Texts up to this size are aligned whole: all of their words tell how rare each one is.
const SMALL: usize = 65_536;

/// Two versions of one document, laid side by side: made once, asked for every place.
///
/// Making one costs a comparison of bytes. The units are aligned when the first place needs it, and then only those
/// around what changed; a place that reaches farther has the whole aligned.
#[derive(Debug)]
pub struct Alignment<'a> {
    format: Format,
    old: &'a str,
    new: &'a str,
    /// The parts of both that differ, with enough around them.
    differing: (Range<usize>, Range<usize>),
    /// Bytes that both versions begin with, and that both end with; in the shorter one they do not overlap.
    common: (usize, usize),
    near: OnceLock<Aligned>,
    whole: OnceLock<Aligned>,
}

impl<'a> Alignment<'a> {
    /// Lays `new` beside `old`; both in the same format.
    pub fn new(format: Format, old: &'a str, new: &'a str) -> Self {
        let common = extent(old, new);
        let differing = if old.len().min(new.len()) <= SMALL {
            (0..old.len(), 0..new.len())
        } else {
            super::extent::around(format, old, new, common)
        };
        Self {
            format,
            old,
            new,
            differing,
            common,
            near: OnceLock::new(),
            whole: OnceLock::new(),
        }
    }

    /// Finds the place `range` of the old version in the new one. A range that the old text does not have, or that
    /// holds only white space, is gone.
    pub fn locate(&self, range: Range<usize>, kind: PlaceKind) -> Located {
        if kind == PlaceKind::Document {
            let same = self.old == self.new;
            let state = if same {
                PlaceState::Exact
            } else {
                PlaceState::Changed
            };
            return Located::at(state, 0..self.new.len());
        }
        if self
            .old
            .get(range.clone())
            .is_none_or(|quote| quote.trim().is_empty())
        {
            return Located::GONE;
        }
        if let Some(range) = in_common_part(self.old, self.new, self.common, &range) {
            return Located::at(PlaceState::Exact, range);
        }
        let aligned = self.aligned(&range, kind);
        match kind {
            PlaceKind::Section => structure::section(aligned, self.old, self.new, &range),
            PlaceKind::Row => structure::row(aligned, self.old, self.new, &range),
            PlaceKind::Cell => structure::cell(aligned, self.old, self.new, &range),
            PlaceKind::Image => structure::image(aligned, self.old, self.new, &range),
            PlaceKind::Text | PlaceKind::Document => self.text(aligned, &range),
        }
    }

    fn text(&self, aligned: &Aligned, range: &Range<usize>) -> Located {
        let selected = aligned.old.tokens_in(range);
        if selected.is_empty() {
            return unread::locate(aligned, self.old, self.new, range);
        }
        let Some(mapped) = aligned.map(selected.clone()) else {
            return Located::GONE;
        };
        let old = (self.old, &aligned.old);
        let new = (self.new, &aligned.new);
        Located::at(mapped.state, fit(old, new, range, &selected, &mapped))
    }

    /// The passages of the new text that resemble a lost place most, best first and at most `most`: to be offered,
    /// never taken.
    pub fn candidates(&self, range: &Range<usize>, most: usize) -> Vec<Candidate> {
        if self.old.get(range.clone()).is_none() {
            return Vec::new();
        }
        let aligned = self.whole();
        candidates(aligned, &aligned.old.tokens_in(range), most)
    }

    /// Whether a place that is found stands where it stood among its neighbours.
    pub(super) fn keeps_order(&self, range: &Range<usize>) -> bool {
        in_common_part(self.old, self.new, self.common, range).is_some() || {
            let aligned = self.aligned(range, PlaceKind::Text);
            aligned.keeps_order(&aligned.old.tokens_in(range))
        }
    }

    /// Both versions.
    pub(super) fn texts(&self) -> (&'a str, &'a str) {
        (self.old, self.new)
    }

    pub(super) fn format(&self) -> Format {
        self.format
    }

    /// The alignment that knows about `range`.
    fn aligned(&self, range: &Range<usize>, kind: PlaceKind) -> &Aligned {
        let (old, new) = &self.differing;
        let all = (0..self.old.len(), 0..self.new.len());
        let inside = old.start <= range.start && range.end <= old.end;
        // A section may end anywhere below.
        let reaches_far = kind == PlaceKind::Section && self.differing != all;
        if inside && !reaches_far {
            self.near.get_or_init(|| {
                Aligned::of(
                    self.format,
                    (self.old, old.clone()),
                    (self.new, new.clone()),
                )
            })
        } else {
            self.whole()
        }
    }

    fn whole(&self) -> &Aligned {
        let all = (0..self.old.len(), 0..self.new.len());
        let aligned = || {
            Aligned::of(
                self.format,
                (self.old, all.0.clone()),
                (self.new, all.1.clone()),
            )
        };
        if self.differing == all {
            self.near.get_or_init(aligned)
        } else {
            self.whole.get_or_init(aligned)
        }
    }
}
