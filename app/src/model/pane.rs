//! What the card shows of the open thread, message by message and part by part.

use super::merge::{merged_header, merged_part};
use crate::reactive::{SharedState, State};
use rex_shared::ids::{BootId, EntryId, MessageId, Millis, ThreadId};
use rex_shared::wire::follow::{Snapshot, Stage};
use rex_shared::wire::message::{History, Message, Mode, Part, Refusal, Role, Usage};
use rex_shared::wire::place::Place;
use rex_shared::wire::prompt::{Dialog, Queued};
use rex_shared::wire::proposal::Proposal;
use rex_shared::wire::thread::{Draft, Thread};

/// One part of a message: its key, and its content in a signal of its own.
#[derive(Debug, Clone)]
pub struct PartRow {
    /// The stored entry; the key of the list.
    pub entry_id: EntryId,
    /// The content.
    pub part: SharedState<Part>,
}

/// One message: its key, its header without parts, and its parts.
#[derive(Debug, Clone)]
pub struct MessageRow {
    /// The key of the list.
    pub message_id: MessageId,
    /// Who speaks; never changes.
    pub role: Role,
    /// The header; its `parts` are empty.
    pub header: SharedState<Message>,
    /// The content, in stored order.
    pub parts: SharedState<Vec<PartRow>>,
}

/// Where the messages on screen came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Painted {
    /// Nothing came yet.
    #[default]
    Nothing,
    /// From history, which may paint first.
    History,
    /// From a snapshot; history that comes later changes nothing.
    Snapshot,
}

/// What the card shows.
#[derive(Debug, Clone, Copy)]
pub struct ThreadPane {
    /// Where the messages came from.
    pub painted: State<Painted>,
    /// The thread's own answer came: places, note and composer are as stored.
    pub came: State<bool>,
    /// The thread is neither stored nor live: nothing to come back to, the next prompt makes it.
    pub unknown: State<bool>,
    /// Its places, in the order they were added.
    pub places: State<Vec<Place>>,
    /// The note typed for oneself.
    pub note: State<Option<String>>,
    /// The messages, oldest first, keyed.
    pub messages: State<Vec<MessageRow>>,
    /// Whether older messages exist than those shown.
    pub has_earlier: State<bool>,
    /// The bridge holds a runtime for it.
    pub live: State<bool>,
    /// A run is going on.
    pub busy: State<bool>,
    /// What the run is doing.
    pub stage: State<Option<Stage>>,
    /// When the run started.
    pub started_at: State<Option<Millis>>,
    /// The generation of the newest frame taken.
    pub generation: State<u64>,
    /// The start of the bridge that the generation belongs to.
    pub boot: State<Option<BootId>>,
    /// The mode of the next send.
    pub permission_mode: State<Mode>,
    /// What the thread used so far.
    pub usage: State<Usage>,
    /// What its act runs want changed, the oldest first.
    pub proposals: State<Vec<Proposal>>,
    /// Open questions of the agent, oldest first.
    pub dialogs: State<Vec<Dialog>>,
    /// Prompts that wait behind the run.
    pub queued: State<Vec<Queued>>,
    /// What the bridge has stored of the composer. What is being typed is the composer's own.
    pub draft: State<Draft>,
    /// Set when the newest attempt was refused. Read from a snapshot, cleared when a later reply says something.
    pub refused: State<Option<Refusal>>,
}

impl ThreadPane {
    pub(super) fn new() -> Self {
        Self {
            painted: State::default(),
            came: State::default(),
            unknown: State::default(),
            places: State::default(),
            note: State::default(),
            messages: State::default(),
            has_earlier: State::default(),
            live: State::default(),
            busy: State::default(),
            stage: State::default(),
            started_at: State::default(),
            generation: State::default(),
            boot: State::default(),
            permission_mode: State::default(),
            usage: State::default(),
            proposals: State::default(),
            dialogs: State::default(),
            queued: State::default(),
            draft: State::default(),
            refused: State::default(),
        }
    }

    /// Empties the pane for another thread.
    pub fn clear(&self) {
        self.painted.set(Painted::Nothing);
        self.came.set(false);
        self.unknown.set(false);
        self.places.set(Vec::new());
        self.note.set(None);
        self.messages.set(Vec::new());
        self.has_earlier.set(false);
        self.live.set(false);
        self.busy.set(false);
        self.stage.set(None);
        self.started_at.set(None);
        self.generation.set(0);
        self.boot.set(None);
        self.permission_mode.set(Mode::default());
        self.usage.set(Usage::default());
        self.proposals.set(Vec::new());
        self.dialogs.set(Vec::new());
        self.queued.set(Vec::new());
        self.draft.set(Draft::default());
        self.refused.set(None);
    }

    /// Takes the thread's places, note and composer.
    pub fn take_thread(&self, thread: Thread) {
        self.came.set(true);
        self.unknown.set(false);
        self.places.set(thread.places);
        self.note.set(thread.note);
        if self.painted.get_untracked() != Painted::Snapshot {
            self.draft.set(thread.draft);
            self.permission_mode.set(thread.permission_mode);
        }
    }

    /// Paints stored messages, unless a snapshot painted already.
    pub fn take_history(&self, history: History) {
        if self.painted.get_untracked() == Painted::Snapshot {
            return;
        }
        self.painted.set(Painted::History);
        self.has_earlier.set(history.has_earlier);
        self.permission_mode.set(history.permission_mode);
        self.replace_messages(history.messages);
    }

    /// Puts an older page of history in front.
    pub fn take_earlier(&self, history: History) {
        self.has_earlier.set(history.has_earlier);
        self.messages.update(|rows| {
            let older = history
                .messages
                .into_iter()
                .filter(|old| rows.iter().all(|row| row.message_id != old.message_id))
                .map(MessageRow::new)
                .collect::<Vec<_>>();
            rows.splice(0..0, older);
        });
    }

    /// Whatever a snapshot says is taken, even a lower generation: it replaces what is on screen.
    pub(super) fn take_snapshot(&self, snapshot: Snapshot) {
        self.painted.set(Painted::Snapshot);
        if !snapshot.messages.is_empty() {
            self.unknown.set(false);
        }
        self.boot.set(Some(snapshot.boot_id));
        self.generation.set(snapshot.generation);
        self.live.set(snapshot.live);
        self.busy.set(snapshot.busy);
        self.stage.set(snapshot.stage);
        self.started_at.set(snapshot.started_at);
        self.permission_mode.set(snapshot.permission_mode);
        self.usage.set(snapshot.usage);
        self.dialogs.set(snapshot.open_dialogs);
        self.queued.set(snapshot.queued);
        self.draft.set(snapshot.draft);
        self.refused.set(
            snapshot
                .messages
                .last()
                .and_then(|last| last.refusal.clone()),
        );
        let paged = self.keeps_earlier(&snapshot.messages);
        if !paged {
            self.has_earlier.set(snapshot.has_earlier);
        }
        self.replace_messages(snapshot.messages);
    }

    /// Whether older pages on screen still join up with a snapshot's first message.
    fn keeps_earlier(&self, newest: &[Message]) -> bool {
        let Some(first) = newest.first() else {
            return false;
        };
        self.messages.with_untracked(|rows| {
            rows.iter()
                .position(|row| row.message_id == first.message_id)
                .is_some_and(|at| at > 0)
        })
    }

    /// Shows these messages, reusing the rows of those that stay, behind older pages that join up with them.
    fn replace_messages(&self, messages: Vec<Message>) {
        self.messages.update(|rows| {
            let mut old = std::mem::take(rows);
            if let Some(first) = messages.first()
                && let Some(at) = old
                    .iter()
                    .position(|row| row.message_id == first.message_id)
            {
                rows.extend(old.drain(..at));
            }
            for message in messages {
                let known = old
                    .iter()
                    .position(|row| row.message_id == message.message_id);
                rows.push(match known {
                    Some(at) => {
                        let row = old.swap_remove(at);
                        row.replace(message);
                        row
                    }
                    None => MessageRow::new(message),
                });
            }
        });
    }

    /// Takes a message's header; a new one comes last.
    pub(super) fn take_header(&self, header: Message) {
        // A newer attempt that only began takes no mark away: it has said nothing yet.
        if header.role == Role::Assistant && header.refusal.is_some() {
            self.refused.set(header.refusal.clone());
        }
        match self.message(&header.message_id) {
            Some(row) => {
                let merged = row.header.with_untracked(|old| merged_header(old, header));
                if row.header.with_untracked(|old| *old != merged) {
                    row.header.set(merged);
                }
            }
            None => self
                .messages
                .update(|rows| rows.push(MessageRow::new(header))),
        }
    }

    pub(super) fn message(&self, id: &MessageId) -> Option<MessageRow> {
        self.messages
            .with_untracked(|rows| rows.iter().find(|row| row.message_id == *id).cloned())
    }

    /// The part of an entry. Newest messages are looked at first: that is where text grows.
    pub(super) fn part(&self, id: &EntryId) -> Option<SharedState<Part>> {
        self.messages.with_untracked(|rows| {
            rows.iter().rev().find_map(|row| {
                row.parts.with_untracked(|parts| {
                    parts
                        .iter()
                        .find(|part| part.entry_id == *id)
                        .map(|part| part.part.clone())
                })
            })
        })
    }

    /// Takes a dialog's state: an open one is kept, an answered one leaves, an expired one says so until the next run.
    pub(super) fn take_dialog(&self, dialog: Dialog) {
        use rex_shared::wire::prompt::DialogState;
        self.dialogs.update(|dialogs| {
            dialogs.retain(|known| known.dialog_id != dialog.dialog_id);
            if dialog.state != DialogState::Answered {
                dialogs.push(dialog);
                dialogs.sort_by_key(|dialog| dialog.opened_at);
            }
        });
    }

    /// The thread's messages as plain values, for tests and for copying.
    pub fn plain(&self) -> Vec<Message> {
        self.messages
            .with_untracked(|rows| rows.iter().map(MessageRow::plain).collect())
    }

    /// Whether a frame is of another thread than the open one.
    pub(super) fn is_foreign(open: Option<&ThreadId>, frame: &ThreadId) -> bool {
        open != Some(frame)
    }
}

impl MessageRow {
    fn new(mut message: Message) -> Self {
        let parts = std::mem::take(&mut message.parts)
            .into_iter()
            .map(PartRow::new)
            .collect();
        Self {
            message_id: message.message_id.clone(),
            role: message.role,
            header: SharedState::new(message),
            parts: SharedState::new(parts),
        }
    }

    /// Shows another state of the same message, reusing the rows of parts that stay.
    fn replace(&self, mut message: Message) {
        let parts = std::mem::take(&mut message.parts);
        if self.header.with_untracked(|old| *old != message) {
            self.header.set(message);
        }
        if self.plain_parts() == parts {
            return;
        }
        self.parts.update(|rows| {
            let old = std::mem::take(rows);
            rows.extend(parts.into_iter().map(|part| {
                match old.iter().find(|row| row.entry_id == *part.entry_id()) {
                    Some(row) => {
                        row.part.set(part);
                        row.clone()
                    }
                    None => PartRow::new(part),
                }
            }));
        });
    }

    /// Inserts a part at its index, or replaces it where it is. `false`: parts before it are missing.
    pub(super) fn take_part(&self, index: usize, part: Part) -> bool {
        let known = self.parts.with_untracked(|rows| {
            rows.iter()
                .find(|row| row.entry_id == *part.entry_id())
                .cloned()
        });
        if let Some(row) = known {
            let merged = row.part.with_untracked(|old| merged_part(old, part));
            if row.part.with_untracked(|old| *old != merged) {
                row.part.set(merged);
            }
            return true;
        }
        if index > self.parts.with_untracked(Vec::len) {
            return false;
        }
        self.parts
            .update(|rows| rows.insert(index, PartRow::new(part)));
        true
    }

    fn plain_parts(&self) -> Vec<Part> {
        self.parts
            .with_untracked(|rows| rows.iter().map(|row| row.part.get_untracked()).collect())
    }

    fn plain(&self) -> Message {
        Message {
            parts: self.plain_parts(),
            ..self.header.get_untracked()
        }
    }
}

impl PartRow {
    fn new(part: Part) -> Self {
        Self {
            entry_id: part.entry_id().clone(),
            part: SharedState::new(part),
        }
    }
}
