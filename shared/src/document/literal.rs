//! Code and plain text: every character stands for itself, a block is a run of lines up to a blank one.

use super::lines::line;
use super::tree::{Block, Node};
use std::ops::Range;

/// Lines of one block at most, so that a page of blocks stays small for text without blank lines.
const MAX_LINES: usize = 120;

pub(super) fn parse(source: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Vec<Range<usize>> = Vec::new();
    let mut blank_before = false;
    let mut at = 0;
    while at < source.len() {
        let end = source[at..].find('\n').map_or(source.len(), |n| at + n);
        let blank = source[at..end].trim().is_empty();
        let starts_anew = blank_before && !blank;
        if !open.is_empty() && (starts_anew || open.len() >= MAX_LINES) {
            blocks.push(block(source, &open, at));
            open.clear();
        }
        open.push(at..end);
        blank_before = blank;
        at = end + 1;
    }
    if !open.is_empty() {
        blocks.push(block(source, &open, source.len()));
    }
    blocks
}

/// A block of these lines, up to `end`, the start of the next one.
fn block(source: &str, lines: &[Range<usize>], end: usize) -> Block {
    let start = lines.first().map_or(end, |first| first.start);
    let lines = lines
        .iter()
        .map(|range| line(source, start, range.clone()))
        .collect();
    let node = Node::CodeBlock {
        language: None,
        lines,
    };
    Block::of(source, start..end, node)
}
