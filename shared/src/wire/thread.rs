//! Threads: rows of the rail, one thread whole, and what changes it.

use super::message::Mode;
use super::place::{NewPlace, Place, PlaceState};
use crate::ids::{GatewayId, GroupId, MessageId, Millis, PlaceId, Sdk, ThreadId, WorkspaceId};
use crate::lane::Lane;
use serde::{Deserialize, Serialize};

/// The person's own word on a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ThreadStatus {
    /// Not dealt with.
    #[default]
    Open,
    /// Dealt with; only Reopen leaves it.
    Resolved,
}

/// How the newest run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum LastRun {
    Done,
    Failed,
    Refused,
    Stopped,
    Interrupted,
}

/// A place as a row of the rail knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RowPlace {
    /// The place.
    pub place_id: PlaceId,
    /// Its document.
    pub document: String,
    /// The beginning of its stored quote, 300 characters at most.
    pub quote: String,
    /// Where it stands now.
    pub state: PlaceState,
}

/// A stored-thread row: what the rail shows of one thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadRow {
    /// The thread.
    pub thread_id: ThreadId,
    /// The small number a person sees; never reused in its workspace.
    pub number: u32,
    /// Name, else first user message or note; `None` is untitled.
    pub title: Option<String>,
    /// The name the person gave.
    pub name: Option<String>,
    /// Kept for oneself, never sent.
    pub is_note: bool,
    /// The person's own word.
    pub status: ThreadStatus,
    /// Derived, never stored.
    pub lane: Lane,
    /// A person's last act or the end of the last run.
    pub last_activity_at: Millis,
    /// Messages, both speakers.
    pub message_count: u32,
    /// A run is going on right now.
    pub busy: bool,
    /// A run waits for the person's answer.
    pub asks_you: bool,
    /// Something came after what the person read.
    pub unread: bool,
    /// How the newest run ended.
    pub last_run: Option<LastRun>,
    /// Its places.
    pub places: Vec<RowPlace>,
    /// Its group.
    pub group_id: Option<GroupId>,
    /// Its manual position, once the person ordered it.
    pub position: Option<i64>,
}

/// What stands in a thread's composer: text and choices that are not sent yet.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// The text.
    pub text: String,
    /// The mode chosen; a reopened draft offers the default.
    #[serde(default)]
    pub mode: Option<Mode>,
    /// The agent chosen.
    #[serde(default)]
    pub sdk: Option<Sdk>,
    /// The gateway chosen.
    #[serde(default)]
    pub gateway: Option<GatewayId>,
    /// The model chosen.
    #[serde(default)]
    pub model: Option<String>,
}

/// `GET /api/threads/{id}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Thread {
    /// As in the rail.
    pub row: ThreadRow,
    /// The workspace it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its places, in the order they were added.
    pub places: Vec<Place>,
    /// The note typed for oneself.
    pub note: Option<String>,
    /// What stands in its composer.
    pub draft: Draft,
    /// The mode of the next send.
    pub permission_mode: Mode,
}

/// Body of `POST /api/threads`: a draft or a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewThread {
    /// Made by the page.
    pub thread_id: ThreadId,
    /// The workspace; left out, the one the bridge was started on.
    #[serde(default)]
    pub ws: Option<WorkspaceId>,
    /// A note's text.
    #[serde(default)]
    pub note: Option<String>,
    /// The first places; a thread without places is allowed.
    #[serde(default)]
    pub places: Vec<NewPlace>,
    /// Kept for oneself.
    #[serde(default)]
    pub is_note: bool,
}

/// Body of `PATCH /api/threads/{id}`: what is left out stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadPatch {
    /// A new name; blank takes the name away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A new note text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Make it a note, or a draft again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_note: Option<bool>,
    /// Resolve or reopen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ThreadStatus>,
    /// Autosave of the composer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<Draft>,
    /// Everything up to this message was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_up_to: Option<MessageId>,
    /// The mode of the next send.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission_mode: Option<Mode>,
}

/// The answer to an act that can be taken back for 24 hours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Undo {
    /// What `POST /api/undo` takes.
    pub undo_id: String,
}
