//! A thread's card beside its text, where there is room for one.

use super::tray::words::places_in_words;
use crate::icon::{Glyph, lane_key};
use crate::model::Model;
use crate::navigate;
use crate::rail::words::{state_of, title_of};
use crate::reactive::{Derived, on_mouse, on_pointer};
use leptos::prelude::*;
use rex_shared::ids::ThreadId;
use rex_shared::lane::Lane;

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
        let title = title_of(&row);
        let state = state_of(&row);
        let places = places_in_words(row.places.len());
        Some(view! {
            <a
                class="mcard"
                href=href
                data-lane=lane_key(lane)
                on:pointerenter=on_pointer(move |_| model.pointed.set(Some(pointed.clone())))
                on:pointerleave=on_pointer(move |_| model.pointed.set(None))
                on:click=on_mouse(move |click| {
                    if !(click.ctrl_key() || click.meta_key() || click.shift_key()) {
                        click.prevent_default();
                        navigate::to_thread(model, opened.clone());
                    }
                })
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
                                <span data-s=state.mark>{state.word}</span>
                                <span>{places}</span>
                            </span>
                        }
                    })}
            </a>
        })
    }
}
