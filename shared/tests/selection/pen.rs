//! Writes a document and its tree at once, each text with the place it was put.

use rex_shared::document::reading::Readable;
use rex_shared::document::{Block, Line, Node, Run, Span};

/// Something written in a paragraph.
#[derive(Debug, Clone)]
pub(crate) enum Ink {
    Text(String),
    Strong(Vec<Self>),
    Link(Vec<Self>),
    Code(String),
    Entity,
    Escape,
    Soft,
    Hard,
    Footnote,
    Math,
    Image,
}

/// Something written on its own lines.
#[derive(Debug, Clone)]
pub(crate) enum Written {
    Paragraph(Vec<Ink>),
    Quote(Vec<Ink>),
    List(Vec<Vec<Ink>>),
    Table(Vec<Vec<Ink>>),
    Code(Vec<String>),
    Rule,
}

/// Writes source and tree at once.
#[derive(Default)]
struct Pen {
    source: String,
    soft: &'static str,
}

impl Pen {
    fn put(&mut self, text: &str) -> Span {
        let start = self.source.len() as u32;
        self.source.push_str(text);
        Span::from((start, self.source.len() as u32))
    }

    fn inlines(&mut self, inks: &[Ink]) -> Vec<Node> {
        inks.iter().map(|ink| self.inline(ink)).collect()
    }

    fn around(&mut self, open: &str, inks: &[Ink], close: &str) -> (Span, Vec<Node>) {
        let start = self.put(open).start;
        let children = self.inlines(inks);
        (Span::from((start, self.put(close).end)), children)
    }

    fn inline(&mut self, ink: &Ink) -> Node {
        match ink {
            Ink::Text(text) => Node::Text {
                at: self.put(text),
                text: text.clone(),
                atom: false,
            },
            Ink::Strong(inks) => {
                let (at, children) = self.around("**", inks, "**");
                Node::Strong { at, children }
            }
            Ink::Link(inks) => {
                let (at, children) = self.around("[", inks, "](api.md)");
                let href = "api.md".to_owned();
                Node::Link { href, at, children }
            }
            Ink::Code(text) => {
                self.put("`` ");
                let at = self.put(text);
                self.put(" ``");
                Node::Code {
                    text: text.clone(),
                    at,
                    atom: false,
                }
            }
            Ink::Entity => Node::Text {
                text: "&".to_owned(),
                at: self.put("&amp;"),
                atom: true,
            },
            Ink::Escape => {
                self.put("\\");
                Node::Text {
                    text: "*".to_owned(),
                    at: self.put("*"),
                    atom: false,
                }
            }
            Ink::Soft => Node::Break {
                hard: false,
                at: {
                    let soft = self.soft;
                    self.put(soft)
                },
            },
            Ink::Hard => Node::Break {
                hard: true,
                at: self.put("  \n"),
            },
            Ink::Footnote => Node::FootnoteRef {
                label: "why".to_owned(),
                number: 12,
                at: self.put("[^why]"),
            },
            Ink::Math => Node::Math {
                text: "x^2".to_owned(),
                at: self.put("$x^2$"),
                mathml: None,
            },
            Ink::Image => Node::Image {
                src: "a.png".to_owned(),
                alt: "a".to_owned(),
                at: self.put("![a](a.png)"),
            },
        }
    }

    fn write(&mut self, written: &Written) -> Node {
        self.soft = "\n";
        match written {
            Written::Paragraph(inks) => Node::Paragraph {
                children: self.inlines(inks),
            },
            Written::Quote(inks) => {
                self.put("> ");
                self.soft = "\n> ";
                Node::Quote {
                    children: vec![Node::Paragraph {
                        children: self.inlines(inks),
                    }],
                }
            }
            Written::List(items) => Node::List {
                start: None,
                children: items
                    .iter()
                    .map(|inks| {
                        self.put("- ");
                        let children = self.inlines(inks);
                        self.put("\n");
                        Node::Item {
                            checkbox: None,
                            children,
                        }
                    })
                    .collect(),
            },
            Written::Table(cells) => Node::Table {
                align: vec![None; cells.len()],
                children: vec![Node::Row {
                    header: true,
                    children: cells
                        .iter()
                        .map(|inks| {
                            self.put("| ");
                            let children = self.inlines(inks);
                            self.put(" ");
                            Node::Cell { children }
                        })
                        .collect(),
                }],
            },
            Written::Code(lines) => {
                self.put("```\r\n");
                let lines = lines
                    .iter()
                    .map(|text| {
                        let at = self.put(text);
                        self.put("\r\n");
                        let runs = vec![Run {
                            text: text.clone(),
                            class: None,
                        }];
                        Line { at, runs }
                    })
                    .collect();
                self.put("```");
                Node::CodeBlock {
                    language: None,
                    lines,
                }
            }
            Written::Rule => {
                self.put("---");
                Node::Rule
            }
        }
    }
}

/// The blocks of a document that consists of `written`.
pub(crate) fn document(written: &[Written]) -> Vec<Readable> {
    let mut start = 0;
    written
        .iter()
        .filter_map(|written| {
            let mut pen = Pen::default();
            let node = pen.write(written);
            pen.put("\n\n[api]: api.md\n");
            let end = start + pen.source.len() as u32;
            let block = Block {
                block_id: String::new(),
                start,
                end,
                source: Some(pen.source),
                node: Some(node),
            };
            start = end;
            Readable::new(block, |_| None)
        })
        .collect()
}
