//! What stands above the text: whose proposal it is, which sides are shown, and the list of its documents.

use super::shown::Shown;
use super::{Panes, words};
use crate::icon::Icon;
use crate::model::Compared;
use crate::reactive::{Each, State, on_mouse, redrawn};
use leptos::prelude::*;
use rex_shared::wire::proposal::{HunkState, ProposalFile};

#[component]
pub(super) fn Head(shown: Shown, panes: State<Panes>) -> impl IntoView {
    let state = move || {
        shown
            .proposal
            .with(|proposal| proposal.as_ref().map(words::state))
    };
    let choices = [
        (Panes::Original, "Original"),
        (Panes::Both, "Both"),
        (Panes::New, "New"),
    ];
    let choices = choices.map(|(choice, word)| {
        view! {
            <label class="seg__opt">
                <input
                    type="radio"
                    name="panes"
                    prop:checked=move || panes.get() == choice
                    on:change=move |_| panes.set(choice)
                />
                {word}
            </label>
        }
    });
    view! {
        <header class="both__head">
            <strong>"Proposal"</strong>
            <span class="both__state">{redrawn(state)}</span>
            <fieldset class="seg"><legend class="vh">"Which version to show"</legend>{choices.into_iter().collect_view()}</fieldset>
            <button
                type="button"
                class="icon-btn"
                aria-label="Close the proposal (Esc)"
                on:click=on_mouse(move |_| shown.model.compared.set(None))
            >
                <Icon name="close" />
            </button>
        </header>
    }
}

/// The documents of the proposal, each with its tick for having been looked through.
#[component]
pub(super) fn Files(shown: Shown) -> impl IntoView {
    let files = move || {
        shown.proposal.with(|proposal| {
            proposal
                .as_ref()
                .map_or_else(Vec::new, |proposal| proposal.files.clone())
        })
    };
    view! {
        <nav class="both__files" aria-label="Documents of this proposal">
            <ul>
                <Each each=files key=|file| (file.document.clone(), open(file)) let:file>
                    <File shown file />
                </Each>
            </ul>
        </nav>
    }
}

fn open(file: &ProposalFile) -> usize {
    file.hunks
        .iter()
        .filter(|hunk| hunk.state == HunkState::Open)
        .count()
}

#[component]
fn File(shown: Shown, file: ProposalFile) -> impl IntoView {
    let model = shown.model;
    let (left, all) = (open(&file), file.hunks.len());
    let document = file.document;
    let (chosen, seen, tick) = (document.clone(), document.clone(), document.clone());
    let is_here = move || {
        let here = model
            .compared
            .with(|at| at.as_ref().is_some_and(|at| at.document == chosen));
        here.then_some("true")
    };
    let is_viewed = move || shown.viewed.with(|viewed| viewed.contains(&seen));
    let shows = document.clone();
    let go = move |_| {
        if let Some(at) = model.compared.get_untracked() {
            model.compared.set(Some(Compared {
                document: shows.clone(),
                ..at
            }));
        }
    };
    view! {
        <li class="both__file">
            <button type="button" aria-current=redrawn(is_here) on:click=on_mouse(go)>
                <Icon name="file" small=true />
                <span>{document.clone()}</span>
                <span class="num">{format!("{left} of {all} open")}</span>
            </button>
            <label>
                <input
                    type="checkbox"
                    prop:checked=is_viewed
                    on:change=move |event| shown.view(&tick, event_target_checked(&event))
                />
                "Viewed"
            </label>
        </li>
    }
}
