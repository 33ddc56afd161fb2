//! What links, images, footnotes and formulas of a document do.
//!
//! Nothing remote is fetched: an image of the workspace comes through the bridge, any other is shown as its words and
//! address. A link out of REX opens a tab of its own that knows nothing of this one.

use super::link::{Target, picture, target};
use super::reveal;
use super::sheet::Sheet;
use crate::api;
use crate::browser::blob::BlobAddress;
use crate::browser::formula;
use crate::browser::selection::IMAGE;
use crate::markdown_view::{Surroundings, node_views};
use crate::model::Model;
use crate::navigate;
use crate::reactive::State;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::{ev, html};
use rex_shared::document::{MathMl, Node};
use std::sync::Arc;

/// The surroundings of one document.
#[derive(Debug, Clone)]
pub(super) struct Around {
    /// The page.
    pub model: Model,
    /// The paper.
    pub sheet: Sheet,
    /// Workspace-relative path.
    pub document: String,
}

impl Surroundings for Around {
    fn link(&self, href: &str, children: &[Node]) -> AnyView {
        let children = node_views(children, self);
        let (model, sheet) = (self.model, self.sheet);
        match target(href, &self.document) {
            Target::Out(address) => html::a()
                .class("link-out")
                .target("_blank")
                .rel("noopener noreferrer")
                .title(address.clone())
                .href(address)
                .child(children)
                .into_any(),
            Target::Document(path, heading) => {
                let address = model
                    .address
                    .get_untracked()
                    .with_doc(Some(path.clone()))
                    .to_url();
                html::a()
                    .title(path.clone())
                    .href(address)
                    .on(ev::click, move |click| {
                        // A click with a modifier key opens another tab, as everywhere.
                        if click.ctrl_key() || click.meta_key() || click.shift_key() {
                            return;
                        }
                        click.prevent_default();
                        navigate::to_document(model, path.clone());
                        if let Some(heading) = &heading {
                            reveal::heading(sheet, heading);
                        }
                    })
                    .child(children)
                    .into_any()
            }
            Target::Heading(name) => inside(children, move || reveal::heading(sheet, &name)),
            Target::Nowhere => html::span()
                .class("link-none")
                .title("REX does not open this link.")
                .child(children)
                .into_any(),
        }
    }

    fn footnote(&self, label: &str, number: u32) -> AnyView {
        let (sheet, label) = (self.sheet, label.to_owned());
        let number = vec![number.to_string().into_any()];
        html::sup()
            .child(inside(number, move || reveal::footnote(sheet, &label)))
            .into_any()
    }

    fn image(&self, src: &str, alt: &str) -> AnyView {
        let image = match picture(src, &self.document) {
            Some(path) => view! { <Picture model=self.model path alt=alt.to_owned() /> }.into_any(),
            None => not_shown(alt, src),
        };
        html::span().class(IMAGE).child(image).into_any()
    }

    fn formula(&self, text: &str, elements: Option<&MathMl>, is_block: bool) -> AnyView {
        let class = if is_block { "math math--block" } else { "math" };
        let Some(elements) = elements.cloned() else {
            return html::code().class(class).child(text.to_owned()).into_any();
        };
        let into = NodeRef::<html::Span>::new();
        into.on_load(move |into| formula::draw(&elements, &into));
        html::span().class(class).node_ref(into).into_any()
    }
}

/// A link that stays in the document.
fn inside(children: Vec<AnyView>, go: impl Fn() + 'static) -> AnyView {
    html::a()
        .href("#")
        .on(ev::click, move |click| {
            click.prevent_default();
            go();
        })
        .child(children)
        .into_any()
}

/// An image's words and address, drawn by the style: they are no text of the document that could be selected.
fn not_shown(alt: &str, address: &str) -> AnyView {
    let words = if alt.is_empty() { "Image" } else { alt };
    let said = format!("{words} ({address})");
    html::span()
        .class("image-words")
        .role("img")
        .aria_label(format!("Not shown: {said}"))
        .attr("data-words", said)
        .into_any()
}

#[component]
fn Picture(model: Model, path: String, alt: String) -> impl IntoView {
    let address = State::<Option<Option<Arc<BlobAddress>>>>::new(None);
    let asked = path.clone();
    spawn_local(async move {
        let answer = api::bytes(model.ws().as_ref(), &asked).await;
        let shown = answer
            .ok()
            .filter(|(_, media_type)| media_type.starts_with("image/"))
            .and_then(|(bytes, media_type)| BlobAddress::of(&bytes, &media_type));
        // The block may be gone by now.
        address.try_set(Some(shown.map(Arc::new)));
    });
    move || match address.get() {
        None => html::span().class("image-words").into_any(),
        Some(None) => not_shown(&alt, &path),
        Some(Some(address)) => html::img()
            .src(address.as_str().to_owned())
            .alt(alt.clone())
            .into_any(),
    }
}
