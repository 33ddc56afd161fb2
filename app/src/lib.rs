//! The page of REX: a Leptos app, compiled to WebAssembly, that talks to one bridge on the person's machine.
//!
//! State lives in [`model`], a context of signals that only changes by what the bridge said or the person did; the
//! rules that change it are pure and tested on the host. [`api`] asks, [`follow`] listens, the panes read the model.
//! Deliberately absent: a router (there is one path, its rules are `rex_shared::address`), any HTML string, and web-sys
//! outside [`browser`].

#![warn(missing_docs)]
#![expect(
    unreachable_pub,
    reason = "the component macro writes `pub` also where a component is private"
)]

pub mod api;
pub mod browser;
pub mod card;
pub mod compare;
pub mod follow;
pub mod gateways;
pub mod health;
pub mod icon;
pub mod lazy;
pub mod load;
pub mod markdown_view;
pub mod model;
pub mod navigate;
pub mod paper;
pub mod rail;
pub mod reactive;
pub mod send;
pub mod shell;
mod sorted;

use wasm_bindgen::prelude::wasm_bindgen;

/// Starts the page; the shell's boot script calls it by loading the module.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(shell::App);
}
