//! The comparison's keys: N and P go through its pieces, Y accepts, X rejects, E changes the words first.

use super::acts;
use super::shown::Shown;
use crate::browser::focus;
use crate::browser::keys::{KeyPress, pressed};
use leptos::prelude::*;
use rex_shared::ids::HunkId;
use rex_shared::wire::proposal::HunkState;

/// Takes a key that is pressed in the comparison.
pub(super) fn press(shown: Shown, event: &leptos::ev::KeyboardEvent) {
    let key = pressed(event);
    if untrack(|| taken(shown, &key)) {
        event.prevent_default();
        event.stop_propagation();
    }
}

fn taken(shown: Shown, key: &KeyPress) -> bool {
    if key.modifier || key.alt || key.composing || !key.letters_act {
        return false;
    }
    let hunks: Vec<HunkId> = shown
        .file()
        .map(|file| file.hunks.into_iter().map(|hunk| hunk.hunk_id).collect())
        .unwrap_or_default();
    let current = shown.current.get_untracked();
    let at = current
        .as_ref()
        .and_then(|id| hunks.iter().position(|hunk| hunk == id));
    let go = |to: Option<&HunkId>| {
        if let Some(id) = to {
            shown.current.set(Some(id.clone()));
            focus::to_id(&element(id));
        }
        true
    };
    match key.key.as_str() {
        "n" | "N" => go(at.map_or(hunks.first(), |at| hunks.get(at + 1))),
        "p" | "P" => go(at.map_or(hunks.last(), |at| hunks.get(at.checked_sub(1)?))),
        letter => {
            let Some(hunk) = current.and_then(|id| shown.hunk(&id)) else {
                return false;
            };
            match letter {
                "y" | "Y" if acts::can_accept(hunk.state) => {
                    acts::accept(shown, hunk.hunk_id, None);
                }
                "x" | "X" if hunk.state == HunkState::Open => acts::reject(shown, hunk.hunk_id),
                "e" | "E" if acts::can_accept(hunk.state) => shown.edited.set(Some(hunk.hunk_id)),
                _ => return false,
            }
            true
        }
    }
}

/// The element of a piece.
pub(super) fn element(hunk: &HunkId) -> String {
    format!("hunk-{hunk}")
}
