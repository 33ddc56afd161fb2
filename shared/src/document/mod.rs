//! Documents as the page sees them: a typed tree with source ranges, never HTML.
//!
//! [`tree`] is the vocabulary, [`parse`] makes it. Parsing and mapping are pure and total: no IO, no panic on any
//! text. Colours and formulas are absent here: the bridge fills them in afterwards ([`Block::identify`] then gives
//! the block its new id), because their tables are too big for the page.

mod builder;
pub mod extents;
mod fields;
mod identity;
mod lines;
mod literal;
mod markdown;
mod math;
pub mod reading;
pub mod selection;
pub mod tree;
pub mod widening;

pub use math::{MATH_ATTRIBUTES, MATH_ELEMENTS};
pub use tree::{Block, Checkbox, Format, Line, MathMl, Node, ReadOnly, Run, Span};

/// What a run of code can be. The names are ours, so that no document can bring a class of its own.
pub const CLASSES: [&str; 12] = [
    "attribute",
    "comment",
    "constant",
    "function",
    "keyword",
    "number",
    "operator",
    "punctuation",
    "string",
    "tag",
    "type",
    "variable",
];

/// How many nodes may stand inside one another; what is deeper is shown as its source text.
///
/// The reader of JSON gives up at 127 nested values, a node costs two of them, and a formula inside the deepest
/// one ([`MAX_MATH_DEPTH`]) must still fit.
pub const MAX_DEPTH: usize = 40;

/// How many elements of a formula may stand inside one another; a deeper formula is shown as its source.
pub const MAX_MATH_DEPTH: usize = 16;

/// Cuts a document into blocks. `source` is the text after a byte order mark, with its line ends as they are.
///
/// A document that shows nothing (blank lines, link definitions only) has no blocks.
pub fn parse(format: Format, source: &str) -> Vec<Block> {
    match format {
        Format::Markdown => markdown::parse(source),
        Format::Code | Format::Text => literal::parse(source),
    }
}

/// Cuts a piece of Markdown, such as an agent's answer, into blocks: like a document, but without front matter.
pub fn parse_piece(source: &str) -> Vec<Block> {
    markdown::parse_piece(source)
}

#[cfg(test)]
mod tests;
