//! Anchor health: what a change of a document did to the passages in it, and what becomes of those that lost theirs.
//!
//! Nothing is applied by itself. A passage that lost its text is shown as it was, in its surroundings, with the text it
//! may belong to. Only "Yes, here" and a selection of the person's own make a new place, and Undo takes it away again;
//! what they say to be gone is not asked about any more. Deliberately absent: how an outcome is found, which is the
//! bridge's.

#![expect(
    unreachable_pub,
    reason = "the component macro writes a public builder for every component"
)]

mod acts;
mod dialog;
mod diff;
mod fate;
mod lost;
mod report;
mod words;

pub(crate) use acts::{press, put_on};
pub(crate) use diff::diff;
pub(crate) use lost::{Lost, LostPlace};
pub(crate) use words::kind_word;

use crate::model::use_model;
use crate::reactive::redrawn;
use leptos::prelude::*;

/// The dialog with the changes of the document on the paper.
pub(crate) fn draw() -> AnyView {
    view! { <dialog::Changes /> }.into_any()
}

/// What the newest change of the document on the paper did.
pub(crate) fn draw_last() -> AnyView {
    let model = use_model();
    let said = move || {
        model.document.last_change.with(|change| {
            let change = change.as_ref()?;
            Some(words::outcomes(&change.outcomes))
        })
    };
    view! { <span role="status">{redrawn(said)}</span> }.into_any()
}
