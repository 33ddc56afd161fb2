//! Starting a program and holding it.

use super::environment::{Environment, RUN_VARIABLE};
use super::family::{self, Family};
use super::guardian::{Guardian, Order, clear_up};
use super::launch::{Exit, Launch, StartError};
use super::lines::Lines;
use super::pipes::{Stderr, Stdin};
use super::room::{Place, Room};
use super::sandbox::Sandboxes;
use super::server::Servers;
use rex_shared::ids::RunId;
use rex_shared::wire::agent::Sandbox;
use std::ffi::OsString;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::AsyncReadExt as _;
use tokio::process::{ChildStdout, Command};
use tokio::sync::{mpsc, oneshot};
use tokio::task::coop::consume_budget;
use tokio::time::{Instant, sleep_until};

/// Counts the processes of this bridge, for their marks.
static STARTED: AtomicU64 = AtomicU64::new(0);
/// How much is read at once, and how much a pipe holds.
const PIECE: usize = 64 * 1024;
/// How long an ended program's pipe is waited for: a grandchild may hold it open for ever.
pub(super) const DRAIN: Duration = Duration::from_secs(1);

/// Starts programs. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Runner {
    environment: Environment,
    servers: Servers,
    sandboxes: Sandboxes,
    room: Room,
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
    /// The process is gone, and what it left in its pipe has been heard.
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
    is_wrapped: bool,
    stdin: Stdin,
    stdout: Option<ChildStdout>,
    lines: Lines,
    stderr: Stderr,
    orders: mpsc::UnboundedSender<Order>,
    gone: oneshot::Receiver<ExitStatus>,
    end: End,
    quiet_after: Duration,
    heard_at: Instant,
    noticed_at: Instant,
}

/// An ended program whose pipe is still read. What it had said itself fits in the pipe; what a grandchild adds is not
/// read for ever.
#[derive(Debug, Clone, Copy)]
struct Draining {
    status: ExitStatus,
    until: Instant,
    bytes_left: usize,
}

#[derive(Debug, Clone, Copy)]
enum End {
    NotYet,
    Draining(Draining),
    Told,
}

impl Runner {
    /// Starts programs with what is allowed of `environment`.
    pub fn new(environment: Environment) -> Self {
        Self {
            environment,
            servers: Servers::default(),
            sandboxes: Sandboxes::none(),
            room: Room::default(),
            quiet_after: Duration::from_secs(60),
        }
    }

    /// Starts programs in these.
    #[must_use]
    pub fn within(self, sandboxes: Sandboxes) -> Self {
        Self { sandboxes, ..self }
    }

    /// Tells [`Heard::Quiet`] after so long instead of 60 s.
    #[must_use]
    pub fn quiet_after(self, quiet_after: Duration) -> Self {
        Self {
            quiet_after,
            ..self
        }
    }

    pub(super) fn sandboxes(&self) -> &Sandboxes {
        &self.sandboxes
    }

    /// A place for a program, if one is free.
    pub fn try_place(&self) -> Option<Place> {
        self.room.try_take()
    }

    /// A place for a program, as soon as it is one's turn.
    pub async fn place(&self) -> Place {
        self.room.take().await
    }

    pub(super) fn servers(&self) -> &Servers {
        &self.servers
    }

    /// Starts `launch` in a process group of its own, marked with `run`, in the sandbox that [`Runner::sandbox`] found
    /// for its folder. Needs a tokio runtime, on a thread that lives as long as the program.
    pub fn start(&self, launch: &Launch, run: &RunId) -> Result<Process, StartError> {
        self.start_marked(launch, run.as_str())
    }

    pub(super) fn start_marked(&self, launch: &Launch, what: &str) -> Result<Process, StartError> {
        let sandbox = self.known_sandbox(launch.workspace());
        self.start_in(launch, what, sandbox.unwrap_or_default())
    }

    pub(super) fn start_in(
        &self,
        launch: &Launch,
        what: &str,
        sandbox: Sandbox,
    ) -> Result<Process, StartError> {
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let mark = format!("{what}/{number}");
        let command = |program: &Path, arguments: &[OsString]| {
            #[expect(
                clippy::disallowed_methods,
                reason = "the one place that starts programs"
            )]
            let mut command = Command::new(program);
            command
                .args(arguments)
                .current_dir(&launch.folder)
                .env_clear()
                .envs(self.environment.passed_on())
                .env("TMPDIR", &launch.scratch)
                .env(RUN_VARIABLE, &mark)
                .envs(&launch.environment)
                .process_group(0)
                .kill_on_drop(true)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            command
        };
        let started = self.sandboxes.start(launch, sandbox, command)?;
        let (mut child, is_wrapped) = (started.child, started.is_wrapped);
        let pid = child.id().unwrap_or_default();
        let identity = Identity {
            pid,
            started: family::started(pid).unwrap_or_default(),
        };
        let stdin = Stdin::open(child.stdin.take());
        let stdout = child.stdout.take();
        let stderr = Stderr::drain(child.stderr.take());
        let (orders, received) = mpsc::unbounded_channel();
        let (gone_sender, gone) = oneshot::channel();
        let guardian = Guardian {
            child,
            family: Family::new(identity, mark, is_wrapped),
            stdin: stdin.clone(),
            orders: received,
            gone: gone_sender,
        };
        tokio::spawn(guardian.guard());
        Ok(Process {
            identity,
            is_wrapped,
            stdin,
            stdout,
            lines: Lines::new(),
            stderr,
            orders,
            gone,
            end: End::NotYet,
            quiet_after: self.quiet_after,
            heard_at: Instant::now(),
            noticed_at: Instant::now(),
        })
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
        loop {
            // A flood must not keep everybody else on this thread from their turn, who sees the program's end among them.
            consume_budget().await;
            if let Some(heard) = self.lines.next() {
                return self.line(heard);
            }
            let draining = match self.end {
                End::Told => return None,
                End::NotYet => None,
                End::Draining(draining) => Some(draining),
            };
            if let Some(Draining {
                status, bytes_left, ..
            }) = draining
                && (self.stdout.is_none() || bytes_left == 0)
            {
                return self.exited(status).await;
            }
            let until = draining.map(|draining| draining.until);
            tokio::select! {
                // What is in the pipe is read before the wait for more is given up, however late that is asked for.
                biased;
                status = &mut self.gone, if draining.is_none() => {
                    // The guardian is gone without a word only when the runtime is shutting down.
                    self.end = End::Draining(Draining {
                        status: status.unwrap_or_default(),
                        until: Instant::now() + DRAIN,
                        bytes_left: PIECE,
                    });
                }
                length = read(self.stdout.as_mut(), &mut self.lines) => {
                    if let End::Draining(draining) = &mut self.end {
                        draining.bytes_left = draining.bytes_left.saturating_sub(length);
                    }
                    if length == 0 {
                        self.stdout = None;
                        if let Some(heard) = self.lines.rest() {
                            return self.line(heard);
                        }
                    }
                }
                () = sleep_until(until.unwrap_or_else(Instant::now)), if until.is_some() => {
                    self.stdout = None;
                    if let Some(heard) = self.lines.rest() {
                        return self.line(heard);
                    }
                }
                () = sleep_until(self.noticed_at + self.quiet_after), if draining.is_none() => {
                    self.noticed_at = Instant::now();
                    return Some(Heard::Quiet(self.noticed_at - self.heard_at));
                }
            }
        }
    }

    /// Says a line to the program's stdin. Never waits; a line the program does not want any more is dropped.
    pub fn say(&self, line: String) {
        self.stdin.say(line);
    }

    /// Closes stdin when everything said is written.
    pub fn close_stdin(&self) {
        self.stdin.close();
    }

    /// The turn is over: closes stdin and gives the program 5 s to go, then terminates and kills it.
    pub fn finish(&self) {
        self.order(Order::Finish);
    }

    /// The ladder after the dialogue's own interrupt: stdin closed after 1 s, the group terminated after 2 s and
    /// killed after 4.5 s. Nothing of it is alive 5 s later, whatever it started.
    pub fn stop(&self) {
        self.order(Order::Stop);
    }

    fn order(&self, order: Order) {
        // The guardian is gone when the process is; then there is nothing to order.
        let _late = self.orders.send(order);
    }

    fn line(&mut self, heard: Heard) -> Option<Heard> {
        self.heard_at = Instant::now();
        self.noticed_at = self.heard_at;
        Some(heard)
    }

    async fn exited(&mut self, status: ExitStatus) -> Option<Heard> {
        let stderr = self.stderr.end().await;
        self.end = End::Told;
        self.stdout = None;
        Some(Heard::Exited(Exit::of(status, self.is_wrapped, stderr)))
    }
}

/// Reads a piece; 0 when nothing more comes. A pipe that is closed already never gets ready.
async fn read(stdout: Option<&mut ChildStdout>, lines: &mut Lines) -> usize {
    let Some(stdout) = stdout else {
        return std::future::pending().await;
    };
    let room = lines.room();
    room.reserve(PIECE);
    stdout.read_buf(room).await.unwrap_or(0)
}

/// Kills what a run, or the servers, of an earlier bridge left; `mark` is the run's id or that bridge's start.
///
/// That is the process `left` with its group, if it is still the one that was started, and everything that carries the mark. Where there is no `/proc` nothing can be told apart, so nothing is killed.
pub async fn sweep(left: Identity, mark: &str) {
    clear_up(Family::left_behind(left, mark.to_owned())).await;
}
