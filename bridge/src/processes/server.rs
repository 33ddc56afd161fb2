//! Programs that serve HTTP and take long to start: one for each way of starting it, kept for the turns to come.
//!
//! Each gets a password of its own and says its address itself. It goes when nobody has visited it for a while, with the
//! bridge, or when it does not do what it is told.

use super::launch::{Exit, Launch, Serving, StartError};
use super::runner::{Heard, Identity, Process, Runner};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::{Notify, watch};
use tokio::time::sleep;

/// How long a server is kept that nobody visits.
const KEPT: Duration = Duration::from_secs(10 * 60);

/// The servers that are going.
pub(super) type Servers = Arc<Mutex<HashMap<Key, Server>>>;

/// Two launches that agree in this can share a server.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    program: PathBuf,
    arguments: Vec<String>,
    environment: BTreeMap<String, OsString>,
    folder: PathBuf,
}

// The environment may hold keys.
impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Key({})", self.program.display())
    }
}

/// How far a server is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    /// It has not said its address yet.
    Starting,
    /// It serves there.
    Ready(SocketAddr),
    /// It is gone, or told to go.
    Gone(Exit),
}

/// A server that is going. Clones are the same one.
#[derive(Clone)]
pub(super) struct Server {
    pub(super) identity: Identity,
    /// The header that it lets in.
    pub(super) authorization: String,
    pub(super) state: watch::Receiver<State>,
    visits: watch::Sender<usize>,
    end: Arc<Notify>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Server({:?})", self.identity)
    }
}

/// Somebody is there, as long as it lives.
#[derive(Debug)]
pub(super) struct Presence(watch::Sender<usize>);

impl Runner {
    /// The server of this launch: the one that is going, or a new one.
    pub(super) fn server(
        &self,
        launch: &Launch,
        serving: &Serving,
        mark: &str,
    ) -> Result<Server, StartError> {
        let key = Key {
            program: launch.program.clone(),
            arguments: launch.arguments.clone(),
            environment: launch.environment.clone(),
            folder: launch.folder.clone(),
        };
        let mut servers = self
            .servers()
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        servers.retain(|_, server| !matches!(*server.state.borrow(), State::Gone(_)));
        if let Some(server) = servers.get(&key) {
            return Ok(server.clone());
        }
        let server = self.serve(launch, serving, mark)?;
        servers.insert(key, server.clone());
        Ok(server)
    }

    /// Ends every server that is kept, and waits until they are gone.
    pub async fn end_servers(&self) {
        let servers: Vec<Server> = {
            let mut servers = self
                .servers()
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            servers.drain().map(|(_, server)| server).collect()
        };
        for server in &servers {
            server.end();
        }
        for mut server in servers {
            // Its keeper tells nothing more when the process is gone.
            while server.state.changed().await.is_ok() {}
        }
    }

    fn serve(&self, launch: &Launch, serving: &Serving, mark: &str) -> Result<Server, StartError> {
        let failed = |error: io::Error| StartError::Other {
            program: launch.program.clone(),
            error,
        };
        let password = password().map_err(failed)?;
        // The run's own folder goes with the run.
        let beside = launch.scratch.parent().unwrap_or(&launch.scratch);
        let scratch = folder(beside).map_err(failed)?;
        let mut environment = launch.environment.clone();
        environment.insert(
            serving.password_variable.to_owned(),
            password.clone().into(),
        );
        let launch = Launch {
            environment,
            scratch: scratch.path().to_owned(),
            ..launch.clone()
        };
        let process = self.start_marked(&launch, mark)?;
        let (state_sender, state) = watch::channel(State::Starting);
        let (visits, visits_receiver) = watch::channel(0);
        let end = Arc::new(Notify::new());
        let server = Server {
            identity: process.identity(),
            authorization: format!(
                "Basic {}",
                STANDARD.encode(format!("{}:{password}", serving.user))
            ),
            state,
            visits,
            end: Arc::clone(&end),
        };
        tokio::spawn(keep(process, state_sender, visits_receiver, end, scratch));
        Ok(server)
    }
}

impl Server {
    /// Says that somebody is there.
    pub(super) fn visited(&self) -> Presence {
        self.visits.send_modify(|visits| *visits += 1);
        Presence(self.visits.clone())
    }

    /// Ends it, whoever else is there: it does not do what it is told.
    pub(super) fn end(&self) {
        self.end.notify_one();
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.0
            .send_modify(|visits| *visits = visits.saturating_sub(1));
    }
}

/// Holds the process from its start to its end.
async fn keep(
    mut process: Process,
    state: watch::Sender<State>,
    mut visits: watch::Receiver<usize>,
    end: Arc<Notify>,
    scratch: TempDir,
) {
    let mut told_to_go = false;
    loop {
        tokio::select! {
            heard = process.next() => match heard {
                Some(Heard::Line(line)) => {
                    if *state.borrow() == State::Starting && let Some(address) = address(&line) {
                        state.send_replace(State::Ready(address));
                    }
                }
                Some(Heard::Exited(exit)) => {
                    state.send_replace(State::Gone(exit));
                }
                Some(Heard::Cut { .. } | Heard::Quiet(_)) => {}
                None => break,
            },
            () = end.notified(), if !told_to_go => {
                told_to_go = true;
                state.send_replace(State::Gone(Exit::default()));
                process.stop();
            }
            () = unvisited(&mut visits), if !told_to_go => {
                told_to_go = true;
                state.send_replace(State::Gone(Exit::default()));
                process.finish();
            }
        }
    }
    drop(scratch);
}

async fn unvisited(visits: &mut watch::Receiver<usize>) {
    loop {
        if visits.wait_for(|visits| *visits == 0).await.is_err() {
            // Nobody can come any more.
            return;
        }
        tokio::select! {
            () = sleep(KEPT) => return,
            changed = visits.changed() => if changed.is_err() { return },
        }
    }
}

/// The address in a line that announces it. One that others could reach is not taken.
fn address(line: &str) -> Option<SocketAddr> {
    let said = line.split_once("http://")?.1;
    let said = said.split([' ', '/']).next()?;
    let address: SocketAddr = said.parse().ok()?;
    address.ip().is_loopback().then_some(address)
}

fn folder(beside: &Path) -> io::Result<TempDir> {
    tempfile::Builder::new()
        .prefix("server-")
        .tempdir_in(beside)
}

fn password() -> io::Result<String> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(io::Error::other)?;
    Ok(bits.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_from_what_announces_it_if_nobody_else_can_reach_it() {
        let said = "opencode server listening on http://127.0.0.1:4096";
        assert_eq!(address(said), Some(([127, 0, 0, 1], 4096).into()));
        assert_eq!(
            address("on http://127.0.0.1:80/ now"),
            Some(([127, 0, 0, 1], 80).into())
        );
        for other in ["starting", "on http://0.0.0.0:4096", "on http://here:1"] {
            assert_eq!(address(other), None, "{other}");
        }
    }
}
