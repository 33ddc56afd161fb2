//! A place that lost its text: what it was made on, and where it may belong.

use super::acts::{self, Lost as Act};
use super::words::short;
use crate::browser::clock;
use crate::model::{Model, use_model};
use crate::navigate;
use crate::reactive::{Derived, State, on_mouse, redrawn};
use leptos::prelude::*;
use rex_shared::ids::{PlaceId, ThreadId};
use rex_shared::wire::place::{Excerpt, Offer, Vanished};

/// What is known of a place that lost its text.
#[derive(Debug, Clone)]
pub(crate) struct LostPlace {
    /// Its thread.
    pub thread: ThreadId,
    /// The place.
    pub place: PlaceId,
    /// The document it was in.
    pub document: String,
    /// Its text as it was there last.
    pub quote: String,
    /// Since when it is gone, where that is said.
    pub vanished: Option<Vanished>,
    /// Whether the person said that it is gone for good.
    pub said_gone: bool,
    /// The text it was made on, where that is kept.
    pub origin: Option<Excerpt>,
    /// Where it may belong, the best first; `None` until that is known.
    pub offers: Option<Vec<Offer>>,
}

/// A place that lost its text. `answered` is the place that a person put in its stead.
#[component]
pub(crate) fn Lost(lost: LostPlace, answered: State<Option<PlaceId>>) -> impl IntoView {
    let model = use_model();
    let act = Act {
        thread: lost.thread,
        place: lost.place,
        answered,
        said_gone: State::new(lost.said_gone),
    };
    let waits = {
        let (thread, place) = (act.thread.clone(), act.place.clone());
        Derived::new(move || {
            let bereft = |(of, at): &(ThreadId, PlaceId)| *of == thread && *at == place;
            model.bereft.with(|lost| lost.as_ref().is_some_and(bereft))
        })
    };
    let since = lost.vanished.map(|vanished| {
        let at = vanished.at;
        view! {
            <time datetime=clock::iso(at) title=clock::full(at)>
                {format!("gone since {}, {}", clock::date(at), clock::hour(at))}
            </time>
            <span class="num" title=vanished.version.to_string()>
                {format!("version {}", short(&vanished.version))}
            </span>
        }
    });
    let text = match lost.origin {
        Some(origin) => view! { <Origin origin /> }.into_any(),
        None => {
            view! { <blockquote class="lost__quote"><s>{lost.quote}</s></blockquote> }.into_any()
        }
    };
    let document = lost.document.clone();
    let offers = lost.offers;
    let below = move || {
        if answered.with(Option::is_some) {
            let act = act.clone();
            return view! {
                <p class="lost__act" role="status">
                    <span>"Put on the text you chose. The old place is kept."</span>
                    <button
                        type="button"
                        class="btn btn--sm"
                        data-undo=""
                        aria-keyshortcuts="U"
                        on:click=on_mouse(move |_| acts::undo(model, act.clone()))
                    >
                        "Undo"
                        <kbd class="kbd">"U"</kbd>
                    </button>
                </p>
            }
            .into_any();
        }
        if waits.get() {
            return waiting(model).into_any();
        }
        if act.said_gone.get() {
            return said_gone(model, act.clone()).into_any();
        }
        let offered = match &offers {
            None => ().into_any(),
            Some(offers) if offers.is_empty() => view! {
                <p class="lost__why">"Nothing there reads alike. The quote is kept with the comment."</p>
            }
            .into_any(),
            Some(offers) => offers
                .iter()
                .enumerate()
                .map(|(at, offer)| offered(model, &act, &document, offer.clone(), at == 0))
                .collect_view()
                .into_any(),
        };
        (offered, other_answers(model, act.clone())).into_any()
    };
    view! {
        <div class="lost">
            <p class="lost__label">
                <span>"Not found in " <b>{lost.document.clone()}</b></span>
                {since}
            </p>
            {text}
            {redrawn(below)}
        </div>
    }
}

/// The text a place was made on, in its surroundings.
#[component]
fn Origin(origin: Excerpt) -> impl IntoView {
    view! {
        <figure class="lost__origin">
            <figcaption class="lost__why">{format!("What it was made on, line {}", origin.line)}</figcaption>
            <blockquote class="lost__quote" tabindex="0">
                {origin.before}
                <s>{origin.quote}</s>
                {origin.after}
            </blockquote>
        </figure>
    }
}

/// What else a person may say of it.
fn other_answers(model: Model, act: Act) -> impl IntoView {
    let another = act.clone();
    view! {
        <p class="lost__act">
            <button
                type="button"
                class="btn btn--sm"
                on:click=on_mouse(move |_| acts::select_another(model, &another))
            >
                "Select another place"
            </button>
            <button
                type="button"
                class="btn btn--quiet btn--sm"
                on:click=on_mouse(move |_| acts::say_gone(model, act.clone(), true))
            >
                "It is gone"
            </button>
        </p>
    }
}

fn waiting(model: Model) -> impl IntoView {
    view! {
        <p class="lost__act" role="status">
            <span>"Select the text that it is about now, in any document."</span>
            <button type="button" class="btn btn--sm" on:click=on_mouse(move |_| model.bereft.set(None))>
                "Cancel"
            </button>
        </p>
    }
}

fn said_gone(model: Model, act: Act) -> impl IntoView {
    view! {
        <p class="lost__act" role="status">
            <span>"You said that it is gone. The comment and its quote are kept."</span>
            <button
                type="button"
                class="btn btn--sm"
                data-undo=""
                aria-keyshortcuts="U"
                on:click=on_mouse(move |_| acts::say_gone(model, act.clone(), false))
            >
                "Undo"
                <kbd class="kbd">"U"</kbd>
            </button>
        </p>
    }
}

fn offered(model: Model, act: &Act, document: &str, offer: Offer, is_best: bool) -> AnyView {
    let place = if offer.document == document {
        format!("line {}", offer.line)
    } else {
        format!("{}, line {}", offer.document, offer.line)
    };
    let label = if is_best { "Nearest text" } else { "Or" };
    let (to, line) = (offer.document.clone(), offer.line);
    let quote = offer.quote.clone();
    let act = act.clone();
    let yes = on_mouse(move |_| acts::yes_here(model, act.clone(), offer.clone()));
    view! {
        <div class="lost__offer">
            <p class="lost__label">
                <button
                    type="button"
                    class="btn btn--link"
                    on:click=on_mouse(move |_| {
                        model.document.changes_shown.set(false);
                        navigate::to_line(model, to.clone(), line);
                    })
                >
                    {format!("{label}, {place}")}
                </button>
            </p>
            <blockquote class="lost__quote" data-kind="near">{quote}</blockquote>
            <p class="lost__act">
                <button
                    type="button"
                    class="btn btn--sm"
                    class:btn--primary=is_best
                    data-yes=""
                    aria-keyshortcuts=is_best.then_some("Y")
                    on:click=yes
                >
                    "Yes, here"
                    {is_best.then(|| view! { <kbd class="kbd">"Y"</kbd> })}
                </button>
            </p>
        </div>
    }
    .into_any()
}
