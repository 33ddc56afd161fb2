//! Which agents there are, and which of them this machine has.

use super::found::{Found, Missing};
use super::seam::Agent;
use super::session_state::SessionState;
use crate::processes::Environment;
use rex_shared::ids::Sdk;
use rex_shared::wire::agent::AgentInfo;
use std::path::Path;
use std::sync::Arc;

/// Every agent REX can drive. Cheap to clone.
#[derive(Clone)]
pub struct Registry {
    agents: Arc<[Arc<dyn Agent>]>,
}

impl Registry {
    /// The agents given, looked for with `environment`'s `PATH`.
    pub fn new(agents: Vec<Arc<dyn Agent>>, environment: Environment) -> Self {
        drop(environment);
        Self {
            agents: agents.into(),
        }
    }

    /// The agents REX brings: Claude Code, and the demo agent inside `own_program`, which keeps its sessions below
    /// `home`.
    pub fn standard(environment: Environment, own_program: &Path, home: &Path) -> Self {
        let _ = (own_program, home);
        Self::new(Vec::new(), environment)
    }

    /// All of them, in the order a person is offered them.
    pub fn all(&self) -> &[Arc<dyn Agent>] {
        &self.agents
    }

    /// The agent of this name.
    pub fn get(&self, sdk: &Sdk) -> Option<&Arc<dyn Agent>> {
        self.agents.iter().find(|agent| agent.sdk() == sdk)
    }

    /// Finds the agent's program; asks it for its version once per path and modification time.
    pub async fn found(&self, sdk: &Sdk) -> Result<Found, Missing> {
        match self.get(sdk).map(|agent| agent.program()) {
            Some(super::Program::Inside(program)) => Ok(Found {
                program: program.clone(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                options: Default::default(),
            }),
            _ => Err(Missing::UnknownAgent(sdk.clone())),
        }
    }

    /// Finds all of them, so that [`Registry::infos`] has something to tell. Called at start and by doctor.
    pub async fn look_up_all(&self) {
        for agent in self.all() {
            let _found = self.found(agent.sdk()).await;
        }
    }

    /// What the page offers. Starts nothing: a program that was not asked yet has an empty version.
    pub fn infos(&self) -> Vec<AgentInfo> {
        Vec::new()
    }

    /// What can be seen of a session's record; `None` when this agent's records cannot be seen from outside.
    /// Reads files, starts nothing.
    pub async fn session_state(&self, sdk: &Sdk, session_id: &str) -> Option<SessionState> {
        let place = self.get(sdk)?.record(session_id)?;
        let file = place.below.join(&place.file_name);
        let text = tokio::fs::read_to_string(&file).await.unwrap_or_default();
        Some(SessionState {
            config_folder: place.config_folder,
            usable_bytes: if text.contains(place.must_contain) {
                text.len() as u64
            } else {
                0
            },
            log: file.exists().then_some(file),
        })
    }
}
