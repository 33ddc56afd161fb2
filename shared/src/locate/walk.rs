//! From a document's typed tree to its units.
//!
//! What no reader reads is left out: marks, link targets, tags, comments, footnote numbers. An image stands for the
//! words that describe it.

use super::lexicon::Lexicon;
use super::units::{Collector, Form, Image, Units, index};
use crate::document::{Format, Line, Node, Span, parse};
use std::ops::Range;

/// Tags between which raw HTML holds paragraphs of their own.
const BLOCK_TAGS: [&str; 22] = [
    "blockquote",
    "br",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "li",
    "ol",
    "p",
    "summary",
    "table",
    "tr",
    "ul",
    "pre",
];

/// Cuts the part of a document that begins at byte `base` of it.
pub(super) fn read(format: Format, part: &str, base: usize, lexicon: &mut Lexicon) -> Units {
    let mut walk = Walk {
        out: Collector::new(lexicon),
        indented: format != Format::Markdown,
    };
    for block in parse(format, part) {
        if let (Some(node), Some(source)) = (&block.node, &block.source) {
            let base = index(base) + block.start;
            walk.block(node, Source { text: source, base });
        }
    }
    walk.out.out
}

/// The source of a block, and where that begins.
#[derive(Clone, Copy)]
struct Source<'a> {
    text: &'a str,
    base: u32,
}

struct Walk<'l> {
    out: Collector<'l>,
    /// Lines are enclosed by less indented ones, not by headings.
    indented: bool,
}

impl Walk<'_> {
    /// Reads a node that stands among others of its kind, in a block of its own.
    fn block(&mut self, node: &Node, source: Source<'_>) {
        self.out.block += 1;
        self.flow(node, source);
        self.out.flush(Form::Prose);
    }

    /// Blocks end the text before them; inlines go on with it.
    fn flow(&mut self, node: &Node, source: Source<'_>) {
        match node {
            Node::Heading { level, children } => {
                self.apart(children, source, Form::Heading(*level));
            }
            Node::Paragraph { children }
            | Node::List { children, .. }
            | Node::Item { children, .. }
            | Node::Quote { children }
            | Node::Alert { children, .. }
            | Node::Footnote { children, .. } => self.apart(children, source, Form::Prose),
            Node::Table { children, .. } => {
                self.out.flush(Form::Prose);
                for row in children {
                    self.flow(row, source);
                }
            }
            Node::Row { header, children } => {
                for cell in children {
                    self.inlines(cell.children(), source);
                    self.out.end_cell();
                }
                self.out.flush(Form::Row { header: *header });
            }
            Node::CodeBlock { lines, .. } => {
                self.out.flush(Form::Prose);
                for line in lines {
                    self.line(line, source);
                }
            }
            Node::FrontMatter { text, at } => {
                let mut start = at.start;
                for line in text.split_inclusive('\n') {
                    let end = start + index(line.len());
                    self.push(line, Span { start, end }, source);
                    self.out.flush(Form::Line);
                    start = end;
                }
            }
            Node::MathBlock { text, at, .. } => {
                self.out.flush(Form::Prose);
                self.push(text, *at, source);
                self.out.flush(Form::Line);
            }
            Node::Rule => self.out.flush(Form::Prose),
            inline => self.inline(inline, source),
        }
    }

    fn apart(&mut self, children: &[Node], source: Source<'_>, form: Form) {
        self.out.flush(Form::Prose);
        for child in children {
            self.flow(child, source);
        }
        self.out.flush(form);
    }

    fn inlines(&mut self, children: &[Node], source: Source<'_>) {
        for child in children {
            self.inline(child, source);
        }
    }

    fn inline(&mut self, node: &Node, source: Source<'_>) {
        match node {
            Node::Emphasis { at, children }
            | Node::Strong { at, children }
            | Node::Strike { at, children }
            | Node::Link { at, children, .. } => {
                let start = self.out.pieces.text.len();
                self.inlines(children, source);
                let bytes = start..self.out.pieces.text.len();
                let whole = source.base + at.start..source.base + at.end;
                self.out.pieces.marks.push((bytes, whole));
            }
            Node::Code { text, at, .. } => {
                let start = self.out.pieces.text.len();
                self.push(text, *at, source);
                let bytes = start..self.out.pieces.text.len();
                let whole = with_backticks(source, *at);
                self.out.pieces.marks.push((bytes, whole));
            }
            Node::Text { text, at, .. } | Node::Math { text, at, .. } => {
                self.push(text, *at, source);
            }
            Node::Image { src, alt, at } => {
                self.out.out.images.push(Image {
                    source: source.base + at.start..source.base + at.end,
                    target: src.clone(),
                });
                self.push(alt, *at, source);
            }
            Node::Html { text, at } => self.html(text, *at, source),
            Node::Break { .. } => self.out.pieces.space(),
            _ => {}
        }
    }

    fn line(&mut self, line: &Line, source: Source<'_>) {
        let Some(text) = slice(source, line.at) else {
            return;
        };
        let written = text.trim_start();
        if self.indented && !written.is_empty() {
            self.out.indent(text.len() - written.len());
        }
        self.push(text, line.at, source);
        self.out.flush(Form::Line);
    }

    /// The text between tags and outside of comments.
    fn html(&mut self, text: &str, at: Span, source: Source<'_>) {
        let mut from = 0;
        while let Some(open) = text[from..].find('<').map(|found| from + found) {
            let Some((end, tag)) = tag_at(text, open) else {
                self.part(text, at, from..open + 1, source);
                from = open + 1;
                continue;
            };
            self.part(text, at, from..open, source);
            if BLOCK_TAGS.iter().any(|name| tag.eq_ignore_ascii_case(name)) {
                self.out.flush(Form::Prose);
            }
            from = end;
        }
        self.part(text, at, from..text.len(), source);
    }

    fn part(&mut self, text: &str, at: Span, range: Range<usize>, source: Source<'_>) {
        let span = Span {
            start: at.start + index(range.start),
            end: at.start + index(range.end),
        };
        self.push(&text[range], span, source);
    }

    fn push(&mut self, text: &str, at: Span, source: Source<'_>) {
        if let Some(slice) = slice(source, at) {
            self.out.pieces.push(text, slice, at, source.base);
        }
    }
}

fn slice(source: Source<'_>, at: Span) -> Option<&str> {
    source.text.get(at.start as usize..at.end as usize)
}

/// A code span with its fences, given the text between them.
fn with_backticks(source: Source<'_>, at: Span) -> Range<u32> {
    let outside = source
        .text
        .get(..at.start as usize)
        .zip(source.text.get(at.end as usize..));
    let fence = outside.map_or(0, |(before, behind)| {
        let left = before
            .bytes()
            .rev()
            .take_while(|byte| *byte == b'`')
            .count();
        let right = behind.bytes().take_while(|byte| *byte == b'`').count();
        index(left.min(right))
    });
    source.base + at.start - fence..source.base + at.end + fence
}

/// The end and the name of the tag or comment that begins at `open`; a comment has no name.
fn tag_at(text: &str, open: usize) -> Option<(usize, &str)> {
    let rest = &text[open..];
    if let Some(comment) = rest.strip_prefix("<!--") {
        let end = comment
            .find("-->")
            .map_or(text.len(), |found| open + 4 + found + 3);
        return Some((end, ""));
    }
    let inner = rest[1..].trim_start_matches('/');
    let begins = inner.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!' || c == '?');
    let end = open + rest.find('>')? + 1;
    let name = inner
        .split(|c: char| !c.is_ascii_alphanumeric())
        .next()
        .unwrap_or_default();
    begins.then_some((end, name))
}
