//! Which agents there are, and which of them this machine has.

use super::acp::Acp;
use super::claude::Claude;
use super::codex::Codex;
use super::configuration::Configuration;
use super::deepagents::DeepAgents;
use super::found::{Found, LookUp, Missing, Program};
use super::opencode::OpenCode;
use super::pi::Pi;
use super::seam::Agent;
use super::session_locks::SessionLocks;
use super::session_log::SessionLog;
use crate::demo::{HAS_TURN, HOME_VARIABLE};
use crate::processes::{Environment, RecordFolders};
use rex_shared::ids::Sdk;
use rex_shared::wire::agent::{AgentInfo, Capabilities, Sandbox};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Every agent REX can drive. Cheap to clone.
#[derive(Clone)]
pub struct Registry {
    agents: Arc<[Arc<dyn Agent>]>,
    look_up: Arc<LookUp>,
    sessions: SessionLocks,
    /// What programs said when they were asked for their models.
    offered: Arc<Mutex<HashMap<Sdk, Vec<String>>>>,
}

impl Registry {
    /// The agents given, looked for with `environment`'s `PATH`.
    pub fn new(agents: Vec<Arc<dyn Agent>>, environment: Environment) -> Self {
        Self {
            agents: agents.into(),
            look_up: Arc::new(LookUp::new(environment)),
            sessions: SessionLocks::default(),
            offered: Arc::default(),
        }
    }

    /// The agents REX brings and those that are configured, in the order a person is offered them; last the demo agent
    /// inside `own_program`, which keeps its sessions below `home`.
    pub fn standard(
        environment: Environment,
        own_program: &Path,
        home: &Path,
        configuration: &Configuration,
    ) -> Self {
        let mut agents: Vec<Arc<dyn Agent>> = Vec::new();
        let mut bring = |name: &str, agent: &dyn Fn(Sdk) -> Arc<dyn Agent>| {
            agents.extend(Sdk::parse(name).ok().map(agent));
        };
        bring("claude", &|sdk| Arc::new(Claude::new(sdk, &environment)));
        bring("codex", &|sdk| Arc::new(Codex::new(sdk, &environment)));
        bring("opencode", &|sdk| {
            Arc::new(OpenCode::new(sdk, &environment))
        });
        bring("pi", &|sdk| Arc::new(Pi::new(sdk, &environment)));
        bring("deepagents", &|sdk| {
            Arc::new(DeepAgents::new(sdk, configuration.python()))
        });
        for agent in configuration.agents(&environment) {
            agents.push(Arc::new(agent));
        }
        agents.extend(
            Sdk::parse("demo")
                .ok()
                .map(|sdk| -> Arc<dyn Agent> { Arc::new(demo(sdk, own_program, home)) }),
        );
        Self::new(agents, environment)
    }

    /// All of them, in the order a person is offered them.
    pub fn all(&self) -> &[Arc<dyn Agent>] {
        &self.agents
    }

    /// The agent of this name.
    pub fn get(&self, sdk: &Sdk) -> Option<&Arc<dyn Agent>> {
        self.agents.iter().find(|agent| agent.sdk() == sdk)
    }

    /// The word for an agent; for one that is not known any more, its name.
    pub fn label(&self, sdk: &Sdk) -> String {
        self.get(sdk)
            .map_or(sdk.as_str(), |agent| agent.label())
            .to_owned()
    }

    /// Finds the agent's program; asks it for its version once per path and modification time.
    pub async fn found(&self, sdk: &Sdk) -> Result<Found, Missing> {
        let agent = self
            .get(sdk)
            .ok_or_else(|| Missing::UnknownAgent(sdk.clone()))?;
        let found = self.look_up.find(agent.program()).await;
        found.ok_or_else(|| Missing::NotInPath {
            label: agent.label().to_owned(),
            name: match agent.program() {
                Program::InPath { name, .. } => name.clone(),
                Program::Inside(path) => path.display().to_string(),
            },
            hint: agent.hint().to_owned(),
        })
    }

    /// Finds all of them, so that [`Registry::infos`] has something to tell. Called at start and by doctor.
    pub async fn look_up_all(&self) {
        for agent in self.all() {
            // One that is missing is told as missing when somebody asks.
            let _found = self.look_up.find(agent.program()).await;
        }
    }

    /// What the page offers where `sandbox` holds. Starts nothing: a program that was not asked yet has an empty version.
    pub fn infos(&self, sandbox: Sandbox) -> Vec<AgentInfo> {
        let offered = self.offered.lock().unwrap_or_else(PoisonError::into_inner);
        self.agents
            .iter()
            .map(|agent| {
                let found = self.look_up.known(agent.program());
                let models = offered.get(agent.sdk()).cloned();
                AgentInfo {
                    sdk: agent.sdk().clone(),
                    label: agent.label().to_owned(),
                    capabilities: agent.capabilities(),
                    sandbox,
                    built_in: matches!(agent.program(), Program::Inside(_)),
                    hint: found.is_none().then(|| agent.hint().to_owned()),
                    version: found.map(|found| found.version),
                    models,
                }
            })
            .collect()
    }

    /// Keeps what a program said when it was asked for its models, for [`Registry::infos`].
    pub fn offers(&self, sdk: &Sdk, models: Vec<String>) {
        let mut offered = self.offered.lock().unwrap_or_else(PoisonError::into_inner);
        offered.insert(sdk.clone(), models);
    }

    /// Keeps two processes out of one session.
    pub fn sessions(&self) -> &SessionLocks {
        &self.sessions
    }

    /// What can be seen of a session's record; `None` when this agent's records cannot be seen from outside.
    /// Reads files, starts nothing.
    pub async fn session_log(&self, sdk: &Sdk, session_id: &str) -> Option<SessionLog> {
        let place = self.get(sdk)?.record(session_id)?;
        tokio::task::spawn_blocking(move || SessionLog::look(&place))
            .await
            .ok()
    }
}

/// The agent inside the binary: one that speaks the protocol like any other.
fn demo(sdk: Sdk, own_program: &Path, home: &Path) -> Acp {
    let memory = home.join("demo-agent");
    Acp {
        sdk,
        label: "Demo".to_owned(),
        program: Program::Inside(own_program.to_owned()),
        arguments: vec!["demo-agent".to_owned()],
        environment: [(HOME_VARIABLE.to_owned(), memory.clone().into())].into(),
        gateway: None,
        hint: String::new(),
        capabilities: Capabilities {
            resume: true,
            chosen_id: false,
            permissions: true,
            images: false,
            act: true,
            cost: true,
        },
        writes: RecordFolders::of([memory.clone()]),
        records: Some((memory, HAS_TURN)),
    }
}
