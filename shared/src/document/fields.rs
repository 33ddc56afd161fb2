//! How a [`Node`] is read from JSON: all fields any node has, read once, and then the ones its type needs.
//!
//! Derived code for a tagged enum first copies each node into a buffer, then reads it by a second copy of every
//! reader; that was a tenth of the page. The words on the wire are the same.

use super::tree::{Checkbox, Line, MathMl, Node, Span};
use serde::Deserialize;
use serde::de::Error as _;
use serde::de::value::Error;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fields {
    #[serde(rename = "type")]
    node: String,
    level: Option<u8>,
    children: Option<Vec<Node>>,
    start: Option<u64>,
    checkbox: Option<Checkbox>,
    kind: Option<String>,
    language: Option<String>,
    lines: Option<Vec<Line>>,
    align: Option<Vec<Option<String>>>,
    header: Option<bool>,
    label: Option<String>,
    number: Option<u32>,
    text: Option<String>,
    at: Option<Span>,
    mathml: Option<MathMl>,
    atom: Option<bool>,
    href: Option<String>,
    src: Option<String>,
    alt: Option<String>,
    hard: Option<bool>,
}

fn need<T>(field: Option<T>, name: &'static str) -> Result<T, Error> {
    field.ok_or_else(|| Error::missing_field(name))
}

impl TryFrom<Fields> for Node {
    type Error = Error;

    fn try_from(fields: Fields) -> Result<Self, Error> {
        let children = need(fields.children, "children");
        let text = need(fields.text, "text");
        let at = need(fields.at, "at");
        let label = need(fields.label, "label");
        let number = need(fields.number, "number");
        let atom = fields.atom.unwrap_or_default();
        Ok(match fields.node.as_str() {
            "heading" => Self::Heading {
                level: need(fields.level, "level")?,
                children: children?,
            },
            "paragraph" => Self::Paragraph {
                children: children?,
            },
            "list" => Self::List {
                start: fields.start,
                children: children?,
            },
            "item" => Self::Item {
                checkbox: fields.checkbox,
                children: children?,
            },
            "quote" => Self::Quote {
                children: children?,
            },
            "alert" => Self::Alert {
                kind: need(fields.kind, "kind")?,
                children: children?,
            },
            "codeBlock" => Self::CodeBlock {
                language: fields.language,
                lines: need(fields.lines, "lines")?,
            },
            "table" => Self::Table {
                align: need(fields.align, "align")?,
                children: children?,
            },
            "row" => Self::Row {
                header: need(fields.header, "header")?,
                children: children?,
            },
            "cell" => Self::Cell {
                children: children?,
            },
            "rule" => Self::Rule,
            "footnote" => Self::Footnote {
                label: label?,
                number: number?,
                children: children?,
            },
            "mathBlock" => Self::MathBlock {
                text: text?,
                at: at?,
                mathml: fields.mathml,
            },
            "frontMatter" => Self::FrontMatter {
                text: text?,
                at: at?,
            },
            "html" => Self::Html {
                text: text?,
                at: at?,
            },
            "text" => Self::Text {
                text: text?,
                at: at?,
                atom,
            },
            "emphasis" => Self::Emphasis {
                at: at?,
                children: children?,
            },
            "strong" => Self::Strong {
                at: at?,
                children: children?,
            },
            "strike" => Self::Strike {
                at: at?,
                children: children?,
            },
            "code" => Self::Code {
                text: text?,
                at: at?,
                atom,
            },
            "link" => Self::Link {
                href: need(fields.href, "href")?,
                at: at?,
                children: children?,
            },
            "image" => Self::Image {
                src: need(fields.src, "src")?,
                alt: need(fields.alt, "alt")?,
                at: at?,
            },
            "math" => Self::Math {
                text: text?,
                at: at?,
                mathml: fields.mathml,
            },
            "footnoteRef" => Self::FootnoteRef {
                label: label?,
                number: number?,
                at: at?,
            },
            "break" => Self::Break {
                hard: need(fields.hard, "hard")?,
                at: at?,
            },
            unknown => return Err(Error::unknown_variant(unknown, &[])),
        })
    }
}
