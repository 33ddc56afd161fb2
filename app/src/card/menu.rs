//! The menu of the open thread: copy its link, name it, report on it, delete it.

use super::acts;
use crate::icon::Icon;
use crate::model::use_model;
use crate::reactive::{State, on_key, on_mouse, redrawn};
use leptos::html;
use leptos::prelude::*;
use rex_shared::ids::ThreadId;

/// A button that opens a list of acts. It closes after an act, on Esc and when focus leaves it.
#[component]
pub(super) fn Menu(
    thread: ThreadId,
    on_rename: impl Fn() + Clone + Send + Sync + 'static,
    on_report: impl Fn() + Clone + Send + Sync + 'static,
) -> impl IntoView {
    let model = use_model();
    let open = State::new(false);
    let button = NodeRef::<html::Button>::new();
    let close = move || {
        open.set(false);
        if let Some(button) = button.get_untracked() {
            // A button that left the page needs no focus.
            drop(button.focus());
        }
    };
    let list = move || {
        let (copied, deleted) = (thread.clone(), thread.clone());
        let (on_rename, on_report) = (on_rename.clone(), on_report.clone());
        let copy = move |_| {
            close();
            acts::copy_link(model, copied.clone());
        };
        let rename = move |_| {
            open.set(false);
            on_rename();
        };
        let report = move |_| {
            close();
            on_report();
        };
        let delete = move |_| {
            open.set(false);
            acts::delete(model, deleted.clone());
        };
        open.get().then(|| {
            view! {
                <div class="more__list" role="group" aria-label="More acts">
                    <button type="button" class="more__item" on:click=on_mouse(copy)>
                        <Icon name="copy" small=true />
                        "Copy link"
                    </button>
                    <button type="button" class="more__item" on:click=on_mouse(rename)>
                        <Icon name="pencil" small=true />
                        "Rename"
                    </button>
                    <button type="button" class="more__item" on:click=on_mouse(report)>
                        <Icon name="pulse" small=true />
                        "Debug report"
                    </button>
                    <button type="button" class="more__item more__item--bad" on:click=on_mouse(delete)>
                        <Icon name="trash" small=true />
                        "Delete"
                    </button>
                </div>
            }
        })
    };
    view! {
        <span
            class="more"
            on:focusout=move |event| {
                if crate::browser::focus::leaves(&event) {
                    open.set(false);
                }
            }
            on:keydown=on_key(move |event| {
                if event.key() == "Escape" && open.get_untracked() {
                    event.stop_propagation();
                    event.prevent_default();
                    close();
                }
            })
        >
            <button
                type="button"
                class="icon-btn icon-btn--sm"
                node_ref=button
                aria-label="More: copy link, rename, debug report, delete"
                aria-expanded=move || open.get().to_string()
                on:click=on_mouse(move |_| open.update(|open| *open = !*open))
            >
                <Icon name="more" />
            </button>
            {redrawn(list)}
        </span>
    }
}
