//! The report of one change: its places in the order of need.

use super::fate::{Fate, fate_id};
use crate::browser::focus;
use crate::reactive::{State, on_key};
use leptos::prelude::*;
use rex_shared::ids::PlaceId;
use rex_shared::wire::change::{ChangeReport, Outcome, PlaceChange};

/// Places drawn of one group; the rest is only counted.
const SHOWN: usize = 100;

/// The groups in the order of need.
const GROUPS: [(&str, &[Outcome]); 4] = [
    ("Needs you", &[Outcome::Gone, Outcome::Changed]),
    ("Found again", &[Outcome::Back]),
    ("Moved with their text", &[Outcome::Moved]),
    ("Same", &[Outcome::Same]),
];

#[component]
pub(super) fn Report(report: ChangeReport) -> impl IntoView {
    let document = report.change.document;
    let groups = grouped(&report.places);
    let order: Vec<PlaceId> = groups
        .iter()
        .flat_map(|(_, places)| places.iter().take(SHOWN))
        .map(|place| place.place_id.clone())
        .collect();
    let at = State::new(None::<usize>);
    let step = move |event: leptos::ev::KeyboardEvent| {
        let next = match (event.key().as_str(), at.get_untracked()) {
            ("ArrowDown" | "j", None) => Some(0),
            ("ArrowDown" | "j", Some(at)) => Some(at + 1),
            ("ArrowUp" | "k", at) => at.and_then(|at| at.checked_sub(1)),
            _ => None,
        };
        if let Some((next, place)) = next.and_then(|next| Some((next, order.get(next)?))) {
            event.prevent_default();
            at.set(Some(next));
            focus::to_id(&fate_id(place));
        }
    };
    let drawn: Vec<_> = groups
        .into_iter()
        .map(|(name, places)| {
            let count = places.len();
            let more = count.checked_sub(SHOWN).filter(|more| *more > 0);
            let document = document.clone();
            let fates = places
                .into_iter()
                .take(SHOWN)
                .map(move |place| view! { <Fate place document=document.clone() /> })
                .collect_view();
            view! {
                <section class="health__group">
                    <h3>{name} <span class="num">{count}</span></h3>
                    <ul>{fates}</ul>
                    {more.map(|more| view! { <p class="lost__why">{format!("and {more} more")}</p> })}
                </section>
            }
        })
        .collect();
    view! {
        <div class="health__report" on:keydown=on_key(step)>
            {drawn}
        </div>
    }
}

/// The groups that have places; a group keeps the order of the document, what is gone first.
fn grouped(places: &[PlaceChange]) -> Vec<(&'static str, Vec<PlaceChange>)> {
    let of = |outcomes: &[Outcome]| {
        let found = outcomes.iter().flat_map(|outcome| {
            let is_it = move |place: &&PlaceChange| place.outcome == *outcome;
            places.iter().filter(is_it).cloned()
        });
        found.collect::<Vec<_>>()
    };
    GROUPS
        .into_iter()
        .map(|(name, outcomes)| (name, of(outcomes)))
        .filter(|(_, places)| !places.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn place(number: u32, outcome: &str) -> PlaceChange {
        let id = format!("01890a5d-ac96-774b-bcce-{number:012}");
        serde_json::from_value(json!({
            "threadId": id, "number": number, "lane": "open", "placeId": id, "kind": "text", "outcome": outcome,
            "lines": 0, "line": null, "quote": "", "words": [], "origin": null, "offers": [],
        }))
        .unwrap()
    }

    #[test]
    fn what_needs_the_person_comes_first_and_what_is_gone_before_all() {
        let places = vec![
            place(1, "same"),
            place(2, "changed"),
            place(3, "gone"),
            place(4, "same"),
        ];
        let groups: Vec<_> = grouped(&places)
            .into_iter()
            .map(|(name, places)| {
                (
                    name,
                    places.iter().map(|place| place.number).collect::<Vec<_>>(),
                )
            })
            .collect();
        assert_eq!(groups, [("Needs you", vec![3, 2]), ("Same", vec![1, 4])]);
    }
}
