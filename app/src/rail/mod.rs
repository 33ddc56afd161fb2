//! The rail: comments and files of the workspace.

mod files;
mod lanes;
mod list;
mod renames;
pub(crate) mod row;
mod slim;
pub(crate) mod tree;
pub(crate) mod words;

use crate::lazy;
use crate::model::{RailTab, use_model};
use crate::reactive::{Derived, Only, State, on_key, on_mouse, on_pointer};
use leptos::prelude::*;

/// The rail: two tabs, and a strip of both when it is folded.
#[component]
pub fn Rail() -> impl IntoView {
    let model = use_model();
    // Rows never move under the pointer. A finger is not over anything once it is lifted.
    let held = State::new(false);
    let threads = move || model.rail.rows.with(std::collections::HashMap::len);
    let files = move || {
        model
            .files
            .with(|files| files.as_ref().map_or(0, |files| tree::paths(files).len()))
    };
    view! {
        <nav
            class="rail"
            aria-label="Threads and files"
            on:pointerenter=on_pointer(move |event| held.set(event.pointer_type() == "mouse"))
            on:pointerleave=on_pointer(move |_| held.set(false))
        >
            <slim::Slim />
            <div class="rail__head">
                <div class="tabs" role="tablist" aria-label="Rail" on:keydown=on_key(move |event| move_tab(&event))>
                    <Tab tab=RailTab::Threads name="Threads" count=Derived::new(threads) />
                    <Tab tab=RailTab::Files name="Files" count=Derived::new(files) />
                </div>
                <Only when=move || model.rail_tab.get() == RailTab::Threads>
                    <lanes::Lanes />
                </Only>
            </div>
            <Only
                when=move || model.rail_tab.get() == RailTab::Threads
                fallback=|| lazy::of_aside(lazy::always(), |code| code.files)
            >
                <list::List held />
            </Only>
        </nav>
    }
}

/// The tree of files.
pub(crate) fn draw_files() -> AnyView {
    view! { <files::Files /> }.into_any()
}

/// What the document that is to be on the paper, and is missing, may have become.
pub(crate) fn draw_renames() -> AnyView {
    renames::of_open()
}

#[component]
fn Tab(tab: RailTab, name: &'static str, count: Derived<usize>) -> impl IntoView {
    let model = use_model();
    let is_selected = move || model.rail_tab.get() == tab;
    view! {
        <button
            type="button"
            class="tabs__tab"
            role="tab"
            id=tab_id(tab)
            aria-controls="rail-panel"
            aria-selected=move || is_selected().to_string()
            tabindex=move || if is_selected() { "0" } else { "-1" }
            on:click=on_mouse(move |_| model.rail_tab.set(tab))
        >
            {name}
            <span class="num">{move || count.get()}</span>
        </button>
    }
}

fn tab_id(tab: RailTab) -> &'static str {
    match tab {
        RailTab::Threads => "rail-tab-threads",
        RailTab::Files => "rail-tab-files",
    }
}

/// Arrows move between the two tabs, which are one Tab stop.
fn move_tab(event: &leptos::ev::KeyboardEvent) {
    let model = use_model();
    if matches!(
        event.key().as_str(),
        "ArrowLeft" | "ArrowRight" | "Home" | "End"
    ) {
        event.prevent_default();
        let other = match model.rail_tab.get_untracked() {
            RailTab::Threads => RailTab::Files,
            RailTab::Files => RailTab::Threads,
        };
        model.rail_tab.set(other);
        crate::browser::focus::to_id(tab_id(other));
    }
}
