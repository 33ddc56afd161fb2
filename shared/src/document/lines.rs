//! Lines of literal text, each with its place in the source.

use super::tree::{Line, Run, Span};
use std::ops::Range;

/// A byte range of the source as a span relative to `base`.
pub(super) fn span(base: usize, range: &Range<usize>) -> Span {
    let relative = |at: usize| u32::try_from(at.saturating_sub(base)).unwrap_or(u32::MAX);
    Span {
        start: relative(range.start),
        end: relative(range.end),
    }
}

/// Collects lines out of pieces of the source that follow one another, with gaps where a quote's `>` stood.
#[derive(Debug, Default)]
pub(super) struct Lines {
    lines: Vec<Line>,
    open: Option<Range<usize>>,
}

impl Lines {
    /// Takes the next piece of the source.
    pub(super) fn push(&mut self, source: &str, base: usize, piece: Range<usize>) {
        let mut at = piece.start;
        while at < piece.end {
            let line_end = source[at..piece.end].find('\n').map(|found| at + found);
            let end = line_end.unwrap_or(piece.end);
            // A line's text and its break may come apart, a carriage return between them.
            if at < end || self.open.is_none() {
                self.extend(source, base, at..end);
            }
            if line_end.is_some() {
                self.finish_line(source, base);
            }
            at = end + 1;
        }
    }

    /// The lines so far; the last one need not end with a line break.
    pub(super) fn finish(mut self, source: &str, base: usize) -> Vec<Line> {
        self.finish_line(source, base);
        self.lines
    }

    fn extend(&mut self, source: &str, base: usize, piece: Range<usize>) {
        match &mut self.open {
            Some(open) if open.end == piece.start => open.end = piece.end,
            Some(_) => {
                self.finish_line(source, base);
                self.open = Some(piece);
            }
            None => self.open = Some(piece),
        }
    }

    fn finish_line(&mut self, source: &str, base: usize) {
        if let Some(open) = self.open.take() {
            self.lines.push(line(source, base, open));
        }
    }
}

/// One line; a carriage return before its line break is not part of it.
pub(super) fn line(source: &str, base: usize, range: Range<usize>) -> Line {
    let text = &source[range.clone()];
    let text = text.strip_suffix('\r').unwrap_or(text);
    let range = range.start..range.start + text.len();
    Line {
        at: span(base, &range),
        runs: if text.is_empty() {
            Vec::new()
        } else {
            vec![Run {
                text: text.to_owned(),
                class: None,
            }]
        },
    }
}
