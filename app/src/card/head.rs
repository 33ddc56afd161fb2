//! The card's head: lane and number, the thread's acts, its title and its places.

use super::debug_report::DebugReport;
use super::menu::Menu;
use super::{acts, fates, places, turn_facts, words};
use crate::icon::{Glyph, Icon, lane_key};
use crate::model::use_model;
use crate::navigate;
use crate::reactive::{Derived, Only, State, on_change, on_key, on_mouse, redrawn};
use leptos::html;
use leptos::prelude::*;
use rex_shared::ids::ThreadId;
use rex_shared::lane::Lane;
use rex_shared::wire::thread::{ThreadRow, ThreadStatus};

#[component]
pub(super) fn Head(thread: ThreadId, row: Derived<Option<ThreadRow>>) -> impl IntoView {
    let model = use_model();
    let renaming = State::new(false);
    let reported = State::new(false);
    let lane = move || {
        let lane = row.with(|row| row.as_ref().map_or(Lane::Draft, |row| row.lane));
        view! {
            <span class="lane" data-lane=lane_key(lane)>
                <Glyph lane />
                {words::lane(lane)}
            </span>
        }
    };
    let number = move || {
        row.with(|row| row.as_ref().map(|row| row.number))
            .map(|number| view! { <span class="card__n num">{format!("Comment {number}")}</span> })
    };
    let refused = move || {
        model.pane.refused.with(|refusal| {
            refusal
                .as_ref()
                .map(|refusal| view! { <span class="tag tag--bad">{words::refused_short(refusal)}</span> })
        })
    };
    let title = move || {
        row.with(|row| row.as_ref().and_then(|row| row.title.clone()))
            .unwrap_or_else(|| "Untitled comment".to_owned())
    };
    let total = move || model.pane.places.with(|places| turn_facts::total(places));
    let rename_of = thread.clone();
    let report_of = thread.clone();
    view! {
        <header class="card__head">
            <div class="card__bar">
                {redrawn(lane)} {redrawn(number)} {redrawn(refused)}
                <span class="actions">
                    <Resolve thread=thread.clone() row />
                    <Menu
                        thread=thread.clone()
                        on_rename=move || renaming.set(true)
                        on_report=move || reported.set(true)
                    />
                    <button
                        type="button"
                        class="icon-btn icon-btn--sm"
                        aria-label="Close card (Esc)"
                        on:click=on_mouse(move |_| navigate::close_thread(model))
                    >
                        <Icon name="close" />
                    </button>
                </span>
            </div>
            <Only
                when=move || renaming.get()
                fallback=move || view! { <h2 class="card__title">{redrawn(title)}</h2> }
            >
                <Rename thread=rename_of.clone() row renaming />
            </Only>
            <div class="card__sub">
                <span>{redrawn(total)}</span>
                <places::AddPlace row />
            </div>
            <places::Places thread=thread.clone() />
            <Only when=move || reported.get()>
                <DebugReport thread=report_of.clone() shown=reported />
            </Only>
            <fates::Fates thread />
        </header>
    }
}

#[component]
fn Resolve(thread: ThreadId, row: Derived<Option<ThreadRow>>) -> impl IntoView {
    let model = use_model();
    let resolved = Derived::new(move || {
        row.with(|row| {
            row.as_ref()
                .is_some_and(|row| row.status == ThreadStatus::Resolved)
        })
    });
    let press = move |_| {
        let status = if resolved.get_untracked() {
            ThreadStatus::Open
        } else {
            ThreadStatus::Resolved
        };
        acts::set_status(model, thread.clone(), status);
    };
    view! {
        <button
            type="button"
            class="btn btn--quiet btn--sm"
            disabled=move || row.with(Option::is_none)
            on:click=on_mouse(press)
        >
            <Icon name="check" small=true />
            {move || if resolved.get() { "Reopen" } else { "Resolve" }}
        </button>
    }
}

#[component]
fn Rename(
    thread: ThreadId,
    row: Derived<Option<ThreadRow>>,
    renaming: State<bool>,
) -> impl IntoView {
    let model = use_model();
    let field = NodeRef::<html::Input>::new();
    let before = row
        .with_untracked(|row| {
            row.as_ref()
                .and_then(|row| row.name.clone().or_else(|| row.title.clone()))
        })
        .unwrap_or_default();
    on_change(move || {
        let Some(field) = field.get() else { return };
        request_animation_frame(move || {
            // A field that left the page in between takes no focus.
            drop(field.focus());
            field.select();
        });
    });
    let keep = move || {
        // The field hears once more that focus left it, as it goes away itself.
        let is_open = renaming.try_get_untracked().unwrap_or_default();
        let field = field.try_get_untracked().flatten();
        if let (true, Some(field)) = (is_open, field) {
            renaming.set(false);
            acts::rename(model, thread.clone(), field.value());
        }
    };
    let keep_by_key = keep.clone();
    view! {
        <input
            class="card__rename"
            aria-label="Name of this comment"
            maxlength="200"
            node_ref=field
            prop:value=before
            on:blur=move |_| keep()
            on:keydown=on_key(move |event| match event.key().as_str() {
                "Enter" if !event.is_composing() => keep_by_key(),
                "Escape" => {
                    event.stop_propagation();
                    renaming.set(false);
                }
                _ => {}
            })
        />
    }
}
