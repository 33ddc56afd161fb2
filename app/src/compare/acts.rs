//! The person's yes or no.

use super::shown::Shown;
use super::words;
use crate::api::{self, Failed};
use crate::browser::ids;
use crate::navigate;
use leptos::task::spawn_local;
use rex_shared::ids::HunkId;
use rex_shared::json::from_json;
use rex_shared::wire::place::{NewPlace, PlaceKind};
use rex_shared::wire::problem::ProblemType;
use rex_shared::wire::proposal::{Accept, AcceptHunk, ConflictSides, HunkState, Reject};
use rex_shared::wire::thread::{NewThread, Undo};

/// Writes one piece, with other words where the person wrote some.
pub(super) fn accept(shown: Shown, hunk_id: HunkId, text: Option<String>) {
    send(shown, vec![AcceptHunk { hunk_id, text }]);
}

/// Writes all pieces of the document that wait.
pub(super) fn accept_all(shown: Shown) {
    let all = shown.waits().map(|hunk_id| AcceptHunk {
        hunk_id,
        text: None,
    });
    send(shown, all.collect());
}

fn send(shown: Shown, hunks: Vec<AcceptHunk>) {
    let Some(file) = untracked(shown) else { return };
    let Some(first) = hunks.first().map(|hunk| hunk.hunk_id.clone()) else {
        return;
    };
    if shown.acting.get_value() {
        return;
    }
    shown.acting.set_value(true);
    let accept = Accept {
        hunks,
        base: file.base,
    };
    spawn_local(async move {
        let Some(at) = shown.model.compared.get_untracked() else {
            return;
        };
        let answer = api::accept(&at.proposal, &accept).await;
        shown.acting.try_set_value(false);
        match answer {
            Ok(changed) => {
                shown.conflict.set(None);
                shown.edited.set(None);
                shown.take(changed.proposal);
                if let Some(undo_id) = changed.undo_id {
                    let said = words::written(&changed.written);
                    shown.model.notices.say_with_undo(said, Undo { undo_id });
                }
                next(shown);
            }
            Err(Failed::Problem(problem)) if problem.kind == ProblemType::Conflict => {
                let sides = problem.facts.get("conflicts").map(ToString::to_string);
                let sides: Vec<ConflictSides> = sides
                    .and_then(|sides| from_json(&sides).ok())
                    .unwrap_or_default();
                shown.conflict.set(Some((first, sides)));
            }
            Err(failed) => shown.model.failed(&failed),
        }
    });
}

/// Turns one piece down.
pub(super) fn reject(shown: Shown, hunk: HunkId) {
    turn_down(shown, vec![hunk]);
}

/// Turns down all pieces of the document that wait.
pub(super) fn reject_all(shown: Shown) {
    turn_down(shown, shown.waits().collect());
}

fn turn_down(shown: Shown, hunks: Vec<HunkId>) {
    let Some(at) = shown.model.compared.get_untracked() else {
        return;
    };
    spawn_local(async move {
        let reject = Reject { hunks: Some(hunks) };
        match api::reject(&at.proposal, &reject).await {
            Ok(changed) => {
                shown.conflict.set(None);
                shown.take(changed.proposal);
                next(shown);
            }
            Err(failed) => shown.model.failed(&failed),
        }
    });
}

/// Makes the next piece that waits the current one.
fn next(shown: Shown) {
    let waits = leptos::prelude::untrack(|| shown.waits().next());
    if waits.is_some() {
        shown.current.set(waits);
    }
}

/// Begins a comment on one side of a piece: the old words or the new ones.
pub(super) fn comment(shown: Shown, hunk: &HunkId, on_new: bool, text: &str) {
    let Some(file) = untracked(shown) else { return };
    let Some(piece) = file.hunks.iter().find(|piece| piece.hunk_id == *hunk) else {
        return;
    };
    let made = file.base.is_none() || file.version.is_none();
    let (version, start) = match on_new {
        true => (file.version.clone(), piece.new_start),
        false => (file.base.clone(), piece.old_start),
    };
    let quote = text.trim_end_matches(['\n', '\r']);
    let (Some(version), false) = (version, quote.trim().is_empty()) else {
        return;
    };
    let start = if made { 0 } else { start };
    let document = match (on_new, &file.renamed_from) {
        (false, Some(old)) => old.clone(),
        _ => file.document.clone(),
    };
    let place = NewPlace {
        place_id: ids::place_id(),
        document,
        kind: PlaceKind::Text,
        start,
        end: start + u32::try_from(quote.len()).unwrap_or_default(),
        version,
        quote: quote.to_owned(),
    };
    let model = shown.model;
    let thread = NewThread {
        thread_id: ids::thread_id(),
        ws: model.ws(),
        note: None,
        places: vec![place],
        is_note: false,
    };
    spawn_local(async move {
        match api::make_thread(&thread).await {
            Ok(_) => navigate::to_thread(model, thread.thread_id.clone()),
            Err(failed) => model.failed(&failed),
        }
    });
}

/// Whether a piece can be accepted: it waits, or was turned down.
pub(super) fn can_accept(state: HunkState) -> bool {
    state != HunkState::Accepted
}

fn untracked(shown: Shown) -> Option<rex_shared::wire::proposal::ProposalFile> {
    leptos::prelude::untrack(|| shown.file())
}
