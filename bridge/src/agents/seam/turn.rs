//! Everything an adapter needs to know about one turn, and what of it is refused before anything is started.

use crate::agents::found::Found;
use crate::processes::{Launch, RecordFolders, Talk};
use rex_shared::endpoint::is_model;
use rex_shared::wire::agent::Gateway;
use rex_shared::wire::message::Mode;
use rex_shared::wire::prompt::PromptImage;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// A text that must not be printed: keys of gateways.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// The secret itself, for a child's environment only.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// How the agent's session of this turn begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionStart {
    /// A new one; `id` is used when the agent takes ours ([`rex_shared::wire::agent::Capabilities::chosen_id`]).
    New {
        /// A version 5 UUID of (thread, gateway, n).
        id: Option<String>,
    },
    /// Go on with this one.
    Resume {
        /// The agent's own id.
        id: String,
    },
}

impl SessionStart {
    /// The id it has before the agent names it: the one we chose, or the one gone on with.
    pub(in crate::agents) fn id(&self) -> Option<&str> {
        match self {
            Self::New { id } => id.as_deref(),
            Self::Resume { id } => Some(id),
        }
    }

    /// The id gone on with.
    pub(in crate::agents) fn resumed(&self) -> Option<&str> {
        match self {
            Self::New { .. } => None,
            Self::Resume { id } => Some(id),
        }
    }
}

/// Everything an adapter needs to know about one turn.
#[derive(Debug, Clone)]
pub struct Turn {
    /// The folder the agent works in: the workspace, or for act the private copy.
    pub folder: PathBuf,
    /// The run's own temp folder; it exists.
    pub scratch: PathBuf,
    /// The whole prompt: message, or replay, or seed.
    pub prompt: String,
    /// Images that go with it.
    pub images: Vec<PromptImage>,
    /// New or resumed.
    pub session: SessionStart,
    /// What the run may do.
    pub mode: Mode,
    /// The model asked for.
    pub model: Option<String>,
    /// The endpoint.
    pub gateway: Gateway,
    /// The endpoint's key, read at the moment of the send.
    pub key: Option<Secret>,
}

impl Turn {
    /// Who is named in a refusal: the gateway, or for the default one the agent.
    pub fn provider(&self, label: &str) -> String {
        if self.gateway.gateway_id.is_default() {
            label.to_owned()
        } else {
            self.gateway.name.clone()
        }
    }

    /// Refuses what the agent cannot do, and what could be read as something else on a command line or in an address.
    pub(in crate::agents) fn check(
        &self,
        label: &str,
        can_act: bool,
        is_session_id: fn(&str) -> bool,
    ) -> Result<(), BadTurn> {
        if self.mode == Mode::Act && !can_act {
            return Err(BadTurn::Mode(label.to_owned()));
        }
        if let Some(model) = self.model_or_first().filter(|model| !is_model(model)) {
            return Err(BadTurn::Model(model.to_owned()));
        }
        match self.session.id() {
            Some(id) if !is_session_id(id) => {
                Err(BadTurn::SessionId(id.to_owned(), label.to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// The model asked for, else the gateway's first; `None` is the program's own choice.
    pub(in crate::agents) fn model_or_first(&self) -> Option<&str> {
        self.model
            .as_ref()
            .or(self.gateway.models.first())
            .map(String::as_str)
    }

    /// The same for a program that cannot ask a gateway without naming one.
    pub(in crate::agents) fn named_model(&self, label: &str) -> Result<&str, BadTurn> {
        self.model_or_first()
            .ok_or_else(|| BadTurn::NoModel(label.to_owned()))
    }

    /// How a program is started for it that is spoken to on its pipes.
    pub(in crate::agents) fn launch(
        &self,
        found: &Found,
        arguments: Vec<String>,
        environment: BTreeMap<String, OsString>,
        records: RecordFolders,
    ) -> Launch {
        Launch {
            program: found.program.clone(),
            arguments,
            environment,
            folder: self.folder.clone(),
            scratch: self.scratch.clone(),
            talk: Talk::Pipes,
            files: BTreeMap::new(),
            records,
            copy: None,
        }
    }
}

/// A turn that must not reach a command line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadTurn {
    /// The model's name could be read as an option or worse.
    #[error("the model name {0:?} is not one REX passes on; use letters, digits and . _ : / @ -")]
    Model(String),
    /// The program has to be told a model for a gateway of ours, and there is none.
    #[error("{0} needs to be told which model of this gateway to use; choose one")]
    NoModel(String),
    /// The program cannot be told about a gateway.
    #[error("{0} cannot be pointed at a gateway; choose its own sign-in")]
    NoGateway(String),
    /// The program has nobody to ask without a gateway.
    #[error("{0} has no sign-in of its own; choose a gateway")]
    NeedsGateway(String),
    /// The session's id is not of the agent's form.
    #[error("the session id {0:?} is not one {1} can have")]
    SessionId(String, String),
    /// The adapter cannot run in this mode.
    #[error("{0} cannot propose changes yet; ask instead")]
    Mode(String),
}
