//! The folded rail: tabs, lanes with counts, and what asks.

use super::lanes::{LANES, count_of};
use crate::icon::{Glyph, Icon};
use crate::model::{RailTab, use_model};
use crate::navigate;
use crate::reactive::{Derived, Only, on_mouse};
use crate::shell::show_rail;
use leptos::prelude::*;

#[component]
pub(super) fn Slim() -> impl IntoView {
    let model = use_model();
    let counts = Derived::new(move || model.rail.counts());
    let asks = Derived::new(move || model.rail.activity().asks);
    let open = move |tab: RailTab| {
        model.rail_tab.set(tab);
        show_rail(model);
    };
    let lanes = LANES.map(|(lane, name)| {
        view! {
            <button
                type="button"
                class="rail__lane"
                aria-label=move || format!("{name}, {}", count_of(&counts.get(), lane))
                on:click=on_mouse(move |_| {
                    model.rail.filter.set(Some(lane));
                    open(RailTab::Threads);
                })
            >
                <Glyph lane />
                <span class="num">{move || count_of(&counts.get(), lane)}</span>
            </button>
        }
    });
    let open_asking = move |_| {
        if let Some(row) = untrack(|| model.rail.next_active(None)) {
            navigate::to_comment(model, &row);
        }
    };
    view! {
        <div class="rail__slim">
            <button type="button" class="icon-btn" aria-label="Threads" on:click=on_mouse(move |_| open(RailTab::Threads))>
                <Icon name="threads" />
            </button>
            <button type="button" class="icon-btn" aria-label="Files" on:click=on_mouse(move |_| open(RailTab::Files))>
                <Icon name="folder" />
            </button>
            <span class="rail__sep"></span>
            {lanes}
            <Only when=move || { asks.get() > 0 }>
                <span class="rail__sep"></span>
                <button
                    type="button"
                    class="icon-btn"
                    aria-label=move || format!("{} waiting for you", asks.get())
                    on:click=on_mouse(open_asking)
                >
                    <Icon name="ask" />
                </button>
            </Only>
        </div>
    }
}
