//! The typed tree as elements: one drawing for documents and for agents' answers.
//!
//! What differs between the two (what a link does, whether words become evidence) is a [`Surroundings`]. The text of
//! the elements is exactly the tree's text, so that an offset on screen is an offset of the reading; bullets, boxes
//! and footnote numbers of definitions are drawn by the style. No HTML string is made, and no element or class comes
//! from a document: every name is written here.

use leptos::html;
use leptos::prelude::*;
use rex_shared::document::{Checkbox, Line, MathMl, Node, Run};

/// Where a tree is shown.
pub trait Surroundings {
    /// Draws words, in text and in inline code.
    fn words(&self, text: &str) -> AnyView {
        text.to_owned().into_any()
    }

    /// Draws a link around what it holds, which the link draws by [`node_views`].
    fn link(&self, href: &str, children: &[Node]) -> AnyView;

    /// Draws an image.
    fn image(&self, src: &str, alt: &str) -> AnyView;

    /// Draws a formula; without elements for it, its source.
    fn formula(&self, text: &str, elements: Option<&MathMl>, is_block: bool) -> AnyView {
        let _ = elements;
        let class = if is_block { "math math--block" } else { "math" };
        html::code().class(class).child(text.to_owned()).into_any()
    }

    /// Draws the number that stands for a footnote.
    fn footnote(&self, _label: &str, number: u32) -> AnyView {
        html::sup().child(number.to_string()).into_any()
    }

    /// The level of a heading that the tree calls `level`, so that headings keep their order on the page.
    fn heading_level(&self, level: u8) -> u8 {
        level
    }
}

/// Draws a node.
pub fn node_view(node: &Node, around: &impl Surroundings) -> AnyView {
    let inside = |children: &[Node]| node_views(children, around);
    match node {
        Node::Heading { level, children } => {
            heading(around.heading_level(*level), inside(children))
        }
        Node::Paragraph { children } => html::p().child(inside(children)).into_any(),
        Node::List {
            start: None,
            children,
        } => html::ul().class("list").child(inside(children)).into_any(),
        Node::List {
            start: Some(start),
            children,
        } => html::ol()
            .class("list")
            .start(start.to_string())
            .child(inside(children))
            .into_any(),
        Node::Item { checkbox, children } => item(*checkbox, inside(children)),
        Node::Quote { children } => html::blockquote().child(inside(children)).into_any(),
        Node::Alert { kind, children } => html::blockquote()
            .class("alert")
            .attr("data-kind", alert_kind(kind))
            .child(inside(children))
            .into_any(),
        Node::CodeBlock { lines, .. } => code_block(lines),
        Node::Table { align, children } => table(align, children, around),
        Node::Row { children, .. } => html::tr().child(inside(children)).into_any(),
        Node::Cell { children } => html::td().child(inside(children)).into_any(),
        Node::Rule => html::hr().into_any(),
        Node::Footnote {
            number, children, ..
        } => html::div()
            .class("footnote")
            .attr("data-n", number.to_string())
            .child(inside(children))
            .into_any(),
        Node::MathBlock { text, mathml, .. } => around.formula(text, mathml.as_ref(), true),
        Node::Math { text, mathml, .. } => around.formula(text, mathml.as_ref(), false),
        Node::FrontMatter { text, .. } => html::pre()
            .class("front-matter")
            .tabindex("0")
            .child(text.clone())
            .into_any(),
        Node::Html { text, .. } => html::code().class("html").child(text.clone()).into_any(),
        Node::Text { text, .. } => around.words(text),
        Node::Emphasis { children, .. } => html::em().child(inside(children)).into_any(),
        Node::Strong { children, .. } => html::strong().child(inside(children)).into_any(),
        Node::Strike { children, .. } => html::s().child(inside(children)).into_any(),
        Node::Code { text, .. } => html::code().child(around.words(text)).into_any(),
        Node::Link { href, children, .. } => around.link(href, children),
        Node::Image { src, alt, .. } => around.image(src, alt),
        Node::FootnoteRef { label, number, .. } => around.footnote(label, *number),
        Node::Break { hard: false, .. } => " ".into_any(),
        // A line end that counts as text, as the reading has it; `<br>` would not.
        Node::Break { hard: true, .. } => html::span().class("br").child("\n").into_any(),
    }
}

/// Draws nodes one after another.
pub fn node_views(nodes: &[Node], around: &impl Surroundings) -> Vec<AnyView> {
    nodes.iter().map(|node| node_view(node, around)).collect()
}

fn heading(level: u8, children: Vec<AnyView>) -> AnyView {
    match level {
        0 | 1 => html::h1().child(children).into_any(),
        2 => html::h2().child(children).into_any(),
        3 => html::h3().child(children).into_any(),
        4 => html::h4().child(children).into_any(),
        5 => html::h5().child(children).into_any(),
        _ => html::h6().child(children).into_any(),
    }
}

fn item(checkbox: Option<Checkbox>, children: Vec<AnyView>) -> AnyView {
    let Some(checkbox) = checkbox else {
        return html::li().child(children).into_any();
    };
    let (state, word) = if checkbox.checked {
        ("done", "Done: ")
    } else {
        ("open", "To do: ")
    };
    let mark = html::span()
        .class("task__box")
        .attr("data-state", state)
        .role("img")
        .aria_label(word);
    html::li().class("task").child((mark, children)).into_any()
}

/// The word is one of a fixed list, whatever the tree says.
fn alert_kind(kind: &str) -> &'static str {
    match kind {
        "tip" => "tip",
        "important" => "important",
        "warning" => "warning",
        "caution" => "caution",
        _ => "note",
    }
}

fn code_block(lines: &[Line]) -> AnyView {
    let mut shown: Vec<AnyView> = Vec::new();
    let mut plain = String::new();
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            plain.push('\n');
        }
        for run in &line.runs {
            match run.class.as_deref().and_then(token_class) {
                None => plain += &run.text,
                Some(class) => {
                    if !plain.is_empty() {
                        shown.push(std::mem::take(&mut plain).into_any());
                    }
                    shown.push(html::span().class(class).child(run.text.clone()).into_any());
                }
            }
        }
    }
    if !plain.is_empty() {
        shown.push(plain.into_any());
    }
    html::pre()
        .tabindex("0")
        .child(html::code().child(shown))
        .into_any()
}

/// The runs of one line of code, without its end.
pub fn code_runs(runs: &[Run]) -> Vec<AnyView> {
    runs.iter()
        .map(|run| match run.class.as_deref().and_then(token_class) {
            None => run.text.clone().into_any(),
            Some(class) => html::span().class(class).child(run.text.clone()).into_any(),
        })
        .collect()
}

/// The style's class for a run's name.
fn token_class(name: &str) -> Option<&'static str> {
    Some(match name {
        "attribute" => "tok-attribute",
        "comment" => "tok-comment",
        "constant" => "tok-constant",
        "function" => "tok-function",
        "keyword" => "tok-keyword",
        "number" => "tok-number",
        "operator" => "tok-operator",
        "punctuation" => "tok-punctuation",
        "string" => "tok-string",
        "tag" => "tok-tag",
        "type" => "tok-type",
        "variable" => "tok-variable",
        _ => return None,
    })
}

fn table(align: &[Option<String>], rows: &[Node], around: &impl Surroundings) -> AnyView {
    let mut head = Vec::new();
    let mut body = Vec::new();
    for row in rows {
        let Node::Row { header, children } = row else {
            continue;
        };
        let cells: Vec<AnyView> = children
            .iter()
            .enumerate()
            .map(|(column, cell)| {
                let align = align.get(column).and_then(Option::as_deref);
                cell_view(*header, cell, align, around)
            })
            .collect();
        let row = html::tr().child(cells).into_any();
        if *header { &mut head } else { &mut body }.push(row);
    }
    html::div()
        .class("scroll-x")
        .tabindex("0")
        .child(html::table().child((html::thead().child(head), html::tbody().child(body))))
        .into_any()
}

fn cell_view(
    header: bool,
    cell: &Node,
    align: Option<&str>,
    around: &impl Surroundings,
) -> AnyView {
    let children = match cell {
        Node::Cell { children } => node_views(children, around),
        other => vec![node_view(other, around)],
    };
    let class = match align {
        Some("right") => "n",
        Some("center") => "c",
        _ => "",
    };
    if header {
        html::th()
            .scope("col")
            .class(class)
            .child(children)
            .into_any()
    } else {
        html::td().class(class).child(children).into_any()
    }
}
