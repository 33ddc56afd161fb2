//! What keeps the program of a run from writing: the operating system, where it can.
//!
//! All of the disk is read-only to it but the run's temp folder and the folders for records that its adapter declares.
//! Two ways are tried, and the first that holds is taken: bubblewrap, then Landlock. Whether one holds is never
//! concluded from a version: what must not work is tried inside the very same command line, once for each folder.
//! Where neither does, the run is not enforced, and whoever starts it says so before. Deliberately absent: limits on the
//! network and on reading, for an agent has to ask its provider and to see the documents.

mod bubblewrap;
#[cfg(target_os = "linux")]
mod landlock;
mod mounts;
mod probe;
#[cfg(test)]
mod tests;

use super::environment::Environment;
use super::launch::{Launch, StartError};
use super::look_up::find_program;
use rex_shared::wire::agent::Sandbox;
use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::process::{Child, Command};

/// Which way to take, or `off`: for tests, and for finding out what goes wrong on a machine.
const CHOICE_VARIABLE: &str = "REX_SANDBOX";

/// The folders of its own that a program may write to although it runs in a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordFolders {
    /// They are made when they are missing.
    pub folders: Vec<PathBuf>,
    /// What in them stays as it is, where it exists: what the program would obey the next time it is started, outside a
    /// sandbox.
    pub kept: Vec<PathBuf>,
}

impl RecordFolders {
    /// These folders, whole.
    pub fn of(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            folders: folders.into_iter().collect(),
            kept: Vec::new(),
        }
    }
}

/// The ways of this machine, and which of them holds in which folder. Clones share what was found.
#[derive(Debug, Clone)]
pub struct Sandboxes {
    environment: Environment,
    /// REX's home, which no program may see.
    home: PathBuf,
    bubblewrap: Option<PathBuf>,
    candidates: Vec<Sandbox>,
    held: Arc<Mutex<HashMap<PathBuf, Sandbox>>>,
}

/// A program's process, and how many processes there are around it.
pub(super) struct Started {
    pub(super) child: Child,
    pub(super) is_wrapped: bool,
}

impl Sandboxes {
    /// What may be tried on this machine, before anything is. `home` is REX's own.
    pub fn of(environment: &Environment, home: &Path) -> Self {
        let bubblewrap = find_program("bwrap", environment);
        let chosen = environment.get(CHOICE_VARIABLE);
        let is_chosen = |sandbox: &Sandbox| chosen.is_none_or(|word| word == sandbox.word());
        let mut candidates = Vec::new();
        if cfg!(target_os = "linux") {
            candidates.extend(bubblewrap.is_some().then_some(Sandbox::Bubblewrap));
            candidates.push(Sandbox::Landlock);
        }
        candidates.retain(is_chosen);
        Self {
            environment: environment.clone(),
            home: home.to_owned(),
            bubblewrap,
            candidates,
            held: Arc::default(),
        }
    }

    /// None is tried: every run is not enforced.
    pub fn none() -> Self {
        Self {
            environment: Environment::default(),
            home: PathBuf::new(),
            bubblewrap: None,
            candidates: Vec::new(),
            held: Arc::default(),
        }
    }

    /// What may be tried, the best first.
    pub(super) fn candidates(&self) -> &[Sandbox] {
        &self.candidates
    }

    /// What was found to hold in a folder; nothing was tried yet for `None`.
    pub(super) fn known(&self, folder: &Path) -> Option<Sandbox> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.get(folder).copied()
    }

    /// What was found to hold in one folder or another.
    pub(super) fn any(&self) -> Option<Sandbox> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.values().next().copied()
    }

    pub(super) fn remember(&self, folder: &Path, sandbox: Sandbox) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.insert(folder.to_owned(), sandbox);
    }

    /// Starts what `command` makes of a program and its arguments, within `sandbox`.
    pub(super) fn start(
        &self,
        launch: &Launch,
        sandbox: Sandbox,
        command: impl FnOnce(&Path, &[OsString]) -> Command,
    ) -> Result<Started, StartError> {
        let failed = |error| StartError::of(launch, error);
        let arguments: Vec<OsString> = launch.arguments.iter().map(OsString::from).collect();
        launch.write_files().map_err(failed)?;
        let (child, is_wrapped) = match (sandbox, &self.bubblewrap) {
            (Sandbox::Bubblewrap, Some(bubblewrap)) => {
                // It would say itself that there is nothing to start, but as a program that failed.
                launch.check().map_err(failed)?;
                let mounts = mounts::of(launch, &self.environment, &self.home).map_err(failed)?;
                let arguments = bubblewrap::arguments(launch, &mounts);
                (command(bubblewrap, &arguments).spawn(), true)
            }
            (Sandbox::Landlock, _) => {
                let mut command = command(&launch.program, &arguments);
                (start_restricted(launch, &mut command), false)
            }
            _ => (command(&launch.program, &arguments).spawn(), false),
        };
        Ok(Started {
            child: child.map_err(failed)?,
            is_wrapped,
        })
    }
}

#[cfg(target_os = "linux")]
fn start_restricted(launch: &Launch, command: &mut Command) -> io::Result<Child> {
    landlock::start(launch, command)
}

#[cfg(not(target_os = "linux"))]
fn start_restricted(_launch: &Launch, _command: &mut Command) -> io::Result<Child> {
    Err(io::ErrorKind::Unsupported.into())
}
