//! Sentences that belong to no pane, and the offer to load a newer build.

use crate::api;
use crate::browser::location;
use crate::icon::Icon;
use crate::model::{Model, use_model};
use crate::reactive::{Each, Only, on_mouse};
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::wire::thread::Undo;

#[component]
pub(super) fn NoticeList() -> impl IntoView {
    let model = use_model();
    view! {
        <div class="notices" role="status" aria-label="Notices">
            <Only when=move || model.newer_build.get()>
                <p class="notice">
                    <span>"A newer build of REX is running. What you wrote is kept."</span>
                    <button type="button" class="btn btn--sm" on:click=on_mouse(move |_| location::reload())>
                        "Reload"
                    </button>
                </p>
            </Only>
            <Each each=move || model.notices.list.get() key=|notice| notice.key let:notice>
                <p class="notice">
                    <span>{notice.text}</span>
                    {notice
                        .undo
                        .map(|undo| {
                            view! {
                                <button
                                    type="button"
                                    class="btn btn--sm"
                                    on:click=on_mouse(move |_| take_back(model, undo.clone(), notice.key))
                                >
                                    "Undo"
                                </button>
                            }
                        })}
                    <button
                        type="button"
                        class="icon-btn icon-btn--sm"
                        aria-label="Close this notice"
                        on:click=on_mouse(move |_| model.notices.close(notice.key))
                    >
                        <Icon name="close" small=true />
                    </button>
                </p>
            </Each>
        </div>
    }
}

/// Takes back what a notice is about. What comes back reaches the rail by its own frame.
fn take_back(model: Model, undo: Undo, notice: u64) {
    spawn_local(async move {
        match api::undo(&undo).await {
            Ok(()) => model.notices.close(notice),
            Err(failed) => model.failed(&failed),
        }
    });
}
