//! Puts nodes into one another, without recursion and only so deep.

use super::MAX_DEPTH;
use super::lines::{Lines, span};
use super::tree::{Block, Checkbox, Node};
use std::ops::Range;

/// A node whose end has not come yet.
#[derive(Debug)]
pub(super) enum Open {
    Heading(u8),
    Paragraph,
    List(Option<u64>),
    Item(Option<Checkbox>),
    Quote,
    Alert(&'static str),
    Code {
        language: Option<String>,
        lines: Lines,
    },
    Table(Vec<Option<String>>),
    Row {
        header: bool,
    },
    Cell,
    Footnote {
        label: String,
        number: u32,
    },
    Html,
    Emphasis,
    Strong,
    Strike,
    Link(String),
    Image(String),
}

impl Open {
    pub(super) fn code(language: Option<String>) -> Self {
        Self::Code {
            language,
            lines: Lines::default(),
        }
    }
}

#[derive(Debug)]
struct Frame {
    open: Open,
    range: Range<usize>,
    children: Vec<Node>,
}

/// Builds the blocks of one document.
#[derive(Debug)]
pub(super) struct Builder<'a> {
    source: &'a str,
    stack: Vec<Frame>,
    /// Nodes opened inside one that was too deep and is shown as text.
    too_deep: usize,
    /// Start of the block being built; ranges are relative to it.
    base: usize,
    blocks: Vec<(usize, Node)>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Self {
            source,
            stack: Vec::new(),
            too_deep: 0,
            base: 0,
            blocks: Vec::new(),
        }
    }

    pub(super) fn open(&mut self, open: Open, range: Range<usize>) {
        if self.too_deep > 0 {
            self.too_deep += 1;
        } else if self.stack.len() >= MAX_DEPTH {
            self.source_text(range);
            self.too_deep = 1;
        } else {
            self.begin(&range);
            self.stack.push(Frame {
                open,
                range,
                children: Vec::new(),
            });
        }
    }

    pub(super) fn close(&mut self) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let Some(frame) = self.stack.pop() else {
            return;
        };
        let base = self.base;
        let at = span(base, &frame.range);
        let mut children = frame.children;
        let node = match frame.open {
            Open::Heading(level) => Node::Heading { level, children },
            // A formula that stands alone is a block, not text in a paragraph.
            Open::Paragraph if matches!(children[..], [Node::MathBlock { .. }]) => {
                children.remove(0)
            }
            Open::Paragraph => Node::Paragraph { children },
            Open::List(start) => Node::List { start, children },
            Open::Item(checkbox) => Node::Item { checkbox, children },
            Open::Quote => Node::Quote { children },
            Open::Alert(kind) => Node::Alert {
                kind: kind.to_owned(),
                children,
            },
            Open::Code { language, lines } => Node::CodeBlock {
                language,
                lines: lines.finish(self.source, base),
            },
            Open::Table(align) => Node::Table { align, children },
            Open::Row { header } => Node::Row { header, children },
            Open::Cell => Node::Cell { children },
            Open::Footnote { label, number } => Node::Footnote {
                label,
                number,
                children,
            },
            Open::Html if children.len() == 1 => children.remove(0),
            Open::Html => Node::Paragraph { children },
            Open::Emphasis => Node::Emphasis { at, children },
            Open::Strong => Node::Strong { at, children },
            Open::Strike => Node::Strike { at, children },
            Open::Link(href) => Node::Link { href, at, children },
            Open::Image(src) => Node::Image {
                src,
                alt: plain(&children),
                at,
            },
        };
        self.push(node);
    }

    /// A node without children, made from the block's start and the source.
    pub(super) fn leaf(&mut self, range: Range<usize>, node: impl FnOnce(usize, &'a str) -> Node) {
        if self.too_deep == 0 {
            self.begin(&range);
            self.push(node(self.base, self.source));
        }
    }

    /// Text as it is read; where it differs from the source it is an atom.
    pub(super) fn text(&mut self, text: &str, range: Range<usize>) {
        if self.too_deep > 0 || text.is_empty() {
            return;
        }
        let (source, base) = (self.source, self.base);
        if let Some(Frame {
            open: Open::Code { lines, .. },
            ..
        }) = self.stack.last_mut()
        {
            lines.push(source, base, range);
            return;
        }
        if source[range.clone()] == *text {
            self.source_text(range);
        } else {
            self.leaf(range.clone(), |base, _| Node::Text {
                text: text.to_owned(),
                at: span(base, &range),
                atom: true,
            });
        }
    }

    /// A code span; its range takes the backticks in.
    pub(super) fn code(&mut self, text: &str, range: Range<usize>) {
        self.leaf(range.clone(), |base, source| {
            let inner = between_backticks(source, &range);
            let atom = source[inner.clone()] != *text;
            Node::Code {
                text: text.to_owned(),
                at: span(base, if atom { &range } else { &inner }),
                atom,
            }
        });
    }

    /// Raw HTML as the source it is.
    pub(super) fn html(&mut self, range: Range<usize>) {
        if self.too_deep > 0 || range.is_empty() {
            return;
        }
        let (source, base) = (self.source, self.base);
        let at = span(base, &range);
        if let Some(Node::Html { text, at: before }) = self.last_child()
            && before.end == at.start
        {
            text.push_str(&source[range]);
            before.end = at.end;
        } else {
            self.leaf(range.clone(), |base, source| Node::Html {
                text: source[range.clone()].to_owned(),
                at: span(base, &range),
            });
        }
    }

    pub(super) fn line_break(&mut self, hard: bool, range: Range<usize>) {
        self.leaf(range.clone(), |base, _| Node::Break {
            hard,
            at: span(base, &range),
        });
    }

    /// The box of the innermost list item.
    pub(super) fn checkbox(&mut self, checked: bool, range: Range<usize>) {
        if self.too_deep > 0 {
            return;
        }
        let at = span(self.base, &range);
        let item = self
            .stack
            .iter_mut()
            .rev()
            .find_map(|frame| match &mut frame.open {
                Open::Item(checkbox) => Some(checkbox),
                _ => None,
            });
        if let Some(checkbox) = item {
            *checkbox = Some(Checkbox { checked, at });
        }
    }

    /// The blocks, which tile the source.
    pub(super) fn finish(mut self) -> Vec<Block> {
        while !self.stack.is_empty() {
            self.too_deep = 0;
            self.close();
        }
        let mut blocks = Vec::with_capacity(self.blocks.len());
        let mut end = self.source.len();
        for (start, node) in self.blocks.into_iter().rev() {
            blocks.push(Block::of(self.source, start..end, node));
            end = start;
        }
        blocks.reverse();
        blocks
    }

    /// A top-level node begins a block. What stands above the first one belongs to it.
    fn begin(&mut self, range: &Range<usize>) {
        if self.stack.is_empty() {
            self.base = if self.blocks.is_empty() {
                0
            } else {
                range.start
            };
        }
    }

    fn source_text(&mut self, range: Range<usize>) {
        let (source, base) = (self.source, self.base);
        let piece = &source[range.clone()];
        if let Some(Node::Text {
            text,
            at,
            atom: false,
        }) = self.last_child()
            && at.end == span(base, &range).start
        {
            text.push_str(piece);
            at.end = span(base, &range).end;
        } else {
            self.leaf(range.clone(), |base, _| Node::Text {
                text: piece.to_owned(),
                at: span(base, &range),
                atom: false,
            });
        }
    }

    fn last_child(&mut self) -> Option<&mut Node> {
        self.stack.last_mut()?.children.last_mut()
    }

    fn push(&mut self, node: Node) {
        match self.stack.last_mut() {
            Some(frame) => frame.children.push(node),
            None => self.blocks.push((self.base, node)),
        }
    }
}

/// The range inside a code span's backticks, without the one space of padding on each side.
fn between_backticks(source: &str, range: &Range<usize>) -> Range<usize> {
    let text = &source[range.clone()];
    let ticks = text.len() - text.trim_start_matches('`').len();
    if text.len() < 2 * ticks {
        return range.clone();
    }
    let inner = range.start + ticks..range.end - ticks;
    let text = &source[inner.clone()];
    let padded = text.len() > 2 && text.starts_with(' ') && text.ends_with(' ');
    if padded && !text.trim().is_empty() {
        inner.start + 1..inner.end - 1
    } else {
        inner
    }
}

/// What an image's description says, marks left out.
fn plain(nodes: &[Node]) -> String {
    let mut text = String::new();
    for node in nodes {
        match node {
            Node::Text { text: piece, .. } | Node::Code { text: piece, .. } => text.push_str(piece),
            Node::Image { alt, .. } => text.push_str(alt),
            Node::Break { .. } => text.push(' '),
            other => text.push_str(&plain(other.children())),
        }
    }
    text
}
