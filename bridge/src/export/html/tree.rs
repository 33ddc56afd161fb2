//! The typed tree as HTML, with the passages of the comments marked.

use super::marks::{Marked, Marks};
use super::{Page, thread_anchor};
use rex_shared::document::{
    Block, CLASSES, Line, MATH_ATTRIBUTES, MATH_ELEMENTS, MathMl, Node, Span,
};

/// Addresses that a reader may be led to.
const LEADING_OUT: [&str; 3] = ["https://", "http://", "mailto:"];

/// Writes blocks into a page; their headings go down by `below` levels.
pub(super) fn write(page: &mut Page, blocks: &[Block], marked: Vec<Marked>, below: u8) {
    let mut tree = Tree {
        notes: page.0.len(),
        marks: Marks::new(marked, blocks),
        page,
        owed: Vec::new(),
        in_link: false,
        base: 0,
        below,
    };
    for block in blocks {
        tree.base = block.start;
        if let Some(node) = &block.node {
            tree.node(node);
        }
        tree.page.raw("\n");
    }
}

struct Tree<'a> {
    page: &'a mut Page,
    marks: Marks,
    /// Numbers to be put where a link may stand.
    owed: Vec<u32>,
    /// Within a link, where no other one may stand.
    in_link: bool,
    /// First byte of the block at hand.
    base: u32,
    below: u8,
    /// Keeps the ids of footnotes of one text apart from another's.
    notes: usize,
}

impl Tree<'_> {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.node(node);
        }
    }

    fn within(&mut self, name: &str, nodes: &[Node]) {
        self.page.raw(&format!("<{name}>"));
        self.nodes(nodes);
        self.page.raw(&format!("</{name}>"));
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Heading { level, children } => {
                let level = (level + self.below).clamp(1, 6);
                self.within(&format!("h{level}"), children);
            }
            Node::Paragraph { children } => self.within("p", children),
            Node::List {
                start: None,
                children,
            } => self.within("ul", children),
            Node::List {
                start: Some(start),
                children,
            } => {
                self.page.raw("<ol");
                self.page.attribute("start", &start.to_string());
                self.page.raw(">");
                self.nodes(children);
                self.page.raw("</ol>");
            }
            Node::Item { checkbox, children } => {
                self.page.raw("<li>");
                if let Some(checkbox) = checkbox {
                    self.page.raw(if checkbox.checked { "☑ " } else { "☐ " });
                }
                self.nodes(children);
                self.page.raw("</li>");
            }
            Node::Quote { children } | Node::Alert { children, .. } => {
                self.within("blockquote", children);
            }
            Node::CodeBlock { lines, .. } => self.code_block(lines),
            Node::Table { align, children } => self.table(align, children),
            Node::Row { children, .. } => self.within("tr", children),
            Node::Cell { children } => self.within("td", children),
            Node::Rule => self.page.raw("<hr>"),
            Node::Footnote {
                number, children, ..
            } => {
                self.page.raw("<div class=\"footnote\"");
                let id = self.note(*number);
                self.page.attribute("id", &id);
                self.page.raw("><sup>");
                self.page.text(&number.to_string());
                self.page.raw("</sup>");
                self.nodes(children);
                self.page.raw("</div>");
            }
            Node::MathBlock { text, at, mathml } => self.formula(text, *at, mathml.as_ref(), true),
            Node::Math { text, at, mathml } => self.formula(text, *at, mathml.as_ref(), false),
            Node::FrontMatter { text, at } => {
                self.page.raw("<pre class=\"front-matter\">");
                self.atom(text, *at);
                self.page.raw("</pre>");
            }
            Node::Html { text, at } => {
                self.page.raw("<code>");
                self.words(text, *at, false);
                self.page.raw("</code>");
            }
            Node::Text { text, at, atom } => self.words(text, *at, *atom),
            Node::Emphasis { children, .. } => self.within("em", children),
            Node::Strong { children, .. } => self.within("strong", children),
            Node::Strike { children, .. } => self.within("s", children),
            Node::Code { text, at, atom } => {
                self.page.raw("<code>");
                self.words(text, *at, *atom);
                self.page.raw("</code>");
            }
            Node::Link { href, children, .. } => self.link(href, children),
            Node::Image { alt, at, .. } => {
                self.page.raw("<span class=\"image\">");
                self.atom(if alt.is_empty() { "image" } else { alt }, *at);
                self.page.raw("</span>");
            }
            Node::FootnoteRef { number, at, .. } => {
                let id = self.note(*number);
                self.page.raw("<sup><a");
                self.page.attribute("href", &format!("#{id}"));
                self.page.raw(">");
                let outer = std::mem::replace(&mut self.in_link, true);
                self.atom(&number.to_string(), *at);
                self.in_link = outer;
                self.page.raw("</a></sup>");
                self.pay();
            }
            Node::Break { hard: false, .. } => self.page.raw("\n"),
            Node::Break { hard: true, .. } => self.page.raw("<br>"),
        }
    }

    fn note(&self, number: u32) -> String {
        format!("note-{}-{number}", self.notes)
    }

    fn link(&mut self, href: &str, children: &[Node]) {
        let leads_out = LEADING_OUT.iter().any(|scheme| href.starts_with(scheme));
        if self.in_link || !leads_out {
            return self.nodes(children);
        }
        self.page.raw("<a rel=\"noreferrer\"");
        self.page.attribute("href", href);
        self.page.raw(">");
        self.in_link = true;
        self.nodes(children);
        self.in_link = false;
        self.page.raw("</a>");
        self.pay();
    }

    fn table(&mut self, align: &[Option<String>], rows: &[Node]) {
        self.page.raw("<table>\n");
        for row in rows {
            let Node::Row { header, children } = row else {
                continue;
            };
            let name = if *header { "th" } else { "td" };
            self.page.raw("<tr>");
            for (column, cell) in children.iter().enumerate() {
                let class = match align.get(column).and_then(Option::as_deref) {
                    Some("right") => " class=\"n\"",
                    Some("center") => " class=\"c\"",
                    _ => "",
                };
                self.page.raw(&format!("<{name}{class}>"));
                self.nodes(cell.children());
                self.page.raw(&format!("</{name}>"));
            }
            self.page.raw("</tr>\n");
        }
        self.page.raw("</table>");
    }

    fn code_block(&mut self, lines: &[Line]) {
        self.page.raw("<pre><code>");
        for line in lines {
            let mut at = line.at.start;
            for run in &line.runs {
                let end = at + u32::try_from(run.text.len()).unwrap_or(0);
                let class = run.class.as_deref().filter(|class| CLASSES.contains(class));
                if let Some(class) = class {
                    self.page.raw(&format!("<span class=\"tok-{class}\">"));
                }
                self.words(&run.text, Span { start: at, end }, false);
                if class.is_some() {
                    self.page.raw("</span>");
                }
                at = end;
            }
            self.page.raw("\n");
        }
        self.page.raw("</code></pre>");
    }

    fn formula(&mut self, text: &str, at: Span, mathml: Option<&MathMl>, is_block: bool) {
        let Some(mathml) = mathml else {
            self.page.raw("<code>");
            self.atom(text, at);
            return self.page.raw("</code>");
        };
        self.begin(at);
        self.page.raw(if is_block {
            "<math display=\"block\">"
        } else {
            "<math>"
        });
        self.mathml(mathml);
        self.page.raw("</math>");
        self.finish(self.base + at.end);
    }

    fn mathml(&mut self, element: &MathMl) {
        if !MATH_ELEMENTS.contains(&element.name.as_str()) {
            return;
        }
        self.page.raw(&format!("<{}", element.name));
        for (name, value) in &element.attributes {
            if MATH_ATTRIBUTES.contains(&name.as_str()) {
                self.page.attribute(name, value);
            }
        }
        self.page.raw(">");
        self.page.text(&element.text);
        for child in &element.children {
            self.mathml(child);
        }
        self.page.raw(&format!("</{}>", element.name));
    }

    /// Text that maps to its source as a whole.
    fn atom(&mut self, text: &str, at: Span) {
        self.words(text, at, true);
    }

    /// Text, cut where a mark begins or ends.
    fn words(&mut self, text: &str, at: Span, atom: bool) {
        self.begin(at);
        let start = self.base + at.start;
        let cuts = match atom {
            true => vec![text.len()],
            false => self.marks.cuts(text, start),
        };
        let mut from = 0;
        for cut in cuts {
            let after = |bytes: usize| start + u32::try_from(bytes).unwrap_or(0);
            let range = match atom {
                true => start..self.base + at.end,
                false => after(from)..after(cut),
            };
            let is_marked = self.marks.has(&range);
            self.page.raw(if is_marked { "<mark>" } else { "" });
            self.page.text(&text[from..cut]);
            self.page.raw(if is_marked { "</mark>" } else { "" });
            self.finish(range.end);
            from = cut;
        }
    }

    /// Puts up the ids of the marks that are met here first.
    fn begin(&mut self, at: Span) {
        for id in self
            .marks
            .begin(&(self.base + at.start..self.base + at.end))
        {
            self.page.raw("<span");
            self.page.attribute("id", id);
            self.page.raw("></span>");
        }
    }

    /// Puts up the numbers that belong behind this byte of the document.
    fn finish(&mut self, end: u32) {
        self.owed.extend(self.marks.end(end));
        if !self.in_link {
            self.pay();
        }
    }

    fn pay(&mut self) {
        for number in std::mem::take(&mut self.owed) {
            self.page.raw("<a class=\"number\"");
            self.page
                .attribute("href", &format!("#{}", thread_anchor(number)));
            self.page
                .attribute("aria-label", &format!("Comment {number}"));
            self.page.raw(">");
            self.page.text(&number.to_string());
            self.page.raw("</a>");
        }
    }
}
