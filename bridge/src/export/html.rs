//! One page that needs nothing beside it: the documents, their passages marked, and the comments.
//!
//! Every string is escaped where it is written; no address is followed by the page itself, and its policy forbids
//! script and fetching.

mod marks;
mod tree;

use super::{Bundle, BundleThread, words};
use marks::Marked;
use rex_shared::document::parse_piece;
use rex_shared::ids::PlaceId;
use rex_shared::wire::document::Document;
use rex_shared::wire::message::{Message, Part, Role};
use rex_shared::wire::place::{Place, PlaceKind, PlaceState};

const STYLE: &str = concat!(
    include_str!("../../../style/tokens.css"),
    include_str!("../../../style/tree.css"),
    include_str!("../../../style/export.css"),
);

/// The whole page. `documents` are those of the bundle that are on disk, with all their blocks.
pub(super) fn write(bundle: &Bundle, documents: &[Document]) -> String {
    let names: Vec<&str> = bundle
        .documents
        .iter()
        .map(|at| at.document.as_str())
        .collect();
    let title = format!("Comments on {}", names.join(", "));
    let mut page = Page::default();
    page.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n");
    page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    page.text(&title);
    page.raw("</title>\n<style>\n");
    page.raw(STYLE);
    page.raw("</style>\n</head>\n<body>\n<header><h1>");
    page.text(&title);
    page.raw("</h1>\n<p>");
    page.text(&format!(
        "From {}, {}: {}.",
        bundle.workspace,
        words::time(bundle.exported_at),
        words::counts(bundle)
    ));
    page.raw("</p></header>\n<main>\n");
    for document in documents {
        write_document(&mut page, bundle, document);
    }
    page.raw("<section class=\"comments\" aria-label=\"Comments\">\n");
    for thread in words::shown(bundle) {
        write_thread(&mut page, bundle, thread);
    }
    page.raw("</section>\n</main>\n</body>\n</html>\n");
    page.0
}

/// A page being written.
#[derive(Default)]
struct Page(String);

impl Page {
    /// Markup of ours.
    fn raw(&mut self, markup: &str) {
        self.0.push_str(markup);
    }

    /// Somebody's words.
    fn text(&mut self, text: &str) {
        html_escape::encode_text_to_string(text, &mut self.0);
    }

    /// An attribute with somebody's words.
    fn attribute(&mut self, name: &str, value: &str) {
        self.0.extend([" ", name, "=\""]);
        html_escape::encode_double_quoted_attribute_to_string(value, &mut self.0);
        self.0.push('"');
    }

    fn element(&mut self, name: &str, text: &str) {
        self.raw(&format!("<{name}>"));
        self.text(text);
        self.raw(&format!("</{name}>\n"));
    }
}

fn thread_anchor(number: u32) -> String {
    format!("comment-{number}")
}

fn place_id(place: &PlaceId) -> String {
    format!("place-{}", place.as_str())
}

fn write_document(page: &mut Page, bundle: &Bundle, document: &Document) {
    let shown: Vec<u32> = words::shown(bundle)
        .map(|thread| thread.thread.row.number)
        .collect();
    let marked: Vec<Marked> = document
        .places
        .iter()
        .filter(|at| shown.contains(&at.number) && is_on_text(&at.place))
        .map(|at| Marked {
            number: at.number,
            place: place_id(&at.place.place_id),
            range: at.place.start..at.place.end,
            is_run: matches!(at.place.kind, PlaceKind::Text | PlaceKind::Cell),
        })
        .collect();
    page.raw("<article>\n<h2 class=\"document\">");
    page.text(&document.document);
    page.raw("</h2>\n");
    tree::write(page, &document.blocks, marked, 1);
    page.raw("</article>\n");
}

fn is_on_text(place: &Place) -> bool {
    place.kind != PlaceKind::Document
        && matches!(
            place.state,
            PlaceState::Exact | PlaceState::Moved | PlaceState::Changed
        )
}

fn write_thread(page: &mut Page, bundle: &Bundle, thread: &BundleThread) {
    let row = &thread.thread.row;
    page.raw("<section class=\"comment\"");
    page.attribute("id", &thread_anchor(row.number));
    page.raw(">\n<h2>");
    page.text(&words::title(thread));
    page.raw("</h2>\n");
    page.raw("<p class=\"lane\"");
    page.attribute("data-lane", words::lane(row.lane));
    page.raw(">");
    page.text(words::lane(row.lane));
    page.raw("</p>\n<ul class=\"places\">\n");
    for place in thread.places() {
        write_place(page, bundle, thread, place);
    }
    page.raw("</ul>\n");
    if let Some(note) = &thread.thread.note {
        write_markdown(page, note);
    }
    for message in &thread.messages {
        write_message(page, bundle, message);
    }
    page.raw("</section>\n");
}

fn write_place(page: &mut Page, bundle: &Bundle, thread: &BundleThread, place: &Place) {
    let standing = words::standing(thread, place);
    let is_here = is_on_text(place)
        && bundle
            .documents
            .iter()
            .any(|at| at.document == place.document);
    page.raw("<li>");
    if is_here {
        page.raw("<a");
        page.attribute("href", &format!("#{}", place_id(&place.place_id)));
        page.raw(">");
        page.text(&standing);
        page.raw("</a>");
    } else {
        page.text(&standing);
    }
    if let Some(fate) = words::fate(place.state) {
        page.text(&format!(" ({fate})"));
    }
    if place.kind != PlaceKind::Document {
        page.element("blockquote", &place.quote);
    }
    page.raw("</li>\n");
}

fn write_message(page: &mut Page, bundle: &Bundle, message: &Message) {
    let class = match message.role {
        Role::User => "you",
        Role::Assistant => "agent",
    };
    page.raw("<article class=\"turn\"");
    page.attribute("data-role", class);
    page.raw(">\n<h3>");
    page.text(&words::speaker(bundle, message));
    page.raw(" <small>");
    page.text(&words::time(message.created_at));
    page.raw("</small></h3>\n");
    for part in &message.parts {
        match part {
            Part::Text { text, .. } => write_markdown(page, text),
            Part::Image { data_url, .. } if data_url.starts_with("data:image/") => {
                page.raw("<img alt=\"An image of this message\"");
                page.attribute("src", data_url);
                page.raw(">\n");
            }
            Part::Image { media_type, .. } => {
                page.element("p", &format!("An image ({media_type})"));
            }
            Part::Thinking { .. } | Part::Tool { .. } | Part::Unknown { .. } => {}
        }
    }
    if let Some(ended) = words::ended(message) {
        page.raw("<p class=\"ended\">");
        page.text(&ended);
        page.raw("</p>\n");
    }
    if message.role == Role::Assistant {
        page.raw("<details><summary>How this came about</summary>\n");
        page.element("p", &words::facts(message));
        let tools = words::tools(message);
        if !tools.is_empty() {
            page.element("p", &format!("Tools: {}", tools.join(", ")));
        }
        page.raw("</details>\n");
    }
    page.raw("</article>\n");
}

fn write_markdown(page: &mut Page, text: &str) {
    page.raw("<div class=\"prose\">\n");
    tree::write(page, &parse_piece(text), Vec::new(), 3);
    page.raw("</div>\n");
}
