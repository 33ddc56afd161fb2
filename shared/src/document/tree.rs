//! The typed tree: blocks of nodes, every text with the place in the source it came from.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A UTF-8 byte range of the source, relative to the start of the enclosing [`Block`]. On the wire `[start, end]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "(u32, u32)", into = "(u32, u32)")]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl From<(u32, u32)> for Span {
    fn from((start, end): (u32, u32)) -> Self {
        Self { start, end }
    }
}

impl From<Span> for (u32, u32) {
    fn from(span: Span) -> Self {
        (span.start, span.end)
    }
}

/// How a document's characters are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Format {
    /// GitHub-flavoured Markdown.
    Markdown,
    /// A programming or data language: every character is literal.
    Code,
    /// Plain text: every character is literal.
    Text,
}

/// Why a document cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ReadOnly {
    /// Not UTF-8; the name of the encoding it was read as.
    Encoding(String),
    /// The file's permissions forbid writing.
    Permissions,
}

/// One top-level piece of a document, the unit of paging and of keyed rendering.
///
/// Blocks stand in source order and tile the document: each runs up to the start of the next, so that what no
/// node shows (blank lines, link definitions) belongs to the block before it and every range can be quoted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Block {
    /// Hash of the block's content; equal blocks of one document have equal ids, so a key is (id, ordinal).
    pub block_id: String,
    /// First byte in the document's source (after a byte order mark, which is not part of the source).
    pub start: u32,
    /// One past the last byte: the next block's start, or the end of the document.
    pub end: u32,
    /// The source from `start` to `end`; comes and stays away together with `node`.
    #[serde(default)]
    pub source: Option<String>,
    /// The content; `None` where the reader said with `since` that it has this block already.
    pub node: Option<Node>,
}

impl Block {
    /// The block of `range` of `source`, with its id.
    pub(super) fn of(source: &str, range: Range<usize>, node: Node) -> Self {
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let mut block = Self {
            block_id: String::new(),
            start: place(range.start),
            end: place(range.end),
            source: Some(source[range].to_owned()),
            node: Some(node),
        };
        block.identify();
        block
    }
}

/// A task list's box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checkbox {
    /// Ticked or not.
    pub checked: bool,
    /// The `[ ]` in the source.
    pub at: Span,
}

/// One line of code or plain text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    /// The line in the source, without its line end.
    pub at: Span,
    /// The line's text cut into classed runs; joined they are exactly the source of `at`.
    pub runs: Vec<Run>,
}

/// Characters of one colour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// The characters.
    pub text: String,
    /// What they are: one of the names in [`crate::document::CLASSES`], chosen by REX and never by a document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
}

/// An element of a formula: presentation `MathML`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MathMl {
    /// One of [`super::MATH_ELEMENTS`].
    pub name: String,
    /// Names from [`super::MATH_ATTRIBUTES`], and what they are set to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<(String, String)>,
    /// Character data; only leaves have it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Child elements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Self>,
}

fn is_false(value: &bool) -> bool {
    !*value
}

/// A piece of a document.
///
/// Text-bearing nodes carry `at`, their range in the source; `atom` means that the text
/// differs from the source (an entity, an escape, a footnote's number), so that it maps as a whole.
/// Emphasis, strong, strike and link carry in `at` the whole element with its marks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    try_from = "super::fields::Fields",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[expect(
    missing_docs,
    reason = "the names are those of the contract; the variants say what is not obvious"
)]
pub enum Node {
    Heading {
        level: u8,
        children: Vec<Self>,
    },
    Paragraph {
        children: Vec<Self>,
    },
    /// Ordered when `start` is given; a tight list's items hold inlines directly.
    List {
        start: Option<u64>,
        children: Vec<Self>,
    },
    Item {
        checkbox: Option<Checkbox>,
        children: Vec<Self>,
    },
    Quote {
        children: Vec<Self>,
    },
    /// `kind` is one of `note, tip, important, warning, caution`.
    Alert {
        kind: String,
        children: Vec<Self>,
    },
    /// Also the only node of code and plain text documents, one block for each run of lines.
    CodeBlock {
        language: Option<String>,
        lines: Vec<Line>,
    },
    /// `align` holds, for each column, `left`, `center`, `right` or nothing.
    Table {
        align: Vec<Option<String>>,
        children: Vec<Self>,
    },
    Row {
        header: bool,
        children: Vec<Self>,
    },
    Cell {
        children: Vec<Self>,
    },
    Rule,
    /// `number` is the one its references show.
    Footnote {
        label: String,
        number: u32,
        children: Vec<Self>,
    },
    /// `mathml` is filled by the bridge; without it the source is shown.
    MathBlock {
        text: String,
        at: Span,
        mathml: Option<MathMl>,
    },
    FrontMatter {
        text: String,
        at: Span,
    },
    /// Raw HTML, shown as the text it is.
    Html {
        text: String,
        at: Span,
    },
    Text {
        text: String,
        at: Span,
        #[serde(skip_serializing_if = "is_false")]
        atom: bool,
    },
    Emphasis {
        at: Span,
        children: Vec<Self>,
    },
    Strong {
        at: Span,
        children: Vec<Self>,
    },
    Strike {
        at: Span,
        children: Vec<Self>,
    },
    /// `at` is the text between the backticks, or the whole with them where `atom` is set.
    Code {
        text: String,
        at: Span,
        #[serde(skip_serializing_if = "is_false")]
        atom: bool,
    },
    Link {
        href: String,
        at: Span,
        children: Vec<Self>,
    },
    Image {
        src: String,
        alt: String,
        at: Span,
    },
    Math {
        text: String,
        at: Span,
        mathml: Option<MathMl>,
    },
    /// `number` is what the reader sees; the node is an atom.
    FootnoteRef {
        label: String,
        number: u32,
        at: Span,
    },
    /// A soft break reads as one space, a hard one as a line break.
    Break {
        hard: bool,
        at: Span,
    },
}

impl Node {
    /// The nodes inside; none for a leaf.
    pub fn children(&self) -> &[Self] {
        match self {
            Self::Heading { children, .. }
            | Self::Paragraph { children }
            | Self::List { children, .. }
            | Self::Item { children, .. }
            | Self::Quote { children }
            | Self::Alert { children, .. }
            | Self::Table { children, .. }
            | Self::Row { children, .. }
            | Self::Cell { children }
            | Self::Footnote { children, .. }
            | Self::Emphasis { children, .. }
            | Self::Strong { children, .. }
            | Self::Strike { children, .. }
            | Self::Link { children, .. } => children,
            _ => &[],
        }
    }

    /// The nodes inside, to be changed; none for a leaf.
    pub fn children_mut(&mut self) -> &mut [Self] {
        match self {
            Self::Heading { children, .. }
            | Self::Paragraph { children }
            | Self::List { children, .. }
            | Self::Item { children, .. }
            | Self::Quote { children }
            | Self::Alert { children, .. }
            | Self::Table { children, .. }
            | Self::Row { children, .. }
            | Self::Cell { children }
            | Self::Footnote { children, .. }
            | Self::Emphasis { children, .. }
            | Self::Strong { children, .. }
            | Self::Strike { children, .. }
            | Self::Link { children, .. } => children,
            _ => &mut [],
        }
    }

    /// A number for the kind of node; it goes into a block's id and nowhere else.
    pub(super) fn tag(&self) -> u8 {
        match self {
            Self::Heading { level, .. } => 32 + level,
            Self::Paragraph { .. } => 1,
            Self::List { .. } => 2,
            Self::Item { .. } => 3,
            Self::Quote { .. } => 4,
            Self::Alert { .. } => 5,
            Self::CodeBlock { .. } => 6,
            Self::Table { .. } => 7,
            Self::Row { .. } => 8,
            Self::Cell { .. } => 9,
            Self::Rule => 10,
            Self::Footnote { .. } => 11,
            Self::MathBlock { .. } => 12,
            Self::FrontMatter { .. } => 13,
            Self::Html { .. } => 14,
            Self::Text { .. } => 15,
            Self::Emphasis { .. } => 16,
            Self::Strong { .. } => 17,
            Self::Strike { .. } => 18,
            Self::Code { .. } => 19,
            Self::Link { .. } => 20,
            Self::Image { .. } => 21,
            Self::Math { .. } => 22,
            Self::FootnoteRef { .. } => 23,
            Self::Break { .. } => 24,
        }
    }
}
