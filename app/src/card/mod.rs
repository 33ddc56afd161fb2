//! The card: one open thread. It stays as it is, scrolled where it was, while documents change beside it.
//!
//! [`words`], [`turn_facts`], [`evidence`] and [`tool_line`] decide what is said and are tested on the host; the
//! components only draw. A message is one keyed row, a part one signal, an answer's settled blocks are never drawn
//! again: a word that streams in touches only the end of its text.

#![expect(
    unreachable_pub,
    reason = "the component macro writes a public builder for every component"
)]

mod acts;
mod answer;
mod approval;
mod at_end;
mod composer;
mod composing;
mod debug_report;
mod evidence;
mod fates;
mod fold;
mod forecast;
mod head;
mod intent;
mod menu;
mod names;
mod outcome;
mod pickers;
mod places;
mod proposed;
mod queue;
mod sender;
mod sheet;
#[cfg(test)]
mod tests;
mod tool_line;
mod turn;
mod turn_facts;
mod turns;
mod words;

pub(crate) use acts::{set_status, take};

use crate::browser::keys::pressed;
use crate::browser::page;
use crate::health;
use crate::model::use_model;
use crate::reactive::{Derived, State, on_change_since, on_key, on_pointer, redrawn};
use leptos::prelude::*;
use rex_shared::ids::ThreadId;
use rex_shared::wire::thread::{RowPlace, ThreadRow};

/// The open thread, if one is open.
pub(crate) fn draw() -> AnyView {
    view! { <Card /> }.into_any()
}

#[component]
fn Card() -> impl IntoView {
    let model = use_model();
    // The same thread opened again must not draw the card anew.
    let open = Derived::new(move || model.open_thread.get());
    move || open.get().map(|thread| view! { <OpenCard thread /> })
}

#[component]
fn OpenCard(thread: ThreadId) -> impl IntoView {
    let model = use_model();
    let row: Derived<Option<ThreadRow>> = {
        let thread = thread.clone();
        Derived::new(move || model.rail.row(&thread).map(|row| row.get()))
    };
    let name = move || match row.with(|row| row.as_ref().map(|row| row.number)) {
        Some(number) => format!("Comment {number}"),
        None => "New comment".to_owned(),
    };
    provide_context(answer::Documents::of(model));
    proposed::follow(model, thread.clone());
    let rest = State::new(sheet::Rest::default());
    let seen = {
        let thread = thread.clone();
        move || acts::mark_read(model, &thread)
    };
    let seen_by_key = seen.clone();
    // What came while the card was open and in view was watched. What was unread before waits for an act.
    let watched = thread.clone();
    on_change_since(move |before: Option<Option<bool>>| {
        let unread = row.with(|row| row.as_ref().map(|row| row.unread));
        if before == Some(Some(false)) && unread == Some(true) && !page::is_hidden() {
            acts::mark_read(model, &watched);
        }
        unread
    });
    // Rail frames tell that a place stands otherwise now; the places themselves are asked for.
    let stale = thread.clone();
    on_change_since(move |before: Option<Option<Vec<RowPlace>>>| {
        let places = row.with(|row| row.as_ref().map(|row| row.places.clone()));
        if before.is_some_and(|before| before.is_some() && before != places) {
            acts::read_places(model, stale.clone());
        }
        places
    });
    let keys = window_event_listener(leptos::ev::keydown, move |event| {
        let key = pressed(&event);
        let is_free = key.letters_act && !event.default_prevented();
        if is_free && health::press(&key, &[".card"]) {
            event.prevent_default();
        }
    });
    on_cleanup(move || keys.remove());
    view! {
        <aside
            class="card"
            aria-label=redrawn(name)
            data-rest=move || rest.get().key()
            on:pointerdown=on_pointer(move |_| seen())
            on:keydown=on_key(move |_| seen_by_key())
        >
            <sheet::Grip rest />
            <head::Head thread=thread.clone() row />
            <turns::Turns thread=thread.clone() />
            <composer::Composer thread row />
        </aside>
    }
}
