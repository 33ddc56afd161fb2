//! Where an agent's program is on this machine, and which version.

use rex_shared::ids::Sdk;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Where to look for an agent's program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// Inside the `rex` binary: this path, REX's own version, always there.
    Inside(PathBuf),
    /// In `PATH`.
    InPath {
        /// The program's name, such as `claude`.
        name: String,
        /// Options that only some versions have, to be looked for in `--help`.
        options: Vec<String>,
    },
}

/// A program found on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Absolute path.
    pub program: PathBuf,
    /// What `--version` printed, cut to the number; empty when it said nothing usable.
    pub version: String,
    /// Those of [`Program::InPath`]'s options that this version lists.
    pub options: BTreeSet<String>,
}

/// An agent that cannot be used on this machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// No adapter has this name.
    #[error("REX knows no agent called {0}")]
    UnknownAgent(Sdk),
    /// Its program is not in `PATH`.
    #[error("{label} is not installed: no executable {name} in PATH. {hint}")]
    NotInPath {
        /// The agent's word for a person.
        label: String,
        /// The program looked for.
        name: String,
        /// How to get it.
        hint: String,
    },
}
