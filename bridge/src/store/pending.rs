//! The store's methods that have no body yet.
#![expect(unused_variables, reason = "bodies follow")]

use super::{
    Anchor, Begun, BrowserRecord, CheckedPlace, Conversation, Moved, NewRun, RecordOp, Resolved,
    RunEnd, RunUpdate, SessionRecord, Standing, Store, StoreError, StoredPrompt, UnfinishedRun,
    WorkspaceRecord,
};
use rex_shared::ids::{
    BrowserId, DialogId, GatewayId, MessageId, Millis, PlaceId, RunId, Sdk, ThreadId, Version,
    WorkspaceId,
};
use rex_shared::lane::Lane;
use rex_shared::transcript::{Entry, RunRecord};
use rex_shared::wire::agent::Gateway;
use rex_shared::wire::document::DocumentPlace;
use rex_shared::wire::place::Place;
use rex_shared::wire::prompt::{Answer, Dialog, Queued};
use rex_shared::wire::thread::{NewThread, Thread, ThreadPatch, ThreadRow, Undo};
use rex_shared::wire::workspace::LaneCounts;
use std::collections::HashMap;

type Answered<T> = Result<T, StoreError>;

fn pending<T>() -> Answered<T> {
    Err(StoreError::Closed)
}

/// Which rows of the rail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowQuery {
    /// Of which workspace.
    pub workspace_id: WorkspaceId,
    /// Only of this lane.
    pub lane: Option<Lane>,
    /// Only with a place in this document.
    pub document: Option<String>,
    /// At most so many; 0 is the usual 50, and never more than 200.
    pub limit: u32,
    /// Only those that come after this thread.
    pub after: Option<ThreadId>,
}

/// Workspaces.
impl Store {
    /// The workspace at this canonical path; made when there is none.
    pub async fn open_workspace(&self, root: &str, now: Millis) -> Answered<WorkspaceRecord> {
        pending()
    }
    /// All workspaces, the last opened first.
    pub async fn workspaces(&self) -> Answered<Vec<WorkspaceRecord>> {
        pending()
    }
    /// One workspace.
    pub async fn workspace(&self, workspace: &WorkspaceId) -> Answered<Option<WorkspaceRecord>> {
        pending()
    }
    /// The person said go on without an enforced sandbox here.
    pub async fn accept_unenforced(&self, workspace: &WorkspaceId) -> Answered<()> {
        pending()
    }
}

/// Threads.
impl Store {
    /// Makes a draft or a note. A repeat with the same body is harmless; with another it is [`StoreError::IdReused`].
    /// `new.places` are not read: `places` are the checked ones.
    pub async fn create_thread(
        &self,
        workspace: &WorkspaceId,
        new: NewThread,
        places: Vec<CheckedPlace>,
        now: Millis,
    ) -> Answered<()> {
        pending()
    }
    /// One thread whole; `busy` and `asks_you` are false: the live table knows them.
    pub async fn thread(&self, thread: &ThreadId) -> Answered<Option<Thread>> {
        pending()
    }
    /// The thread's workspace.
    pub async fn workspace_of(&self, thread: &ThreadId) -> Answered<Option<WorkspaceId>> {
        pending()
    }
    /// Changes what `patch` names.
    pub async fn patch_thread(
        &self,
        thread: &ThreadId,
        patch: ThreadPatch,
        now: Millis,
    ) -> Answered<()> {
        pending()
    }
    /// Deletes a thread with all that belongs to it; it can be taken back for 24 hours.
    pub async fn delete_thread(&self, thread: &ThreadId, now: Millis) -> Answered<Undo> {
        pending()
    }
    /// Takes an act back, and names the thread it was about.
    pub async fn undo(&self, undo_id: &str, now: Millis) -> Answered<ThreadId> {
        pending()
    }
}

/// Rows of the rail; `busy` and `asks_you` are false: the live table knows them.
impl Store {
    /// Rows, newest activity first.
    pub async fn rows(&self, query: RowQuery) -> Answered<Vec<ThreadRow>> {
        pending()
    }
    /// One row and the workspace it belongs to.
    pub async fn row(&self, thread: &ThreadId) -> Answered<Option<(WorkspaceId, ThreadRow)>> {
        pending()
    }
    /// Threads in each lane.
    pub async fn lane_counts(&self, workspace: &WorkspaceId) -> Answered<LaneCounts> {
        pending()
    }
}

/// Places.
impl Store {
    /// Adds pending places. A repeat with the same content is harmless.
    pub async fn add_places(
        &self,
        thread: &ThreadId,
        places: Vec<CheckedPlace>,
        now: Millis,
    ) -> Answered<()> {
        pending()
    }
    /// Moves places of drafts to another thread, with what was typed there; a draft left empty is deleted.
    pub async fn move_places(
        &self,
        places: Vec<PlaceId>,
        to: &ThreadId,
        now: Millis,
    ) -> Answered<Moved> {
        pending()
    }
    /// Takes a place away; it can be taken back for 24 hours.
    pub async fn remove_place(
        &self,
        thread: &ThreadId,
        place: &PlaceId,
        now: Millis,
    ) -> Answered<Undo> {
        pending()
    }
    /// A new place that stands in for `replaced`, brought by the same message.
    pub async fn reattach(
        &self,
        thread: &ThreadId,
        replaced: &PlaceId,
        place: CheckedPlace,
        now: Millis,
    ) -> Answered<()> {
        pending()
    }
    /// The kind of a place of this thread, for re-attaching.
    pub async fn place(&self, thread: &ThreadId, place: &PlaceId) -> Answered<Option<Place>> {
        pending()
    }
    /// Places of all threads in one document, by thread number.
    pub async fn document_places(
        &self,
        workspace: &WorkspaceId,
        document: &str,
    ) -> Answered<Vec<DocumentPlace>> {
        pending()
    }
    /// For each document with places: its threads that are not resolved.
    pub async fn document_counts(&self, workspace: &WorkspaceId) -> Answered<HashMap<String, u32>> {
        pending()
    }
}

/// Resolving, and the versions it needs.
impl Store {
    /// The anchors of all places in one document, replaced ones left out.
    pub async fn anchors(&self, workspace: &WorkspaceId, document: &str) -> Answered<Vec<Anchor>> {
        pending()
    }
    /// Standings that were found before for this version by this resolver.
    pub async fn known_standings(
        &self,
        workspace: &WorkspaceId,
        document: &str,
        version: &Version,
        resolver: u32,
    ) -> Answered<HashMap<PlaceId, Standing>> {
        pending()
    }
    /// Records where a document's places stand now, in one transaction.
    pub async fn record_standings(
        &self,
        workspace: &WorkspaceId,
        document: &str,
        resolver: u32,
        standings: Vec<(PlaceId, Standing)>,
    ) -> Answered<Resolved> {
        pending()
    }
    /// Keeps the bytes of a version, once.
    pub async fn keep_snapshot(
        &self,
        version: &Version,
        source: std::sync::Arc<[u8]>,
    ) -> Answered<()> {
        pending()
    }
    /// The bytes of a version that an anchor refers to.
    pub async fn snapshot(&self, version: &Version) -> Answered<Option<Vec<u8>>> {
        pending()
    }
}

/// Runs and their record.
impl Store {
    /// Stores a prompt, before anything is started for it, in one transaction: makes the thread when there is none,
    /// keeps the message, gives it the thread's pending places and its own, clears the composer, and makes the run:
    /// `running`, or `queued` behind another one. The same prompt again gives the same run and writes nothing.
    pub async fn begin_run(&self, new: NewRun, now: Millis) -> Answered<Begun> {
        pending()
    }
    /// A new run for a message that was sent before.
    pub async fn retry_run(
        &self,
        thread: &ThreadId,
        message: &MessageId,
        run: RunId,
        reply: MessageId,
        now: Millis,
    ) -> Answered<RunRecord> {
        pending()
    }
    /// Starts the thread's next queued run: its message gets its place in the order. `None` when none waits or one runs.
    pub async fn start_queued(
        &self,
        thread: &ThreadId,
        now: Millis,
    ) -> Answered<Option<RunRecord>> {
        pending()
    }
    /// What the person sent with this message.
    pub async fn stored_prompt(
        &self,
        thread: &ThreadId,
        message: &MessageId,
    ) -> Answered<Option<StoredPrompt>> {
        pending()
    }
    /// Writes a stretch of a stream down, in one transaction; gives the `seq` of each inserted entry.
    pub async fn append(&self, run: &RunId, ops: Vec<RecordOp>, now: Millis) -> Answered<Vec<u64>> {
        pending()
    }
    /// Facts that became known; gives the run as it is now.
    pub async fn update_run(&self, run: &RunId, update: RunUpdate) -> Answered<RunRecord> {
        pending()
    }
    /// The end of a run. One that has ended already stays as it ended. Its open dialogs expire.
    pub async fn finish_run(&self, run: &RunId, end: RunEnd, now: Millis) -> Answered<RunRecord> {
        pending()
    }
    /// Runs that were going on when the bridge last stopped.
    pub async fn unfinished_runs(&self) -> Answered<Vec<UnfinishedRun>> {
        pending()
    }
    /// Threads with prompts that wait.
    pub async fn waiting_threads(&self) -> Answered<Vec<ThreadId>> {
        pending()
    }
    /// The newest run of a thread.
    pub async fn newest_run(&self, thread: &ThreadId) -> Answered<Option<RunRecord>> {
        pending()
    }
    /// How long this sdk and gateway last took to the first word.
    pub async fn last_wait(&self, sdk: &Sdk, gateway: &GatewayId) -> Answered<Option<u64>> {
        pending()
    }
}

/// Reading the record.
impl Store {
    /// The newest 100 messages before the message `before`, with all that belongs to them. `None` when there is no such
    /// thread.
    pub async fn conversation(
        &self,
        thread: &ThreadId,
        before: Option<&MessageId>,
    ) -> Answered<Option<Conversation>> {
        pending()
    }
    /// Every entry of a thread, in order.
    pub async fn transcript(&self, thread: &ThreadId) -> Answered<Vec<Entry>> {
        pending()
    }
}

/// Dialogs and the queue.
impl Store {
    /// Stores an open dialog of a run.
    pub async fn open_dialog(&self, run: &RunId, dialog: Dialog) -> Answered<()> {
        pending()
    }
    /// Records the person's answer; [`StoreError::DialogClosed`] when it is no longer open.
    pub async fn answer_dialog(
        &self,
        thread: &ThreadId,
        dialog: &DialogId,
        answer: Answer,
        text: Option<String>,
        now: Millis,
    ) -> Answered<Dialog> {
        pending()
    }
    /// Its agent withdrew the question or went away; `None` when it was closed already.
    pub async fn expire_dialog(&self, dialog: &DialogId, now: Millis) -> Answered<Option<Dialog>> {
        pending()
    }
    /// A dialog of this thread.
    pub async fn dialog(&self, thread: &ThreadId, dialog: &DialogId) -> Answered<Option<Dialog>> {
        pending()
    }
    /// Prompts that wait behind a run, in order.
    pub async fn queued(&self, thread: &ThreadId) -> Answered<Vec<Queued>> {
        pending()
    }
    /// A queued prompt's new text.
    pub async fn edit_queued(
        &self,
        thread: &ThreadId,
        message: &MessageId,
        text: String,
    ) -> Answered<()> {
        pending()
    }
    /// Takes a queued prompt away; the places it was to bring wait again.
    pub async fn drop_queued(&self, thread: &ThreadId, message: &MessageId) -> Answered<()> {
        pending()
    }
}

/// Sessions: what is known of the agents' own logs.
impl Store {
    /// The session row of this combination.
    pub async fn session(
        &self,
        thread: &ThreadId,
        sdk: &Sdk,
        gateway: &GatewayId,
    ) -> Answered<Option<SessionRecord>> {
        pending()
    }
    /// Every session row of a thread.
    pub async fn sessions(&self, thread: &ThreadId) -> Answered<Vec<SessionRecord>> {
        pending()
    }
    /// Opens a new session for this combination: `n` grows by one, the agent's id is not known yet.
    pub async fn open_session(
        &self,
        thread: &ThreadId,
        sdk: &Sdk,
        gateway: &GatewayId,
        base_url: Option<String>,
        folder: &str,
        now: Millis,
    ) -> Answered<SessionRecord> {
        pending()
    }
    /// The agent named its session.
    pub async fn name_session(
        &self,
        thread: &ThreadId,
        sdk: &Sdk,
        gateway: &GatewayId,
        session_id: &str,
    ) -> Answered<()> {
        pending()
    }
    /// A turn in the session finished, so that it can be resumed.
    pub async fn finish_session_turn(
        &self,
        thread: &ThreadId,
        sdk: &Sdk,
        gateway: &GatewayId,
        now: Millis,
    ) -> Answered<()> {
        pending()
    }
}

/// Gateways.
impl Store {
    /// All gateways, the built-in one first. One without sdks serves all.
    pub async fn gateways(&self) -> Answered<Vec<Gateway>> {
        pending()
    }
    /// One gateway.
    pub async fn gateway(&self, gateway: &GatewayId) -> Answered<Option<Gateway>> {
        pending()
    }
    /// Makes a gateway; a repeat with the same body is harmless.
    pub async fn create_gateway(&self, gateway: Gateway, now: Millis) -> Answered<()> {
        pending()
    }
    /// Changes a gateway to this.
    pub async fn change_gateway(&self, gateway: Gateway) -> Answered<()> {
        pending()
    }
    /// Deletes a gateway with its session rows. What was said through it stays.
    pub async fn delete_gateway(&self, gateway: &GatewayId) -> Answered<()> {
        pending()
    }
}

/// Access: codes, browsers, settings.
impl Store {
    /// A one-time code by its hash.
    pub async fn add_code(&self, hash: [u8; 32], expires_at: Millis) -> Answered<()> {
        pending()
    }
    /// Uses a code up. A wrong one counts against every code there is; five make them void.
    pub async fn redeem_code(&self, hash: [u8; 32], now: Millis) -> Answered<bool> {
        pending()
    }
    /// Signs a browser in.
    pub async fn add_browser(&self, browser: BrowserRecord, secret_hash: [u8; 32]) -> Answered<()> {
        pending()
    }
    /// The browser with this secret, unless it is void after 90 unused days.
    pub async fn browser_by_secret(
        &self,
        secret_hash: [u8; 32],
        now: Millis,
    ) -> Answered<Option<BrowserRecord>> {
        pending()
    }
    /// Notes when a browser was last seen.
    pub async fn touch_browser(&self, browser: &BrowserId, now: Millis) -> Answered<()> {
        pending()
    }
    /// Browsers that are signed in.
    pub async fn browsers(&self, now: Millis) -> Answered<Vec<BrowserRecord>> {
        pending()
    }
    /// Puts a browser out; whether there was one.
    pub async fn remove_browser(&self, browser: &BrowserId) -> Answered<bool> {
        pending()
    }
    /// Ends every sign-in and voids every code.
    pub async fn end_sign_ins(&self) -> Answered<()> {
        pending()
    }
    /// A choice that holds for the whole home.
    pub async fn setting(&self, key: &str) -> Answered<Option<String>> {
        pending()
    }
    /// Makes that choice.
    pub async fn set_setting(&self, key: &str, value: &str) -> Answered<()> {
        pending()
    }
}
