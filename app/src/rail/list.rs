//! The list of comments. No row moves while the pointer is over the rail.

use super::row::Row;
use super::tab_id;
use crate::browser::clock;
use crate::browser::timer::sleep;
use crate::model::{LaneFilter, RailTab, use_model};
use crate::reactive::{Derived, Each, Only, State, redrawn};
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::ids::{Millis, ThreadId};

/// How often relative times are written anew.
const TICK_MS: u32 = 20_000;

#[component]
pub(super) fn List(held: State<bool>) -> impl IntoView {
    let model = use_model();
    let now = ticking();
    let shown = Derived::since(move |before: Option<&(LaneFilter, Vec<ThreadId>)>| {
        let filter = model.rail.filter.get();
        let before = before
            .filter(|(of, _)| *of == filter)
            .map(|(_, list)| list.as_slice());
        let held = held.get() && before.is_some();
        (filter, model.rail.shown(before.unwrap_or_default(), held))
    });
    let is_empty =
        Derived::new(move || model.rail.came.get() && shown.with(|(_, list)| list.is_empty()));
    let empty = move || {
        if model.rail.filter.get().is_some() {
            view! { <p>"No comment in this lane."</p> }.into_any()
        } else {
            view! {
                <p>"No comments yet."</p>
                <p>
                    "Select a passage in a document. Every comment you make in this workspace is listed here, also drafts and notes."
                </p>
            }
            .into_any()
        }
    };
    let drafts = Derived::new(move || model.rail.counts().draft);
    let foot = move || match drafts.get() {
        0 => "No draft waits to be sent".to_owned(),
        1 => "1 draft waits to be sent".to_owned(),
        more => format!("{more} drafts wait to be sent"),
    };
    view! {
        <div class="rail__list" role="tabpanel" id="rail-panel" aria-labelledby=tab_id(RailTab::Threads)>
            <Only when=move || is_empty.get()>
                <div class="rail__empty">{redrawn(empty)}</div>
            </Only>
            <ul>
                <Each each=move || shown.get().1 key=ThreadId::clone let:id>
                    <Row id now />
                </Each>
            </ul>
        </div>
        <div class="rail__foot">
            <span>{redrawn(foot)}</span>
        </div>
    }
}

/// The time, moving on while this is shown.
fn ticking() -> State<Millis> {
    let now = State::new(clock::now());
    spawn_local(async move {
        // Ends when the list that made the state is gone.
        while now.try_set(clock::now()).is_none() {
            sleep(TICK_MS).await;
        }
    });
    now
}
