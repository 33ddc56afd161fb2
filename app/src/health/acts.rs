//! What a person does with a place that lost its text.

use crate::api::{self, Answer};
use crate::browser::keys::KeyPress;
use crate::browser::{focus, ids};
use crate::card;
use crate::model::Model;
use crate::navigate;
use crate::reactive::State;
use leptos::task::spawn_local;
use rex_shared::ids::{PlaceId, ThreadId};
use rex_shared::wire::place::{NewPlace, Offer, Reattach, SaidGone};
use rex_shared::wire::thread::Thread;

/// A place that lost its text, and the one a person put in its stead.
#[derive(Debug, Clone)]
pub(super) struct Lost {
    /// Its thread.
    pub thread: ThreadId,
    /// The place.
    pub place: PlaceId,
    /// The place that stands in for it.
    pub answered: State<Option<PlaceId>>,
    /// The person said that it is gone for good.
    pub said_gone: State<bool>,
}

/// Presses what a lost place offers under a key, in the first of `within` that has it: Y is "Yes, here", U takes it back.
pub(crate) fn press(key: &KeyPress, within: &[&str]) -> bool {
    let what = match key.key.as_str() {
        "y" | "Y" => "data-yes",
        "u" | "U" => "data-undo",
        _ => return false,
    };
    let is_plain = !(key.modifier || key.alt || key.composing);
    is_plain
        && within
            .iter()
            .any(|around| focus::press(&format!("{around} [{what}]")))
}

/// The text offered is where the place belongs.
pub(super) fn yes_here(model: Model, lost: Lost, offer: Offer) {
    let id = ids::place_id();
    let here = Reattach {
        place_id: Some(id.clone()),
        kind: None,
        document: offer.document,
        start: offer.start,
        end: offer.end,
        version: offer.version,
        quote: offer.quote,
    };
    spawn_local(async move {
        match api::reattach(&lost.thread, &lost.place, &here).await {
            Ok(thread) => {
                lost.answered.set(Some(id));
                card::take(model, thread);
            }
            Err(failed) => model.failed(&failed),
        }
    });
}

/// The next passage that is selected is where the place belongs. Its card is open meanwhile, to tell and to undo.
pub(super) fn select_another(model: Model, lost: &Lost) {
    model.document.changes_shown.set(false);
    navigate::to_thread(model, lost.thread.clone());
    model
        .bereft
        .set(Some((lost.thread.clone(), lost.place.clone())));
}

/// What was selected is where the place belongs that waited for it.
pub(crate) fn put_on(model: Model, (thread, lost): (ThreadId, PlaceId), place: NewPlace) {
    model.bereft.set(None);
    let here = Reattach {
        place_id: Some(place.place_id),
        kind: Some(place.kind),
        document: place.document,
        start: place.start,
        end: place.end,
        version: place.version,
        quote: place.quote,
    };
    spawn_local(async move {
        match api::reattach(&thread, &lost, &here).await {
            Ok(thread) => card::take(model, thread),
            Err(failed) => model.failed(&failed),
        }
    });
}

/// The text is gone for good, and is not to be asked about; or it may be somewhere after all.
pub(super) fn say_gone(model: Model, lost: Lost, gone: bool) {
    spawn_local(async move {
        match api::say_gone(&lost.thread, &lost.place, &SaidGone { gone }).await {
            Ok(thread) => {
                lost.said_gone.set(gone);
                card::take(model, thread);
            }
            Err(failed) => model.failed(&failed),
        }
    });
}

/// It is not after all: the place is lost again, as it was.
pub(super) fn undo(model: Model, lost: Lost) {
    let Some(id) = lost.answered.get_untracked() else {
        return;
    };
    spawn_local(async move {
        match taken_back(&lost.thread, &id).await {
            Ok(thread) => {
                lost.answered.set(None);
                card::take(model, thread);
            }
            Err(failed) => model.failed(&failed),
        }
    });
}

async fn taken_back(thread: &ThreadId, place: &PlaceId) -> Answer<Thread> {
    api::remove_place(thread, place).await?;
    api::thread(thread).await
}
