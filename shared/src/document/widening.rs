//! What a pick can be widened to: from the words that were selected to the whole document, each step around the last.
//!
//! The steps are read from the blocks at hand, so the page needs no source of its own. What is picked whole (sections,
//! rows, cells, images, the document) is exactly an [`Extent`](super::extents::Extent); the rest is text like any other.

use super::extents::trimmed;
use super::markdown;
use super::reading::{Bias, Readable};
use super::selection::{bytes_shown, source_range, touched};
use super::tree::{Format, Node};
use crate::wire::place::PlaceKind;
use pulldown_cmark::{Event, Tag};
use std::borrow::Borrow;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation as _;

/// What a step is, as a person calls it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum What {
    Selection,
    Words,
    /// One or several.
    Sentence,
    /// One or several lines of code or plain text.
    Line,
    Paragraph,
    Heading,
    Item,
    List,
    Quote,
    Code,
    Cell,
    Row,
    Table,
    Image,
    Footnote,
    /// Blocks that have no name in common.
    Blocks,
    /// With the heading's text.
    Section(String),
    Document,
}

/// One step of widening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What it is.
    pub what: What,
    /// The kind of the place that it makes.
    pub kind: PlaceKind,
    /// Bytes of the document's source.
    pub range: Range<u32>,
}

/// The steps from `range` on, the narrowest first; the range itself is one of them.
///
/// `is_whole` says that no block follows those at hand. Without that the document is no step, and neither is a section
/// whose end has not come. An image inside the range is narrower than it, and comes first when it is the only one.
pub fn widening<B: Borrow<Readable>>(
    format: Format,
    blocks: &[B],
    is_whole: bool,
    kind: PlaceKind,
    range: &Range<u32>,
) -> Vec<Step> {
    let touched = touched(blocks, range);
    let Some(last) = touched.clone().next_back() else {
        return Vec::new();
    };
    let first = touched.start;
    let mut steps = Steps(Vec::new());
    if kind == PlaceKind::Text {
        steps.images_in(&blocks[first..=last], range);
    }
    let what = match kind {
        PlaceKind::Image => What::Image,
        _ => What::Selection,
    };
    steps.add(what, kind, range.clone());
    if kind == PlaceKind::Text {
        for (what, cut) in [(What::Words, Cut::Words), (What::Sentence, Cut::Sentences)] {
            if let Some(range) = grown(blocks, first, last, range, cut) {
                steps.add(what, PlaceKind::Text, range);
            }
        }
        if is_literal(blocks[first].borrow()) && is_literal(blocks[last].borrow()) {
            steps.lines();
        }
    }
    if first == last && format == Format::Markdown {
        steps.inside(blocks[first].borrow(), range);
    }
    steps.blocks(blocks, first, last);
    steps.sections(blocks, is_whole, first, range);
    if let (true, Some(end)) = (is_whole, blocks.last()) {
        steps.add(What::Document, PlaceKind::Document, 0..end.borrow().end);
    }
    steps.0
}

/// Steps found so far.
struct Steps(Vec<Step>);

impl Steps {
    /// Adds a step around the last one. One that is the same place gives that its name.
    fn add(&mut self, what: What, kind: PlaceKind, range: Range<u32>) {
        let Some(last) = self.0.last_mut() else {
            return self.0.push(Step { what, kind, range });
        };
        if (last.kind, &last.range) == (kind, &range) {
            let is_plain = matches!(
                last.what,
                What::Selection | What::Words | What::Sentence | What::Line
            );
            if is_plain {
                last.what = what;
            }
        } else if range.start <= last.range.start && last.range.end <= range.end {
            self.0.push(Step { what, kind, range });
        }
    }

    /// What was grown to sentences are lines where there are no sentences.
    fn lines(&mut self) {
        for step in &mut self.0 {
            if step.what == What::Sentence {
                step.what = What::Line;
            }
        }
    }

    fn images_in<B: Borrow<Readable>>(&mut self, blocks: &[B], range: &Range<u32>) {
        let mut images = blocks
            .iter()
            .flat_map(|block| images(block.borrow()))
            .filter(|image| range.start <= image.start && image.end <= range.end);
        if let (Some(image), None) = (images.next(), images.next()) {
            self.0.push(Step {
                what: What::Image,
                kind: PlaceKind::Image,
                range: image,
            });
        }
    }

    /// What the parser finds around the range in its block.
    fn inside(&mut self, block: &Readable, range: &Range<u32>) {
        let mut around = Vec::new();
        for (event, at) in markdown::events(&block.body.source) {
            let Event::Start(tag) = event else { continue };
            let (what, kind) = match tag {
                Tag::Paragraph => (What::Paragraph, PlaceKind::Text),
                Tag::Heading { .. } => (What::Heading, PlaceKind::Text),
                Tag::Item => (What::Item, PlaceKind::Text),
                Tag::List(_) => (What::List, PlaceKind::Text),
                Tag::BlockQuote(_) => (What::Quote, PlaceKind::Text),
                Tag::CodeBlock(_) => (What::Code, PlaceKind::Text),
                Tag::TableCell => (What::Cell, PlaceKind::Cell),
                Tag::TableHead | Tag::TableRow => (What::Row, PlaceKind::Row),
                Tag::Table(_) => (What::Table, PlaceKind::Text),
                Tag::FootnoteDefinition(_) => (What::Footnote, PlaceKind::Text),
                _ => continue,
            };
            let at = in_document(block, trimmed(&block.body.source, at));
            if at.start <= range.start && range.end <= at.end {
                around.push((what, kind, at));
            }
        }
        // They come from the outside in.
        for (what, kind, at) in around.into_iter().rev() {
            self.add(what, kind, at);
        }
    }

    fn blocks<B: Borrow<Readable>>(&mut self, blocks: &[B], first: usize, last: usize) {
        let start: &Readable = blocks[first].borrow();
        let end: &Readable = blocks[last].borrow();
        let start = in_document(
            start,
            trimmed(&start.body.source, 0..start.body.source.len()),
        );
        let end = in_document(end, trimmed(&end.body.source, 0..end.body.source.len()));
        let whole = start.start..end.end;
        if self.0.last().is_none_or(|last| last.range != whole) {
            self.add(What::Blocks, PlaceKind::Text, whole);
        }
    }

    /// The sections that the range is in, the innermost first.
    fn sections<B: Borrow<Readable>>(
        &mut self,
        blocks: &[B],
        is_whole: bool,
        first: usize,
        range: &Range<u32>,
    ) {
        let mut below = u8::MAX;
        for at in (0..=first).rev() {
            let heading: &Readable = blocks[at].borrow();
            let Some(level) = level(heading).filter(|level| *level < below) else {
                continue;
            };
            below = level;
            let next = blocks[at + 1..]
                .iter()
                .position(|block| self::level(block.borrow()).is_some_and(|next| next <= level));
            let last = match next {
                Some(next) => at + next,
                None if is_whole => blocks.len() - 1,
                None => continue,
            };
            let last: &Readable = blocks[last].borrow();
            let source = &last.body.source;
            let end = in_document(last, trimmed(source, 0..source.len())).end;
            let lead = heading.body.source.len() - heading.body.source.trim_start().len();
            let start = in_document(heading, lead..lead).start;
            if range.end <= end {
                let title = heading.body.reading.text().trim().to_owned();
                self.add(What::Section(title), PlaceKind::Section, start..end);
            }
        }
    }
}

/// The images of a block, in the order in which they are drawn.
pub fn images(block: &Readable) -> Vec<Range<u32>> {
    let mut images = Vec::new();
    walk(&block.body.node, &mut |node| {
        if let Node::Image { at, .. } = node {
            images.push(in_document(block, at.start as usize..at.end as usize));
        }
    });
    images
}

fn walk(node: &Node, see: &mut impl FnMut(&Node)) {
    see(node);
    for child in node.children() {
        walk(child, see);
    }
}

/// The level of a heading at the top level.
fn level(block: &Readable) -> Option<u8> {
    match block.body.node {
        Node::Heading { level, .. } => Some(level),
        _ => None,
    }
}

/// Code and plain text are read by the line.
fn is_literal(block: &Readable) -> bool {
    matches!(
        block.body.node,
        Node::CodeBlock { .. } | Node::FrontMatter { .. } | Node::Html { .. }
    )
}

fn in_document(block: &Readable, range: Range<usize>) -> Range<u32> {
    let at = |byte: usize| block.start + u32::try_from(byte).unwrap_or(u32::MAX - block.start);
    at(range.start)..at(range.end)
}

/// Pieces of a text.
#[derive(Debug, Clone, Copy)]
enum Cut {
    Words,
    /// Lines where the text is literal.
    Sentences,
}

impl Cut {
    /// Where the pieces begin, in order.
    fn begins(self, text: &str, is_literal: bool) -> Vec<usize> {
        let first = |(at, _)| at;
        match (self, is_literal) {
            (Self::Words, _) => text.split_word_bound_indices().map(first).collect(),
            (Self::Sentences, false) => text.split_sentence_bound_indices().map(first).collect(),
            (Self::Sentences, true) => {
                let after = text.match_indices('\n').map(|(at, _)| at + 1);
                std::iter::once(0).chain(after).collect()
            }
        }
    }
}

/// The range with both ends moved out to where a piece of the text begins or ends.
fn grown<B: Borrow<Readable>>(
    blocks: &[B],
    first: usize,
    last: usize,
    range: &Range<u32>,
    cut: Cut,
) -> Option<Range<u32>> {
    let head: &Readable = blocks[first].borrow();
    let tail: &Readable = blocks[last].borrow();
    let start = bytes_shown(head, range)?.start;
    let end = bytes_shown(tail, range)?.end;
    let piece = |block: &Readable, at: usize, bias: Bias| {
        let reading = &block.body.reading;
        let passage = reading.passage(at, bias, &block.body.source);
        let text = reading.text().get(passage.clone())?;
        let begins = cut.begins(text, is_literal(block));
        let at = at - passage.start;
        Some(match bias {
            Bias::Start => {
                let before = begins.partition_point(|begin| *begin <= at);
                passage.start + begins.get(before.checked_sub(1)?)?
            }
            Bias::End => {
                let after = begins.partition_point(|begin| *begin < at);
                let end = begins.get(after).copied().unwrap_or(text.len());
                // The space behind a sentence is not of it.
                passage.start + text[..end].trim_end().len()
            }
        })
    };
    let start = piece(head, start, Bias::Start)?;
    let end = piece(tail, end, Bias::End)?;
    source_range(blocks, (first, start), (last, end))
}

#[cfg(test)]
mod tests;
