//! Where the person and the proposal changed the same lines: both sides, and what can be done.

use super::acts;
use super::shown::Shown;
use crate::icon::Icon;
use crate::reactive::{on_mouse, redrawn};
use leptos::prelude::*;
use rex_shared::ids::HunkId;

#[component]
pub(super) fn Conflict(shown: Shown, hunk_id: HunkId) -> impl IntoView {
    let told = move || {
        let sides = shown.conflict.with(|conflict| {
            let (id, sides) = conflict.as_ref()?;
            (*id == hunk_id).then(|| sides.clone())
        })?;
        let mine = hunk_id.clone();
        let rows = sides.into_iter().map(|side| {
            view! {
                <li>
                    <p>{format!("{}, line {}", side.document, side.line)}</p>
                    <div class="pair">
                        <div class="side"><b>"Yours"</b><p class="side__text">{side.yours}</p></div>
                        <div class="side"><b>"Proposed"</b><p class="side__text">{side.proposed}</p></div>
                    </div>
                </li>
            }
        });
        Some(view! {
            <div class="conflict" role="alert">
                <p class="conflict__head">
                    <Icon name="alert" />
                    "You changed the same lines since. Nothing was written."
                </p>
                <ul>{rows.collect_view()}</ul>
                <p class="conflict__act">
                    <span>"Keep yours, or ask for a new proposal: it starts from your text."</span>
                    <button type="button" class="btn btn--sm" on:click=on_mouse(move |_| acts::reject(shown, mine.clone()))>
                        "Keep mine"
                    </button>
                </p>
            </div>
        })
    };
    redrawn(told)
}
