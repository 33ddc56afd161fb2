//! Markdown: the parser's events, each with its exact byte range, into blocks.
//!
//! GitHub's dialect: tables, task lists, footnotes, strikethrough, alerts, formulas, front matter at the top.
//! Deliberately absent: smart punctuation (it would change the text a comment quotes), heading attributes, and any
//! meaning of raw HTML except `<br>`: it is shown as the text it is.

use super::builder::{Builder, Open};
use super::tree::{Block, Node};
use pulldown_cmark::{
    Alignment, BlockQuoteKind, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag,
};
use std::collections::HashMap;
use std::ops::Range;

pub(super) fn parse(source: &str) -> Vec<Block> {
    parse_below(source, front_matter(source))
}

/// Reads Markdown whose top may be missing: a piece of an answer, where `---` is a rule.
pub(super) fn parse_piece(source: &str) -> Vec<Block> {
    parse_below(source, None)
}

fn parse_below(source: &str, front: Option<(Range<usize>, usize)>) -> Vec<Block> {
    let offset = front.as_ref().map_or(0, |(_, end)| *end);
    let mut builder = Builder::new(source);
    if let Some((inner, _)) = front {
        builder.leaf(0..offset, |base, source| Node::FrontMatter {
            text: source[inner.clone()].to_owned(),
            at: super::lines::span(base, &inner),
        });
    }
    let mut footnotes = Footnotes::default();
    for (event, range) in events_from(source, offset) {
        match event {
            Event::Start(tag) => builder.open(open(tag, &mut footnotes), range),
            Event::End(_) => builder.close(),
            Event::Text(text) => builder.text(&text, range),
            Event::Code(text) => builder.code(&text, range),
            Event::InlineMath(text) => builder.leaf(range.clone(), |base, _| Node::Math {
                text: text.into_string(),
                at: super::lines::span(base, &range),
                mathml: None,
            }),
            Event::DisplayMath(text) => builder.leaf(range.clone(), |base, _| Node::MathBlock {
                text: text.into_string(),
                at: super::lines::span(base, &range),
                mathml: None,
            }),
            Event::Html(_) => builder.html(range),
            Event::InlineHtml(html) if is_break(&html) => builder.line_break(true, range),
            Event::InlineHtml(_) => builder.html(range),
            Event::FootnoteReference(label) => {
                let number = footnotes.number(&label);
                builder.leaf(range.clone(), |base, _| Node::FootnoteRef {
                    label: label.into_string(),
                    number,
                    at: super::lines::span(base, &range),
                });
            }
            Event::SoftBreak => builder.line_break(false, range),
            Event::HardBreak => builder.line_break(true, range),
            Event::Rule => builder.leaf(range, |_, _| Node::Rule),
            Event::TaskListMarker(checked) => builder.checkbox(checked, range),
        }
    }
    builder.finish()
}

/// The parser's events below the front matter, with their ranges in the source.
pub(super) fn events(source: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    events_from(source, front_matter(source).map_or(0, |(_, end)| end))
}

fn events_from(source: &str, offset: usize) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM
        | Options::ENABLE_MATH;
    Parser::new_ext(&source[offset..], options)
        .into_offset_iter()
        .map(move |(event, range)| (event, range.start + offset..range.end + offset))
}

/// The text between two `---` lines at the very top, and where the rest of the document begins.
fn front_matter(source: &str) -> Option<(Range<usize>, usize)> {
    let mut lines = source.split_inclusive('\n');
    let first = lines.next()?;
    if first.trim_end() != "---" || !first.ends_with('\n') {
        return None;
    }
    let inner_start = first.len();
    let mut at = inner_start;
    for line in lines {
        let text = line.trim_end();
        // Two rules, or a rule above a paragraph, are not front matter.
        if at == inner_start && (text.is_empty() || text == "---") {
            return None;
        }
        if text == "---" || text == "..." {
            return Some((inner_start..at, at + line.len()));
        }
        at += line.len();
    }
    None
}

fn open(tag: Tag<'_>, footnotes: &mut Footnotes) -> Open {
    match tag {
        Tag::Heading { level, .. } => Open::Heading(level as u8),
        Tag::BlockQuote(None) => Open::Quote,
        Tag::BlockQuote(Some(kind)) => Open::Alert(match kind {
            BlockQuoteKind::Note => "note",
            BlockQuoteKind::Tip => "tip",
            BlockQuoteKind::Important => "important",
            BlockQuoteKind::Warning => "warning",
            BlockQuoteKind::Caution => "caution",
        }),
        Tag::CodeBlock(CodeBlockKind::Indented) => Open::code(None),
        Tag::CodeBlock(CodeBlockKind::Fenced(info)) => Open::code(language(&info)),
        Tag::HtmlBlock => Open::Html,
        Tag::List(start) => Open::List(start),
        Tag::Item => Open::Item(None),
        Tag::FootnoteDefinition(label) => Open::Footnote {
            number: footnotes.number(&label),
            label: label.into_string(),
        },
        Tag::Table(columns) => Open::Table(columns.into_iter().map(align).collect()),
        Tag::TableHead => Open::Row { header: true },
        Tag::TableRow => Open::Row { header: false },
        Tag::TableCell => Open::Cell,
        Tag::Emphasis => Open::Emphasis,
        Tag::Strong => Open::Strong,
        Tag::Strikethrough => Open::Strike,
        Tag::Link {
            link_type,
            dest_url,
            ..
        } => Open::Link(match link_type {
            LinkType::Email => format!("mailto:{dest_url}"),
            _ => dest_url.into_string(),
        }),
        Tag::Image { dest_url, .. } => Open::Image(dest_url.into_string()),
        // The others need options that are off.
        _ => Open::Paragraph,
    }
}

fn align(column: Alignment) -> Option<String> {
    match column {
        Alignment::None => None,
        Alignment::Left => Some("left".to_owned()),
        Alignment::Center => Some("center".to_owned()),
        Alignment::Right => Some("right".to_owned()),
    }
}

/// The first word of a fence's info string, without what some tools glue to it (`rust,ignore`, `{.rust}`).
fn language(info: &CowStr<'_>) -> Option<String> {
    let word = info
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | '}'))
        .map(|word| word.trim_start_matches('.'))
        .find(|word| !word.is_empty())?;
    Some(word.to_owned())
}

fn is_break(html: &str) -> bool {
    let inner = html
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'));
    inner.is_some_and(|tag| tag.trim_end_matches('/').trim().eq_ignore_ascii_case("br"))
}

/// Numbers footnotes by their first mention.
#[derive(Default)]
struct Footnotes(HashMap<String, u32>);

impl Footnotes {
    fn number(&mut self, label: &str) -> u32 {
        let next = u32::try_from(self.0.len() + 1).unwrap_or(u32::MAX);
        *self.0.entry(label.to_owned()).or_insert(next)
    }
}
