//! Taking frames of the follow stream.
//!
//! Frames may repeat and may come late; they end in the same state all the same. What cannot be fitted in asks for a
//! new snapshot instead of being guessed at.

use super::merge::{Growth, growth};
use super::{Model, ThreadPane};
use crate::api::Failed;
use crate::reactive::State;
use rex_shared::ids::ThreadId;
use rex_shared::json::Unreadable;
use rex_shared::wire::follow::{Delta, DocumentFrame, EntryFrame, Frame, Rail, Status};
use rex_shared::wire::message::{Part, Role};
use rex_shared::wire::prompt::DialogState;
use rex_shared::wire::thread::ThreadRow;

/// What became of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// Taken, or known already.
    Taken,
    /// Of another thread or of an older generation: it changed nothing.
    Dropped,
    /// It does not fit what is known: connect anew, which begins with a snapshot.
    WantsSnapshot,
}

impl Model {
    /// Takes one frame.
    pub fn apply(&self, frame: Frame) -> Applied {
        if let Some((thread, generation)) = addressed_to(&frame) {
            let open = self.open_thread.get_untracked();
            if ThreadPane::is_foreign(open.as_ref(), thread) {
                return Applied::Dropped;
            }
            match generation {
                Some(generation) if generation < self.pane.generation.get_untracked() => {
                    return Applied::Dropped;
                }
                Some(generation) => set(&self.pane.generation, generation),
                None => {}
            }
        }
        match frame {
            Frame::Snapshot(snapshot) => self.pane.take_snapshot(*snapshot),
            Frame::Status(status) => self.pane.take_status(&status),
            Frame::Message(frame) => self.pane.take_header(frame.message),
            Frame::Entry(entry) => return self.pane.take_entry(*entry),
            Frame::Delta(delta) => return self.pane.take_delta(&delta),
            Frame::Dialog(frame) => self.pane.take_dialog(frame.dialog),
            Frame::Usage(frame) => self.pane.usage.set(frame.usage),
            Frame::Rail(change) => self.take_rail(change),
            Frame::Document(frame) => self.take_document(frame),
            Frame::Ping => {}
        }
        Applied::Taken
    }

    /// Takes an event of the open thread. One that this page does not know changes nothing it shows.
    pub(crate) fn take_event(self, event: &str, data: &str) -> Applied {
        match Frame::parse(event, data) {
            Ok(Some(frame)) => self.apply(frame),
            Ok(None) => Applied::Dropped,
            Err(Unreadable) => {
                self.failed(&Failed::Unreadable);
                Applied::Dropped
            }
        }
    }

    /// Takes what a document did.
    pub(crate) fn take_document(&self, frame: DocumentFrame) {
        let is_known = self.files.with_untracked(|files| {
            files
                .as_ref()
                .is_some_and(|files| files.has(&frame.document))
        });
        if is_known != frame.version.is_some() {
            self.files_changed.update(|count| *count += 1);
        }
        let path = self.document.path.get_untracked();
        if path.as_deref() == Some(frame.document.as_str()) {
            if frame.change.is_some() {
                self.document.last_change.set(frame.change.clone());
            }
            self.document.on_disk.set(Some(frame));
        }
    }

    /// Takes that a document has another path now, in the picks and in the open card.
    pub(crate) fn take_renamed(&self, from: &str, to: &str) {
        self.tray.update(|tray| {
            let picks = tray.iter_mut().flat_map(|tray| &mut tray.picks);
            for pick in picks.filter(|pick| pick.place.document == from) {
                to.clone_into(&mut pick.place.document);
            }
        });
        self.pane.places.update(|places| {
            for place in places.iter_mut().filter(|place| place.document == from) {
                to.clone_into(&mut place.document);
            }
        });
    }

    /// Takes what a row did.
    pub(crate) fn take_rail(&self, change: Rail) {
        let after = match &change {
            Rail::Row { row } => Some((**row).clone()),
            Rail::Removed { .. } => None,
        };
        let before = self.rail.apply(change);
        let path = self.document.path.get_untracked();
        if let Some(path) = path
            && marks(before.as_ref(), &path) != marks(after.as_ref(), &path)
        {
            self.document.places_changed.update(|count| *count += 1);
        }
    }
}

/// What the paper draws of a thread in a document.
fn marks<'a>(row: Option<&'a ThreadRow>, path: &str) -> Option<impl PartialEq + use<'a>> {
    let row = row?;
    let places: Vec<_> = row
        .places
        .iter()
        .filter(|place| place.document == path)
        .collect();
    (!places.is_empty()).then_some((row.lane, places))
}

/// The thread and generation a frame belongs to. A snapshot is taken whatever its generation.
fn addressed_to(frame: &Frame) -> Option<(&ThreadId, Option<u64>)> {
    Some(match frame {
        Frame::Snapshot(frame) => (&frame.thread_id, None),
        Frame::Status(frame) => (&frame.thread_id, Some(frame.generation)),
        Frame::Message(frame) => (&frame.thread_id, Some(frame.generation)),
        Frame::Entry(frame) => (&frame.thread_id, Some(frame.generation)),
        Frame::Delta(frame) => (&frame.thread_id, Some(frame.generation)),
        Frame::Dialog(frame) => (&frame.thread_id, Some(frame.generation)),
        Frame::Usage(frame) => (&frame.thread_id, None),
        Frame::Rail(_) | Frame::Document(_) | Frame::Ping => return None,
    })
}

impl ThreadPane {
    fn take_status(&self, status: &Status) {
        if status.busy && !self.busy.get_untracked() {
            self.dialogs
                .update(|dialogs| dialogs.retain(|dialog| dialog.state == DialogState::Open));
        }
        set(&self.live, status.live);
        set(&self.busy, status.busy);
        set(&self.stage, status.stage);
        set(&self.started_at, status.started_at);
    }

    fn take_entry(&self, entry: EntryFrame) -> Applied {
        let Some(message) = self.message(&entry.message_id) else {
            return Applied::WantsSnapshot;
        };
        if message.take_part(entry.index as usize, entry.part) {
            if message.role == Role::Assistant {
                set(&self.refused, None);
            }
            Applied::Taken
        } else {
            Applied::WantsSnapshot
        }
    }

    fn take_delta(&self, delta: &Delta) -> Applied {
        let Some(part) = self.part(&delta.entry_id) else {
            return Applied::WantsSnapshot;
        };
        let growth = part.with_untracked(|part| match part {
            Part::Text { text, .. } | Part::Thinking { text, .. } => {
                growth(text, delta.at, &delta.text)
            }
            Part::Tool { .. } | Part::Image { .. } | Part::Unknown { .. } => Growth::Gap,
        });
        match growth {
            Growth::By(added) => {
                part.update(|part| {
                    if let Part::Text { text, .. } | Part::Thinking { text, .. } = part {
                        text.push_str(&added);
                    }
                });
                Applied::Taken
            }
            Growth::Known => Applied::Taken,
            Growth::Gap => Applied::WantsSnapshot,
        }
    }
}

/// Sets a signal only when the value is new, so that a repeat wakes nobody.
fn set<T: PartialEq + Send + Sync + 'static>(signal: &State<T>, value: T) {
    if signal.with_untracked(|old| *old != value) {
        signal.set(value);
    }
}
