//! The tray: passages picked and a question not sent yet.
//!
//! From the first pick on it is a draft in the database, so being called away, a reload or a restart loses nothing. It
//! belongs to the person, not to a document or a card.

mod acts;
mod ask;
mod picking;
mod view;
pub(super) mod words;

pub(crate) use view::draw_tray;

use crate::api;
use crate::browser::{focus, ids, storage};
use crate::model::{Model, Pick, Picked, Tray};
use crate::paper::gutter::TRAY_TEXT;
use crate::reactive::{State, Stored, on_change};
use acts::{Act, Acts};
use leptos::prelude::*;
use leptos::task::spawn_local;
use picking::{Joins, joins};
use rex_shared::ids::{PlaceId, ThreadId};
use rex_shared::wire::place::{AddPlaces, NewPlace};
use rex_shared::wire::thread::{Draft, Thread, ThreadPatch, Undo};
use std::time::Duration;

/// A text that rests so long is stored.
const REST: Duration = Duration::from_millis(600);

/// A tray that was cleared and can be had back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cleared {
    thread: ThreadId,
    undo: Undo,
}

/// Everything a person does with picked passages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Desk {
    model: Model,
    acts: Acts,
    /// A send or a clearing is under way: its buttons wait.
    pub busy: State<bool>,
    /// The last clearing.
    pub cleared: State<Option<Cleared>>,
    resting: Stored<Option<TimeoutHandle>>,
}

impl Desk {
    /// A desk without a tray; the one that stood here last is fetched as soon as the workspace is known.
    pub(super) fn new(model: Model) -> Self {
        let desk = Self {
            model,
            acts: Acts::new(model),
            busy: State::default(),
            cleared: State::default(),
            resting: Stored::new(None),
        };
        on_change(move || {
            let picked = model.picked.get();
            if !picked.is_empty() {
                model.picked.set(Vec::new());
                for picked in picked {
                    desk.take(picked);
                }
            }
        });
        on_change(move || {
            let known = model.workspace.with(Option::is_some);
            if known && model.tray.with_untracked(Option::is_none) {
                desk.fetch();
            }
        });
        if let Some(tray) = model.tray.get_untracked() {
            desk.go_on(tray);
        }
        desk
    }

    /// Takes over a tray that was open before this desk was there.
    fn go_on(self, tray: Tray) {
        if tray.picks.iter().any(|pick| pick.stored) {
            self.acts.knows(&tray.thread_id);
        }
        for pick in tray.picks.into_iter().filter(|pick| !pick.stored) {
            self.acts.add(Act::Pick(tray.thread_id.clone(), pick.place));
        }
    }

    fn take(self, picked: Picked) {
        match picked {
            Picked::Comment(pick) => {
                self.pick(pick);
                self.write();
            }
            Picked::Further(pick) => self.pick(pick),
            Picked::ForOpen(pick) => self.add_to_open(pick.place),
        }
    }

    /// A passage was picked: the first one opens the tray, each further one joins it.
    fn pick(self, pick: Pick) {
        let joins = self.model.tray.with_untracked(|tray| {
            let picks = tray.as_ref().map_or(&[][..], |tray| &tray.picks);
            joins(picks, &pick)
        });
        match joins {
            Joins::Known => {}
            Joins::InsteadOfNewest => self.put(pick, true),
            Joins::New => self.put(pick, false),
        }
    }

    /// The newest pick reaches further than before, or less far.
    pub(super) fn reach(self, pick: Pick) {
        self.put(pick, true);
    }

    fn put(self, pick: Pick, instead_of_newest: bool) {
        let mut tray = self.model.tray.get_untracked().unwrap_or_else(|| Tray {
            thread_id: ids::thread_id(),
            picks: Vec::new(),
        });
        let thread = tray.thread_id.clone();
        self.acts.add(Act::Pick(thread.clone(), pick.place.clone()));
        // After the new one, so that the draft is never without a place.
        if instead_of_newest && let Some(replaced) = tray.picks.pop() {
            let old = replaced.place.place_id;
            self.acts.add(Act::Drop(thread.clone(), old));
        }
        tray.picks.push(pick);
        self.remember(Some(&thread));
        self.cleared.set(None);
        self.model.tray.set(Some(tray));
    }

    /// Takes a pick away; the last one takes the tray with it.
    pub(super) fn unpick(self, place: &PlaceId) {
        let Some(mut tray) = self.model.tray.get_untracked() else {
            return;
        };
        if tray.picks.len() < 2 {
            return self.clear();
        }
        tray.picks.retain(|pick| pick.place.place_id != *place);
        self.acts
            .add(Act::Drop(tray.thread_id.clone(), place.clone()));
        self.model.tray.set(Some(tray));
    }

    /// Puts the cursor into the tray's text, once it is there.
    pub(super) fn write(self) {
        request_animation_frame(|| focus::to_id(TRAY_TEXT));
    }

    /// The text changed: it is stored as soon as the hand rests.
    pub(super) fn wrote(self, text: String) {
        self.model.tray_text.set(text);
        self.stop_resting();
        let resting = set_timeout_with_handle(move || self.keep_text(), REST);
        self.resting.update_value(|at| *at = resting.ok());
    }

    fn stop_resting(self) {
        if let Some(Some(resting)) = self.resting.try_update_value(Option::take) {
            resting.clear();
        }
    }

    fn keep_text(self) {
        self.stop_resting();
        if let Some(Some(tray)) = self.model.tray.try_get_untracked() {
            let text = self.model.tray_text.get_untracked();
            self.acts.add(Act::Write(tray.thread_id, text));
        }
    }

    /// Adds a passage to the open comment, to go with its next prompt.
    fn add_to_open(self, place: NewPlace) {
        let Some(open) = self.model.open_thread.get_untracked() else {
            return;
        };
        let places = AddPlaces {
            places: vec![place],
            place_ids: Vec::new(),
        };
        spawn_local(async move {
            match api::add_places(&open, &places).await {
                Ok(thread) => self.show_in_card(thread),
                Err(failed) => self.model.failed(&failed),
            }
        });
    }

    fn show_in_card(self, thread: Thread) {
        let open = self.model.open_thread.get_untracked();
        if open.as_ref() == Some(&thread.row.thread_id) {
            self.model.pane.places.set(thread.places);
        }
    }

    /// Closes the tray; what it holds stays a draft in the rail.
    pub(super) fn save(self) {
        self.keep_text();
        self.close_when_said();
    }

    fn close_when_said(self) {
        self.busy.set(true);
        spawn_local(async move {
            self.acts.said().await;
            self.close();
            self.busy.set(false);
        });
    }

    /// Makes a note of it, which is never sent.
    pub(super) fn keep_as_note(self) {
        let Some(tray) = self.model.tray.get_untracked() else {
            return;
        };
        self.stop_resting();
        self.busy.set(true);
        spawn_local(async move {
            self.acts.said().await;
            let patch = ThreadPatch {
                note: Some(self.model.tray_text.get_untracked()),
                is_note: Some(true),
                draft: Some(Draft::default()),
                ..ThreadPatch::default()
            };
            match api::patch_thread(&tray.thread_id, &patch).await {
                Ok(_) => self.close(),
                Err(failed) => self.model.failed(&failed),
            }
            self.busy.set(false);
        });
    }

    /// Throws the picks away, with a way back.
    pub(super) fn clear(self) {
        let Some(tray) = self.model.tray.get_untracked() else {
            return;
        };
        self.keep_text();
        self.busy.set(true);
        spawn_local(async move {
            self.acts.said().await;
            match api::delete_thread(&tray.thread_id).await {
                Ok(undo) => {
                    self.close();
                    let thread = tray.thread_id;
                    self.cleared.set(Some(Cleared { thread, undo }));
                }
                Err(failed) => self.model.failed(&failed),
            }
            self.busy.set(false);
        });
    }

    /// Has the cleared tray back.
    pub(super) fn undo_clear(self) {
        let Some(cleared) = self.cleared.get_untracked() else {
            return;
        };
        self.cleared.set(None);
        spawn_local(async move {
            match api::undo(&cleared.undo).await {
                Ok(()) => {
                    self.remember(Some(&cleared.thread));
                    self.fetch();
                }
                Err(failed) => self.model.failed(&failed),
            }
        });
    }

    fn close(self) {
        self.acts.forget();
        self.stop_resting();
        self.remember(None);
        self.model.tray_text.set(String::new());
        self.model.tray.set(None);
    }

    fn remember(self, thread: Option<&ThreadId>) {
        if let Some(ws) = self.model.ws() {
            storage::set_tray(ws.as_str(), thread.map(ThreadId::as_str));
        }
    }

    /// Fetches the draft that the tray was last seen with. One that was sent or thrown away meanwhile is no tray.
    fn fetch(self) {
        let kept = self.model.ws().and_then(|ws| storage::tray(ws.as_str()));
        let Some(thread) = kept.and_then(|id| ThreadId::parse(&id).ok()) else {
            return;
        };
        spawn_local(async move {
            let Ok(thread) = api::thread(&thread).await else {
                return;
            };
            let is_open = self.model.tray.with_untracked(Option::is_some);
            let is_draft = thread.row.message_count == 0 && !thread.row.is_note;
            if is_open || !is_draft || thread.places.is_empty() {
                return;
            }
            self.acts.knows(&thread.row.thread_id);
            self.model.tray_text.set(thread.draft.text.clone());
            self.model.tray.set(Some(stored(thread)));
        });
    }
}

/// The tray that a stored draft is.
fn stored(thread: Thread) -> Tray {
    let picks = thread.places.into_iter().map(|place| {
        let pick = Pick::new(NewPlace {
            place_id: place.place_id,
            document: place.document,
            kind: place.kind,
            start: place.start,
            end: place.end,
            version: place.version,
            quote: place.quote,
        });
        Pick {
            stored: true,
            ..pick
        }
    });
    Tray {
        thread_id: thread.row.thread_id,
        picks: picks.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const THREAD: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

    fn place(id: &str, document: &str) -> serde_json::Value {
        json!({
            "placeId": id, "document": document, "kind": "text", "start": 2, "end": 9,
            "version": "a".repeat(64), "quote": "request", "state": "exact", "messageId": null, "replaces": null,
        })
    }

    fn thread(lane: &str) -> Thread {
        let row = json!({
            "threadId": THREAD, "number": 12, "title": null, "name": null, "isNote": lane == "note",
            "status": "open", "lane": lane, "lastActivityAt": 1, "messageCount": 0, "busy": false,
            "asksYou": false, "unread": false, "lastRun": null, "places": [], "groupId": null, "position": null,
        });
        serde_json::from_value(json!({
            "row": row, "workspaceId": THREAD, "note": null, "permissionMode": "ask",
            "draft": {"text": "Which one?"},
            "places": [
                place("01890a5d-ac96-774b-bcce-000000000001", "pricing.md"),
                place("01890a5d-ac96-774b-bcce-000000000002", "components.md"),
            ],
        }))
        .unwrap()
    }

    /// S67 S76: a half-built comment is a draft in the database, and the tray is made of nothing else.
    #[test]
    fn a_stored_draft_is_the_tray_again() {
        let tray = stored(thread("draft"));
        assert_eq!(tray.thread_id.as_str(), THREAD);
        let picks: Vec<_> = tray
            .picks
            .iter()
            .map(|pick| (pick.place.document.as_str(), pick.stored))
            .collect();
        assert_eq!(picks, [("pricing.md", true), ("components.md", true)]);
    }
}
