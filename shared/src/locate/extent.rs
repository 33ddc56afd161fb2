//! How far two texts are the same from their starts and from their ends, and the stretch between.

use crate::document::Format;
use std::ops::Range;

/// Bytes around what differs that are aligned with it: they tell which words are rare, and what moved by a little.
const MARGIN: usize = 16_384;

/// Bytes of a neighbouring line that are enough to know it by.
const LINE: usize = 2_000;

/// Bytes that both begin with, and that both end with: whole characters, not overlapping in the shorter one.
pub(super) fn extent(old: &str, new: &str) -> (usize, usize) {
    let mut prefix = same_from_start(old.as_bytes(), new.as_bytes());
    while !old.is_char_boundary(prefix) {
        prefix -= 1;
    }
    let (old, new) = (&old[prefix..], &new[prefix..]);
    let mut suffix = same_from_end(old.as_bytes(), new.as_bytes());
    while !old.is_char_boundary(old.len() - suffix) {
        suffix -= 1;
    }
    (prefix, suffix)
}

/// Bytes compared at once.
const CHUNK: usize = 64;

fn same_from_start(a: &[u8], b: &[u8]) -> usize {
    let chunks = a.chunks_exact(CHUNK).zip(b.chunks_exact(CHUNK));
    let whole = chunks.take_while(|(a, b)| a == b).count() * CHUNK;
    let rest = a[whole..].iter().zip(&b[whole..]);
    whole + rest.take_while(|(a, b)| a == b).count()
}

fn same_from_end(a: &[u8], b: &[u8]) -> usize {
    let chunks = a.rchunks_exact(CHUNK).zip(b.rchunks_exact(CHUNK));
    let whole = chunks.take_while(|(a, b)| a == b).count() * CHUNK;
    let rest = a[..a.len() - whole]
        .iter()
        .rev()
        .zip(b[..b.len() - whole].iter().rev());
    whole + rest.take_while(|(a, b)| a == b).count()
}

/// The new place of a range that lies, with its lines and one more on each side, in what both texts begin or end with.
pub(super) fn in_common_part(
    old: &str,
    new: &str,
    (prefix, suffix): (usize, usize),
    range: &Range<usize>,
) -> Option<Range<usize>> {
    // Cheap first: most places are far from what changed.
    let same = old.len() == new.len() && prefix == old.len();
    if same {
        return Some(range.clone());
    }
    let begins = old.len() - suffix;
    if range.end <= prefix {
        let below = lower_neighbour(old, range.end);
        // The last line may go on in the new text.
        if below < prefix || (below == prefix && new[prefix..].starts_with(['\r', '\n'])) {
            return Some(range.clone());
        }
    } else if range.start >= begins {
        let above = upper_neighbour(old, range.start);
        let line_starts = new[..new.len() - suffix].ends_with('\n');
        if above < begins || (above == begins && !line_starts) {
            return None;
        }
        let from_end = |at: usize| new.len() - (old.len() - at);
        return Some(from_end(range.start)..from_end(range.end));
    }
    None
}

/// The end of the next written line below the line at `at`.
fn lower_neighbour(text: &str, at: usize) -> usize {
    let limit = text.ceil_char_boundary(at + LINE);
    let rest = &text[at..limit];
    let own = rest.find('\n').unwrap_or(rest.len());
    let below = own + (rest[own..].len() - rest[own..].trim_start().len());
    at + rest[below..]
        .find('\n')
        .map_or(rest.len(), |end| below + end)
}

/// The start of the next written line above the line at `at`.
fn upper_neighbour(text: &str, at: usize) -> usize {
    let limit = text.floor_char_boundary(at.saturating_sub(LINE));
    let rest = &text[limit..at];
    let own = rest.rfind('\n').map_or(0, |found| found + 1);
    let above = rest[..own].trim_end().len();
    limit + rest[..above].rfind('\n').map_or(0, |found| found + 1)
}

/// What differs in both texts, with a margin on each side that is cut where a block begins.
pub(super) fn around(
    format: Format,
    old: &str,
    new: &str,
    (prefix, suffix): (usize, usize),
) -> (Range<usize>, Range<usize>) {
    let start = block_start_before(format, old, prefix.saturating_sub(MARGIN));
    let rest = suffix.saturating_sub(MARGIN);
    let tail = &old[old.ceil_char_boundary(old.len() - rest)..];
    let kept = tail.find("\n\n").map_or(0, |found| tail.len() - found - 2);
    (start..old.len() - kept, start..new.len() - kept)
}

/// The last place up to `at` where an unindented line follows a blank one outside of fenced code.
fn block_start_before(format: Format, text: &str, at: usize) -> usize {
    let mut start = 0;
    let mut fence: Option<(u8, usize)> = None;
    let mut blank = true;
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        if line_start > at {
            break;
        }
        let bytes = line.as_bytes();
        let written = bytes.trim_ascii_start();
        let indent = bytes.len() - written.len();
        if fence.is_none() && blank && indent == 0 && !written.is_empty() {
            start = line_start;
        }
        blank = written.is_empty();
        if format == Format::Markdown && indent <= 3 {
            fence = after_fence_line(fence, written);
        }
        line_start += line.len();
    }
    start
}

/// The open fence after a line: its character and length.
fn after_fence_line(open: Option<(u8, usize)>, written: &[u8]) -> Option<(u8, usize)> {
    let Some(mark @ (b'`' | b'~')) = written.first().copied() else {
        return open;
    };
    let length = written.iter().take_while(|byte| **byte == mark).count();
    match open {
        None if length >= 3 => Some((mark, length)),
        Some((other, least))
            if other == mark && length >= least && written[length..].trim_ascii().is_empty() =>
        {
            None
        }
        open => open,
    }
}
