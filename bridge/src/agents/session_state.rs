//! Whether an agent's session is still there, as separate facts.
//!
//! Deliberately no yes or no: a folder that is not the one in force, a file that is missing and a file that holds
//! nothing are different things, and a person who asks why a thread is replayed is told which.

use std::path::PathBuf;

/// Where the record of one session would lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordPlace {
    /// The agent's config folder in force: its own variable, else its default.
    pub config_folder: PathBuf,
    /// The folder below it that holds records.
    pub below: PathBuf,
    /// Records lie one folder deeper, in folders whose names are the agent's business.
    pub one_deeper: bool,
    /// The record's file name.
    pub file_name: String,
    /// A text that a record the agent can go on from contains.
    pub must_contain: &'static str,
}

/// What was seen of one session's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionState {
    /// The config folder in force when it was looked for.
    pub config_folder: PathBuf,
    /// The record's file, if there is one below that folder.
    pub log: Option<PathBuf>,
    /// How many bytes of it the agent can go on from: 0 when it is empty or holds no turn.
    pub usable_bytes: u64,
}
