//! The seam between runs and agent programs.
//!
//! An [`Agent`] says how its program is started and opens a [`Dialogue`], a pure machine: lines and the person's
//! inputs go in, lines to say and [`Event`]s come out. One generic runner owns every process.

use rex_shared::ids::{DialogId, Sdk};
use rex_shared::wire::agent::{Capabilities, Gateway};
use rex_shared::wire::message::{Context, Mode, Refusal, Tokens};
use rex_shared::wire::prompt::{Answer, DialogKind, PromptImage};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A text that must not be printed: keys of gateways.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// The secret itself, for a child's environment only.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// How the agent's session of this turn begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionStart {
    /// A new one; `id` is given when the agent takes ours.
    New {
        /// A version 5 UUID of (thread, gateway, n).
        id: Option<String>,
    },
    /// Go on with this one.
    Resume {
        /// The agent's own id.
        id: String,
    },
}

/// Everything an adapter needs to know about one turn.
#[derive(Debug, Clone)]
pub struct Turn {
    /// The folder the agent works in: the workspace, or for act the private copy.
    pub folder: PathBuf,
    /// The run's own temp folder.
    pub scratch: PathBuf,
    /// The whole prompt: message, or replay, or seed.
    pub prompt: String,
    /// Images that go with it.
    pub images: Vec<PromptImage>,
    /// New or resumed.
    pub session: SessionStart,
    /// What the run may do.
    pub mode: Mode,
    /// The model asked for.
    pub model: Option<String>,
    /// The endpoint.
    pub gateway: Gateway,
    /// The endpoint's key, read at the moment of the send.
    pub key: Option<Secret>,
}

/// A program found on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Absolute path.
    pub program: PathBuf,
    /// What `--version` printed, cut to the number.
    pub version: String,
}

/// How a program is started. The runner adds the allow-listed base environment.
#[derive(Debug, Clone)]
pub struct Launch {
    /// Absolute path.
    pub program: PathBuf,
    /// Arguments; never through a shell.
    pub arguments: Vec<String>,
    /// Variables besides the base list.
    pub environment: BTreeMap<String, String>,
    /// Working folder.
    pub folder: PathBuf,
}

/// Where the agent keeps the session's record on disk, as separate facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionLog {
    /// The config folder in force.
    pub config_folder: PathBuf,
    /// The record, if a usable one is there.
    pub file: Option<PathBuf>,
}

/// What an agent wants to know from the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The agent's own id for the question.
    pub ask_id: String,
    /// Permission or question.
    pub kind: DialogKind,
    /// One line.
    pub title: String,
    /// The agent's word for the act.
    pub action: Option<String>,
    /// The command, if it is one.
    pub command: Option<String>,
    /// The file, if it is about one.
    pub path: Option<String>,
    /// The change, if it is one.
    pub diff: Option<String>,
    /// Answers a question offers.
    pub options: Vec<String>,
}

/// What the person (or the bridge for them) says to a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// An answer to [`Event::Asked`].
    Answer {
        /// The agent's own id for the question.
        ask_id: String,
        /// Yes or no.
        answer: Answer,
        /// Words for the agent.
        text: Option<String>,
    },
    /// Stop, by the protocol's own interrupt.
    Interrupt,
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exit {
    /// Exit code, if it exited by itself.
    pub code: Option<i32>,
    /// Signal, if one ended it.
    pub signal: Option<i32>,
    /// The end of what it wrote to stderr, at most 4 kB.
    pub stderr: String,
}

/// What an agent did or said. Deliberately small: a line that fits none of these is [`Event::Other`].
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The session's id as the agent names it, and whether it is the one that was asked for.
    Session {
        /// The agent's own id.
        id: String,
    },
    /// The model that answers.
    Model(String),
    /// Text appended to the block `key`.
    Text {
        /// Names a block within the turn.
        key: String,
        /// The new characters.
        delta: String,
    },
    /// The whole text of block `key`, replacing what was streamed.
    TextWhole {
        /// Names a block within the turn.
        key: String,
        /// All of it.
        text: String,
    },
    /// Thinking appended to the block `key`.
    Thinking {
        /// Names a block within the turn.
        key: String,
        /// The new characters.
        delta: String,
    },
    /// A tool was called.
    ToolStarted {
        /// The agent's id of the call.
        call_id: String,
        /// The tool's name.
        name: String,
        /// Its input.
        input: serde_json::Value,
    },
    /// A tool answered.
    ToolDone {
        /// The agent's id of the call.
        call_id: String,
        /// What it said.
        text: String,
        /// Whether it failed.
        is_error: bool,
    },
    /// The agent waits for the person.
    Asked(Box<Asked>),
    /// An open question is void.
    AskWithdrawn {
        /// The agent's own id for the question.
        ask_id: String,
    },
    /// The provider is asked once more.
    Retrying {
        /// Which try.
        attempt: u32,
        /// Why.
        reason: String,
    },
    /// Tokens and cost of this turn alone, and the context's fill.
    Usage {
        /// This turn's tokens.
        tokens: Option<Tokens>,
        /// This turn's cost in US dollars.
        cost_usd: Option<f64>,
        /// How full the context is.
        context: Option<Context>,
    },
    /// The session to resume is not there: replay, once.
    SessionLost {
        /// The agent's words.
        reason: String,
    },
    /// The provider refused.
    Refused(Refusal),
    /// The turn failed for another reason, in one sentence.
    Failed(String),
    /// The turn ended by itself.
    Finished,
    /// The turn ended because of [`Input::Interrupt`].
    Interrupted,
    /// Something this adapter does not model, kept whole.
    Other {
        /// Its own type word.
        original_type: String,
        /// The line.
        payload: serde_json::Value,
    },
}

/// What a dialogue wants done now.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Step {
    /// Lines for the program's stdin, without line ends.
    pub say: Vec<String>,
    /// Whether stdin is to be closed after them.
    pub close: bool,
    /// What happened.
    pub events: Vec<Event>,
}

/// The pure machine of one turn.
pub trait Dialogue: Send {
    /// The first lines to say.
    fn open(&mut self) -> Step;
    /// A line of stdout, without its line end.
    fn heard(&mut self, line: &str) -> Step;
    /// The person said something.
    fn told(&mut self, input: Input) -> Step;
    /// The process is gone. A turn that had no end yet must get one here.
    fn ended(&mut self, exit: &Exit) -> Step;
}

/// One agent program.
pub trait Agent: Send + Sync {
    /// Its name on the wire.
    fn sdk(&self) -> &Sdk;
    /// The word a person reads.
    fn label(&self) -> &str;
    /// What it can do.
    fn capabilities(&self) -> Capabilities;
    /// Names of the program to look for in PATH; empty when it is inside the `rex` binary.
    fn programs(&self) -> &[&str];
    /// What to do when it is missing.
    fn hint(&self) -> &str;
    /// How to start it for a turn.
    fn launch(&self, found: &Found, turn: &Turn) -> Launch;
    /// The machine of one turn.
    fn dialogue(&self, turn: &Turn) -> Box<dyn Dialogue>;
    /// Where a session's record would lie: candidate paths below the config folder in force. `environment` is the
    /// child's. The caller looks; this only knows.
    fn session_log(
        &self,
        environment: &BTreeMap<String, String>,
        folder: &Path,
        session_id: &str,
    ) -> Option<LogQuery>;
}

/// Which file would prove a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogQuery {
    /// The config folder in force.
    pub config_folder: PathBuf,
    /// Folders below it to look in, one level deep, where the record's folder name depends on the working folder.
    pub below: PathBuf,
    /// The record's file name.
    pub file_name: String,
    /// A text that a usable record contains.
    pub must_contain: &'static str,
}

/// The question a dialog on the wire stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenAsk {
    /// The id on the wire.
    pub dialog_id: DialogId,
    /// The agent's own id.
    pub ask_id: String,
}
