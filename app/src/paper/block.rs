//! One block: its gutter with numbers, its text, its margin with cards.

use super::around::Around;
use super::gutter::gutter;
use super::margin::margin_card;
use super::pages::Shown;
use super::sheet::Sheet;
use crate::browser::selection::BLOCK;
use crate::markdown_view::{code_runs, node_view};
use crate::model::Model;
use crate::reactive::{Derived, Each};
use leptos::html;
use leptos::prelude::*;
use rex_shared::document::{Format, Line, Node};

/// A block of the document. Its elements stay as long as a block with its key does.
pub(super) fn block_view(model: Model, sheet: Sheet, shown: Shown) -> impl IntoView {
    let key = shown.key;
    let beside = {
        let key = key.clone();
        Derived::new(move || {
            sheet
                .beside
                .with(|all| all.get(&key).cloned().unwrap_or_default())
        })
    };
    let body = shown.readable.body;
    let kind = kind(&body.node);
    let (format, document) = sheet.pages.with_untracked(|pages| {
        pages.as_ref().map_or_else(
            || (Format::Markdown, String::new()),
            |pages| (pages.format, pages.document.clone()),
        )
    });
    let content = match (&body.node, format) {
        (Node::CodeBlock { lines, .. }, Format::Code | Format::Text) => {
            let first_line = first_line(sheet, key.clone());
            numbered(lines, first_line)
        }
        (node, _) => {
            let around = Around {
                model,
                sheet,
                document,
            };
            node_view(node, &around)
        }
    };
    let text = html::div().class("text").attr(BLOCK, key).child(content);
    view! {
        <div class="block" data-kind=kind>
            <div class="gutter">
                {gutter(model, beside)}
            </div>
            {text}
            <div class="margin">
                <Each
                    each=move || beside.with(|beside| beside.cards.clone())
                    key=Clone::clone
                    children=move |thread| margin_card(model, thread)
                />
            </div>
        </div>
    }
}

/// The number of the block's first line, which changes when lines are put in above it.
fn first_line(sheet: Sheet, key: String) -> Derived<u32> {
    let line = Derived::new(move || {
        let index = sheet.index.with(|index| index.get(&key).copied());
        sheet.pages.with(|pages| {
            let shown = pages.as_ref()?.blocks.get(index?)?;
            Some(shown.first_line)
        })
    });
    Derived::new(move || line.get().unwrap_or(1))
}

/// Lines of a file. Their numbers are drawn by the style, which counts from the first.
fn numbered(lines: &[Line], first_line: Derived<u32>) -> AnyView {
    let last = lines.len().saturating_sub(1);
    let shown: Vec<AnyView> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| {
            // The line's end is text: it is copied, and it gives an empty line its height.
            let end = if at < last { "\n" } else { "" };
            html::span()
                .class("line")
                .child((code_runs(&line.runs), end))
                .into_any()
        })
        .collect();
    html::pre()
        .class("lines")
        .style(("--before", move || (first_line.get() - 1).to_string()))
        .child(html::code().child(shown))
        .into_any()
}

fn kind(node: &Node) -> &'static str {
    match node {
        Node::Heading { level, .. } => match level {
            0 | 1 => "h1",
            2 => "h2",
            _ => "h3",
        },
        Node::CodeBlock { .. } | Node::FrontMatter { .. } => "pre",
        Node::Table { .. } => "table",
        Node::List { .. } => "list",
        Node::Rule => "rule",
        Node::Footnote { .. } => "footnote",
        _ => "p",
    }
}
