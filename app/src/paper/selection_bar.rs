//! The bar below a selection: comment on it, or add it to the open comment.
//!
//! It comes after the selection is made and never takes it away, so that the browser's own copy goes on working.

use super::joined::open_number;
use super::sheet::Sheet;
use crate::browser::keys::pressed;
use crate::icon::Icon;
use crate::model::{Model, Picked};
use crate::reactive::{on_mouse, on_pointer};
use leptos::ev;
use leptos::prelude::*;
use rex_shared::wire::place::NewPlace;

/// The selection bar.
pub(super) fn selection_bar(model: Model, sheet: Sheet) -> impl IntoView {
    let pick = move |of: fn(NewPlace) -> Picked| {
        if let Some(chosen) = sheet.chosen.get_untracked() {
            sheet.chosen.set(None);
            model.picked.update(|picked| picked.push(of(chosen.place)));
        }
    };
    let comment = move || pick(Picked::Comment);
    let add = move || pick(Picked::ForOpen);
    let keys = window_event_listener(ev::keydown, move |event| {
        let key = pressed(&event);
        let plain = !key.modifier && !key.alt && !key.in_text && !key.composing;
        if plain
            && key.key.eq_ignore_ascii_case("c")
            && sheet.chosen.with_untracked(Option::is_some)
        {
            event.prevent_default();
            comment();
        }
    });
    on_cleanup(move || keys.remove());
    let open = move || open_number(model);
    move || {
        let (x, y) = sheet
            .chosen
            .with(|chosen| chosen.as_ref().map(|chosen| chosen.at))?;
        Some(view! {
            <div
                class="selbar"
                role="toolbar"
                aria-label="Selection"
                style=("--x", format!("{x}px"))
                style=("--y", format!("{y}px"))
                // A press on the bar must not take the selection away.
                on:mousedown=on_mouse(|press| press.prevent_default())
                on:pointerdown=on_pointer(|press| press.stop_propagation())
            >
                {open()
                    .map(|number| {
                        view! {
                            <button class="btn btn--sm" type="button" on:click=on_mouse(move |_| add())>
                                <Icon name="plus" small=true />
                                {format!("Add to {number}")}
                            </button>
                        }
                    })}
                <button class="btn btn--sm" type="button" aria-keyshortcuts="C" on:click=on_mouse(move |_| comment())>
                    "Comment"
                    <kbd class="kbd">"C"</kbd>
                </button>
            </div>
        })
    }
}
