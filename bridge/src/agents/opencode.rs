//! OpenCode, the program `opencode serve`, spoken to by HTTP.
//!
//! It takes seconds to start, so one server is kept for a folder and a gateway, with a password of its own at the address
//! it announces. In ask the session is made with rules that take the writing tools away: the program's own agent for
//! planning still runs commands. Of a gateway of ours only this server knows, by a variable. The program asks a provider
//! that fails for ever, so a limit of ours ends that. Deliberately absent: its `run` command, which streams nothing.

mod dialogue;
mod inquiry;
mod outcome;
mod parts;
#[cfg(test)]
mod tests;

use super::endpoint;
use super::found::{Found, Program};
use super::inquiry::{Inquiry, Question};
use super::seam::{Agent, BadTurn, Dialogue, Turn};
use super::session_log::{FileName, RecordPlace};
use crate::processes::{Environment, Launch, RecordFolders, Serving, Talk};
use dialogue::OpenCodeDialogue;
use inquiry::OpenCodeInquiry;
use rex_shared::ids::Sdk;
use rex_shared::wire::agent::Capabilities;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

const LABEL: &str = "OpenCode";
/// The program's provider that a gateway becomes.
const PROVIDER: &str = "rex";
const DATA_VARIABLE: &str = "XDG_DATA_HOME";
/// Folders of the program that may be elsewhere, besides its data.
const OVERRIDES: [&str; 4] = [
    "OPENCODE_CONFIG_DIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
];
/// What of its configuration tells it what to do.
const OBEYED: [&str; 11] = [
    "AGENTS.md",
    "agent",
    "agents",
    "command",
    "commands",
    "config.json",
    "opencode.json",
    "opencode.jsonc",
    "plugin",
    "plugins",
    "tools",
];
/// Nothing outside is asked for that the person did not ask for.
const QUIET: [&str; 4] = [
    "OPENCODE_DISABLE_AUTOUPDATE",
    "OPENCODE_DISABLE_DEFAULT_PLUGINS",
    "OPENCODE_DISABLE_LSP_DOWNLOAD",
    "OPENCODE_DISABLE_MODELS_FETCH",
];

/// The adapter for OpenCode.
pub(super) struct OpenCode {
    sdk: Sdk,
    program: Program,
    /// Where the program keeps its sessions, said to it so that it is the same at every start.
    data: Option<PathBuf>,
    /// The overrides that there are: a child needs them too.
    overrides: BTreeMap<String, OsString>,
    records: RecordFolders,
}

impl OpenCode {
    /// `environment` is the bridge's own: it says where the program's folders are. `sdk` names this adapter.
    pub(super) fn new(sdk: Sdk, environment: &Environment) -> Self {
        Self {
            sdk,
            program: Program::in_path("opencode"),
            data: environment.folder(DATA_VARIABLE, ".local/share"),
            overrides: environment.those_of(OVERRIDES),
            records: records(environment),
        }
    }
}

/// It makes all four of its folders, and does not start where it cannot.
fn records(environment: &Environment) -> RecordFolders {
    let own = |variable, below_home| {
        let folder = environment.folder(variable, below_home)?;
        Some(folder.join("opencode"))
    };
    let configuration = own("XDG_CONFIG_HOME", ".config");
    let kept = configuration
        .iter()
        .flat_map(|folder| OBEYED.map(|name| folder.join(name)))
        .collect();
    let folders = [
        own(DATA_VARIABLE, ".local/share"),
        own("XDG_STATE_HOME", ".local/state"),
        own("XDG_CACHE_HOME", ".cache"),
        configuration,
    ];
    RecordFolders {
        folders: folders.into_iter().flatten().collect(),
        kept,
    }
}

/// What the program is told about the gateway, in its own configuration's words.
fn configuration(turn: &Turn, base_url: &str, model: &str) -> String {
    let mut options = json!({"baseURL": endpoint::with_version(base_url)});
    if turn.key.is_some() {
        options["apiKey"] = json!(format!("{{env:{}}}", endpoint::KEY_VARIABLE));
    }
    let models: Map<String, Value> = turn
        .gateway
        .models
        .iter()
        .map(String::as_str)
        .chain([model])
        .map(|id| {
            (
                id.to_owned(),
                json!({"name": id, "reasoning": true, "tool_call": true, "attachment": true}),
            )
        })
        .collect();
    let model = format!("{PROVIDER}/{model}");
    json!({
        "autoupdate": false, "share": "disabled",
        // Else it offers hosted models of its own beside ours.
        "enabled_providers": [PROVIDER], "model": model, "small_model": model,
        "provider": {PROVIDER: {
            "npm": "@ai-sdk/openai-compatible", "name": turn.gateway.name, "options": options, "models": models,
        }},
    })
    .to_string()
}

/// Whether an id can be one of the program's, for it becomes part of an address.
fn is_session_id(id: &str) -> bool {
    id.starts_with("ses_")
        && id.len() < 100
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

impl Agent for OpenCode {
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
            permissions: true,
            images: true,
            act: false,
            cost: true,
        }
    }

    fn program(&self) -> &Program {
        &self.program
    }

    fn hint(&self) -> &str {
        "Install OpenCode (npm install -g opencode-ai), run `opencode auth login` once to sign in, and start REX again."
    }

    fn launch(&self, found: &Found, turn: &Turn) -> Result<Launch, BadTurn> {
        turn.check(LABEL, self.capabilities().act, is_session_id)?;
        let mut environment = self.overrides.clone();
        environment.extend(QUIET.map(|name| (name.to_owned(), "1".into())));
        if let Some(data) = &self.data {
            environment.insert(DATA_VARIABLE.to_owned(), data.clone().into());
        }
        if let Some(base_url) = &turn.gateway.base_url {
            let configuration = configuration(turn, base_url, turn.named_model(LABEL)?);
            environment.insert("OPENCODE_CONFIG_CONTENT".to_owned(), configuration.into());
        }
        environment.extend(endpoint::key(turn));
        let arguments = ["serve", "--hostname", "127.0.0.1", "--port", "0"];
        Ok(Launch {
            talk: Talk::Http(Serving {
                user: "opencode",
                password_variable: "OPENCODE_SERVER_PASSWORD",
            }),
            ..turn.launch(
                found,
                arguments.map(str::to_owned).into(),
                environment,
                self.records.clone(),
            )
        })
    }

    fn dialogue(&self, turn: &Turn) -> Box<dyn Dialogue> {
        Box::new(OpenCodeDialogue::new(turn))
    }

    fn inquiry(&self, _turn: &Turn, question: Question) -> Option<Box<dyn Inquiry>> {
        Some(Box::new(OpenCodeInquiry(question)))
    }

    /// Sessions are rows of one database. That it is there says little of one of them, which is asked for before each
    /// turn; but without it there is none.
    fn record(&self, _session_id: &str) -> Option<RecordPlace> {
        Some(RecordPlace {
            config_folder: self.data.clone()?,
            below: PathBuf::from("opencode"),
            folders_between: 0,
            file_name: FileName::Is("opencode.db".to_owned()),
            must_contain: "SQLite format 3",
        })
    }
}
