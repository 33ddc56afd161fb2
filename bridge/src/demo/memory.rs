//! The agent's own sessions: one small file each, written at the end of a turn.

use super::HOME_VARIABLE;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::PathBuf;

/// What a record with a turn in it contains.
pub const HAS_TURN: &str = "\"turns\":[{";

/// The folder of the sessions.
pub(super) struct Memory(PathBuf);

/// One session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Session {
    pub(super) session_id: String,
    /// The folder it was begun in.
    pub(super) cwd: PathBuf,
    pub(super) turns: Vec<Turn>,
}

/// One finished turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Turn {
    pub(super) asked: String,
    pub(super) answered: String,
}

impl Memory {
    pub(super) fn at(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// Where the variable says, else the user's state folder, else a temp folder.
    pub(super) fn of_this_process() -> Self {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let folder = set(HOME_VARIABLE)
            .map(PathBuf::from)
            .or_else(|| Some(PathBuf::from(set("XDG_STATE_HOME")?).join("rex-demo")))
            .or_else(|| Some(PathBuf::from(set("HOME")?).join(".local/state/rex-demo")))
            .unwrap_or_else(|| std::env::temp_dir().join("rex-demo"));
        Self::at(folder)
    }

    pub(super) fn begin(cwd: PathBuf) -> Session {
        Session {
            session_id: uuid::Uuid::now_v7().to_string(),
            cwd,
            turns: Vec::new(),
        }
    }

    /// The session of this id; `None` when there is none or its file is of no use.
    pub(super) fn recall(&self, session_id: &str) -> Option<Session> {
        let text = fs::read(self.file(session_id)?).ok()?;
        serde_json::from_slice(&text).ok()
    }

    pub(super) fn keep(&self, session: &Session) -> io::Result<()> {
        let Some(file) = self.file(&session.session_id) else {
            return Ok(());
        };
        fs::create_dir_all(&self.0)?;
        let new = file.with_extension("new");
        fs::write(&new, serde_json::to_vec(session)?)?;
        fs::rename(new, file)
    }

    /// Whether this was said for the first time; from then on it was not.
    pub(super) fn is_first_time(&self, said: &str) -> io::Result<bool> {
        fs::create_dir_all(&self.0)?;
        let name = format!("once-{}", blake3::hash(said.as_bytes()).to_hex());
        match fs::File::create_new(self.0.join(name)) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// An id becomes a file name only when it is one of ours.
    fn file(&self, session_id: &str) -> Option<PathBuf> {
        rex_shared::ids::is_canonical_uuid(session_id)
            .then(|| self.0.join(format!("{session_id}.json")))
    }
}
