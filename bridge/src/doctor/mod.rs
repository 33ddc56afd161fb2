//! Doctor: whether this installation is sound.
//!
//! [`Doctor::look`] starts nothing and changes nothing, so a GET may ask it; [`Doctor::try_out`] starts programs and is
//! always a person's own act. Both ask the system rather than REX's records: who holds the lock, what listens, what is
//! in the file. Works with or without a running bridge, and when the database cannot be opened. Deliberately absent:
//! repairs. A check says what to do, and a person does it.

mod agent;
mod gate;
mod home;
mod machine;
#[cfg(test)]
mod tests;
mod text;

pub use text::text;

use crate::agents::Registry;
use crate::fresh;
use crate::processes::{Environment, Runner};
use rex_shared::ids::Sdk;
use rex_shared::wire::doctor::{Check, Checked, Diagnosis};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// What is looked at. Clones share what was last tried.
#[derive(Clone)]
pub struct Doctor {
    /// `$REX_HOME`.
    home: PathBuf,
    /// The port of the bridge that serves it, if one does.
    port: Option<u16>,
    environment: Environment,
    agents: Registry,
    runner: Runner,
    tried: Arc<Mutex<Option<Checked>>>,
}

impl Doctor {
    /// A doctor for a home, and what would be started from it.
    pub fn new(
        home: PathBuf,
        port: Option<u16>,
        environment: Environment,
        agents: Registry,
        runner: Runner,
    ) -> Self {
        Self {
            home,
            port,
            environment,
            agents,
            runner,
            tried: Arc::default(),
        }
    }

    /// What can be seen without starting anything, and what was last tried.
    pub async fn look(&self) -> Diagnosis {
        let (home, environment) = (self.home.clone(), self.environment.clone());
        let port = self.port;
        let on_disk = tokio::task::spawn_blocking(move || {
            let (mut checks, gateways) = home::look(&home, &environment);
            checks.extend(machine::look(port));
            (checks, gateways)
        });
        let (mut checks, gateways) = on_disk.await.unwrap_or_default();
        checks.push(machine::sandbox(self.runner.held_sandbox()));
        checks.extend(agent::look(&self.agents));
        checks.extend(gateways);
        Diagnosis {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seen: now(checks),
            tried: self.tried().clone(),
        }
    }

    /// Tries what has to be started to be known: the sandbox, the gate, the programs' versions, and with each of these
    /// agents two turns in a folder of their own.
    pub async fn try_out(&self, sdks: &[Sdk]) -> Diagnosis {
        self.agents.look_up_all().await;
        let mut checks = vec![self.try_sandbox().await];
        if let Some(port) = self.port {
            checks.push(gate::try_out(port).await);
        }
        for sdk in sdks {
            checks.push(self.try_agent(sdk).await);
        }
        *self.tried() = Some(now(checks));
        self.look().await
    }

    async fn try_sandbox(&self) -> Check {
        let folder = tempfile::tempdir().and_then(|folder| {
            let path = folder.path().canonicalize()?;
            Ok((folder, path))
        });
        match folder {
            Ok((_folder, path)) => machine::sandbox(Some(self.runner.sandbox(&path).await)),
            Err(_) => machine::sandbox(None),
        }
    }

    fn tried(&self) -> std::sync::MutexGuard<'_, Option<Checked>> {
        self.tried.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn now(checks: Vec<Check>) -> Checked {
    Checked {
        checked_at: fresh::now(),
        checks,
    }
}
