//! The two sides of a stretch, with the numbers of the comments that stand there.

use super::shown::Shown;
use crate::icon::{Glyph, lane_key};
use crate::navigate;
use crate::reactive::{on_mouse, redrawn};
use leptos::prelude::*;
use rex_shared::locate::panes::{About, Mark};
use rex_shared::wire::proposal::ComparedPlace;
use std::ops::Range;

/// Lines that are the same on both sides.
#[component]
pub(super) fn Same(shown: Shown, old_start: u32, new_start: u32, text: String) -> impl IntoView {
    let length = u32::try_from(text.len()).unwrap_or_default();
    let other = text.clone();
    view! {
        <div class="pair pair--same">
            <div class="side">
                <Numbers shown bytes=old_start..old_start + length on_new=false />
                <p class="side__text">{text}</p>
            </div>
            <div class="side">
                <Numbers shown bytes=new_start..new_start + length on_new=true />
                <p class="side__text">{other}</p>
            </div>
        </div>
    }
}

/// The comments with a place that begins in these bytes of a side.
#[component]
pub(super) fn Numbers(shown: Shown, bytes: Range<u32>, on_new: bool) -> impl IntoView {
    let here = move || {
        let places = shown.comparison.with(|comparison| {
            let places = comparison
                .as_ref()
                .map(|comparison| comparison.places.as_slice());
            places
                .unwrap_or_default()
                .iter()
                .filter(|place| stands_in(place, &bytes, on_new))
                .cloned()
                .collect::<Vec<_>>()
        });
        let markers = places
            .into_iter()
            .map(|place| number(shown, &place))
            .collect_view();
        view! { <div class="gutter">{markers}</div> }
    };
    redrawn(here)
}

/// Whether a place is marked on this side and begins there.
fn stands_in(place: &ComparedPlace, bytes: &Range<u32>, on_new: bool) -> bool {
    let start = match on_new {
        true if place.proposal != Mark::None => place.in_proposal.map(|(start, _)| start),
        false if place.document != Mark::None => Some(place.place.place.start),
        _ => None,
    };
    start.is_some_and(|start| bytes.contains(&start))
}

fn number(shown: Shown, place: &ComparedPlace) -> impl IntoView + use<> {
    let (number, lane) = (place.place.number, place.place.lane);
    let said = match (place.about, place.document) {
        (About::Change, _) => ", about the change",
        (_, Mark::Removed) => ", the proposal removes this",
        _ => "",
    };
    let thread = place.place.thread_id.clone();
    view! {
        <button
            class="marker"
            type="button"
            data-lane=lane_key(lane)
            data-removed=(place.document == Mark::Removed).then_some("")
            title=format!("Comment {number}{said}")
            aria-label=format!("Comment {number}, {}{said}", lane_key(lane))
            on:click=on_mouse(move |_| navigate::to_thread(shown.model, thread.clone()))
        >
            <Glyph lane />
            {number}
        </button>
    }
}
