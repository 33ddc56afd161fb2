//! The report on the open thread, in front of the page: to be read, and copied for whoever looks into it.

use crate::api;
use crate::browser::page;
use crate::icon::Icon;
use crate::model::use_model;
use crate::reactive::{State, on_change, on_mouse};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::ids::ThreadId;

#[component]
pub(super) fn DebugReport(thread: ThreadId, shown: State<bool>) -> impl IntoView {
    let model = use_model();
    let dialog = NodeRef::<html::Dialog>::new();
    let report = State::new(None::<String>);
    let asking = State::new(false);
    let said = State::new("");
    let fetch = {
        let thread = thread.clone();
        move |ask: bool| {
            let thread = thread.clone();
            spawn_local(async move {
                let answer = api::report(&thread, ask).await;
                asking.try_set(false);
                match answer {
                    Ok(text) => {
                        report.try_set(Some(text));
                    }
                    Err(failed) => model.failed(&failed),
                }
            });
        }
    };
    let looks = fetch.clone();
    on_change(move || {
        let Some(dialog) = dialog.get() else { return };
        if !dialog.open() {
            // Fails only outside a document.
            drop(dialog.show_modal());
            looks(false);
        }
    });
    let ask = move |_| {
        if !asking.get_untracked() {
            asking.set(true);
            said.set("Asking the agents. Their programs are started.");
            fetch(true);
        }
    };
    let copy = move |_| {
        let text = report.get_untracked().unwrap_or_default();
        spawn_local(async move {
            said.try_set(if page::copy(&text).await {
                "Copied."
            } else {
                "The browser does not let REX copy. Select the text and copy it."
            });
        });
    };
    let words = move || {
        let asking = asking.get();
        let said = said.get();
        if said.starts_with("Asking") && !asking {
            "Asked."
        } else {
            said
        }
    };
    view! {
        <dialog class="report" node_ref=dialog aria-labelledby="report-title" on:close=move |_| shown.set(false)>
            <header class="report__head">
                <h2 id="report-title">"Debug report"</h2>
                <button type="button" class="icon-btn" aria-label="Close" on:click=on_mouse(move |_| shown.set(false))>
                    <Icon name="close" />
                </button>
            </header>
            <p class="report__hint">
                "Identifiers and facts. No text of documents or messages is in it."
            </p>
            <pre class="report__text" tabindex="0" role="region" aria-label="The report">
                {move || report.get().unwrap_or_default()}
            </pre>
            <p class="report__acts">
                <span role="status">{words}</span>
                <button type="button" class="btn" aria-disabled=move || asking.get().to_string() on:click=on_mouse(ask)>
                    "Ask the agents"
                </button>
                <button type="button" class="btn btn--primary" on:click=on_mouse(copy)>
                    <Icon name="copy" />
                    "Copy"
                </button>
            </p>
        </dialog>
    }
}
