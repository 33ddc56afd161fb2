//! Documents as the page sees them: a typed tree with source ranges, never HTML.
//!
//! [`tree`] is the vocabulary. Parsing and mapping are pure and total: no IO, no panic on any text.

pub mod reading;
pub mod selection;
pub mod tree;

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
