//! pi, the program `pi --mode rpc`, spoken to in JSON lines both ways.
//!
//! One process serves one turn. The program has neither approvals nor a sandbox, so in ask it is given its reading tools
//! and no other, and none of its extensions, which could bring some. A gateway of ours is told to it by an extension of
//! one line in the run's own folder. A session is taken up by its id and never by its file: a file that is missing or
//! broken would begin a new one without a word.

mod dialogue;
mod inquiry;
mod outcome;
#[cfg(test)]
mod tests;

use super::endpoint;
use super::found::{Found, Program};
use super::inquiry::{Inquiry, Question};
use super::seam::{Agent, BadTurn, Dialogue, Turn};
use super::session_log::{FileName, RecordPlace};
use crate::processes::{Environment, Launch, RecordFolders};
use dialogue::PiDialogue;
use inquiry::PiInquiry;
use rex_shared::ids::{Sdk, is_canonical_uuid};
use rex_shared::wire::agent::Capabilities;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

const LABEL: &str = "pi";
/// The program's own folders: everything, and its sessions apart from the rest.
const FOLDER_VARIABLE: &str = "PI_CODING_AGENT_DIR";
const SESSIONS_VARIABLE: &str = "PI_CODING_AGENT_SESSION_DIR";
/// Below its folder: its sessions.
const SESSIONS: &str = "sessions";
/// What of its folder tells it what to do.
const OBEYED: [&str; 9] = [
    "AGENTS.md",
    "SYSTEM.md",
    "bin",
    "extensions",
    "models.json",
    "prompts",
    "settings.json",
    "skills",
    "tools",
];
/// A gateway that wants no key gets this, for the program insists on one.
const NO_KEY: &str = "none";
/// The file that tells the program about the gateway.
const GATEWAY_FILE: &str = "gateway.js";
/// The tools of ask. None of them writes.
const READING_TOOLS: &str = "read,grep,find,ls";
/// What is told of a gateway's models, whose sizes nobody told us: what the program itself takes for such a one.
const CONTEXT_WINDOW: u32 = 128_000;
const MAX_TOKENS: u32 = 16_384;

/// The adapter for pi.
pub(super) struct Pi {
    sdk: Sdk,
    program: Program,
    /// The program's folder, and its sessions' when they lie elsewhere.
    folder: Option<PathBuf>,
    sessions: Option<PathBuf>,
    /// The overrides that there are: a child needs them too.
    overrides: BTreeMap<String, OsString>,
}

impl Pi {
    /// `environment` is the bridge's own: it says where the program's folders are. `sdk` names this adapter.
    pub(super) fn new(sdk: Sdk, environment: &Environment) -> Self {
        Self {
            sdk,
            program: Program::in_path("pi"),
            folder: environment.folder(FOLDER_VARIABLE, ".pi/agent"),
            sessions: environment.get(SESSIONS_VARIABLE).map(PathBuf::from),
            overrides: environment.those_of([FOLDER_VARIABLE, SESSIONS_VARIABLE]),
        }
    }

    /// Its sessions; and where it signs in itself, the folder in which it keeps the sign-in that it renews.
    fn records(&self, turn: &Turn) -> RecordFolders {
        let own = self.folder.as_ref().map(|folder| folder.join(SESSIONS));
        let mut records = RecordFolders::of(self.sessions.clone().or(own));
        if turn.gateway.base_url.is_none()
            && let Some(folder) = &self.folder
        {
            records.folders.push(folder.clone());
            records.kept = OBEYED.map(|name| folder.join(name)).into();
        }
        records
    }
}

/// The gateway as the program's own provider of the name `rex`.
fn provider(turn: &Turn, base_url: &str, model: &str) -> String {
    let key = turn.key.as_ref().map_or(NO_KEY, |_| endpoint::KEY_VARIABLE);
    let others = turn.gateway.models.iter().map(String::as_str);
    let models: Vec<Value> = [model]
        .into_iter()
        .chain(others.filter(|other| *other != model))
        .map(|id| {
            json!({
                "id": id, "name": id, "reasoning": true, "input": ["text", "image"],
                "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
                "contextWindow": CONTEXT_WINDOW, "maxTokens": MAX_TOKENS,
            })
        })
        .collect();
    let provider = json!({
        "name": turn.gateway.name, "baseUrl": endpoint::with_version(base_url), "apiKey": key,
        "api": "openai-completions", "models": models,
    });
    format!("export default (pi) => pi.registerProvider(\"rex\", {provider});\n")
}

impl Agent for Pi {
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
            cost: true,
        }
    }

    fn program(&self) -> &Program {
        &self.program
    }

    fn hint(&self) -> &str {
        "Install pi (npm install -g @mariozechner/pi-coding-agent), run `pi` once and sign in with /login, and start REX again."
    }

    fn launch(&self, found: &Found, turn: &Turn) -> Result<Launch, BadTurn> {
        turn.check(LABEL, self.capabilities().act, is_canonical_uuid)?;
        let mut arguments: Vec<String> = [
            "--mode",
            "rpc",
            "--no-extensions",
            "--no-skills",
            "--no-prompt-templates",
            "--tools",
            READING_TOOLS,
        ]
        .map(str::to_owned)
        .into();
        let mut option = |name: &str, value: String| arguments.extend([name.to_owned(), value]);
        let mut files = BTreeMap::new();
        let mut environment = self.overrides.clone();
        environment.insert("PI_OFFLINE".to_owned(), "1".into());
        environment.insert("PI_TELEMETRY".to_owned(), "0".into());
        if let Some(base_url) = &turn.gateway.base_url {
            let model = turn.named_model(LABEL)?;
            files.insert(GATEWAY_FILE.to_owned(), provider(turn, base_url, model));
            let file = Launch::file(&turn.scratch, GATEWAY_FILE);
            option("--extension", file.to_string_lossy().into_owned());
            option("--provider", "rex".to_owned());
        }
        environment.extend(endpoint::key(turn));
        if let Some(model) = turn.model_or_first() {
            option("--model", model.to_owned());
        }
        if let Some(id) = turn.session.resumed() {
            option("--session", id.to_owned());
        }
        Ok(Launch {
            files,
            ..turn.launch(found, arguments, environment, self.records(turn))
        })
    }

    fn dialogue(&self, turn: &Turn) -> Box<dyn Dialogue> {
        Box::new(PiDialogue::new(turn))
    }

    fn inquiry(&self, _turn: &Turn, question: Question) -> Option<Box<dyn Inquiry>> {
        Some(Box::new(PiInquiry(question)))
    }

    fn record(&self, session_id: &str) -> Option<RecordPlace> {
        if !is_canonical_uuid(session_id) {
            return None;
        }
        // In a folder of their own sessions lie side by side, else in one folder for each folder they were had in.
        let (config_folder, below, folders_between) = match &self.sessions {
            Some(sessions) => (sessions.clone(), "", 0),
            None => (self.folder.clone()?, SESSIONS, 1),
        };
        Some(RecordPlace {
            config_folder,
            below: PathBuf::from(below),
            folders_between,
            file_name: FileName::EndsWith(format!("_{session_id}.jsonl")),
            must_contain: "\"role\":\"user\"",
        })
    }
}
