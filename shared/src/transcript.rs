//! The stored conversation: entries and runs, the record everything shown is assembled from.

use crate::ids::{EntryId, GatewayId, MessageId, Millis, RunId, Sdk, Version};
use crate::wire::message::{Forecast, Memory, Mode, Receipt, Refusal, Role, Tokens};
use serde::{Deserialize, Serialize};

/// What an entry holds. Every store row becomes exactly one entry, in order; nothing is dropped on reading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[expect(
    missing_docs,
    reason = "the names are those of the design's entry kinds"
)]
pub enum EntryKind {
    /// Raw Markdown.
    Text {
        text: String,
    },
    Thinking {
        text: String,
    },
    ToolCall {
        call_id: String,
        name: String,
        input: serde_json::Value,
    },
    ToolResult {
        call_id: String,
        text: String,
        is_error: bool,
    },
    Image {
        media_type: String,
        data_base64: String,
    },
    /// A remark of REX's own, such as a change of mode; never part of a message.
    Notice {
        name: String,
        detail: serde_json::Value,
    },
    /// Something this version does not model; kept with its type and payload.
    Other {
        original_type: String,
        payload: serde_json::Value,
    },
}

impl EntryKind {
    /// How the original type of an [`EntryKind::Other`] begins when it was a part of a message, such as an audio
    /// block: it is shown as a marker. Any other unknown entry is kept and not shown.
    pub const UNKNOWN_PART: &'static str = "part:";
}

/// One stored entry: the smallest unit of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are those of the contract")]
pub struct Entry {
    pub entry_id: EntryId,
    /// The message it is part of.
    pub message_id: MessageId,
    /// Dense per thread, from 0; the only order.
    pub seq: u64,
    pub role: Role,
    pub body: EntryKind,
    /// `None` while the person's message is queued.
    pub run_id: Option<RunId>,
    pub mode: Mode,
    pub sdk: Sdk,
    pub gateway: GatewayId,
    pub model: Option<String>,
    /// Written at the end of the run to the last entry of the agent's message; unknown is `None`.
    pub cost_usd: Option<f64>,
    pub tokens: Option<Tokens>,
    pub duration_ms: Option<u64>,
    /// On the person's first entry: the version of the first place's document.
    pub version: Option<Version>,
    pub created_at: Millis,
}

/// How far a run is; the last five are its ends, and it has exactly one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum RunState {
    Queued,
    Running,
    Done,
    Failed,
    Refused,
    Stopped,
    Interrupted,
}

/// One stored run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are those of the contract")]
pub struct RunRecord {
    pub run_id: RunId,
    /// The person's message it answers.
    pub message_id: MessageId,
    /// The agent's message, made when the run is.
    pub reply_id: MessageId,
    pub state: RunState,
    pub mode: Mode,
    pub sdk: Sdk,
    pub gateway: GatewayId,
    pub model: Option<String>,
    pub memory: Option<Memory>,
    pub forecast: Option<Forecast>,
    pub receipt: Option<Receipt>,
    pub refusal: Option<Refusal>,
    /// A failure in one sentence.
    pub failure: Option<String>,
    /// From spawn to the first word.
    pub first_word_ms: Option<u64>,
    pub started_at: Millis,
    pub ended_at: Option<Millis>,
}
