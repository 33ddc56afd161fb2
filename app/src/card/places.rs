//! The places of a thread: the numbered list in the head, and the chips under a turn. Each jumps to its text.

use super::{acts, turn_facts, words};
use crate::health::kind_word;
use crate::icon::Icon;
use crate::model::use_model;
use crate::navigate;
use crate::reactive::{Derived, Each, Only, State, on_mouse, on_pointer, redrawn};
use leptos::prelude::*;
use rex_shared::ids::ThreadId;
use rex_shared::wire::place::{Place, PlaceState};
use rex_shared::wire::thread::{ThreadRow, ThreadStatus};

/// How much of a quote a line can show; the rest only costs.
const QUOTE: usize = 160;

#[component]
pub(super) fn Places(thread: ThreadId) -> impl IntoView {
    let model = use_model();
    let standing = move || {
        model.pane.places.with(|places| {
            turn_facts::standing(places)
                .into_iter()
                .cloned()
                .enumerate()
                .collect::<Vec<_>>()
        })
    };
    let point = move |at: Option<ThreadId>| model.pointed.set(at);
    view! {
        <ol
            class="places"
            on:pointerenter=on_pointer(move |_| point(Some(thread.clone())))
            on:pointerleave=on_pointer(move |_| point(None))
        >
            <Each
                each=standing
                key=|(at, place)| (*at, place.clone())
                children=|(at, place)| view! { <li><PlaceLine number=at + 1 place /></li> }
            />
        </ol>
    }
}

#[component]
fn PlaceLine(number: usize, place: Place) -> impl IntoView {
    let model = use_model();
    let lost = place.state == PlaceState::Gone;
    let quote = short(&place.quote);
    let quote = if lost {
        view! { <s class="place__quote">{quote}</s> }.into_any()
    } else {
        view! { <span class="place__quote">{quote}</span> }.into_any()
    };
    let jump = jump(place.clone());
    let title = place.document.clone();
    let doc = file_name(&place.document).to_owned();
    let stands = stands(&place);
    let href = place.document;
    view! {
        <a
            class="place"
            data-state=state_key(place.state)
            href=move || model.address.get().with_doc(Some(href.clone())).to_url()
            title=title
            on:click=on_mouse(jump)
        >
            <span class="place__n">{number}</span>
            <span class="place__doc">
                {doc} " " <span>{stands}</span>
            </span>
            {quote}
            <span class="place__fate">{words::place_state(place.state)}</span>
        </a>
    }
}

/// The places that one message brought.
#[component]
pub(super) fn Chips(places: Vec<Place>, label: &'static str) -> impl IntoView {
    let chips: Vec<_> = places
        .into_iter()
        .map(|place| view! { <li><Chip place /></li> })
        .collect();
    (!chips.is_empty()).then(|| view! { <ul class="chips" aria-label=label>{chips}</ul> })
}

/// A place in one small box.
#[component]
pub(super) fn Chip(place: Place) -> impl IntoView {
    let model = use_model();
    let id = place.place_id.clone();
    let number = move || {
        model
            .pane
            .places
            .with(|places| turn_facts::place_number(places, &id))
    };
    let jump = jump(place.clone());
    let document = file_name(&place.document).to_owned();
    let stands = stands(&place);
    let quote = short(&place.quote);
    let href = place.document.clone();
    view! {
        <a
            class="chip"
            data-state=state_key(place.state)
            href=move || model.address.get().with_doc(Some(href.clone())).to_url()
            title=place.document
            on:click=on_mouse(jump)
        >
            <span class="place__n">{redrawn(number)}</span>
            <span class="nowrap">{document} " " {stands}</span>
            <span class="chip__quote">{quote}</span>
        </a>
    }
}

/// What a place is, and its line while its document is on the paper.
fn stands(place: &Place) -> impl Fn() -> String + Clone + use<> {
    let model = use_model();
    let kind = kind_word(place.kind, &place.quote);
    let place = place.place_id.clone();
    move || {
        let line = model
            .document
            .place_lines
            .with(|lines| lines.get(&place).map(|line| format!("line {line}")));
        kind.clone()
            .into_iter()
            .chain(line)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// What a click on a place does; with a modifier it is the browser's.
fn jump(place: Place) -> impl Fn(leptos::ev::MouseEvent) {
    let model = use_model();
    move |event| {
        if event.ctrl_key() || event.meta_key() || event.shift_key() {
            return;
        }
        event.prevent_default();
        navigate::to_place(model, place.document.clone(), place.place_id.clone());
    }
}

/// Tells how to add a place: by selecting text.
#[component]
pub(super) fn AddPlace(row: Derived<Option<ThreadRow>>) -> impl IntoView {
    let told = State::new(false);
    let is_open = move || {
        row.with(|row| {
            row.as_ref()
                .is_some_and(|row| row.status != ThreadStatus::Resolved)
        })
    };
    let hint = move || {
        let number = row.with(|row| row.as_ref().map(|row| row.number))?;
        told.get().then(|| {
            view! {
                <span class="card__hint" role="status">
                    {format!("Select text in any document, then choose “Add to #{number}”.")}
                </span>
            }
        })
    };
    view! {
        <Only when=is_open>
            <button
                type="button"
                class="btn btn--link"
                aria-expanded=move || told.get().to_string()
                on:click=on_mouse(move |_| told.update(|told| *told = !*told))
            >
                <Icon name="plus" small=true />
                "Add place"
            </button>
        </Only>
        {redrawn(hint)}
    }
}

/// Places that wait for the next message of a comment that was sent before. In a draft all do; its head lists them.
#[component]
pub(super) fn Pending(thread: ThreadId) -> impl IntoView {
    let model = use_model();
    let pending = Derived::new(move || {
        if model.pane.messages.with(Vec::is_empty) {
            return Vec::new();
        }
        model.pane.places.with(|places| {
            turn_facts::standing(places)
                .into_iter()
                .filter(|place| place.message_id.is_none() && place.replaces.is_none())
                .cloned()
                .collect::<Vec<Place>>()
        })
    });
    let chips = move || {
        pending
            .get()
            .into_iter()
            .map(|place| {
                let (thread, id) = (thread.clone(), place.place_id.clone());
                view! {
                    <li>
                        <Chip place />
                        <button
                            type="button"
                            class="icon-btn icon-btn--sm"
                            aria-label="Take this place away"
                            on:click=on_mouse(move |_| acts::remove_place(model, thread.clone(), id.clone()))
                        >
                            <Icon name="close" small=true />
                        </button>
                    </li>
                }
            })
            .collect::<Vec<_>>()
    };
    view! {
        <Only when=move || pending.with(|pending| !pending.is_empty())>
            <ul class="chips composer__chips" aria-label="Places that go with this message">
                {chips.clone()}
            </ul>
        </Only>
    }
}

fn file_name(document: &str) -> &str {
    document.rsplit('/').next().unwrap_or(document)
}

fn short(quote: &str) -> String {
    let mut words = quote.split_whitespace();
    let mut line = words.next().unwrap_or_default().to_owned();
    for word in words {
        if line.len() > QUOTE {
            break;
        }
        line.extend([" ", word]);
    }
    line
}

fn state_key(state: PlaceState) -> &'static str {
    match state {
        PlaceState::Exact => "exact",
        PlaceState::Moved => "moved",
        PlaceState::Changed => "changed",
        PlaceState::Gone => "gone",
        PlaceState::Unknown => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_over_several_lines_is_shown_in_one() {
        assert_eq!(
            short("The meter\n  stops at\t100 %"),
            "The meter stops at 100 %"
        );
        assert!(short(&"word ".repeat(200)).len() < 2 * QUOTE);
    }
}
