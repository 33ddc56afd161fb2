//! Which words of a document are marked, and behind which its comments' numbers stand.

use rex_shared::document::{Block, Node, Span};
use std::collections::HashSet;
use std::ops::Range;

/// A passage of a comment, in bytes of the document's source.
pub(super) struct Marked {
    /// The comment's number.
    pub(super) number: u32,
    /// The id that the comment's own link goes to.
    pub(super) place: String,
    /// Where.
    pub(super) range: Range<u32>,
    /// Its words are marked; otherwise only where it begins, for a section would be marked from end to end.
    pub(super) is_run: bool,
}

/// The marks of one text while it is written from its beginning to its end.
pub(super) struct Marks {
    marked: Vec<Marked>,
    /// For each mark, behind which byte its number stands.
    numbered_at: Vec<u32>,
    begun: HashSet<usize>,
    numbered: HashSet<usize>,
}

impl Marks {
    /// These marks of a text.
    pub(super) fn new(marked: Vec<Marked>, blocks: &[Block]) -> Self {
        let mut texts = Vec::new();
        for block in blocks {
            if let Some(node) = &block.node {
                find_texts(node, block.start, &mut texts);
            }
        }
        Self {
            numbered_at: marked
                .iter()
                .map(|mark| numbered_at(mark, &texts))
                .collect(),
            marked,
            begun: HashSet::new(),
            numbered: HashSet::new(),
        }
    }

    /// The ids of the marks that are met first in this range.
    pub(super) fn begin(&mut self, range: &Range<u32>) -> Vec<&str> {
        let begun = &mut self.begun;
        self.marked
            .iter()
            .enumerate()
            .filter(|(index, mark)| overlaps(&mark.range, range) && begun.insert(*index))
            .map(|(_, mark)| mark.place.as_str())
            .collect()
    }

    /// The numbers that belong behind this byte, and were not given yet.
    pub(super) fn end(&mut self, at: u32) -> Vec<u32> {
        let mut numbers = Vec::new();
        for (index, mark) in self.marked.iter().enumerate() {
            let is_over = self.numbered_at[index] <= at && self.begun.contains(&index);
            if is_over && self.numbered.insert(index) {
                numbers.push(mark.number);
            }
        }
        numbers
    }

    /// Whether words of this range are marked.
    pub(super) fn has(&self, range: &Range<u32>) -> bool {
        self.marked
            .iter()
            .any(|mark| mark.is_run && overlaps(&mark.range, range))
    }

    /// Where a text that begins at `start` is cut because a mark begins or ends there, its own end included.
    pub(super) fn cuts(&self, text: &str, start: u32) -> Vec<usize> {
        let ends = self
            .marked
            .iter()
            .filter(|mark| mark.is_run)
            .flat_map(|mark| [mark.range.start, mark.range.end]);
        let mut cuts: Vec<usize> = ends
            .filter_map(|end| end.checked_sub(start))
            .map(|end| end as usize)
            .filter(|end| *end > 0 && *end < text.len() && text.is_char_boundary(*end))
            .collect();
        cuts.push(text.len());
        cuts.sort_unstable();
        cuts.dedup();
        cuts
    }
}

fn overlaps(a: &Range<u32>, b: &Range<u32>) -> bool {
    a.start < b.end && a.end > b.start
}

/// Where the texts of a node stand in the source, in order.
fn find_texts(node: &Node, base: u32, texts: &mut Vec<Range<u32>>) {
    let mut add = |at: Span| texts.push(base + at.start..base + at.end);
    match node {
        Node::CodeBlock { lines, .. } => lines.iter().for_each(|line| add(line.at)),
        Node::MathBlock { at, .. }
        | Node::FrontMatter { at, .. }
        | Node::Html { at, .. }
        | Node::Text { at, .. }
        | Node::Code { at, .. }
        | Node::Image { at, .. }
        | Node::Math { at, .. }
        | Node::FootnoteRef { at, .. } => add(*at),
        _ => {
            for child in node.children() {
                find_texts(child, base, texts);
            }
        }
    }
}

/// Behind which byte a mark's number stands: the end of its last text, or of its first where only that is shown.
fn numbered_at(mark: &Marked, texts: &[Range<u32>]) -> u32 {
    let mut within = texts.iter().filter(|text| overlaps(text, &mark.range));
    let text = if mark.is_run {
        within.next_back()
    } else {
        within.next()
    };
    text.map_or(mark.range.end, |text| {
        if mark.is_run {
            text.end.min(mark.range.end)
        } else {
            text.end
        }
    })
}
