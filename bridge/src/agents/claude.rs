//! Claude Code, the program `claude`, spoken to in JSON lines both ways.
//!
//! One process serves one turn. In ask the writing tools are taken away, rather than trusted to a mode's name; a read
//! outside the workspace asks the person. The program's own settings are not read, so that a workspace cannot bring
//! hooks or servers with it. Deliberately absent: its agents, its slash commands, its own sign-in on a gateway of ours.

mod ask;
mod blocks;
mod dialogue;
mod inquiry;
mod outcome;
#[cfg(test)]
mod tests;

use super::endpoint;
use super::found::{Found, Program};
use super::inquiry::{Inquiry, Question};
use super::seam::{Agent, BadTurn, Dialogue, SessionStart, Turn};
use super::session_log::{FileName, RecordPlace};
use crate::processes::{Environment, Launch, RecordFolders};
use dialogue::ClaudeDialogue;
use inquiry::ClaudeInquiry;
use rex_shared::ids::{Sdk, is_canonical_uuid};
use rex_shared::wire::agent::Capabilities;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

const LABEL: &str = "Claude";
const CONFIG_VARIABLE: &str = "CLAUDE_CONFIG_DIR";
/// Keeps the program from holding on to the instructions of a session's first turn. Older versions end on it.
const FRESH_INSTRUCTIONS: &str = "--system-prompt-snapshot";
/// The tools of ask. None of them writes.
const READING_TOOLS: [&str; 3] = ["Read", "Grep", "Glob"];
/// Its own ten retries take over a minute; four take about eight seconds, and the person can try again.
const RETRIES: &str = "4";
/// A gateway that wants no key gets this instead of the person's own sign-in, which the program would send it.
const NO_KEY: &str = "none";

/// Below its config folder: its sessions, without which it answers and records nothing, and does not say so.
const SESSIONS: &str = "projects";
/// What of its config folder tells it what to do.
const OBEYED: [&str; 10] = [
    "CLAUDE.md",
    "agents",
    "commands",
    "hooks",
    "output-styles",
    "plugins",
    "rules",
    "settings.json",
    "settings.local.json",
    "skills",
];

/// The adapter for Claude Code.
pub(super) struct Claude {
    sdk: Sdk,
    program: Program,
    config_folder: Option<PathBuf>,
    /// The override, if there is one: a child needs it too.
    overrides: BTreeMap<String, OsString>,
}

impl Claude {
    /// `environment` is the bridge's own: it says where the program's config folder is. `sdk` names this adapter.
    pub(super) fn new(sdk: Sdk, environment: &Environment) -> Self {
        Self {
            sdk,
            program: Program::InPath {
                name: "claude".to_owned(),
                options: vec![FRESH_INSTRUCTIONS.to_owned()],
            },
            config_folder: environment.folder(CONFIG_VARIABLE, ".claude"),
            overrides: environment.those_of([CONFIG_VARIABLE]),
        }
    }

    fn environment(&self, turn: &Turn) -> BTreeMap<String, OsString> {
        let mut variables = self.overrides.clone();
        let own = [
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("CLAUDE_CODE_MAX_RETRIES", RETRIES),
            ("DISABLE_AUTOUPDATER", "1"),
        ];
        variables.extend(own.map(|(name, value)| (name.to_owned(), value.into())));
        if let Some(base_url) = turn.gateway.base_url.as_deref() {
            let base_url = endpoint::without_version(base_url);
            let key = turn.key.as_ref().map_or(NO_KEY, |key| key.reveal());
            let variable = key_variable(turn.gateway.key_ref.as_deref());
            variables.insert("ANTHROPIC_BASE_URL".to_owned(), base_url.into());
            variables.insert(variable.to_owned(), key.into());
        }
        variables
    }

    /// Its sessions; and where it signs in itself, the folder in which it keeps the sign-in that it renews.
    fn records(&self, turn: &Turn) -> RecordFolders {
        let Some(folder) = &self.config_folder else {
            return RecordFolders::default();
        };
        let sessions = folder.join(SESSIONS);
        if turn.gateway.base_url.is_some() {
            return RecordFolders::of([sessions]);
        }
        RecordFolders {
            folders: vec![folder.clone(), sessions],
            kept: OBEYED.map(|name| folder.join(name)).into(),
        }
    }
}

/// A key whose name ends in `TOKEN` is sent as `Authorization: Bearer`, any other as `x-api-key`.
fn key_variable(key_ref: Option<&str>) -> &'static str {
    if key_ref.is_some_and(|reference| reference.to_ascii_uppercase().ends_with("TOKEN")) {
        "ANTHROPIC_AUTH_TOKEN"
    } else {
        "ANTHROPIC_API_KEY"
    }
}

impl Agent for Claude {
    fn sdk(&self) -> &Sdk {
        &self.sdk
    }

    fn label(&self) -> &str {
        LABEL
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            resume: true,
            chosen_id: true,
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
        "Install Claude Code (npm install -g @anthropic-ai/claude-code), run `claude` once to sign in, and start REX again."
    }

    fn launch(&self, found: &Found, turn: &Turn) -> Result<Launch, BadTurn> {
        turn.check(LABEL, self.capabilities().act, is_canonical_uuid)?;
        let mut arguments: Vec<String> = [
            "-p",
            "--input-format=stream-json",
            "--output-format=stream-json",
            "--verbose",
            "--include-partial-messages",
            "--permission-prompt-tool=stdio",
            // Not `dontAsk`: that one refuses what this one asks, a read outside the workspace.
            "--permission-mode=default",
            "--strict-mcp-config",
            "--setting-sources",
            "",
        ]
        .map(str::to_owned)
        .into();
        arguments.push(format!("--tools={}", READING_TOOLS.join(",")));
        if let Some(model) = &turn.model {
            arguments.push(format!("--model={model}"));
        }
        let option = match &turn.session {
            SessionStart::New { .. } => "--session-id",
            SessionStart::Resume { .. } => "--resume",
        };
        arguments.extend(turn.session.id().map(|id| format!("{option}={id}")));
        if found.options.contains(FRESH_INSTRUCTIONS) {
            arguments.push(format!("{FRESH_INSTRUCTIONS}=off"));
        }
        let records = self.records(turn);
        Ok(turn.launch(found, arguments, self.environment(turn), records))
    }

    fn dialogue(&self, turn: &Turn) -> Box<dyn Dialogue> {
        Box::new(ClaudeDialogue::new(turn))
    }

    fn inquiry(&self, _turn: &Turn, question: Question) -> Option<Box<dyn Inquiry>> {
        Some(Box::new(ClaudeInquiry(question)))
    }

    fn record(&self, session_id: &str) -> Option<RecordPlace> {
        if !is_canonical_uuid(session_id) {
            return None;
        }
        Some(RecordPlace {
            config_folder: self.config_folder.clone()?,
            below: PathBuf::from(SESSIONS),
            folders_between: 1,
            file_name: FileName::Is(format!("{session_id}.jsonl")),
            must_contain: "\"type\":\"user\"",
        })
    }
}
