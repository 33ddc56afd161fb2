//! A block's text exactly as the page shows it, and where in the source each piece of it came from.
//!
//! The page's elements hold this text and nothing else that counts: bullets, line numbers and titles that REX adds
//! are drawn beside it. So an offset in what a person sees is an offset here, and from here a byte of the source.
//! Inside, positions are bytes; UTF-16, the browser's unit, exists only as [`Utf16`] at the border.

use super::tree::{Block, MathMl, Node, Span};
use std::ops::Range;
use std::sync::Arc;

/// An offset in a block's text in UTF-16 code units, as the browser counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Utf16(pub u32);

/// Which neighbour a position between two pieces of text belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bias {
    /// It begins something: the text after it counts.
    Start,
    /// It ends something: the text before it counts.
    End,
}

/// The text of one text-bearing node.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TextRun {
    /// Bytes of the block's text.
    bytes: Range<usize>,
    /// The same in UTF-16.
    units: Range<u32>,
    /// The source, relative to the block.
    at: Span,
    /// The text is not the source's own, so only the whole of it has a place there.
    atom: bool,
}

/// An inline element whose marks are not shown: `**`, backticks, a link's target.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mark {
    /// Bytes of the block's text that it encloses.
    bytes: Range<usize>,
    /// The element in the source, marks included.
    at: Span,
}

/// The reading of one block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    text: String,
    units: u32,
    runs: Vec<TextRun>,
    marks: Vec<Mark>,
}

/// What a block holds, the same however often and wherever it stands.
#[derive(Debug, PartialEq)]
pub struct Body {
    /// The content.
    pub node: Node,
    /// The source.
    pub source: String,
    /// The reading of `node`.
    pub reading: Reading,
}

/// A block as the page holds it: where it stands, and its body, shared with every version that has the same block.
#[derive(Debug, Clone, PartialEq)]
pub struct Readable {
    /// Hash of the content.
    pub block_id: String,
    /// First byte in the document's source.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The content.
    pub body: Arc<Body>,
}

impl Readable {
    /// Takes a block from the wire. Its content may have stayed away because the page has it: then `known` finds it
    /// by its id. `None` where it does not.
    pub fn new(block: Block, known: impl FnOnce(&str) -> Option<Arc<Body>>) -> Option<Self> {
        let body = match (block.node, block.source) {
            (Some(node), Some(source)) => Arc::new(Body {
                reading: Reading::of(&node, &source),
                node,
                source,
            }),
            _ => known(&block.block_id)?,
        };
        Some(Self {
            block_id: block.block_id,
            start: block.start,
            end: block.end,
            body,
        })
    }
}

impl Reading {
    /// Reads `node`, whose spans are byte ranges of `source`.
    pub fn of(node: &Node, source: &str) -> Self {
        let mut reading = Self::default();
        reading.read(node, source);
        reading
    }

    /// The text as shown.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text's length as the browser counts.
    pub fn len(&self) -> Utf16 {
        Utf16(self.units)
    }

    /// Whether nothing readable is in it, as in a rule.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The byte of the text at a browser's offset; inside a surrogate pair it moves outwards.
    pub(super) fn byte_of(&self, offset: Utf16, bias: Bias) -> usize {
        let at = self.runs.partition_point(|run| run.units.end <= offset.0);
        let Some(run) = self.runs.get(at) else {
            return self.text.len();
        };
        let mut unit = run.units.start;
        for (byte, char) in self.text[run.bytes.clone()].char_indices() {
            let end = unit + width(char);
            if offset.0 < end {
                let inside = unit < offset.0 && bias == Bias::End;
                return run.bytes.start + byte + if inside { char.len_utf8() } else { 0 };
            }
            unit = end;
        }
        run.bytes.end
    }

    /// The browser's offset of a byte of the text that is a character's boundary.
    pub(super) fn utf16_of(&self, byte: usize) -> Utf16 {
        let at = self.runs.partition_point(|run| run.bytes.end <= byte);
        let Some(run) = self.runs.get(at) else {
            return Utf16(self.units);
        };
        let before = self.text.get(run.bytes.start..byte).unwrap_or_default();
        Utf16(run.units.start + before.chars().map(width).sum::<u32>())
    }

    /// Moves a byte of the text out of an atom that it cuts.
    pub(super) fn out_of_atom(&self, byte: usize, bias: Bias) -> usize {
        match self.run_at(byte, bias) {
            Some(run) if run.atom && bias == Bias::Start => run.bytes.start,
            Some(run) if run.atom => run.bytes.end,
            _ => byte,
        }
    }

    /// The byte of the source, relative to the block, at a byte of the text.
    pub(super) fn source_of(&self, byte: usize, bias: Bias) -> Option<u32> {
        let run = self.run_at(byte, bias)?;
        Some(match (run.atom, bias) {
            (true, Bias::Start) => run.at.start,
            (true, Bias::End) => run.at.end,
            (false, _) => run.at.start + u32::try_from(byte - run.bytes.start).ok()?,
        })
    }

    /// Widens a source range by the marks of every inline element that `bytes` of the text enclose whole, so that
    /// the source reads `**must not**` and not `must not**`.
    pub(super) fn with_marks(&self, bytes: &Range<usize>, source: Range<u32>) -> Range<u32> {
        self.marks
            .iter()
            .filter(|mark| bytes.start <= mark.bytes.start && mark.bytes.end <= bytes.end)
            .fold(source, |source, mark| {
                source.start.min(mark.at.start)..source.end.max(mark.at.end)
            })
    }

    /// The bytes of the text that a source range, relative to the block, shows as; `None` where it shows nothing.
    pub(super) fn shown(&self, source: &Range<u32>) -> Option<Range<usize>> {
        let first = self.runs.partition_point(|run| run.at.end <= source.start);
        let mut shown = self.runs[first..]
            .iter()
            .take_while(|run| run.at.start < source.end)
            .filter(|run| run.at.end > source.start)
            .map(|run| self.shown_in(run, source));
        let head = shown.next()?;
        let end = shown.last().map_or(head.end, |tail| tail.end);
        (head.start < end).then_some(head.start..end)
    }

    /// The text around a byte that is of one paragraph, item or cell: between runs of different ones the source has a
    /// line end or a bar that no run shows.
    pub(super) fn passage(&self, byte: usize, bias: Bias, source: &str) -> Range<usize> {
        let ends = |pair: &[TextRun]| {
            let between = source.get(pair[0].at.end as usize..pair[1].at.start as usize);
            between.is_none_or(|between| between.contains(['\n', '|']))
        };
        let at = match bias {
            Bias::Start => self.runs.partition_point(|run| run.bytes.end <= byte),
            Bias::End => self.runs.partition_point(|run| run.bytes.end < byte),
        };
        let at = at.min(self.runs.len().saturating_sub(1));
        let before = self.runs[..=at].windows(2).rposition(ends);
        let after = self.runs[at..].windows(2).position(ends);
        let start = before.map_or(0, |before| self.runs[before + 1].bytes.start);
        let end = after.map_or(self.text.len(), |after| self.runs[at + after].bytes.end);
        start..end
    }

    fn shown_in(&self, run: &TextRun, source: &Range<u32>) -> Range<usize> {
        if run.atom {
            return run.bytes.clone();
        }
        let byte = |at: u32| {
            run.bytes.start + (at.clamp(run.at.start, run.at.end) - run.at.start) as usize
        };
        self.text.floor_char_boundary(byte(source.start))
            ..self.text.ceil_char_boundary(byte(source.end))
    }

    fn run_at(&self, byte: usize, bias: Bias) -> Option<&TextRun> {
        let at = match bias {
            Bias::Start => self.runs.partition_point(|run| run.bytes.end <= byte),
            Bias::End => self.runs.partition_point(|run| run.bytes.end < byte),
        };
        self.runs.get(at)
    }

    fn read(&mut self, node: &Node, source: &str) {
        match node {
            Node::Heading { children, .. }
            | Node::Paragraph { children }
            | Node::List { children, .. }
            | Node::Item { children, .. }
            | Node::Quote { children }
            | Node::Alert { children, .. }
            | Node::Table { children, .. }
            | Node::Row { children, .. }
            | Node::Cell { children }
            | Node::Footnote { children, .. } => self.read_all(children, source),
            Node::Emphasis { at, children }
            | Node::Strong { at, children }
            | Node::Strike { at, children }
            | Node::Link { at, children, .. } => {
                let start = self.text.len();
                self.read_all(children, source);
                self.mark(start, *at);
            }
            Node::CodeBlock { lines, .. } => {
                let mut before = None;
                for line in lines {
                    if let Some(end) = before {
                        let gap = Span::from((end, line.at.start));
                        self.push("\n", gap, false, source);
                    }
                    let text: String = line.runs.iter().map(|run| run.text.as_str()).collect();
                    self.push(&text, line.at, false, source);
                    before = Some(line.at.end);
                }
            }
            Node::Math { text, at, mathml } | Node::MathBlock { text, at, mathml } => {
                let shown = mathml.as_ref().map_or_else(|| text.clone(), leaves);
                self.push(&shown, *at, true, source);
            }
            Node::FrontMatter { text, at } | Node::Html { text, at } => {
                self.push(text, *at, false, source);
            }
            Node::Text { text, at, atom } => self.push(text, *at, *atom, source),
            Node::Code { text, at, atom } => {
                let start = self.text.len();
                self.push(text, *at, *atom, source);
                let whole = if *atom {
                    *at
                } else {
                    with_backticks(*at, source)
                };
                self.mark(start, whole);
            }
            Node::FootnoteRef { number, at, .. } => {
                self.push(&number.to_string(), *at, true, source);
            }
            Node::Break { hard, at } => {
                self.push(if *hard { "\n" } else { " " }, *at, true, source);
            }
            Node::Image { .. } | Node::Rule => {}
        }
    }

    fn read_all(&mut self, children: &[Node], source: &str) {
        for child in children {
            self.read(child, source);
        }
    }

    /// Text that is not what the source says there becomes an atom, whatever the parser called it.
    fn push(&mut self, text: &str, at: Span, atom: bool, source: &str) {
        if text.is_empty() {
            return;
        }
        let bytes = self.text.len();
        let units = self.units;
        self.text.push_str(text);
        self.units += text.chars().map(width).sum::<u32>();
        self.runs.push(TextRun {
            bytes: bytes..self.text.len(),
            units: units..self.units,
            at,
            atom: atom || source.get(at.start as usize..at.end as usize) != Some(text),
        });
    }

    fn mark(&mut self, start: usize, at: Span) {
        if start < self.text.len() {
            self.marks.push(Mark {
                bytes: start..self.text.len(),
                at,
            });
        }
    }
}

/// UTF-16 code units of a character: one or two.
fn width(char: char) -> u32 {
    if u32::from(char) < 0x1_0000 { 1 } else { 2 }
}

/// A formula's text as its leaves show it.
fn leaves(formula: &MathMl) -> String {
    let children: String = formula.children.iter().map(leaves).collect();
    format!("{}{children}", formula.text)
}

/// Code spans know only the text between their backticks; the fence is as long on both sides, with at most one
/// space inside of it.
fn with_backticks(at: Span, source: &str) -> Span {
    let (Some(before), Some(after)) = (
        source.get(..at.start as usize),
        source.get(at.end as usize..),
    ) else {
        return at;
    };
    let padded = before.ends_with("` ") && after.starts_with(" `");
    let (before, after, pad) = if padded {
        (&before[..before.len() - 1], &after[1..], 1)
    } else {
        (before, after, 0)
    };
    let left = before
        .bytes()
        .rev()
        .take_while(|byte| *byte == b'`')
        .count();
    let right = after.bytes().take_while(|byte| *byte == b'`').count();
    let fence = u32::try_from(left.min(right)).unwrap_or(0);
    if fence == 0 {
        return at;
    }
    Span::from((at.start - pad - fence, at.end + pad + fence))
}
