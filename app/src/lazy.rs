//! Code that a browser loads when it is first needed, so that a document is on screen sooner.
//!
//! The page is cut in four: what every visit needs; [`ThreadCode`], from the first passage picked or comment opened;
//! [`AsideCode`], for a browser that is not let in yet or has no document open, for the list of files and for the
//! gateways; [`CompareCode`], from the first proposal that is looked at. A piece is a
//! table of functions, which is the whole seam: what only they reach is not in the first module. A piece that could not
//! be loaded is said, and asked for again when it is wanted again or the connection is back.

use crate::api::Failed;
use crate::browser::selection::ImageAt;
use crate::model::{Applied, Connection, Model, use_model};
use crate::paper::Hand;
use crate::reactive::{Derived, State, on_change};
use crate::{card, compare, gateways, health, load, navigate, paper, rail, send, shell};
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::ids::ThreadId;
use rex_shared::wire::thread::ThreadStatus;
use std::pin::Pin;
use wasm_split_helpers::{SplitLoaderError, wasm_split};

/// Draws a view under the current owner.
pub type Draw = fn() -> AnyView;

/// What a comment needs: the tray that makes one, its card, and its frames.
#[derive(Debug, Clone, Copy)]
pub struct ThreadCode {
    /// The card of the open thread.
    pub card: Draw,
    /// The tray at the foot of the paper.
    pub tray: Draw,
    /// What the paper needs for a selection or a comment.
    pub on_paper: Draw,
    /// The dialog with the changes of a document.
    pub changes: Draw,
    /// The question before a send that would not be enforced.
    pub question: Draw,
    /// Asks the bridge for a thread and its stored messages.
    pub load: fn(Model, ThreadId),
    /// Takes a frame of the open thread: its event and data.
    pub take: fn(Model, &str, &str) -> Applied,
    /// Makes of a selection on the paper what it means.
    pub settle: fn(Hand),
    /// What a click on an image of the paper does, and where it was made.
    pub click_image: fn(Hand, &ImageAt, i32, i32),
    /// Goes on under a document's new path: the model, the old path, the new one.
    pub renamed: fn(Model, &str, &str),
    /// What the newest change did, beside the button that opens the changes.
    pub last_change: Draw,
    /// Resolves a thread or opens it again.
    pub set_status: fn(Model, ThreadId, ThreadStatus),
}

/// What most visits do without.
#[derive(Debug, Clone, Copy)]
pub struct AsideCode {
    /// The page of a browser that is not known.
    pub sign_in: Draw,
    /// Documents to open, agents to ask.
    pub first_run: Draw,
    /// The tree of files.
    pub files: Draw,
    /// What a missing document may have become.
    pub renames: Draw,
    /// The list of keys.
    pub keys: Draw,
    /// The dialog with the gateways.
    pub gateways: Draw,
}

#[wasm_split(thread, fallible)]
fn thread_code() -> Result<ThreadCode, SplitLoaderError> {
    Ok(ThreadCode {
        card: card::draw,
        tray: paper::draw_tray,
        on_paper: paper::draw_on_paper,
        changes: health::draw,
        question: send::draw_question,
        load: load::thread,
        take: Model::take_event,
        settle: Hand::settle,
        click_image: Hand::click_image,
        renamed: navigate::renamed,
        last_change: health::draw_last,
        set_status: card::set_status,
    })
}

/// A proposal beside its document.
#[derive(Debug, Clone, Copy)]
pub struct CompareCode {
    /// Stands in the place of the paper.
    pub compare: Draw,
}

#[wasm_split(compare, fallible)]
fn compare_code() -> Result<CompareCode, SplitLoaderError> {
    Ok(CompareCode {
        compare: compare::draw,
    })
}

#[wasm_split(aside, fallible)]
fn aside_code() -> Result<AsideCode, SplitLoaderError> {
    Ok(AsideCode {
        sign_in: shell::draw_sign_in,
        first_run: shell::draw_first_run,
        files: rail::draw_files,
        renames: rail::draw_renames,
        keys: shell::draw_keys,
        gateways: gateways::draw,
    })
}

/// What a comment needs, once it is loaded.
pub async fn thread() -> Result<ThreadCode, Failed> {
    thread_code().await.map_err(|_| Failed::NotConnected)
}

/// Does something with what a comment needs, at once where that is loaded already.
pub fn with_thread(model: Model, act: impl FnOnce(ThreadCode) + 'static) {
    spawn_local(async move {
        match thread().await {
            Ok(code) => act(code),
            Err(_) => say(model),
        }
    });
}

fn say(model: Model) {
    model
        .notices
        .say("A piece of this page could not be loaded. Nothing is lost; REX tries again when it is connected.");
}

type Loading = Pin<Box<dyn Future<Output = Option<Draw>>>>;

/// A view of [`ThreadCode`], from when it is first wanted.
pub fn of_thread(wanted: Derived<bool>, view: fn(&ThreadCode) -> Draw) -> AnyView {
    later(
        wanted,
        Box::new(move || Box::pin(async move { thread().await.ok().map(|code| view(&code)) })),
    )
}

/// A view of [`AsideCode`], from when it is first wanted.
pub fn of_aside(wanted: Derived<bool>, view: fn(&AsideCode) -> Draw) -> AnyView {
    later(
        wanted,
        Box::new(move || Box::pin(async move { aside_code().await.ok().map(|code| view(&code)) })),
    )
}

/// The proposal that is looked at.
pub fn of_compare() -> AnyView {
    later(
        always(),
        Box::new(|| Box::pin(async { compare_code().await.ok().map(|code| code.compare) })),
    )
}

/// For a view that is wanted wherever it stands.
pub fn always() -> Derived<bool> {
    Derived::new(|| true)
}

fn later(wanted: Derived<bool>, load: Box<dyn Fn() -> Loading>) -> AnyView {
    let model = use_model();
    let loaded = State::<Option<Draw>>::new(None);
    on_change(move || {
        let connection = model.connection.get();
        if !wanted.get() || loaded.get_untracked().is_some() {
            return;
        }
        let loading = load();
        spawn_local(async move {
            match loading.await {
                // It may have been loaded twice, or its place be gone.
                Some(draw) if loaded.try_get_untracked() == Some(None) => loaded.set(Some(draw)),
                Some(_) => {}
                None if connection == Connection::NotConnected => {}
                None => say(model),
            }
        });
    });
    (move || loaded.get().map(|draw| draw())).into_any()
}
