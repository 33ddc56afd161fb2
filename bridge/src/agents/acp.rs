//! Any agent that speaks the Agent Client Protocol, version 1: JSON-RPC, one object a line.
//!
//! The protocol says less than a program's own one does: not where a record lies, not that a provider is asked again,
//! and often not why a turn failed. What it does not say is not invented here. Deliberately absent: files and terminals
//! for the agent (it has its own), its history on loading (ours is the record), its sign-in.

mod answer;
mod dialogue;
mod inquiry;
#[cfg(test)]
mod tests;
mod update;

use super::endpoint;
use super::found::{Found, Program};
use super::inquiry::{Inquiry, Question};
use super::seam::{Agent, BadTurn, Dialogue, Turn};
use super::session_log::{FileName, RecordPlace};
use crate::processes::{Launch, RecordFolders};
use dialogue::AcpDialogue;
use inquiry::AcpInquiry;
use rex_shared::ids::Sdk;
use rex_shared::wire::agent::Capabilities;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// An agent that speaks the protocol, as it is configured.
pub(super) struct Acp {
    /// Its name on the wire.
    pub(super) sdk: Sdk,
    /// The word a person reads.
    pub(super) label: String,
    /// Where its program is.
    pub(super) program: Program,
    /// The program's arguments.
    pub(super) arguments: Vec<String>,
    /// Variables it needs.
    pub(super) environment: BTreeMap<String, OsString>,
    /// How it is told about a gateway, if it can be.
    pub(super) gateway: Option<GatewayVariables>,
    /// What to do when it is missing.
    pub(super) hint: String,
    /// What it can do.
    pub(super) capabilities: Capabilities,
    /// Where its records lie, if that is known: a folder of `ID.json` files, and what a usable one contains.
    pub(super) records: Option<(PathBuf, &'static str)>,
    /// What it may write to.
    pub(super) writes: RecordFolders,
}

/// The variables by which a program is told about a gateway.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct GatewayVariables {
    /// For its address, with the interface's version.
    pub(super) base_url: String,
    /// For its key.
    pub(super) key: String,
    /// For the model. Without one a model is chosen over the protocol.
    pub(super) model: Option<String>,
}

impl Acp {
    /// What the program is told about the turn's gateway.
    fn told(&self, turn: &Turn) -> Result<Vec<(String, OsString)>, BadTurn> {
        let Some(base_url) = &turn.gateway.base_url else {
            return Ok(Vec::new());
        };
        let Some(names) = &self.gateway else {
            return Err(BadTurn::NoGateway(self.label.clone()));
        };
        let mut told = vec![(
            names.base_url.clone(),
            endpoint::with_version(base_url).into(),
        )];
        if let Some(key) = &turn.key {
            told.push((names.key.clone(), key.reveal().into()));
        }
        if let Some(name) = &names.model {
            told.push((name.clone(), turn.named_model(&self.label)?.into()));
        }
        Ok(told)
    }

    /// Whether the model is told by a variable.
    fn model_is_told(&self, turn: &Turn) -> bool {
        let names = self.gateway.as_ref();
        turn.gateway.base_url.is_some() && names.is_some_and(|names| names.model.is_some())
    }
}

/// The protocol says nothing of how an id looks.
fn is_session_id(id: &str) -> bool {
    !id.is_empty() && !id.chars().any(char::is_control)
}

impl Agent for Acp {
    fn sdk(&self) -> &Sdk {
        &self.sdk
    }

    fn label(&self) -> &str {
        &self.label
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn program(&self) -> &Program {
        &self.program
    }

    fn hint(&self) -> &str {
        &self.hint
    }

    fn launch(&self, found: &Found, turn: &Turn) -> Result<Launch, BadTurn> {
        turn.check(&self.label, self.capabilities.act, is_session_id)?;
        let mut environment = self.environment.clone();
        environment.extend(self.told(turn)?);
        let arguments = self.arguments.clone();
        Ok(turn.launch(found, arguments, environment, self.writes.clone()))
    }

    fn dialogue(&self, turn: &Turn) -> Box<dyn Dialogue> {
        let mut dialogue = AcpDialogue::new(&self.label, turn);
        if self.model_is_told(turn) {
            dialogue.leave_model();
        }
        Box::new(dialogue)
    }

    fn inquiry(&self, turn: &Turn, question: Question) -> Option<Box<dyn Inquiry>> {
        Some(Box::new(AcpInquiry {
            question,
            folder: turn.folder.to_string_lossy().into_owned(),
        }))
    }

    fn record(&self, session_id: &str) -> Option<RecordPlace> {
        let (folder, must_contain) = self.records.as_ref()?;
        // The id becomes a file name.
        if session_id.is_empty()
            || !session_id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        {
            return None;
        }
        Some(RecordPlace {
            config_folder: folder.clone(),
            below: PathBuf::new(),
            folders_between: 0,
            file_name: FileName::Is(format!("{session_id}.json")),
            must_contain,
        })
    }
}
