//! Gateways: the dialog in which named model endpoints are made, changed and deleted.
//!
//! A key is never typed here, only where it stands. What may be written is decided by the rules of
//! [`rex_shared::endpoint`], which the bridge applies again. Deliberately absent: the built-in gateway, which is every
//! agent's own sign-in and cannot be changed.

#![expect(
    unreachable_pub,
    reason = "the component macro writes a public builder for every component"
)]

mod acts;
mod dialog;
mod draft;
mod form;
mod list;

use leptos::prelude::*;

/// The dialog.
pub(crate) fn draw() -> AnyView {
    view! { <dialog::Gateways /> }.into_any()
}
