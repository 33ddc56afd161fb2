//! Codex, the program `codex app-server`, spoken to in JSON-RPC lines both ways.
//!
//! One process serves one turn. In ask its commands run in the program's own read-only sandbox and nobody is asked: what
//! would need more is refused. Of a gateway of ours only this run knows; the program's own configuration is left as it
//! is, and read. Deliberately absent: its `exec` command, which streams no text and begins a new conversation without a
//! word when it cannot go on with the old one.

mod dialogue;
mod inquiry;
mod items;
mod outcome;
#[cfg(test)]
mod tests;

use super::endpoint;
use super::found::{Found, Program};
use super::inquiry::{Inquiry, Question};
use super::seam::{Agent, BadTurn, Dialogue, Turn};
use super::session_log::{FileName, RecordPlace};
use crate::processes::{Environment, Launch, RecordFolders};
use dialogue::CodexDialogue;
use inquiry::CodexInquiry;
use rex_shared::ids::{Sdk, is_canonical_uuid};
use rex_shared::wire::agent::Capabilities;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

const LABEL: &str = "Codex";
const HOME_VARIABLE: &str = "CODEX_HOME";
/// Its own retries, five of a stream with four of a request in each, take about half a minute. These take a few seconds,
/// each is told, and the person can try again.
const RETRIES: u32 = 4;

/// What of its folder tells it what to do.
const OBEYED: [&str; 5] = ["AGENTS.md", "config.toml", "hooks.json", "prompts", "rules"];

/// The adapter for Codex.
pub(super) struct Codex {
    sdk: Sdk,
    program: Program,
    home: Option<PathBuf>,
    /// The override, if there is one: a child needs it too.
    overrides: BTreeMap<String, OsString>,
}

impl Codex {
    /// `environment` is the bridge's own: it says where the program's folder is. `sdk` names this adapter.
    pub(super) fn new(sdk: Sdk, environment: &Environment) -> Self {
        Self {
            sdk,
            program: Program::in_path("codex"),
            home: environment.folder(HOME_VARIABLE, ".codex"),
            overrides: environment.those_of([HOME_VARIABLE]),
        }
    }
}

/// The gateway as a provider of this run alone. A value is TOML, of which a JSON text is one.
fn provider(turn: &Turn) -> Vec<String> {
    let Some(base_url) = &turn.gateway.base_url else {
        return Vec::new();
    };
    let base_url = json!(endpoint::with_version(base_url));
    let key = match turn.key {
        Some(_) => format!("env_key={},", json!(endpoint::KEY_VARIABLE)),
        None => String::new(),
    };
    let provider = format!(
        "{{name=\"Gateway\",base_url={base_url},{key}wire_api=\"responses\",request_max_retries=0,stream_max_retries={RETRIES}}}"
    );
    vec![
        "model_provider=\"rex\"".to_owned(),
        format!("model_providers.rex={provider}"),
    ]
}

/// What REX says of itself.
fn hello() -> Value {
    json!({"clientInfo": {"name": "rex", "title": "REX", "version": env!("CARGO_PKG_VERSION")}})
}

impl Agent for Codex {
    fn sdk(&self) -> &Sdk {
        &self.sdk
    }

    fn label(&self) -> &str {
        LABEL
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            resume: true,
            chosen_id: false,
            permissions: false,
            images: true,
            act: false,
            cost: false,
        }
    }

    fn program(&self) -> &Program {
        &self.program
    }

    fn hint(&self) -> &str {
        "Install Codex (npm install -g @openai/codex), run `codex login` once to sign in, and start REX again."
    }

    fn launch(&self, found: &Found, turn: &Turn) -> Result<Launch, BadTurn> {
        turn.check(LABEL, self.capabilities().act, is_canonical_uuid)?;
        let own = [
            "analytics.enabled=false",
            "check_for_update_on_startup=false",
        ];
        let settings = own.map(str::to_owned).into_iter().chain(provider(turn));
        let arguments = ["app-server".to_owned()]
            .into_iter()
            .chain(settings.flat_map(|setting| ["-c".to_owned(), setting]))
            .collect();
        let mut environment = self.overrides.clone();
        environment.extend(endpoint::key(turn));
        let home = self.home.iter();
        let records = RecordFolders {
            // All of it: databases and locks lie beside the sessions.
            folders: home.clone().cloned().collect(),
            kept: home
                .flat_map(|home| OBEYED.map(|name| home.join(name)))
                .collect(),
        };
        Ok(turn.launch(found, arguments, environment, records))
    }

    fn dialogue(&self, turn: &Turn) -> Box<dyn Dialogue> {
        Box::new(CodexDialogue::new(turn))
    }

    fn inquiry(&self, turn: &Turn, question: Question) -> Option<Box<dyn Inquiry>> {
        Some(Box::new(CodexInquiry {
            question,
            folder: turn.folder.to_string_lossy().into_owned(),
        }))
    }

    fn record(&self, session_id: &str) -> Option<RecordPlace> {
        if !is_canonical_uuid(session_id) {
            return None;
        }
        Some(RecordPlace {
            config_folder: self.home.clone()?,
            below: PathBuf::from("sessions"),
            // Year, month, day.
            folders_between: 3,
            file_name: FileName::EndsWith(format!("-{session_id}.jsonl")),
            must_contain: "\"role\":\"user\"",
        })
    }
}
