//! Where an agent's program is on this machine, and which version.

use crate::processes::{Environment, Runner, find_program};
use rex_shared::ids::Sdk;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// A program that does not say its version within this is used without one.
const ASK_LIMIT: Duration = Duration::from_secs(10);

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

impl Program {
    /// One in `PATH` whose versions are all used alike.
    pub(super) fn in_path(name: impl Into<String>) -> Self {
        Self::InPath {
            name: name.into(),
            options: Vec::new(),
        }
    }
}

/// A program found on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Absolute path.
    pub program: PathBuf,
    /// What `--version` printed, cut to the number; empty when it said nothing usable or was not asked yet.
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

/// Finds programs and remembers what they said, until their file changes.
pub(super) struct LookUp {
    environment: Environment,
    runner: Runner,
    asked: Mutex<HashMap<(PathBuf, SystemTime), Found>>,
}

impl LookUp {
    pub(super) fn new(environment: Environment) -> Self {
        Self {
            runner: Runner::new(environment.clone()),
            environment,
            asked: Mutex::default(),
        }
    }

    /// What is known without starting anything; `None` when it is not on this machine.
    pub(super) fn known(&self, program: &Program) -> Option<Found> {
        let name = match program {
            Program::Inside(path) => return Some(inside(path)),
            Program::InPath { name, .. } => name,
        };
        let path = find_program(name, &self.environment)?;
        let key = key(path);
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let not_asked = Found {
            program: key.0.clone(),
            version: String::new(),
            options: BTreeSet::new(),
        };
        Some(asked.get(&key).cloned().unwrap_or(not_asked))
    }

    /// Finds the program and asks it, if its file is not one that was asked before.
    pub(super) async fn find(&self, program: &Program) -> Option<Found> {
        let (name, options) = match program {
            Program::Inside(path) => return Some(inside(path)),
            Program::InPath { name, options } => (name, options),
        };
        let key = key(find_program(name, &self.environment)?);
        if let Some(found) = self.remembered(&key) {
            return Some(found);
        }
        let found = self.ask(key.0.clone(), options).await;
        // One that said nothing is asked again: it may have been busy.
        if !found.version.is_empty() {
            self.asked
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(key, found.clone());
        }
        Some(found)
    }

    fn remembered(&self, key: &(PathBuf, SystemTime)) -> Option<Found> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.get(key).cloned()
    }

    async fn ask(&self, program: PathBuf, options: &[String]) -> Found {
        let version = self.runner.ask(&program, &["--version"], ASK_LIMIT).await;
        let help = if options.is_empty() {
            None
        } else {
            self.runner.ask(&program, &["--help"], ASK_LIMIT).await
        };
        let help = help.unwrap_or_default();
        Found {
            version: version
                .as_deref()
                .and_then(number)
                .unwrap_or_default()
                .to_owned(),
            options: options
                .iter()
                .filter(|option| lists(&help, option))
                .cloned()
                .collect(),
            program,
        }
    }
}

fn inside(path: &Path) -> Found {
    Found {
        program: path.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        options: BTreeSet::new(),
    }
}

/// A file that is replaced has another time; one without a time is asked each time the bridge starts.
fn key(path: PathBuf) -> (PathBuf, SystemTime) {
    let changed = path
        .metadata()
        .and_then(|data| data.modified())
        .unwrap_or(SystemTime::UNIX_EPOCH);
    (path, changed)
}

/// The first word that looks like a version.
fn number(answer: &str) -> Option<&str> {
    answer
        .split_whitespace()
        .map(|word| word.trim_start_matches('v'))
        .find(|word| word.starts_with(|first: char| first.is_ascii_digit()) && word.contains('.'))
}

fn lists(help: &str, option: &str) -> bool {
    help.split(|character: char| character.is_whitespace() || matches!(character, ',' | '=' | '['))
        .any(|word| word == option)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    fn install(folder: &Path, script: &str) -> PathBuf {
        let path = folder.join("agent");
        let new = folder.join("new");
        fs::write(&new, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&new, fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(&new, &path).unwrap();
        path
    }

    fn look_up(folder: &Path) -> (LookUp, Program) {
        let path =
            std::env::join_paths([folder, Path::new("/usr/bin"), Path::new("/bin")]).unwrap();
        let program = Program::InPath {
            name: "agent".to_owned(),
            options: vec!["--fresh".to_owned(), "--fre".to_owned()],
        };
        (LookUp::new(Environment::of([("PATH", path)])), program)
    }

    #[tokio::test]
    async fn a_program_is_asked_once_until_its_file_changes() {
        let folder = tempfile::tempdir().unwrap();
        let script = |version: &str| {
            format!(
                "echo asked >> {}/count\ncase $1 in --help) echo '  --fresh <on|off>, -f';; *) echo 'v{version} (Agent)';; esac",
                folder.path().display()
            )
        };
        let asked = || {
            fs::read_to_string(folder.path().join("count"))
                .unwrap()
                .lines()
                .count()
        };
        let program_path = install(folder.path(), &script("1.2.3"));
        let (look_up, program) = look_up(folder.path());

        assert_eq!(
            look_up.known(&program).unwrap().version,
            "",
            "nothing was started yet"
        );
        let found = look_up.find(&program).await.unwrap();
        assert_eq!(
            (found.version.as_str(), found.program.as_path()),
            ("1.2.3", program_path.as_path())
        );
        assert_eq!(found.options, BTreeSet::from(["--fresh".to_owned()]));
        assert_eq!(look_up.find(&program).await.unwrap(), found);
        assert_eq!(look_up.known(&program).unwrap(), found);
        assert_eq!(asked(), 2, "the version and the help, once");

        install(folder.path(), &script("1.3.0"));
        let later = SystemTime::now() + Duration::from_secs(5);
        fs::File::options()
            .append(true)
            .open(&program_path)
            .unwrap()
            .set_modified(later)
            .unwrap();
        assert_eq!(look_up.find(&program).await.unwrap().version, "1.3.0");
    }

    #[tokio::test]
    async fn a_program_that_is_not_there_is_not_found_and_one_that_says_nothing_is() {
        let folder = tempfile::tempdir().unwrap();
        let (look_up, program) = look_up(folder.path());
        assert_eq!(look_up.find(&program).await, None);
        install(folder.path(), "exit 1");
        assert_eq!(look_up.find(&program).await.unwrap().version, "");
    }

    #[test]
    fn a_version_is_found_in_what_programs_print() {
        for (answer, version) in [
            ("2.1.332 (Claude Code)", Some("2.1.332")),
            ("codex-cli 0.171.0", Some("0.171.0")),
            ("agent v1.0", Some("1.0")),
            ("no version", None),
        ] {
            assert_eq!(number(answer), version, "{answer}");
        }
    }
}
