//! From a selection in the page to a range of the source, and from a range of the source to what shows it.
//!
//! The rules are those of people, not of browsers: white space at the ends was not meant, a letter is not cut from
//! its accent, a formula is taken whole, and `**` belongs to the words it encloses. What does not map back to the
//! very text that was selected is refused, never guessed.

use super::reading::{Bias, Readable, Utf16};
use std::borrow::Borrow;
use std::ops::Range;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation as _};

/// A selection of fewer characters than this is a slip of the hand.
pub const FEWEST_CHARACTERS: usize = 3;

/// A position in the page: which of the blocks at hand, and how far into its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// Index in the blocks at hand.
    pub block: usize,
    /// Offset in the block's text.
    pub offset: Utf16,
}

/// A stretch of one block's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// Index in the blocks at hand.
    pub block: usize,
    /// From where to where.
    pub units: Range<Utf16>,
}

/// A selection tied to the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selected {
    /// First byte in the document's source.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The source of the range.
    pub quote: String,
    /// What the person sees selected, after the ends were put right.
    pub text: String,
}

/// Why a selection cannot become a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Too short to be meant; nothing is said.
    TooShort,
    /// It does not map to one piece of the source that reads the same.
    Untied,
}

impl Refusal {
    /// What to tell the person, if anything.
    pub fn sentence(self) -> Option<&'static str> {
        match self {
            Self::TooShort => None,
            Self::Untied => Some(
                "This selection cannot be tied to the document's source. Select a little less, or the whole paragraph.",
            ),
        }
    }
}

/// Ties the selection between two points, in either order, to the source of `blocks`.
pub fn select<B: Borrow<Readable>>(blocks: &[B], a: Point, b: Point) -> Result<Selected, Refusal> {
    let (from, to) = (a.min(b), a.max(b));
    let (first, start) = first_read(blocks, from, to.block).ok_or(Refusal::TooShort)?;
    let (last, end) = last_read(blocks, to, first).ok_or(Refusal::TooShort)?;
    if (last, end) <= (first, start) {
        return Err(Refusal::TooShort);
    }
    let head: &Readable = blocks[first].borrow();
    let tail: &Readable = blocks[last].borrow();
    let start = snap(head, start, Bias::Start);
    let end = snap(tail, end, Bias::End);

    let text = read(blocks, first, last, |at, whole| {
        let from = if at == first { start } else { 0 };
        let to = if at == last { end } else { whole };
        Some(from..to)
    });
    if text.graphemes(true).take(FEWEST_CHARACTERS).count() < FEWEST_CHARACTERS {
        return Err(Refusal::TooShort);
    }

    let range = source_range(blocks, (first, start), (last, end)).ok_or(Refusal::Untied)?;
    let back = read(blocks, first, last, |at, _| {
        let readable: &Readable = blocks[at].borrow();
        readable.body.reading.shown(&within(readable, &range))
    });
    let quote = source_text(blocks, first, last, &range).ok_or(Refusal::Untied)?;
    if back != text {
        return Err(Refusal::Untied);
    }
    Ok(Selected {
        start: range.start,
        end: range.end,
        quote,
        text,
    })
}

/// The blocks that a range touches; an empty range touches the one that it stands in.
pub fn touched<B: Borrow<Readable>>(blocks: &[B], range: &Range<u32>) -> Range<usize> {
    let first = blocks.partition_point(|block| block.borrow().end <= range.start);
    let after = blocks.partition_point(|block| block.borrow().start < range.end);
    first..after.max(first + 1).min(blocks.len())
}

/// What shows a range of the document's source: at most one stretch a block, in order.
pub fn stretches<B: Borrow<Readable>>(blocks: &[B], range: &Range<u32>) -> Vec<Stretch> {
    let first = blocks.partition_point(|block| block.borrow().end <= range.start);
    blocks[first..]
        .iter()
        .enumerate()
        .map(|(at, block)| (first + at, block.borrow()))
        .take_while(|(_, readable)| readable.start < range.end)
        .filter_map(|(block, readable)| {
            let reading = &readable.body.reading;
            let bytes = reading.shown(&within(readable, range))?;
            let units = reading.utf16_of(bytes.start)..reading.utf16_of(bytes.end);
            Some(Stretch { block, units })
        })
        .collect()
}

/// The document's source byte at a point, for finding the same words again in another version.
pub fn source_at<B: Borrow<Readable>>(blocks: &[B], point: Point) -> Option<u32> {
    let readable: &Readable = blocks.get(point.block)?.borrow();
    let byte = readable.body.reading.byte_of(point.offset, Bias::Start);
    let inside = readable
        .body
        .reading
        .source_of(byte, Bias::Start)
        .unwrap_or(0);
    Some(readable.start + inside)
}

/// The first character at or after `from` that is not white space: block and byte of its text.
fn first_read<B: Borrow<Readable>>(
    blocks: &[B],
    from: Point,
    last: usize,
) -> Option<(usize, usize)> {
    (from.block..blocks.len().min(last + 1)).find_map(|block| {
        let reading = &blocks[block].borrow().body.reading;
        let start = if block == from.block {
            reading.byte_of(from.offset, Bias::Start)
        } else {
            0
        };
        let rest = &reading.text()[start..];
        let skipped = rest.len() - rest.trim_start().len();
        (skipped < rest.len()).then_some((block, start + skipped))
    })
}

/// The end of the last character before `to` that is not white space.
///
/// A triple click ends at offset 0 of the next block, so an end at a block's start belongs to the block before.
fn last_read<B: Borrow<Readable>>(blocks: &[B], to: Point, first: usize) -> Option<(usize, usize)> {
    let top = to.block.min(blocks.len().checked_sub(1)?);
    (first..=top).rev().find_map(|block| {
        let reading = &blocks[block].borrow().body.reading;
        let end = if block == to.block {
            reading.byte_of(to.offset, Bias::End)
        } else {
            reading.text().len()
        };
        let kept = reading.text()[..end].trim_end().len();
        (kept > 0).then_some((block, kept))
    })
}

/// Moves an end outwards to a whole letter and out of an atom.
fn snap(readable: &Readable, byte: usize, bias: Bias) -> usize {
    let text = readable.body.reading.text();
    let mut cursor = GraphemeCursor::new(byte, text.len(), true);
    let whole = match (cursor.is_boundary(text, 0), bias) {
        (Ok(false), Bias::Start) => cursor.prev_boundary(text, 0),
        (Ok(false), Bias::End) => cursor.next_boundary(text, 0),
        _ => Ok(Some(byte)),
    };
    let byte = whole.ok().flatten().unwrap_or(byte);
    readable.body.reading.out_of_atom(byte, bias)
}

/// The texts of `first..=last`, each cut to what `part` says of it (given its index and length in bytes).
fn read<B: Borrow<Readable>>(
    blocks: &[B],
    first: usize,
    last: usize,
    part: impl Fn(usize, usize) -> Option<Range<usize>>,
) -> String {
    (first..=last)
        .filter_map(|at| {
            let text = blocks[at].borrow().body.reading.text();
            text.get(part(at, text.len())?)
        })
        .collect()
}

/// The range of the document's source between two bytes of text, marks of wholly enclosed inlines included.
pub(super) fn source_range<B: Borrow<Readable>>(
    blocks: &[B],
    (first, start): (usize, usize),
    (last, end): (usize, usize),
) -> Option<Range<u32>> {
    let edge = |at: usize| -> Option<Range<u32>> {
        let readable: &Readable = blocks[at].borrow();
        let reading = &readable.body.reading;
        let from = if at == first { start } else { 0 };
        let to = if at == last {
            end
        } else {
            reading.text().len()
        };
        let source = reading.source_of(from, Bias::Start)?..reading.source_of(to, Bias::End)?;
        let marked = reading.with_marks(&(from..to), source);
        Some(readable.start + marked.start..readable.start + marked.end)
    };
    Some(edge(first)?.start..edge(last)?.end)
}

/// The bytes of a block's text that a range of the document's source shows as.
pub(super) fn bytes_shown(readable: &Readable, range: &Range<u32>) -> Option<Range<usize>> {
    readable.body.reading.shown(&within(readable, range))
}

/// A range of the document's source, relative to a block.
fn within(readable: &Readable, range: &Range<u32>) -> Range<u32> {
    range.start.saturating_sub(readable.start)..range.end.saturating_sub(readable.start)
}

/// The source of a range of the document; `None` where not all of it is at hand.
pub fn quote<B: Borrow<Readable>>(blocks: &[B], range: &Range<u32>) -> Option<String> {
    let touched = touched(blocks, range);
    let last = touched.end.checked_sub(1).filter(|_| !touched.is_empty())?;
    source_text(blocks, touched.start, last, range)
}

/// The source of a range; blocks tile the document, so their sources joined are the document's.
fn source_text<B: Borrow<Readable>>(
    blocks: &[B],
    first: usize,
    last: usize,
    range: &Range<u32>,
) -> Option<String> {
    let mut text = String::new();
    for block in &blocks[first..=last] {
        let readable: &Readable = block.borrow();
        let source = readable.body.source.as_str();
        let part = within(readable, range);
        let end = (part.end as usize).min(source.len());
        text.push_str(source.get(part.start as usize..end)?);
    }
    (text.len() == (range.end.checked_sub(range.start)?) as usize).then_some(text)
}
