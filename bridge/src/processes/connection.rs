//! What a turn talks to: a process of its own, or a server that is kept.
//!
//! Both carry lines. What a process says on its pipes is passed on as it is; what is said to a server is a request on
//! one line, and what is heard of it an answer or an event on one line ([`super::visit`]).

use super::launch::{Launch, StartError, Talk};
use super::runner::{Heard, Identity, Process, Runner};
use super::visit::Visit;
use rex_shared::ids::{BootId, RunId};

/// One turn's connection to its program.
#[derive(Debug)]
pub enum Connection {
    /// On the pipes of a process that serves this turn alone. Dropping it kills the process and all it started.
    Process(Box<Process>),
    /// By HTTP, to a server that serves others too. Dropping it ends what it had asked for.
    Visit(Visit),
}

impl Runner {
    /// Starts what `launch` says, or finds it going. A process is marked with `run`, a server with `boot`. Needs a tokio
    /// runtime.
    pub fn connect(
        &self,
        launch: &Launch,
        run: &RunId,
        boot: &BootId,
    ) -> Result<Connection, StartError> {
        match &launch.talk {
            Talk::Pipes => Ok(Connection::Process(Box::new(self.start(launch, run)?))),
            Talk::Http(serving) => {
                let server = self.server(launch, serving, boot.as_str())?;
                Ok(Connection::Visit(Visit::new(server)))
            }
        }
    }
}

impl Connection {
    /// Which process it is.
    pub fn identity(&self) -> Identity {
        match self {
            Self::Process(process) => process.identity(),
            Self::Visit(visit) => visit.identity(),
        }
    }

    /// What comes next; `None` after [`Heard::Exited`]. Nothing is lost when the future is dropped.
    pub async fn next(&mut self) -> Option<Heard> {
        match self {
            Self::Process(process) => process.next().await,
            Self::Visit(visit) => visit.next().await,
        }
    }

    /// Says a line. Never waits.
    pub fn say(&self, line: String) {
        match self {
            Self::Process(process) => process.say(line),
            Self::Visit(visit) => visit.say(&line),
        }
    }

    /// Nothing more will be said.
    pub fn close(&self) {
        match self {
            Self::Process(process) => process.close_stdin(),
            Self::Visit(visit) => visit.close(),
        }
    }

    /// The turn is over by itself.
    pub fn finish(&self) {
        match self {
            Self::Process(process) => process.finish(),
            Self::Visit(visit) => visit.close(),
        }
    }

    /// The ladder after the dialogue's own interrupt.
    pub fn stop(&self) {
        match self {
            Self::Process(process) => process.stop(),
            Self::Visit(visit) => visit.stop(),
        }
    }
}
