//! The bar: where you are, what runs, how fresh the page is.

use super::{KeysShown, acts, theme::ThemeSwitch};
use crate::browser::page;
use crate::icon::Icon;
use crate::model::{Connection, RailTab, use_model};
use crate::navigate;
use crate::reactive::{Derived, Only, on_mouse, redrawn};
use leptos::prelude::*;

#[component]
pub(super) fn Topbar() -> impl IntoView {
    let model = use_model();
    let KeysShown(keys_shown) = expect_context();
    let toggle_name = format!(
        "Show or hide the rail ({} B)",
        if page::is_mac() { "⌘" } else { "Ctrl" }
    );
    view! {
        <header class="topbar">
            <div class="topbar__start">
                <button
                    type="button"
                    class="icon-btn"
                    id="rail-toggle"
                    title=toggle_name.clone()
                    aria-label=toggle_name
                    on:click=on_mouse(move |_| acts::toggle_rail(model))
                >
                    <Icon name="sidebar" />
                </button>
                <span class="brand">"REX"</span>
                <Crumbs />
            </div>
            <div class="topbar__end">
                <ConnectionWord />
                <Runs />
                <button
                    type="button"
                    class="icon-btn only-wide"
                    aria-label="List of keys (?)"
                    title="List of keys (?)"
                    on:click=on_mouse(move |_| keys_shown.set(true))
                >
                    <Icon name="keys" />
                </button>
                <ThemeSwitch />
            </div>
        </header>
    }
}

/// Workspace, folders, document. A folder is shown in the file tree.
#[component]
fn Crumbs() -> impl IntoView {
    let model = use_model();
    let to_files = move |folder: String| {
        model.rail_tab.set(RailTab::Files);
        model.open_folders.update(|open| {
            let mut at = String::new();
            for part in folder.split('/').filter(|part| !part.is_empty()) {
                if !at.is_empty() {
                    at.push('/');
                }
                at.push_str(part);
                open.insert(at.clone(), true);
            }
        });
        acts::show_rail(model);
    };
    let name = Derived::new(move || {
        model.workspace.with(|workspace| {
            workspace
                .as_ref()
                .map(|workspace| workspace.workspace.name.clone())
        })
    });
    let workspace = move || {
        name.get().map(|name| {
            view! {
                <li>
                    <button type="button" title="Show its files" on:click=on_mouse(move |_| to_files(String::new()))>
                        {name}
                    </button>
                </li>
            }
        })
    };
    let path = move || {
        let path = model.document.path.get()?;
        let (folders, file) = match path.rsplit_once('/') {
            Some((folders, file)) => (folders.to_owned(), file.to_owned()),
            None => (String::new(), path),
        };
        let mut at = String::new();
        let folders = folders
            .split('/')
            .filter(|part| !part.is_empty())
            .map(|part| {
                if !at.is_empty() {
                    at.push('/');
                }
                at.push_str(part);
                let folder = at.clone();
                view! {
                    <li>
                        <button
                            type="button"
                            title="Show this folder"
                            on:click=on_mouse(move |_| to_files(folder.clone()))
                        >
                            {part.to_owned()}
                        </button>
                    </li>
                }
            })
            .collect_view();
        Some(view! {
            {folders}
            <li>
                <span aria-current="page">{file}</span>
            </li>
        })
    };
    view! {
        <nav aria-label="Where you are">
            <ol class="crumbs">{redrawn(workspace)} {redrawn(path)}</ol>
        </nav>
    }
}

/// How many comments are being answered and how many ask; a press opens the next of them.
#[component]
fn Runs() -> impl IntoView {
    let model = use_model();
    let activity = Derived::new(move || model.rail.activity());
    let name = move || {
        let activity = activity.get();
        format!(
            "Runs: {} answering, {} waiting for you",
            activity.answering, activity.asks
        )
    };
    let open_next = move |_| {
        if let Some(row) = untrack(|| model.rail.next_active(model.open_thread.get().as_ref())) {
            navigate::to_comment(model, &row);
        }
    };
    view! {
        <Only when=move || activity.with(|activity| activity.answering + activity.asks > 0)>
            <button type="button" class="runs" aria-label=redrawn(name) on:click=on_mouse(open_next)>
                <Only when=move || activity.with(|activity| activity.answering > 0)>
                    <span>
                        <span class="pulse" aria-hidden="true">
                            <i></i>
                        </span>
                        <span>
                            <strong>{move || activity.get().answering}</strong>
                            " "
                            <b>"answering"</b>
                        </span>
                    </span>
                </Only>
                <Only when=move || activity.with(|activity| activity.asks > 0)>
                    <span>
                        <Icon name="ask" />
                        <span>
                            <strong>{move || activity.get().asks}</strong>
                            " "
                            <b>"asks you"</b>
                        </span>
                    </span>
                </Only>
            </button>
        </Only>
    }
}

/// Says how fresh the page is when it is not simply connected.
#[component]
fn ConnectionWord() -> impl IntoView {
    let model = use_model();
    let word = move || match model.connection.get() {
        Connection::Connecting | Connection::Connected => None,
        Connection::Polling => Some((
            "warn",
            "Refreshed every 2 s",
            "Four other tabs hold the live streams that a browser allows. This one asks every two seconds.",
        )),
        Connection::NotConnected => Some((
            "bad",
            "Not connected",
            "REX does not answer. What you write is kept in this tab; it connects again by itself.",
        )),
    };
    view! {
        <span class="connection" role="status">
            {move || {
                word().map(|(state, word, why)| view! { <span class="state" data-s=state title=why>{word}</span> })
            }}
        </span>
    }
}
