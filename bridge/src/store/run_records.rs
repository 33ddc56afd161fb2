//! What the store takes and gives about runs, where the wire has no word for it.

use super::CheckedPlace;
use rex_shared::ids::{EntryId, MessageId, Millis, RunId, ThreadId, WorkspaceId};
use rex_shared::transcript::{EntryKind, RunRecord, RunState};
use rex_shared::wire::message::{Forecast, Memory, Receipt, Refusal, Role, Tokens};
use rex_shared::wire::place::Place;
use rex_shared::wire::prompt::{Prompt, PromptImage};

/// A prompt to be stored, before anything is started for it.
#[derive(Debug, Clone)]
pub struct NewRun {
    /// The thread; created under this id when there is none.
    pub thread_id: ThreadId,
    /// The workspace of a thread that does not exist yet.
    pub workspace_id: WorkspaceId,
    /// The run's id.
    pub run_id: RunId,
    /// The id of the agent's message.
    pub reply_id: MessageId,
    /// The person's message and choices. Its `places` are not read: `places` are the checked ones.
    pub prompt: Prompt,
    /// The places that come with it, checked.
    pub places: Vec<CheckedPlace>,
    /// What was said before the send.
    pub forecast: Option<Forecast>,
}

/// What became of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct Begun {
    /// The run: `running`, or `queued` when the thread has another run going or waiting.
    pub run: RunRecord,
    /// The very same prompt had been stored before; nothing was written.
    pub again: bool,
    /// The thread did not exist before.
    pub created: bool,
}

/// The person's message of a run, whole: what a start from the queue or a retry sends.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredPrompt {
    /// What the person wrote.
    pub text: String,
    /// Images that go with it.
    pub images: Vec<PromptImage>,
    /// The places it brought.
    pub places: Vec<Place>,
}

/// An operating system process, named so that a reused pid is not mistaken for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessMark {
    /// Its pid, which is its group's too.
    pub pid: u32,
    /// Its start time in the kernel's own unit.
    pub started: u64,
}

/// A run that had no end when the bridge last stopped.
#[derive(Debug, Clone, PartialEq)]
pub struct UnfinishedRun {
    /// The thread.
    pub thread_id: ThreadId,
    /// The run.
    pub run: RunRecord,
    /// Its process, if one was started.
    pub process: Option<ProcessMark>,
    /// The agent's own session that the process was in, if that was known.
    pub session_id: Option<String>,
}

/// Facts of a run that become known while it goes on; `None` leaves what is stored.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunUpdate {
    /// How it came to know the conversation.
    pub memory: Option<Memory>,
    /// What was said before the send.
    pub forecast: Option<Forecast>,
    /// The model that answers.
    pub model: Option<String>,
    /// The agent's process.
    pub process: Option<ProcessMark>,
    /// The agent's own session.
    pub session_id: Option<String>,
    /// From spawn to the first word.
    pub first_word_ms: Option<u64>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEnd {
    /// One of the five ends.
    pub state: RunState,
    /// The provider's refusal.
    pub refusal: Option<Refusal>,
    /// A failure in one sentence.
    pub failure: Option<String>,
    /// What it did to the disk.
    pub receipt: Option<Receipt>,
    /// US dollars; unknown is `None`, never 0.
    pub cost_usd: Option<f64>,
    /// Tokens; unknown is `None`.
    pub tokens: Option<Tokens>,
    /// From prompt to end.
    pub duration_ms: Option<u64>,
}

/// A new entry of a run; mode, sdk, gateway and model are the run's.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEntry {
    /// Its id.
    pub entry_id: EntryId,
    /// The message it is part of.
    pub message_id: MessageId,
    /// Who speaks.
    pub role: Role,
    /// What it holds.
    pub body: EntryKind,
}

/// A turn that is over: what was asked, what came of it, how it ended.
#[derive(Debug, Clone)]
pub struct WholeTurn {
    /// What the person sent.
    pub prompt: NewRun,
    /// What the agent's stream brought.
    pub stream: Vec<RecordOp>,
    /// How it ended.
    pub end: RunEnd,
    /// When all of it happened.
    pub at: Millis,
}

/// One step of writing a stream down.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordOp {
    /// A new entry at the end of the thread.
    Insert(NewEntry),
    /// Text appended to a text or thinking entry.
    Append {
        /// The entry.
        entry_id: EntryId,
        /// The new characters.
        text: String,
    },
    /// The whole text of a text or thinking entry, replacing what was streamed.
    Replace {
        /// The entry.
        entry_id: EntryId,
        /// All of it.
        text: String,
    },
    /// The whole input of a tool call, replacing what was known.
    ToolInput {
        /// The entry.
        entry_id: EntryId,
        /// All of it.
        input: serde_json::Value,
    },
}
