//! Deep Agents, a library: a small script of REX's own puts one of its agents behind the Agent Client Protocol.
//!
//! The script is written into the run's folder and run by the Python that the person names. It keeps nothing: its
//! conversation lives for one run, so every send tells it again, and that is said before. Deliberately absent: the
//! library's own durable sessions, which would be a second place that holds a conversation.

#[cfg(test)]
mod tests;

use super::acp::{Acp, GatewayVariables};
use super::found::{Found, Program};
use super::seam::{Agent, BadTurn, Dialogue, Turn};
use super::session_log::RecordPlace;
use crate::processes::{Launch, RecordFolders};
use rex_shared::ids::Sdk;
use rex_shared::wire::agent::Capabilities;
use rex_shared::wire::message::Mode;
use std::collections::BTreeMap;
use std::path::Path;

const LABEL: &str = "Deep Agents";
const SCRIPT: &str = include_str!("deepagents/agent.py");
const SCRIPT_FILE: &str = "agent.py";
/// What is looked for when no Python is named; a program of this name is nobody's.
const NO_PYTHON: &str = "deepagents-python";
const HINT: &str = "Make a Python environment with `pip install deepagents deepagents-acp langchain-openai`, name its python in config.toml of REX's home ([deepagents] python = \"/…/bin/python\"), and start REX again.";

/// The adapter for Deep Agents.
pub(super) struct DeepAgents(Acp);

impl DeepAgents {
    /// `python` is the one that has the library. `sdk` names this adapter.
    pub(super) fn new(sdk: Sdk, python: Option<&Path>) -> Self {
        let python = python.map_or(NO_PYTHON.into(), Path::to_string_lossy);
        Self(Acp {
            sdk,
            label: LABEL.to_owned(),
            program: Program::in_path(python),
            arguments: Vec::new(),
            environment: [
                ("LANGSMITH_TRACING", "false"),
                ("PYTHONDONTWRITEBYTECODE", "1"),
            ]
            .map(|(name, value)| (name.to_owned(), value.into()))
            .into(),
            gateway: Some(GatewayVariables {
                base_url: "DEEPAGENTS_BASE_URL".to_owned(),
                key: "DEEPAGENTS_KEY".to_owned(),
                model: Some("DEEPAGENTS_MODEL".to_owned()),
            }),
            hint: HINT.to_owned(),
            capabilities: Capabilities {
                resume: false,
                chosen_id: false,
                permissions: false,
                images: true,
                act: false,
                cost: false,
            },
            records: None,
            writes: RecordFolders::default(),
        })
    }
}

impl Agent for DeepAgents {
    fn sdk(&self) -> &Sdk {
        self.0.sdk()
    }

    fn label(&self) -> &str {
        self.0.label()
    }

    fn capabilities(&self) -> Capabilities {
        self.0.capabilities()
    }

    fn program(&self) -> &Program {
        self.0.program()
    }

    fn hint(&self) -> &str {
        self.0.hint()
    }

    fn launch(&self, found: &Found, turn: &Turn) -> Result<Launch, BadTurn> {
        if turn.mode == Mode::Ask && turn.gateway.base_url.is_none() {
            return Err(BadTurn::NeedsGateway(LABEL.to_owned()));
        }
        let script = Launch::file(&turn.scratch, SCRIPT_FILE);
        Ok(Launch {
            arguments: vec![script.to_string_lossy().into_owned()],
            files: BTreeMap::from([(SCRIPT_FILE.to_owned(), SCRIPT.to_owned())]),
            ..self.0.launch(found, turn)?
        })
    }

    fn dialogue(&self, turn: &Turn) -> Box<dyn Dialogue> {
        self.0.dialogue(turn)
    }

    fn record(&self, _session_id: &str) -> Option<RecordPlace> {
        None
    }
}
