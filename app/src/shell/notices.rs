//! Sentences that belong to no pane, and the offer to load a newer build.

use crate::browser::location;
use crate::icon::Icon;
use crate::model::use_model;
use leptos::prelude::*;

#[component]
pub(super) fn NoticeList() -> impl IntoView {
    let model = use_model();
    view! {
        <div class="notices" role="status" aria-label="Notices">
            <Show when=move || model.newer_build.get()>
                <p class="notice">
                    <span>"A newer build of REX is running. What you wrote is kept."</span>
                    <button type="button" class="btn btn--sm" on:click=move |_| location::reload()>
                        "Reload"
                    </button>
                </p>
            </Show>
            <For each=move || model.notices.list.get() key=|notice| notice.key let:notice>
                <p class="notice">
                    <span>{notice.text}</span>
                    <button
                        type="button"
                        class="icon-btn icon-btn--sm"
                        aria-label="Close this notice"
                        on:click=move |_| model.notices.close(notice.key)
                    >
                        <Icon name="close" small=true />
                    </button>
                </p>
            </For>
        </div>
    }
}
