//! Reading text put together from pieces of the source, with the way back.

use crate::document::Span;
use std::ops::Range;

/// A stretch of reading text and the source it came from.
#[derive(Debug)]
struct Piece {
    /// First byte in the reading text.
    at: usize,
    /// One past the last byte in the reading text.
    end: usize,
    source: Range<u32>,
    /// Byte for byte the source; else only the whole has a place there.
    literal: bool,
}

/// Reading text of one paragraph, heading, row or line.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pub(super) text: String,
    pieces: Vec<Piece>,
    /// Inline elements whose marks are not read: bytes of the reading text, and the element in the source.
    pub(super) marks: Vec<(Range<usize>, Range<u32>)>,
}

impl Pieces {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.pieces.clear();
        self.marks.clear();
    }

    /// Adds what `source`, the slice of the block at `at`, reads as. `base` is the block's start.
    ///
    /// Where the text stands in the slice with marks around it, as in a formula, it keeps byte precision.
    pub(super) fn push(&mut self, text: &str, slice: &str, at: Span, base: u32) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(text);
        let inside = if text.len() == slice.len() {
            (text == slice).then_some(0)
        } else {
            slice.find(text)
        };
        let source = base + at.start..base + at.end;
        let source = match inside.map(u32::try_from) {
            Some(Ok(skipped)) => {
                let from = source.start + skipped;
                from..from + u32::try_from(text.len()).unwrap_or(0)
            }
            _ => source,
        };
        self.pieces.push(Piece {
            at: start,
            end: self.text.len(),
            source,
            literal: inside.is_some(),
        });
    }

    /// White space that has no place in the source.
    pub(super) fn space(&mut self) {
        self.text.push(' ');
    }

    /// The source of a token of the text; `from` is where to look first and is moved on, so that a pass over all
    /// tokens looks at each piece once.
    pub(super) fn source_of(&self, bytes: &Range<usize>, from: &mut usize) -> Range<u32> {
        while self.pieces.get(*from).is_some_and(|p| p.end <= bytes.start) {
            *from += 1;
        }
        let Some(first) = self.pieces.get(*from) else {
            return 0..0;
        };
        let last = self.pieces[*from..]
            .iter()
            .take_while(|piece| piece.at < bytes.end)
            .last()
            .unwrap_or(first);
        let offset = |n: usize| u32::try_from(n).unwrap_or(0);
        let start = if first.literal {
            first.source.start + offset(bytes.start.saturating_sub(first.at))
        } else {
            first.source.start
        };
        let end = if last.literal {
            last.source.start + offset(bytes.end.min(last.end) - last.at)
        } else {
            last.source.end
        };
        start..end.max(start)
    }
}
