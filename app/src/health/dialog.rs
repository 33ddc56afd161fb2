//! The dialog: the changes of the document that are kept, newest first, and the report of the one chosen.

use super::acts;
use super::report::Report;
use super::words::outcomes;
use crate::api;
use crate::browser::keys::pressed;
use crate::browser::{clock, storage};
use crate::icon::Icon;
use crate::model::{Model, use_model};
use crate::reactive::{State, Stored, on_change, on_key, on_mouse, redrawn};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::ids::ChangeId;
use rex_shared::wire::change::{Change, ChangeReport};

/// What the dialog shows.
#[derive(Clone, Copy)]
struct Shown {
    model: Model,
    changes: State<Option<Vec<Change>>>,
    /// The change that was chosen last; only its report is shown.
    chosen: Stored<Option<ChangeId>>,
    report: State<Option<ChangeReport>>,
}

#[component]
pub(super) fn Changes() -> impl IntoView {
    let model = use_model();
    let shown = Shown {
        model,
        changes: State::new(None),
        chosen: Stored::new(None),
        report: State::new(None),
    };
    let dialog = NodeRef::<html::Dialog>::new();
    on_change(move || {
        let Some(dialog) = dialog.get() else { return };
        match (model.document.changes_shown.get(), dialog.open()) {
            (true, false) => {
                // Fails only outside a document.
                drop(dialog.show_modal());
                shown.fetch();
            }
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    let close = move || model.document.changes_shown.set(false);
    let path = move || model.document.path.get().unwrap_or_default();
    let said = move || {
        shown.report.with(|report| {
            report.as_ref().map(|report| {
                let change = &report.change;
                let at = format!("{}, {}", clock::date(change.at), clock::hour(change.at));
                format!("Changed {at}: {}.", outcomes(&change.outcomes))
            })
        })
    };
    let report = move || shown.report.get().map(|report| view! { <Report report /> });
    let press = |event: leptos::ev::KeyboardEvent| {
        let key = pressed(&event);
        let is_free = storage::letters_act() && !key.in_field;
        // The place that has focus, else the first.
        if is_free && acts::press(&key, &[".fate:focus-within", ".health"]) {
            event.prevent_default();
        }
    };
    view! {
        <dialog
            class="health"
            node_ref=dialog
            aria-labelledby="health-title"
            on:close=move |_| close()
            on:keydown=on_key(press)
        >
            <header class="health__head">
                <p class="health__path">{redrawn(path)}</p>
                <button type="button" class="icon-btn" aria-label="Close" on:click=on_mouse(move |_| close())>
                    <Icon name="close" />
                </button>
                <h2 id="health-title">"What the edit did to your comments"</h2>
                <p role="status">{redrawn(said)}</p>
            </header>
            {move || earlier(shown)}
            {redrawn(report)}
            <p class="health__foot">"Nothing is applied by itself."</p>
        </dialog>
    }
}

/// The changes to choose from, where there is a choice, or that there is none.
fn earlier(shown: Shown) -> Option<AnyView> {
    let changes = shown.changes.get()?;
    if changes.is_empty() {
        return Some(
            view! { <p class="health__none">"No change of this document touched a comment so far."</p> }
                .into_any(),
        );
    }
    if changes.len() == 1 {
        return None;
    }
    let options = changes
        .iter()
        .map(|change| {
            let at = format!("{}, {}", clock::date(change.at), clock::hour(change.at));
            view! {
                <option value=change.change_id.to_string()>
                    {format!("{at}: {}", outcomes(&change.outcomes))}
                </option>
            }
        })
        .collect_view();
    Some(
        view! {
            <label class="health__changes">
                <span>"Change"</span>
                <select on:change=move |event| {
                    if let Ok(id) = ChangeId::parse(&event_target_value(&event)) {
                        shown.read(id);
                    }
                }>{options}</select>
            </label>
        }
        .into_any(),
    )
}

impl Shown {
    fn fetch(self) {
        self.changes.set(None);
        self.chosen.set_value(None);
        self.report.set(None);
        let Some(path) = self.model.document.path.get_untracked() else {
            return;
        };
        spawn_local(async move {
            match api::changes(self.model.ws().as_ref(), &path).await {
                // The dialog was opened on another document meanwhile.
                Ok(_) if self.model.document.path.get_untracked().as_ref() != Some(&path) => {}
                Ok(changes) => {
                    if let Some(newest) = changes.first() {
                        self.read(newest.change_id.clone());
                    }
                    self.changes.set(Some(changes));
                }
                Err(failed) => self.model.failed(&failed),
            }
        });
    }

    fn read(self, change: ChangeId) {
        self.chosen.set_value(Some(change.clone()));
        spawn_local(async move {
            match api::change(&change).await {
                Ok(_) if self.chosen.get_value().as_ref() != Some(&change) => {}
                Ok(report) => self.report.set(Some(report)),
                Err(failed) => self.model.failed(&failed),
            }
        });
    }
}
