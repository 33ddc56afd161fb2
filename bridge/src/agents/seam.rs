//! The seam between runs and agent programs.
//!
//! An [`Agent`] says how its program is started and opens a [`Dialogue`], a pure machine: lines and the person's
//! inputs go in, lines to say and [`Event`]s come out. One generic runner ([`crate::processes::Runner`]) owns every
//! process; who decides what an event means for the conversation is not here.

mod turn;

pub use turn::{BadTurn, Secret, SessionStart, Turn};

use super::found::{Found, Program};
use super::inquiry::{Inquiry, Question};
use super::session_log::RecordPlace;
use crate::processes::{Exit, Launch};
use rex_shared::ids::Sdk;
use rex_shared::wire::agent::Capabilities;
use rex_shared::wire::message::{Context, Refusal, Tokens};
use rex_shared::wire::prompt::{Answer, DialogKind};

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

/// What an agent did or said. Deliberately small: a line that fits none of these is [`Event::Other`].
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The session as the agent names it. Whoever resumed compares it with the one asked for.
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
    /// The whole text of block `key`, replacing what was streamed; empty when the agent took it back.
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
    /// The whole thinking of block `key`, replacing what was streamed; empty when the agent took it back.
    ThinkingWhole {
        /// Names a block within the turn.
        key: String,
        /// All of it.
        text: String,
    },
    /// A tool was called; told once a call, when its input is known.
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
    /// Tokens and cost of this turn alone, and the context's fill. A field that is `None` was not told this time.
    Usage {
        /// This turn's tokens so far.
        tokens: Option<Tokens>,
        /// This turn's cost so far in US dollars.
        cost_usd: Option<f64>,
        /// How full the context is.
        context: Option<Context>,
    },
    /// An end: the session to resume is not there. Replay, once, in a new process.
    SessionLost {
        /// The agent's words.
        reason: String,
    },
    /// An end: the id we chose for a new session is used already. Choose the next one.
    SessionTaken {
        /// The id.
        id: String,
    },
    /// An end: the provider refused.
    Refused(Refusal),
    /// An end: the turn failed for another reason, in one sentence.
    Failed(String),
    /// An end: the turn ended by itself.
    Finished,
    /// An end: because of [`Input::Interrupt`].
    Interrupted,
    /// Something this adapter does not model, kept whole.
    Other {
        /// Its own type word.
        original_type: String,
        /// The line.
        payload: serde_json::Value,
    },
    /// A line that is no message of the protocol. Kept for the debug report, never part of the conversation.
    Diagnostic(String),
}

impl Event {
    /// Whether the turn is over with this. A dialogue gives exactly one of these, and nothing after it.
    pub fn is_end(&self) -> bool {
        matches!(
            self,
            Self::SessionLost { .. }
                | Self::SessionTaken { .. }
                | Self::Refused(_)
                | Self::Failed(_)
                | Self::Finished
                | Self::Interrupted
        )
    }
}

/// What a dialogue wants done now, in this order: say, close, then what happened.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Step {
    /// Lines for the program's stdin, without line ends.
    pub say: Vec<String>,
    /// Whether stdin is to be closed after them.
    pub close: bool,
    /// What happened.
    pub events: Vec<Event>,
}

impl Step {
    /// Nothing to say, one thing happened.
    pub(super) fn event(event: Event) -> Self {
        Self {
            events: vec![event],
            ..Self::default()
        }
    }

    /// One line to say, nothing happened.
    pub(super) fn say(line: String) -> Self {
        Self {
            say: vec![line],
            ..Self::default()
        }
    }
}

/// The pure machine of one turn. One process serves one turn.
pub trait Dialogue: Send {
    /// The first lines to say.
    fn open(&mut self) -> Step;
    /// A line of stdout, without its line end.
    fn heard(&mut self, line: &str) -> Step;
    /// The person said something. An answer to a question that is not open changes nothing.
    fn told(&mut self, input: Input) -> Step;
    /// The process is gone. A turn that had no end yet gets one here.
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
    /// Where its program is to be looked for.
    fn program(&self) -> &Program;
    /// What to do when it is missing.
    fn hint(&self) -> &str;
    /// How to start it for a turn.
    fn launch(&self, found: &Found, turn: &Turn) -> Result<Launch, BadTurn>;
    /// The machine of one turn.
    fn dialogue(&self, turn: &Turn) -> Box<dyn Dialogue>;
    /// The machine of a question without a turn; `None` when this program cannot be asked it. The program is started as
    /// [`Agent::launch`] says for `turn`, whose prompt nobody says.
    fn inquiry(&self, _turn: &Turn, _question: Question) -> Option<Box<dyn Inquiry>> {
        None
    }
    /// Where the record of a session lies, if that can be known from outside; the caller looks, this only knows.
    fn record(&self, session_id: &str) -> Option<RecordPlace>;
}
