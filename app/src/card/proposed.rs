//! What an act run proposes, at its turn: which documents, how much of it waits, and the way to look at it.

use crate::api;
use crate::icon::Icon;
use crate::model::{Compared, Model, use_model};
use crate::reactive::{on_change, on_mouse};
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::ids::{RunId, ThreadId};
use rex_shared::wire::message::Mode;
use rex_shared::wire::proposal::{HunkState, Proposal, ProposalState};

/// Asks for the thread's proposals, whenever a run of it ended that may have made one.
pub(super) fn follow(model: Model, thread: ThreadId) {
    on_change(move || {
        let acted = model.pane.messages.with(|rows| {
            let acted = |mode| mode == Mode::Act;
            rows.iter()
                .any(|row| row.header.with(|message| acted(message.mode)))
        });
        if !acted || model.pane.busy.get() {
            return;
        }
        let asked = thread.clone();
        spawn_local(async move {
            if let Ok(proposals) = api::proposals(&asked).await {
                let still = model
                    .open_thread
                    .with_untracked(|open| open.as_ref() == Some(&asked));
                if still {
                    model.pane.proposals.set(proposals);
                }
            }
        });
    });
}

/// The proposal of a run, if it made one.
#[component]
pub(super) fn Proposed(run: RunId) -> impl IntoView {
    let model = use_model();
    move || {
        let proposals = model.pane.proposals.get();
        let proposal = proposals
            .into_iter()
            .find(|proposal| proposal.run_id == run)?;
        let first = proposal.files.first()?.document.clone();
        let (what, state) = (what(&proposal), state(&proposal));
        let at = Compared {
            proposal: proposal.proposal_id,
            document: first,
        };
        Some(view! {
            <div class="proposed" role="group" aria-label="Proposal">
                <Icon name="pencil" />
                <span><b>{what}</b> {state}</span>
                <button
                    type="button"
                    class="btn btn--sm"
                    on:click=on_mouse(move |_| model.compared.set(Some(at.clone())))
                >
                    "Review changes"
                </button>
            </div>
        })
    }
}

fn what(proposal: &Proposal) -> String {
    let hunks: usize = proposal.files.iter().map(|file| file.hunks.len()).sum();
    let changes = if hunks == 1 { "change" } else { "changes" };
    let names: Vec<&str> = proposal
        .files
        .iter()
        .map(|file| file.document.as_str())
        .collect();
    match names.as_slice() {
        [one] => format!("{hunks} {changes} in {one}"),
        [one, other] => format!("{hunks} {changes} in {one} and {other}"),
        more => format!("{hunks} {changes} in {} documents", more.len()),
    }
}

fn state(proposal: &Proposal) -> String {
    let hunks = proposal.files.iter().flat_map(|file| &file.hunks);
    let count = |state| hunks.clone().filter(|hunk| hunk.state == state).count();
    match proposal.state {
        ProposalState::Open => format!("{} open", count(HunkState::Open)),
        ProposalState::Accepted => format!(
            "{} accepted, {} rejected",
            count(HunkState::Accepted),
            count(HunkState::Rejected)
        ),
        ProposalState::Rejected => "rejected".to_owned(),
        ProposalState::Superseded => "a newer proposal stands in for it".to_owned(),
    }
}
