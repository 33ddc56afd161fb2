//! One comment in the list: glyph, number, title, time; places and state word below.

use super::words::{Age, age, state_of, title_of, where_of};
use crate::browser::clock;
use crate::icon::{Icon, lane_key};
use crate::model::use_model;
use crate::navigate;
use crate::reactive::{Derived, Only, SharedState, State, on_mouse, on_pointer, redrawn};
use leptos::prelude::*;
use rex_shared::ids::{Millis, ThreadId};
use rex_shared::wire::thread::ThreadRow;

/// A click that is not meant for a new tab or window.
pub(crate) fn is_plain_click(event: &leptos::ev::MouseEvent) -> bool {
    event.button() == 0
        && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key())
}

#[component]
pub(super) fn Row(id: ThreadId, now: State<Millis>) -> impl IntoView {
    let model = use_model();
    // The row's own signal outlives the list; a row that is gone leaves with the list's next order.
    untrack(|| model.rail.row(&id)).map(|row| view! { <RowOf id row now /> })
}

#[component]
fn RowOf(id: ThreadId, row: SharedState<ThreadRow>, now: State<Millis>) -> impl IntoView {
    let model = use_model();
    let row = State::from(row);
    let href = {
        let id = id.clone();
        move || navigate::url_of_thread(model, id.clone())
    };
    let is_current = {
        let id = id.clone();
        move || {
            model
                .open_thread
                .with(|open| open.as_ref() == Some(&id))
                .then_some("true")
        }
    };
    let is_pointed = {
        let id = id.clone();
        move || {
            model
                .pointed
                .with(|pointed| pointed.as_ref() == Some(&id))
                .then_some("")
        }
    };
    let point = move |on: bool| model.pointed.set(on.then(|| id.clone()));
    let (enter, focus) = (point.clone(), point.clone());
    let (leave, blur) = (point.clone(), point);
    let lane = move || row.with(|row| lane_key(row.lane));
    let unread = move || row.with(|row| row.unread);
    let state = move || {
        let state = row.with(state_of);
        let mark = match state.mark {
            "run" => view! { <span class="pulse" aria-hidden="true"><i></i></span> }.into_any(),
            "asks" => view! { <Icon name="ask" /> }.into_any(),
            _ => ().into_any(),
        };
        view! { <span class="row__state" data-s=state.mark>{mark} {state.word}</span> }
    };
    view! {
        <li>
            <a
                class="row"
                href=redrawn(href)
                data-lane=redrawn(lane)
                data-unread=move || unread().then_some("")
                data-pointed=redrawn(is_pointed)
                aria-current=redrawn(is_current)
                on:pointerenter=on_pointer(move |_| enter(true))
                on:pointerleave=on_pointer(move |_| leave(false))
                on:focus=move |_| focus(true)
                on:blur=move |_| blur(false)
                on:click=on_mouse(move |event| {
                    if is_plain_click(&event) {
                        event.prevent_default();
                        model.drawer_is_open.set(false);
                        navigate::to_comment(model, &row.get_untracked());
                    }
                })
            >
                {move || view! { <crate::icon::Glyph lane=row.with(|row| row.lane) /> }}
                <span class="row__n">{move || row.with(|row| row.number)}</span>
                <span class="row__line">
                    <span class="row__title">
                        {move || row.with(title_of)}
                        <Only when=unread>
                            <span class="vh">" (unread)"</span>
                        </Only>
                    </span>
                    <When at=Derived::new(move || row.with(|row| row.last_activity_at)) now />
                </span>
                <span class="row__line row__line--2">
                    <span class="row__where">{move || row.with(where_of)}</span>
                    {redrawn(state)}
                </span>
            </a>
        </li>
    }
}

/// A relative time; in full on hover and focus.
#[component]
fn When(at: Derived<Millis>, now: State<Millis>) -> impl IntoView {
    let short = move || {
        let at = at.get();
        match age(now.get(), at) {
            Age::Now => "now".to_owned(),
            Age::Minutes(minutes) => format!("{minutes} min"),
            Age::Hours(hours) => format!("{hours} h"),
            Age::Weekday => clock::weekday(at),
            Age::Day => clock::day(at),
            Age::Date => clock::date(at),
        }
    };
    view! {
        <time
            class="row__time when"
            datetime=move || clock::iso(at.get())
            data-full=move || clock::full(at.get())
        >
            {redrawn(short)}
        </time>
    }
}
