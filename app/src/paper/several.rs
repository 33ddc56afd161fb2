//! A small list where several threads share the passage that was clicked: chosen, never guessed.

use super::marks::Mark;
use super::sheet::Sheet;
use crate::browser::focus;
use crate::icon::{Glyph, lane_key};
use crate::model::Model;
use crate::navigate;
use crate::rail::words::title_of;
use crate::reactive::{on_change, on_key, on_mouse, on_pointer};
use leptos::prelude::*;

/// The list, while there is something to choose.
pub(super) fn several_threads(model: Model, sheet: Sheet) -> impl IntoView {
    on_change(move || {
        if sheet.several.with(Option::is_some) {
            request_animation_frame(|| focus::to_first(".several button"));
        }
    });
    move || {
        let several = sheet.several.get()?;
        let (x, y) = several.at;
        let threads: Vec<_> = several
            .threads
            .into_iter()
            .map(|mark| line(model, sheet, mark))
            .collect();
        Some(view! {
            <div
                class="several"
                role="group"
                aria-label="Comments on this passage"
                style=("--x", format!("{x}px"))
                style=("--y", format!("{y}px"))
                on:pointerdown=on_pointer(|press| press.stop_propagation())
                on:keydown=on_key(move |event| {
                    if event.key() == "Escape" {
                        event.prevent_default();
                        sheet.several.set(None);
                    }
                })
            >
                {threads}
            </div>
        })
    }
}

fn line(model: Model, sheet: Sheet, mark: Mark) -> impl IntoView {
    let title = model
        .rail
        .row(&mark.thread)
        .map_or_else(String::new, |row| row.with_untracked(title_of));
    let lane = mark.lane;
    let label = format!("Comment {}, {}: {title}", mark.number, lane_key(lane));
    let (pointed, opened) = (mark.thread.clone(), mark.thread);
    view! {
        <button
            class="several__line"
            type="button"
            data-lane=lane_key(lane)
            aria-label=label
            on:pointerenter=on_pointer(move |_| model.pointed.set(Some(pointed.clone())))
            on:click=on_mouse(move |_| {
                sheet.several.set(None);
                navigate::to_thread(model, opened.clone());
            })
        >
            <Glyph lane />
            <span class="num">{mark.number}</span>
            <span class="truncate">{title}</span>
        </button>
    }
}
