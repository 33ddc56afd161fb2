//! A thread's card beside its text, where there is room for one.

use super::tray::words::places_in_words;
use crate::icon::{Glyph, lane_key};
use crate::model::Model;
use crate::navigate;
use crate::reactive::Derived;
use leptos::prelude::*;
use rex_shared::ids::ThreadId;
use rex_shared::lane::Lane;
use rex_shared::wire::thread::ThreadRow;

/// The card of a thread beside the first of its passages.
pub(super) fn margin_card(model: Model, thread: ThreadId) -> impl IntoView {
    let row = {
        let thread = thread.clone();
        Derived::new(move || model.rail.row(&thread).map(|row| row.get()))
    };
    move || {
        let row = row.get()?;
        let lane = row.lane;
        let href = model
            .address
            .get_untracked()
            .with_thread(Some(thread.clone()))
            .to_url();
        let (pointed, opened) = (thread.clone(), thread.clone());
        let title = row.title.clone().unwrap_or_else(|| "Untitled".to_owned());
        let state = state(&row);
        let places = places_in_words(row.places.len());
        Some(view! {
            <a
                class="mcard"
                href=href
                data-lane=lane_key(lane)
                on:pointerenter=move |_| model.pointed.set(Some(pointed.clone()))
                on:pointerleave=move |_| model.pointed.set(None)
                on:click=move |click| {
                    if !(click.ctrl_key() || click.meta_key() || click.shift_key()) {
                        click.prevent_default();
                        navigate::to_thread(model, opened.clone());
                    }
                }
            >
                <span class="mcard__head">
                    <Glyph lane />
                    <span class="mcard__n num">{row.number}</span>
                    <span class="mcard__title">{title}</span>
                </span>
                {(lane != Lane::Resolved)
                    .then(|| {
                        view! {
                            <span class="mcard__foot">
                                <span data-s=state.1>{state.0}</span>
                                <span>{places}</span>
                            </span>
                        }
                    })}
            </a>
        })
    }
}

/// Where the thread stands, in words, and the style's name for it.
fn state(row: &ThreadRow) -> (&'static str, &'static str) {
    use rex_shared::wire::thread::LastRun;
    if row.asks_you {
        return ("asks you", "asks");
    }
    if row.busy {
        return ("answering", "run");
    }
    match (row.lane, row.last_run) {
        (Lane::Note, _) => ("note, for you alone", ""),
        (Lane::Draft, _) => ("draft", ""),
        (Lane::Gone, _) => ("text not found", "bad"),
        (_, Some(LastRun::Refused)) => ("refused", "bad"),
        (_, Some(LastRun::Failed)) => ("failed", "bad"),
        (_, Some(LastRun::Interrupted)) => ("interrupted", "bad"),
        (_, Some(LastRun::Stopped)) => ("stopped", ""),
        _ => ("your turn", ""),
    }
}
