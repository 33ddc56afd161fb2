//! What goes into the machine and what comes out of it.

use super::change::Change;
use crate::agents::seam::{Event, Input as Said};
use rex_shared::ids::Millis;
use rex_shared::transcript::RunState;
use rex_shared::wire::follow::Stage;
use rex_shared::wire::message::{Context, Refusal, Tokens};
use rex_shared::wire::prompt::Dialog;

/// Something happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// The agent's process is there; it goes on with the session `resumes`, or with a new one.
    Started {
        /// The session asked for.
        resumes: Option<String>,
    },
    /// The agent's process could not be started; the sentence says why and what to do.
    NotStarted(String),
    /// The agent did or said something, at this time.
    Event(Event, Millis),
    /// The person said stop.
    Stop,
    /// The bridge goes away.
    Shutdown,
}

/// Something is to be done, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Rows and what is seen of them.
    Change(Change),
    /// The run says what it is doing.
    Stage(Stage),
    /// The agent's session has this id.
    Session(String),
    /// This model answers.
    Model(String),
    /// How full the agent's context is.
    Context(Context),
    /// A question was opened, answered or expired.
    Dialog(Dialog),
    /// Tell the agent.
    Tell(Said),
    /// After the agent was told: end its process by the ladder.
    Halt,
    /// Let the process go and start another: the session is not there, so the conversation is told again.
    Replay,
    /// Let the process go and start another under the next id.
    NextId,
    /// The run is over.
    End(End),
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct End {
    /// One of the five ends.
    pub state: RunState,
    /// The provider's refusal.
    pub refusal: Option<Refusal>,
    /// A failure in one sentence.
    pub failure: Option<String>,
    /// This run's tokens.
    pub tokens: Option<Tokens>,
    /// This run's cost in US dollars.
    pub cost_usd: Option<f64>,
}
