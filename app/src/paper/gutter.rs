//! The numbers beside a block: one button for each thread with a passage in it, and for each pick.

use super::sheet::{Beside, Numbered};
use crate::browser::focus;
use crate::icon::{Glyph, lane_key};
use crate::model::Model;
use crate::navigate;
use crate::reactive::{Derived, Each, on_mouse, on_pointer, redrawn};
use leptos::prelude::*;

/// The element that a pick's number leads to.
pub(super) const TRAY_TEXT: &str = "tray-text";

/// What stands in the gutter of a block.
pub(super) fn gutter(model: Model, beside: Derived<Beside>) -> impl IntoView {
    view! {
        <Each
            each=move || beside.with(|beside| beside.threads.clone())
            key=|at| (at.thread.clone(), at.lane)
            let:at
        >
            <Marker model at />
        </Each>
        <Each each=move || beside.with(|beside| beside.picks.clone()) key=|pick| *pick let:pick>
            <button
                class="marker marker--pick"
                type="button"
                aria-label=format!("Picked passage {pick}")
                on:click=on_mouse(move |_| focus::to_id(TRAY_TEXT))
            >
                {pick}
            </button>
        </Each>
    }
}

#[component]
fn Marker(model: Model, at: Numbered) -> impl IntoView {
    let Numbered {
        thread,
        number,
        lane,
    } = at;
    let lane_word = lane_key(lane);
    let is_open = {
        let thread = thread.clone();
        move || {
            let open = model
                .open_thread
                .with(|open| open.as_ref() == Some(&thread));
            open.then_some("true")
        }
    };
    let (pointed, opened) = (thread.clone(), thread);
    view! {
        <button
            class="marker"
            type="button"
            data-lane=lane_word
            aria-label=format!("Comment {number}, {lane_word}")
            aria-current=redrawn(is_open)
            on:pointerenter=on_pointer(move |_| model.pointed.set(Some(pointed.clone())))
            on:pointerleave=on_pointer(move |_| model.pointed.set(None))
            on:click=on_mouse(move |_| navigate::to_thread(model, opened.clone()))
        >
            <Glyph lane />
            {number}
        </button>
    }
}
