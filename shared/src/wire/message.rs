//! Messages: what the page shows, assembled from stored entries.

use super::place::Place;
use crate::ids::{EntryId, GatewayId, MessageId, Millis, RunId, Sdk, Version};
use serde::{Deserialize, Serialize};

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// The person.
    User,
    /// The agent.
    Assistant,
}

/// What a run may do. Note is not a mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// Cannot change files.
    #[default]
    Ask,
    /// Proposes changes.
    Act,
}

/// How a run came to know the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Memory {
    /// There was nothing to know.
    New,
    /// The agent's session went on.
    Resumed,
    /// The session was lost or impossible; told again from rows.
    Replayed,
    /// This sdk and gateway, or this act run, had not seen it and was given it.
    Seeded,
}

/// Tokens as the provider counted them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tokens {
    /// Fresh input.
    pub input: u64,
    /// Output.
    pub output: u64,
    /// Input read from a cache.
    pub cache_read: u64,
    /// Input written to a cache.
    pub cache_write: u64,
}

/// How full the agent's context is; only a live run knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Context {
    /// Tokens in it.
    pub used: u64,
    /// Tokens it can hold.
    pub size: u64,
}

/// What a thread has used so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Sum over its messages, if any was reported.
    pub tokens: Option<Tokens>,
    /// US dollars; `None` when nobody reported a cost, never 0 for unknown.
    pub cost_usd: Option<f64>,
    /// `None` while cold.
    pub context: Option<Context>,
}

/// The kind of a provider's refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum RefusalClass {
    Overloaded,
    RateLimit,
    Auth,
    BadRequest,
    NotFound,
    Network,
    Other,
}

/// A provider did not answer a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// The gateway's name, or the agent's for the default gateway.
    pub provider: String,
    /// The model asked for, if known.
    pub model: Option<String>,
    /// The kind of refusal.
    pub class: RefusalClass,
    /// The HTTP status, if there was one.
    pub status: Option<u16>,
    /// The provider's own words.
    pub reason: String,
}

/// What a run did to the disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// Whether the operating system kept the run from writing.
    pub enforced: bool,
    /// Workspace-relative paths that differ; empty when nothing changed on disk.
    pub changed: Vec<String>,
}

/// What a send will do, said before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Forecast {
    /// How the run will come to know the conversation.
    pub memory: Memory,
    /// One sentence for the composer.
    pub reason: String,
    /// About how many tokens will be given again; 0 when resumed or new.
    pub tokens: u64,
    /// How long this sdk and gateway last took to the first word.
    pub last_wait_ms: Option<u64>,
    /// Whether the agent's own record was asked.
    pub certain: bool,
}

/// The result of a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    /// What the tool said.
    pub text: String,
    /// Whether it failed.
    pub is_error: bool,
}

/// How far a tool call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ToolStatus {
    Running,
    Done,
    Failed,
}

/// One part of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    try_from = "super::part::Fields",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names are those of the contract")]
pub enum Part {
    /// Raw Markdown.
    Text {
        entry_id: EntryId,
        text: String,
    },
    Thinking {
        entry_id: EntryId,
        text: String,
    },
    Tool {
        entry_id: EntryId,
        call_id: String,
        name: String,
        input: serde_json::Value,
        status: ToolStatus,
        result: Option<ToolResult>,
    },
    /// `data_url` holds the bytes, so that showing it asks for nothing.
    Image {
        entry_id: EntryId,
        media_type: String,
        data_url: String,
    },
    /// A part this version does not know: shown as a marker, never as nothing.
    Unknown {
        entry_id: EntryId,
        original_type: String,
    },
}

impl Part {
    /// The stored entry this part was made from.
    pub fn entry_id(&self) -> &EntryId {
        match self {
            Self::Text { entry_id, .. }
            | Self::Thinking { entry_id, .. }
            | Self::Tool { entry_id, .. }
            | Self::Image { entry_id, .. }
            | Self::Unknown { entry_id, .. } => entry_id,
        }
    }
}

/// A message as the page shows it. As a frame of its own it is a header: `parts` is then empty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// Made by the page for the person's, by the bridge for the agent's.
    pub message_id: MessageId,
    /// Who speaks.
    pub role: Role,
    /// The run it belongs to; `None` only while a person's message is queued.
    pub run_id: Option<RunId>,
    /// What the run may do.
    pub mode: Mode,
    /// Which agent program.
    pub sdk: Sdk,
    /// Through which gateway.
    pub gateway: GatewayId,
    /// The model, as asked for or as the agent confirmed it.
    pub model: Option<String>,
    /// US dollars, if the provider said.
    pub cost_usd: Option<f64>,
    /// Tokens, if the provider said.
    pub tokens: Option<Tokens>,
    /// From prompt to end, once it ended.
    pub duration_ms: Option<u64>,
    /// How the run came to know the conversation; on the agent's message.
    pub memory: Option<Memory>,
    /// What was said before the send; on the agent's message.
    pub forecast: Option<Forecast>,
    /// What the run did to the disk, once it ended; on the agent's message.
    pub receipt: Option<Receipt>,
    /// Set when the provider did not answer; there is no reply then.
    pub refusal: Option<Refusal>,
    /// Cut off by a crash or by Stop, so not a finished answer.
    pub interrupted: bool,
    /// A failure that was not the provider's refusal, in one sentence.
    #[serde(default)]
    pub failure: Option<String>,
    /// The places it brought; on the person's message.
    pub places: Vec<Place>,
    /// The version of the first place's document when the message was stored.
    pub version: Option<Version>,
    /// The content, in stored order.
    pub parts: Vec<Part>,
    /// When it was stored.
    pub created_at: Millis,
}

/// `GET /api/threads/{id}/history`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct History {
    /// The thread.
    pub thread_id: crate::ids::ThreadId,
    /// Oldest first; the newest 100 before the cursor.
    pub messages: Vec<Message>,
    /// The mode of the last mode entry, else the fresh one.
    pub permission_mode: Mode,
    /// Whether the last run was cut off.
    pub interrupted: bool,
    /// Whether older messages exist.
    pub has_earlier: bool,
}
