//! What the store takes and gives where the wire has no word for it.

use rex_shared::ids::{BrowserId, GatewayId, Millis, PlaceId, Sdk, ThreadId, Version, WorkspaceId};
use rex_shared::lane::Lane;
use rex_shared::transcript::{Entry, RunRecord};
use rex_shared::wire::change::Change;
use rex_shared::wire::follow::Counts;
use rex_shared::wire::message::{Mode, Usage};
use rex_shared::wire::place::{NewPlace, Offer, Place, PlaceKind, PlaceState};
use rex_shared::wire::prompt::{Dialog, Queued};
use rex_shared::wire::thread::{Draft, LastRun};
use std::sync::Arc;

/// A folder that REX was opened on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceRecord {
    /// Its id.
    pub workspace_id: WorkspaceId,
    /// Its canonical absolute path, which it is known by.
    pub root: String,
    /// The person said go on without an enforced sandbox here.
    pub unenforced_accepted: bool,
    /// When it was last opened.
    pub opened_at: Millis,
}

/// A place whose quote was checked against the version it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedPlace {
    /// As the page made it; from now on its anchor.
    pub place: NewPlace,
    /// The bytes of `place.version`, kept once per hash.
    pub source: Arc<[u8]>,
    /// Where it stands in the file as it is now.
    pub standing: Standing,
    /// The bytes of the file as it is now, when that is another version than `place.version`.
    pub now: Option<Arc<[u8]>>,
}

/// Where a place stands in one version of its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// How.
    pub state: PlaceState,
    /// In which version; `None` when the file could not be read.
    pub version: Option<Version>,
    /// The range there and its text; `None` when it is gone or unknown.
    pub found: Option<Found>,
    /// When it is gone: where it may belong, the best first.
    pub offers: Vec<Offer>,
}

impl Standing {
    /// Its state and the text it is on, as changes compare them.
    pub fn seen(&self) -> (PlaceState, &str) {
        let quote = self.found.as_ref().map_or("", |found| &found.quote);
        (self.state, quote)
    }
}

/// A range of a version and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The slice.
    pub quote: String,
}

/// A place as resolving needs it: its anchor, which never changes, and its last state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// The place.
    pub place_id: PlaceId,
    /// Its thread.
    pub thread_id: ThreadId,
    /// What it covers.
    pub kind: PlaceKind,
    /// First byte in the source of `version`.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The version it was made on; its bytes are in the store.
    pub version: Version,
    /// The slice.
    pub quote: String,
    /// Its last state.
    pub state: PlaceState,
    /// Where it was last found, when that is another version than the one it was made on.
    pub step: Option<Step>,
}

/// Where a place was last found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// In which version of its document.
    pub version: Version,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// What recording the standings of a document's places changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resolved {
    /// How all places of the document stand now.
    pub counts: Counts,
    /// Threads of which a place changed its state, so that their rows did.
    pub threads: Vec<ThreadId>,
    /// What this did, when one version followed another.
    pub change: Option<Change>,
}

/// A change and the places it had an outcome for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeRecord {
    /// The change.
    pub change: Change,
    /// Its places, in no order.
    pub places: Vec<ChangedPlace>,
}

/// A place of a change: its anchor, and its standings in both versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedPlace {
    /// The place.
    pub place_id: PlaceId,
    /// Its thread.
    pub thread_id: ThreadId,
    /// The thread's number.
    pub number: u32,
    /// The thread's lane now.
    pub lane: Lane,
    /// What it covers.
    pub kind: PlaceKind,
    /// First byte in the source of `origin`.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The version it was made on.
    pub origin: Version,
    /// The slice.
    pub quote: String,
    /// Whether the person said that it is gone for good.
    pub said_gone: bool,
    /// In the version before the change.
    pub before: Standing,
    /// In the version after it.
    pub after: Standing,
}

/// A place with its anchor and its offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceRecord {
    /// As it stands now.
    pub place: Place,
    /// Its anchor.
    pub anchor: NewPlace,
    /// Where it may belong; empty unless it is gone.
    pub offers: Vec<Offer>,
}

/// What giving a document another path changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renaming {
    /// The threads with a place in it.
    pub threads: Vec<ThreadId>,
    /// How its places stand.
    pub counts: Counts,
}

/// What moving places to another thread changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Moved {
    /// Threads that lost a place and still exist.
    pub changed: Vec<ThreadId>,
    /// Drafts that were left empty and are deleted.
    pub removed: Vec<ThreadId>,
}

/// A thread's conversation, or one page of it, read in one transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversation {
    /// The workspace of the thread.
    pub workspace_id: WorkspaceId,
    /// The entries of the page's messages, oldest first.
    pub entries: Vec<Entry>,
    /// The runs those messages belong to, oldest first.
    pub runs: Vec<RunRecord>,
    /// The places of the thread, in the order they were added, pending ones too.
    pub places: Vec<Place>,
    /// Whether older messages exist.
    pub has_earlier: bool,
    /// The mode of the last mode entry, else the fresh one.
    pub permission_mode: Mode,
    /// Sums over the whole thread; `context` is `None`.
    pub usage: Usage,
    /// Questions that wait for the person.
    pub open_dialogs: Vec<Dialog>,
    /// Prompts that wait behind a run, in order.
    pub queued: Vec<Queued>,
    /// What stands in the composer.
    pub draft: Draft,
    /// How the newest run ended.
    pub last_run: Option<LastRun>,
}

/// What REX knows of an agent's own log for one (thread, sdk, gateway).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRecord {
    /// The thread.
    pub thread_id: ThreadId,
    /// The agent program.
    pub sdk: Sdk,
    /// The gateway.
    pub gateway_id: GatewayId,
    /// The gateway's address when it was opened; compared before it is resumed.
    pub base_url: Option<String>,
    /// The agent's own id, once known.
    pub session_id: Option<String>,
    /// The folder it was started in.
    pub folder: String,
    /// How many sessions were opened for this row, from 1.
    pub n: u32,
    /// When it was opened.
    pub created_at: Millis,
    /// When a turn in it last finished; `None` is not resumable.
    pub finished_at: Option<Millis>,
    /// The agent's own last word on it; `None` when it was not asked yet.
    pub answer: Option<SessionAnswer>,
}

/// What an agent said when it was asked for a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionAnswer {
    /// Whether it has a record of it.
    pub has: bool,
    /// When it was asked.
    pub asked_at: Millis,
}

/// A signed-in browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowserRecord {
    /// Its id.
    pub browser_id: BrowserId,
    /// What it called itself.
    pub label: String,
    /// When it signed in.
    pub created_at: Millis,
    /// When it was last seen.
    pub last_used_at: Millis,
}
