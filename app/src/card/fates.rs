//! What became of the open thread's places: those that lost their text, and those whose text is another now.

use super::turn_facts::standing;
use crate::api;
use crate::health::{Lost, LostPlace, diff};
use crate::model::use_model;
use crate::reactive::{Derived, Each, Only, State, on_change, redrawn};
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::ids::{PlaceId, ThreadId};
use rex_shared::wire::place::{Place, PlaceDetail, PlaceState};

#[component]
pub(super) fn Fates(thread: ThreadId) -> impl IntoView {
    let model = use_model();
    let of_card = thread.clone();
    on_cleanup(move || {
        let is_ours = |bereft: &Option<(ThreadId, PlaceId)>| matches!(bereft, Some((thread, _)) if *thread == of_card);
        if model.bereft.with_untracked(is_ours) {
            model.bereft.set(None);
        }
    });
    let listed = Derived::since(move |before: Option<&Vec<PlaceId>>| {
        model
            .pane
            .places
            .with(|places| listed(places, before.map_or(&[], Vec::as_slice)))
    });
    view! {
        <Only when=move || listed.with(|listed| !listed.is_empty())>
            <ul class="fates" aria-label="What became of its places">
                <Each
                    each=move || listed.get()
                    key=Clone::clone
                    children={
                        let thread = thread.clone();
                        move |place| view! { <li><Fate thread=thread.clone() place /></li> }
                    }
                />
            </ul>
        </Only>
    }
}

/// The places to tell of. One that was told of stays, so that what a person just did to it can be taken back.
fn listed(places: &[Place], before: &[PlaceId]) -> Vec<PlaceId> {
    let needs = |place: &Place| matches!(place.state, PlaceState::Gone | PlaceState::Changed);
    let standing = standing(places);
    places
        .iter()
        .filter(|place| {
            before.contains(&place.place_id) || (needs(place) && standing.contains(place))
        })
        .map(|place| place.place_id.clone())
        .collect()
}

#[component]
fn Fate(thread: ThreadId, place: PlaceId) -> impl IntoView {
    let model = use_model();
    let now = {
        let place = place.clone();
        Derived::new(move || {
            model
                .pane
                .places
                .with(|places| places.iter().find(|at| at.place_id == place).cloned())
        })
    };
    let answered = State::new(None);
    on_change(move || {
        answered.set(model.pane.places.with(|places| {
            let stands_in = |at: &&Place| at.replaces.as_ref() == Some(&place);
            places.iter().find(stands_in).map(|at| at.place_id.clone())
        }));
    });
    let detail = State::new(None::<PlaceDetail>);
    let asked = thread.clone();
    on_change(move || {
        let Some(place) = now.get() else { return };
        if !matches!(place.state, PlaceState::Gone | PlaceState::Changed) {
            return;
        }
        let thread = asked.clone();
        spawn_local(async move {
            match api::place(&thread, &place.place_id).await {
                Ok(came) => {
                    if detail.try_with_untracked(|known| known.as_ref() != Some(&came))
                        == Some(true)
                    {
                        detail.set(Some(came));
                    }
                }
                Err(failed) => model.failed(&failed),
            }
        });
    });
    let drawn = move || {
        let place = now.get()?;
        let detail = detail
            .get()
            .filter(|detail| detail.place.state == place.state);
        Some(match place.state {
            PlaceState::Gone => {
                let (origin, offers) = match detail {
                    Some(detail) => (detail.origin, Some(detail.offers)),
                    None => (None, None),
                };
                let lost = LostPlace {
                    thread: thread.clone(),
                    place: place.place_id,
                    document: place.document,
                    quote: place.quote,
                    said_gone: place
                        .vanished
                        .as_ref()
                        .is_some_and(|since| since.said_at.is_some()),
                    vanished: place.vanished,
                    origin,
                    offers,
                };
                view! { <Lost lost answered /> }.into_any()
            }
            PlaceState::Changed => {
                let words = detail.map(|detail| diff(detail.words));
                view! {
                    <div class="was" data-state="changed">
                        <p class="lost__label"><b>"Changed"</b> " since it was picked"</p>
                        <p class="fate__quote">{words}</p>
                    </div>
                }
                .into_any()
            }
            _ => view! {
                <p class="was lost__why">"Its text is there as it was picked."</p>
            }
            .into_any(),
        })
    };
    redrawn(drawn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn place(n: u32, state: &str, replaces: Option<u32>) -> Place {
        let id = |n: u32| format!("01890a5d-ac96-774b-bcce-{n:012}");
        serde_json::from_value(json!({
            "placeId": id(n), "document": "a.md", "kind": "text", "start": 0, "end": 4,
            "version": "a".repeat(64), "quote": "word", "state": state, "messageId": null,
            "replaces": replaces.map(id),
        }))
        .unwrap()
    }

    /// S73: a comment whose text is gone says so of every such place, and of no other.
    #[test]
    fn a_place_is_told_of_when_its_text_is_gone_or_another() {
        let places = [
            place(1, "exact", None),
            place(2, "gone", None),
            place(3, "changed", None),
        ];
        let told = listed(&places, &[]);
        assert_eq!(
            told,
            [places[1].place_id.clone(), places[2].place_id.clone()]
        );
    }

    #[test]
    fn a_place_that_was_just_put_elsewhere_stays_to_be_taken_back() {
        let places = [place(2, "gone", None), place(4, "exact", Some(2))];
        assert!(listed(&places, &[]).is_empty(), "opened later");
        let before = [places[0].place_id.clone()];
        assert_eq!(listed(&places, &before), before);
    }
}
