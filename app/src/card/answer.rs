//! An agent's text: Markdown drawn block by block while it grows, with its evidence as links.
//!
//! However fast words come, the text is drawn at most once a frame; a tail that stays long, such as one endless code
//! block, is drawn less often the longer it is. Settled blocks keep their elements.

use super::evidence::{self, Piece};
use crate::markdown_view::{Surroundings, node_view, node_views};
use crate::model::{Model, use_model};
use crate::navigate;
use crate::reactive::{Derived, Each, SharedState, State, Stored, on_change_since, on_mouse};
use leptos::html;
use leptos::prelude::*;
use rex_shared::document::{Block, Node};
use rex_shared::settle::Settling;
use rex_shared::wire::document::FileNode;
use rex_shared::wire::message::Part;
use std::sync::Arc;
use std::time::Duration;

/// One millisecond of pause for so many bytes that are read again.
const BYTES_PER_MS: usize = 100;

/// A pause this short is left to the browser's frames.
const FRAME_MS: u64 = 16;

/// The text of one part; `growing` while its run goes on.
#[component]
pub(super) fn Answer(part: SharedState<Part>, growing: Derived<bool>) -> impl IntoView {
    let settling = Stored::new(Settling::default());
    let blocks = State::new(Vec::<Arc<Block>>::new());
    let waiting = Stored::new(false);
    let shown = part.clone();
    let draw = move |finished: bool| {
        // The card may have been closed since the frame was asked for.
        let Some(drawn) = settling.try_update_value(|settling| {
            shown.with_untracked(|part| {
                if let Part::Text { text, .. } = part {
                    settling.show(text, finished);
                }
            });
            settling.blocks().to_vec()
        }) else {
            return;
        };
        waiting.set_value(false);
        blocks.set(drawn);
    };
    on_change_since(move |before: Option<()>| {
        part.track();
        if before.is_none() || !growing.get() {
            draw(!growing.get_untracked());
        } else if !waiting.get_value() {
            waiting.set_value(true);
            let draw = draw.clone();
            let pause = pause_ms(settling.with_value(Settling::tail_len));
            if pause <= FRAME_MS {
                request_animation_frame(move || draw(false));
            } else {
                set_timeout(move || draw(false), Duration::from_millis(pause));
            }
        }
    });
    view! {
        <div class="turn__body prose" data-growing=move || growing.get().then_some("")>
            <Each
                each=move || blocks.get()
                key=|block| (block.start, block.block_id.clone())
                children=|block| view! { <AnswerBlock block /> }
            />
        </div>
    }
}

fn pause_ms(tail: usize) -> u64 {
    (tail / BYTES_PER_MS) as u64
}

#[component]
fn AnswerBlock(block: Arc<Block>) -> impl IntoView {
    let model = use_model();
    let documents = documents(model);
    move || {
        documents.with(|documents| {
            let around = Around {
                model,
                documents,
                in_link: false,
            };
            block.node.as_ref().map(|node| node_view(node, &around))
        })
    }
}

/// The paths of all documents, looked up once for all answers.
fn documents(model: Model) -> Derived<Vec<String>> {
    use_context::<Documents>().map_or_else(|| Documents::of(model).0, |known| known.0)
}

/// The paths of the workspace's documents, as a context of the card.
#[derive(Debug, Clone, Copy)]
pub(super) struct Documents(Derived<Vec<String>>);

impl Documents {
    /// Follows the model's file tree.
    pub(super) fn of(model: Model) -> Self {
        Self(Derived::new(move || {
            model.files.with(|files| {
                let mut paths = Vec::new();
                if let Some(files) = files {
                    collect(&files.entries, &mut paths);
                }
                paths
            })
        }))
    }
}

fn collect(entries: &[FileNode], paths: &mut Vec<String>) {
    for entry in entries {
        match &entry.children {
            Some(children) => collect(children, paths),
            None => paths.push(entry.path.clone()),
        }
    }
}

/// An answer's surroundings: headings below the turn's own, evidence as links, no image is fetched.
struct Around<'a> {
    model: Model,
    documents: &'a [String],
    /// Inside a link no words become another one.
    in_link: bool,
}

impl Surroundings for Around<'_> {
    fn words(&self, text: &str) -> AnyView {
        if self.in_link {
            return text.to_owned().into_any();
        }
        let pieces = evidence::pieces(text, self.documents);
        if let [] | [Piece::Text(_)] = pieces[..] {
            return text.to_owned().into_any();
        }
        pieces
            .into_iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.to_owned().into_any(),
                Piece::Evidence {
                    shown,
                    document,
                    line,
                } => evidence_link(self.model, shown.to_owned().into_any(), document, line),
            })
            .collect::<Vec<_>>()
            .into_any()
    }

    fn link(&self, href: &str, children: &[Node]) -> AnyView {
        let inside = Around {
            in_link: true,
            ..*self
        };
        let children = node_views(children, &inside);
        if let Some((document, line)) = evidence::address(href, self.documents) {
            return evidence_link(self.model, children.into_any(), document, line);
        }
        let leads_out = ["https://", "http://", "mailto:"]
            .iter()
            .any(|scheme| starts_with_scheme(href, scheme));
        if !leads_out {
            return children.into_any();
        }
        html::a()
            .href(href.to_owned())
            .target("_blank")
            .rel("noopener noreferrer")
            .class("out")
            .child(children)
            .into_any()
    }

    fn image(&self, src: &str, alt: &str) -> AnyView {
        let words = if alt.is_empty() { src } else { alt };
        html::span()
            .class("image-words")
            .child(format!("[image: {words}]"))
            .into_any()
    }

    /// One below the turn's own, whatever its author counted: no level is left out, and a turn is short.
    fn heading_level(&self, _: u8) -> u8 {
        4
    }
}

fn starts_with_scheme(href: &str, scheme: &str) -> bool {
    href.get(..scheme.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
}

fn evidence_link(model: Model, shown: AnyView, document: &str, line: u32) -> AnyView {
    let document = document.to_owned();
    let address = model
        .address
        .with_untracked(|at| at.clone().with_doc(Some(document.clone())).to_url());
    view! {
        <a
            class="ev"
            href=address
            title=format!("{document}, line {line}")
            on:click=on_mouse(move |event| {
                if !(event.ctrl_key() || event.meta_key() || event.shift_key()) {
                    event.prevent_default();
                    navigate::to_line(model, document.clone(), line);
                }
            })
        >
            {shown}
        </a>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usual_tail_is_drawn_every_frame_and_a_long_one_less_often() {
        assert!(pause_ms(800) <= FRAME_MS);
        assert_eq!(pause_ms(40_000), 400);
    }

    #[test]
    fn schemes_are_told_without_regard_to_case() {
        assert!(starts_with_scheme("HTTPS://example.com", "https://"));
        assert!(!starts_with_scheme("javascript:alert(1)", "http://"));
        assert!(!starts_with_scheme("é", "http://"));
    }
}
