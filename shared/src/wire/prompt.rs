//! Prompts: sending, stopping, trying again, answering an agent's question.

use super::message::Mode;
use super::place::NewPlace;
use crate::ids::{DialogId, GatewayId, MessageId, Millis, RunId, Sdk, WorkspaceId};
use serde::{Deserialize, Serialize};

/// An image sent with a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptImage {
    /// Such as `image/png`.
    pub media_type: String,
    /// The bytes.
    pub data_base64: String,
}

/// Body of `POST /api/threads/{id}/prompt`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    /// Made by the page: sent twice is stored once.
    pub message_id: MessageId,
    /// The workspace of a thread that does not exist yet.
    #[serde(default)]
    pub ws: Option<WorkspaceId>,
    /// What the person wrote.
    pub text: String,
    /// Places that come with this message, besides the thread's pending ones.
    #[serde(default)]
    pub places: Vec<NewPlace>,
    /// What the run may do.
    #[serde(default)]
    pub mode: Mode,
    /// Which agent program.
    pub sdk: Sdk,
    /// Through which gateway.
    pub gateway: GatewayId,
    /// Which model; `None` is the agent's own choice.
    #[serde(default)]
    pub model: Option<String>,
    /// Images.
    #[serde(default)]
    pub images: Vec<PromptImage>,
    /// The person said go on although the sandbox is not enforced; remembered for the workspace.
    #[serde(default)]
    pub accept_unenforced: bool,
}

/// The answer to a prompt: 202, stored before the process starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accepted {
    /// The run; `None` while queued.
    pub run_id: Option<RunId>,
    /// The run's generation.
    pub generation: u64,
    /// Waits behind a run of the same thread.
    pub queued: bool,
}

/// A prompt that waits behind a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Queued {
    /// The message.
    pub message_id: MessageId,
    /// Its text.
    pub text: String,
}

/// Body of `PATCH /api/threads/{id}/queue/{messageId}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueueEdit {
    /// The new text.
    pub text: String,
}

/// What an agent's question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DialogKind {
    /// May it do something?
    Permission,
    /// It wants to know something.
    Question,
}

/// Where an agent's question stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DialogState {
    /// Waits for the person.
    Open,
    /// Answered.
    Answered,
    /// The agent went away before it was answered.
    Expired,
}

/// An agent's question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dialog {
    /// Its id.
    pub dialog_id: DialogId,
    /// What it is about.
    pub kind: DialogKind,
    /// One line, such as "Claude asks to run a command".
    pub title: String,
    /// The agent's word for the act, such as `Bash`.
    pub action: Option<String>,
    /// The command, if it is one.
    pub command: Option<String>,
    /// The file, if it is about one.
    pub path: Option<String>,
    /// The change, if it is one.
    pub diff: Option<String>,
    /// Answers a question offers.
    pub options: Vec<String>,
    /// Where it stands.
    pub state: DialogState,
    /// When it was opened.
    pub opened_at: Millis,
}

/// The person's answer to a dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Answer {
    /// This once.
    AllowOnce,
    /// For the rest of this thread's run.
    AllowThread,
    /// No.
    Deny,
}

/// Body of `POST /api/threads/{id}/dialogs/{dialogId}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DialogAnswer {
    /// Yes or no.
    pub answer: Answer,
    /// Words for the agent, or the answer to a question.
    #[serde(default)]
    pub text: Option<String>,
}
