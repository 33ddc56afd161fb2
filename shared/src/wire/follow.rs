//! The follow stream: frames of one thread, cold or live, and of its workspace.

use super::change::Change;
use super::message::{Message, Mode, Part, Usage};
use super::prompt::{Dialog, Queued};
use super::thread::{Draft, ThreadRow};
use crate::ids::{BootId, EntryId, MessageId, Millis, ThreadId, Version};
use crate::json::{Unreadable, from_json};
use serde::{Deserialize, Serialize};

/// What a run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Stage {
    Queued,
    Starting,
    Waiting,
    Thinking,
    Writing,
    Tool,
    Asking,
    Stopping,
}

/// The first frame of every connection; it replaces what is on screen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are those of the contract")]
pub struct Snapshot {
    pub thread_id: ThreadId,
    /// Frames are compared only within one start of the bridge.
    pub boot_id: BootId,
    pub live: bool,
    pub busy: bool,
    pub generation: u64,
    pub messages: Vec<Message>,
    pub has_earlier: bool,
    pub permission_mode: Mode,
    pub usage: Usage,
    pub open_dialogs: Vec<Dialog>,
    pub queued: Vec<Queued>,
    pub draft: Draft,
    #[serde(default)]
    pub stage: Option<Stage>,
    #[serde(default)]
    pub started_at: Option<Millis>,
}

/// Whether a run is going on, and what it is doing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are those of the contract")]
pub struct Status {
    pub thread_id: ThreadId,
    pub generation: u64,
    pub live: bool,
    pub busy: bool,
    pub stage: Option<Stage>,
    pub started_at: Option<Millis>,
}

/// A message's header without parts, at insert and on every change of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are those of the contract")]
pub struct MessageFrame {
    pub thread_id: ThreadId,
    pub generation: u64,
    pub message: Message,
}

/// One part inserted or replaced, whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are those of the contract")]
pub struct EntryFrame {
    pub thread_id: ThreadId,
    pub generation: u64,
    pub message_id: MessageId,
    /// Position of the part in its message.
    pub index: u32,
    pub part: Part,
}

/// Text appended to a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are those of the contract")]
pub struct Delta {
    pub thread_id: ThreadId,
    pub generation: u64,
    pub entry_id: EntryId,
    /// UTF-16 units of the part's text before this one; a gap means: take a new snapshot.
    pub at: u64,
    pub text: String,
}

/// A dialog opened, answered or expired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are those of the contract")]
pub struct DialogFrame {
    pub thread_id: ThreadId,
    pub generation: u64,
    pub dialog: Dialog,
}

/// What the thread has used so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are those of the contract")]
pub struct UsageFrame {
    pub thread_id: ThreadId,
    pub usage: Usage,
}

/// A change of the rail, of any thread of the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, try_from = "RailFields")]
#[expect(missing_docs, reason = "the names are those of the contract")]
pub enum Rail {
    Row { row: Box<ThreadRow> },
    Removed { removed: ThreadId },
}

/// What a [`Rail`] is read from; a derived reader would compile a second copy of the row's into the page.
#[derive(Deserialize)]
struct RailFields {
    row: Option<Box<ThreadRow>>,
    removed: Option<ThreadId>,
}

impl TryFrom<RailFields> for Rail {
    type Error = &'static str;

    fn try_from(fields: RailFields) -> Result<Self, Self::Error> {
        match (fields.row, fields.removed) {
            (Some(row), _) => Ok(Self::Row { row }),
            (None, Some(removed)) => Ok(Self::Removed { removed }),
            (None, None) => Err("neither a row nor a removed thread"),
        }
    }
}

/// How the places of a document stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are those of the place states")]
pub struct Counts {
    pub exact: u32,
    pub moved: u32,
    pub changed: u32,
    pub gone: u32,
    pub unknown: u32,
}

/// A document changed on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are those of the contract")]
pub struct DocumentFrame {
    pub document: String,
    /// `None` when the file is no longer readable.
    pub version: Option<Version>,
    pub counts: Counts,
    /// What this change did to the places; `None` when there was no version before, or none now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
    /// The path it had until now, when that is what changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
}

/// One server-sent event of a follow.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "each variant is the event of the same name")]
pub enum Frame {
    Snapshot(Box<Snapshot>),
    Status(Status),
    Message(Box<MessageFrame>),
    Entry(Box<EntryFrame>),
    Delta(Delta),
    Dialog(Box<DialogFrame>),
    Usage(UsageFrame),
    Rail(Rail),
    Document(DocumentFrame),
    Ping,
}

impl Frame {
    /// The event's name.
    pub fn event(&self) -> &'static str {
        match self {
            Self::Snapshot(_) => "snapshot",
            Self::Status(_) => "status",
            Self::Message(_) => "message",
            Self::Entry(_) => "entry",
            Self::Delta(_) => "delta",
            Self::Dialog(_) => "dialog",
            Self::Usage(_) => "usage",
            Self::Rail(_) => "rail",
            Self::Document(_) => "document",
            Self::Ping => "ping",
        }
    }

    /// The event's data: one line of JSON, so that no content can forge a frame.
    pub fn data(&self) -> Result<String, serde_json::Error> {
        match self {
            Self::Snapshot(data) => serde_json::to_string(data),
            Self::Status(data) => serde_json::to_string(data),
            Self::Message(data) => serde_json::to_string(data),
            Self::Entry(data) => serde_json::to_string(data),
            Self::Delta(data) => serde_json::to_string(data),
            Self::Dialog(data) => serde_json::to_string(data),
            Self::Usage(data) => serde_json::to_string(data),
            Self::Rail(data) => serde_json::to_string(data),
            Self::Document(data) => serde_json::to_string(data),
            Self::Ping => Ok("{}".to_owned()),
        }
    }

    /// Reads an event back. `Ok(None)` is an event that this version does not know.
    pub fn parse(event: &str, data: &str) -> Result<Option<Self>, Unreadable> {
        Ok(Some(match event {
            "snapshot" => Self::Snapshot(from_json(data)?),
            "status" => Self::Status(from_json(data)?),
            "message" => Self::Message(from_json(data)?),
            "entry" => Self::Entry(from_json(data)?),
            "delta" => Self::Delta(from_json(data)?),
            "dialog" => Self::Dialog(from_json(data)?),
            "usage" => Self::Usage(from_json(data)?),
            "rail" => Self::Rail(from_json(data)?),
            "document" => Self::Document(from_json(data)?),
            "ping" => Self::Ping,
            _ => return Ok(None),
        }))
    }
}
