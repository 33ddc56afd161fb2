//! What the keyboard and the bar do.

use super::keys::{Act, neighbour};
use crate::browser::{focus, page, storage};
use crate::lazy;
use crate::model::Model;
use crate::navigate;
use crate::rail::tree::paths;
use crate::reactive::State;
use leptos::prelude::*;
use rex_shared::wire::thread::ThreadStatus;

/// Below this the rail is a drawer over the paper; the same width as in `layout.css`.
const NARROW: &str = "(width < 68.75rem)";

/// Does it. `false` when there was nothing to do, so that the key stays the browser's.
pub(super) fn run(model: Model, keys_shown: State<bool>, act: Act) -> bool {
    match act {
        Act::ToggleRail => {
            toggle_rail(model);
            true
        }
        Act::ShowKeys => {
            keys_shown.set(true);
            true
        }
        Act::ShowChanges => show_changes(model),
        Act::NextComment => step_comment(model, true),
        Act::PreviousComment => step_comment(model, false),
        Act::NextDocument => step_document(model, true),
        Act::PreviousDocument => step_document(model, false),
        Act::Reply => reply(model),
        Act::Resolve => resolve(model),
        Act::Back => back(model),
    }
}

/// Folds or unfolds the rail; on a narrow screen opens or closes it as a drawer.
pub(super) fn toggle_rail(model: Model) {
    if page::matches(NARROW) {
        let open = !model.drawer_is_open.get_untracked();
        model.drawer_is_open.set(open);
        if open {
            request_focus(".rail [role=tab][aria-selected=true]");
        } else {
            focus::to_id("rail-toggle");
        }
    } else {
        let slim = !model.rail_is_slim.get_untracked();
        model.rail_is_slim.set(slim);
        storage::set_rail_is_slim(slim);
    }
}

/// Shows the rail, wherever it is hidden.
pub(crate) fn show_rail(model: Model) {
    let is_hidden = if page::matches(NARROW) {
        !model.drawer_is_open.get_untracked()
    } else {
        model.rail_is_slim.get_untracked()
    };
    if is_hidden {
        toggle_rail(model);
    }
}

/// Focuses what a selector finds once the change that shows it is drawn.
fn request_focus(selector: &'static str) {
    request_animation_frame(move || focus::to_first(selector));
}

fn show_changes(model: Model) -> bool {
    let has_document = model.document.path.with_untracked(Option::is_some);
    if has_document {
        model.document.changes_shown.set(true);
    }
    has_document
}

fn step_comment(model: Model, forward: bool) -> bool {
    let shown = untrack(|| model.rail.shown(&[], false));
    let open = model.open_thread.get_untracked();
    let next = neighbour(&shown, open.as_ref(), forward);
    let row = next.and_then(|next| untrack(|| model.rail.row(next)));
    let Some(row) = row else { return false };
    navigate::to_comment(model, &row.get_untracked());
    true
}

fn step_document(model: Model, forward: bool) -> bool {
    let all = model
        .files
        .with_untracked(|files| files.as_ref().map(paths).unwrap_or_default());
    let open = model.document.path.get_untracked();
    let Some(next) = neighbour(&all, open.as_ref(), forward) else {
        return false;
    };
    navigate::to_document(model, next.clone());
    true
}

fn reply(model: Model) -> bool {
    let is_open = model.open_thread.with_untracked(Option::is_some);
    if is_open {
        focus::to_first(".card .composer textarea");
    }
    is_open
}

/// A comment that is not stored yet has no status to change.
fn resolve(model: Model) -> bool {
    let Some(open) = model.open_thread.get_untracked() else {
        return false;
    };
    let Some(row) = untrack(|| model.rail.row(&open)) else {
        return false;
    };
    let other = match row.with_untracked(|row| row.status) {
        ThreadStatus::Open => ThreadStatus::Resolved,
        ThreadStatus::Resolved => ThreadStatus::Open,
    };
    lazy::with_thread(model, move |code| (code.set_status)(model, open, other));
    true
}

fn back(model: Model) -> bool {
    if model.drawer_is_open.get_untracked() {
        toggle_rail(model);
        return true;
    }
    if model.compared.with_untracked(Option::is_some) {
        model.compared.set(None);
        return true;
    }
    // An open tray takes Escape itself: clearing picks has an undo of its own.
    if model.tray.with_untracked(Option::is_some) {
        return false;
    }
    let is_open = model.open_thread.with_untracked(Option::is_some);
    if is_open {
        navigate::close_thread(model);
    }
    is_open
}
