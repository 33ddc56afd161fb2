//! The bar below a selection: comment on it, add it to the open comment, or reach further first.
//!
//! It comes after the selection is made and never takes it away, so that the browser's own copy goes on working.

use super::joined::open_number;
use super::path_bar::{PathBar, Reach};
use super::sheet::{Chosen, Sheet};
use crate::browser::keys::pressed;
use crate::icon::Icon;
use crate::model::{Model, Pick, Picked};
use crate::reactive::{Derived, on_mouse, on_pointer};
use leptos::ev;
use leptos::prelude::*;

/// The selection bar, while text is selected.
pub(super) fn selection_bar(model: Model, sheet: Sheet) -> impl IntoView {
    let pick = move |of: fn(Pick) -> Picked| {
        if let Some(chosen) = sheet.chosen.get_untracked() {
            sheet.chosen.set(None);
            model.picked.update(|picked| picked.push(of(chosen.pick)));
        }
    };
    let comment = move || pick(Picked::Comment);
    let add = move || pick(Picked::ForOpen);
    let chosen = move || {
        sheet
            .chosen
            .with(|chosen| Some(chosen.as_ref()?.pick.clone()))
    };
    let reach = Reach::of(sheet, chosen);
    let choose = move |pick: Pick| {
        sheet.chosen.update(|chosen| {
            if let Some(chosen) = chosen {
                chosen.pick = pick;
            }
        });
    };
    let keys = window_event_listener(ev::keydown, move |event| {
        let key = pressed(&event);
        let plain = !key.modifier && !key.alt && !key.in_text && !key.composing;
        let is_chosen = sheet.chosen.with_untracked(Option::is_some);
        if plain && key.key.eq_ignore_ascii_case("c") && is_chosen {
            event.prevent_default();
            comment();
        } else if let Some(pick) = reach.pressed(&key) {
            event.prevent_default();
            choose(pick);
        }
    });
    on_cleanup(move || keys.remove());
    let at = Derived::new(move || {
        let at = |chosen: &Chosen| chosen.at;
        sheet.chosen.with(|chosen| chosen.as_ref().map(at))
    });
    move || {
        let (x, y) = at.get()?;
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
                <div class="selbar__acts">
                    {open_number(model)
                        .map(|number| {
                            view! {
                                <button class="btn btn--sm" type="button" on:click=on_mouse(move |_| add())>
                                    <Icon name="plus" small=true />
                                    {format!("Add to {number}")}
                                </button>
                            }
                        })}
                    <button
                        class="btn btn--sm"
                        type="button"
                        aria-keyshortcuts="C"
                        on:click=on_mouse(move |_| comment())
                    >
                        "Comment"
                        <kbd class="kbd">"C"</kbd>
                    </button>
                </div>
                <PathBar reach name="selection-reach" choose />
            </div>
        })
    }
}
