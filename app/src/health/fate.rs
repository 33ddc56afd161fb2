//! One place in the report of a change.

use super::diff::diff;
use super::lost::{Lost, LostPlace};
use super::words::{kind_word, outcome};
use crate::icon::Glyph;
use crate::model::use_model;
use crate::navigate;
use crate::reactive::{State, on_mouse};
use leptos::prelude::*;
use rex_shared::ids::PlaceId;
use rex_shared::wire::change::{Outcome, PlaceChange};

/// The element of a place in the report.
pub(super) fn fate_id(place: &PlaceId) -> String {
    format!("fate-{place}")
}

#[component]
pub(super) fn Fate(place: PlaceChange, document: String) -> impl IntoView {
    let model = use_model();
    let answered = State::new(None);
    let thread = place.thread_id.clone();
    let title = {
        let thread = thread.clone();
        move || {
            let row = model.rail.row(&thread)?;
            row.with(|row| row.title.clone())
        }
    };
    let word = outcome(&place);
    let (number, lane) = (place.number, place.lane);
    let kind = kind_word(place.kind, &place.quote);
    let id = fate_id(&place.place_id);
    let (to, at) = (document.clone(), place.place_id.clone());
    let show = move |_| {
        model.document.changes_shown.set(false);
        navigate::to_thread(model, thread.clone());
        navigate::to_place(model, to.clone(), at.clone());
    };
    let (key, text) = match place.outcome {
        Outcome::Gone => {
            let lost = LostPlace {
                thread: place.thread_id,
                place: place.place_id,
                document,
                quote: place.quote,
                vanished: None,
                said_gone: place.said_gone,
                origin: place.origin,
                offers: Some(place.offers),
            };
            ("gone", view! { <Lost lost answered /> }.into_any())
        }
        Outcome::Changed if !place.words.is_empty() => (
            "changed",
            view! { <p class="fate__quote">{diff(place.words)}</p> }.into_any(),
        ),
        _ => (
            "same",
            view! { <p class="fate__quote fate__quote--one">{place.quote}</p> }.into_any(),
        ),
    };
    view! {
        <li class="fate" id=id tabindex="-1">
            <Glyph lane />
            <button type="button" class="fate__title" on:click=on_mouse(show)>
                <span class="num">{number}</span>
                " "
                {move || title().unwrap_or_else(|| "Untitled comment".to_owned())}
            </button>
            <span class="fate__what" data-fate=key>
                {kind.map(|kind| format!("{kind}, "))}
                <b>{word}</b>
            </span>
            <div class="fate__text">{text}</div>
        </li>
    }
}
