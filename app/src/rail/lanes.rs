//! The lane filter: six toggles with their counts. It acts on the list and on the paper alike.

use crate::icon::{Glyph, Icon};
use crate::model::use_model;
use crate::reactive::{Derived, on_mouse, redrawn};
use leptos::prelude::*;
use rex_shared::lane::Lane;
use rex_shared::wire::workspace::LaneCounts;

/// The lanes in the order they are shown, with their words.
pub(super) const LANES: [(Lane, &str); 5] = [
    (Lane::Draft, "Draft"),
    (Lane::Note, "Note"),
    (Lane::Open, "Open"),
    (Lane::Gone, "Gone"),
    (Lane::Resolved, "Resolved"),
];

/// The count of one lane.
pub(super) fn count_of(counts: &LaneCounts, lane: Lane) -> u32 {
    match lane {
        Lane::Draft => counts.draft,
        Lane::Note => counts.note,
        Lane::Open => counts.open,
        Lane::Gone => counts.gone,
        Lane::Resolved => counts.resolved,
    }
}

#[component]
pub(super) fn Lanes() -> impl IntoView {
    let model = use_model();
    let counts = Derived::new(move || model.rail.counts());
    let all = move || {
        LANES
            .iter()
            .map(|(lane, _)| count_of(&counts.get(), *lane))
            .sum::<u32>()
    };
    let pressed = move |lane: Option<Lane>| (model.rail.filter.get() == lane).to_string();
    let options = LANES.map(|(lane, name)| {
        view! {
            <button
                type="button"
                class="lanes__opt"
                aria-pressed=move || pressed(Some(lane))
                on:click=on_mouse(move |_| {
                    model.rail.filter.update(|filter| {
                        *filter = (*filter != Some(lane)).then_some(lane);
                    });
                })
            >
                <Glyph lane />
                <span>{name}</span>
                <span class="lanes__n">{move || count_of(&counts.get(), lane)}</span>
            </button>
        }
    });
    view! {
        <div class="lanes" role="group" aria-label="Lane">
            <button
                type="button"
                class="lanes__opt"
                aria-pressed=move || pressed(None)
                on:click=on_mouse(move |_| model.rail.filter.set(None))
            >
                <Icon name="threads" small=true />
                <span>"All"</span>
                <span class="lanes__n">{redrawn(all)}</span>
            </button>
            {options}
        </div>
    }
}
