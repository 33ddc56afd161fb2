//! What the disk shows of an agent's session.
//!
//! Deliberately no yes or no: a folder that is not the one in force, a file that is missing and a file that holds
//! nothing are different things, and a person who asks why a thread is replayed is told which.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

/// Where the record of one session would lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordPlace {
    /// The agent's config folder in force: its own variable, else its default.
    pub config_folder: PathBuf,
    /// The folder below it that holds records.
    pub below: PathBuf,
    /// How many folders deeper records lie, in folders whose names are the agent's business.
    pub folders_between: usize,
    /// The record's file name.
    pub file_name: FileName,
    /// A text that a line of a record has when the agent can go on from it.
    pub must_contain: &'static str,
}

/// What is known of a record's file name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileName {
    /// All of it.
    Is(String),
    /// How it ends; before that stands, say, the time.
    EndsWith(String),
}

/// What was seen of one session's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionLog {
    /// The config folder in force when it was looked for.
    pub config_folder: PathBuf,
    /// The record's file, if there is one below that folder.
    pub log: Option<PathBuf>,
    /// How many bytes of it the agent can go on from: 0 when it is empty or holds no turn.
    pub usable_bytes: u64,
}

impl SessionLog {
    /// Looks. Only below the config folder in force: a file that another folder still has proves nothing. Reads files,
    /// so not for an async thread.
    pub(super) fn look(place: &RecordPlace) -> Self {
        let mut state = Self {
            config_folder: place.config_folder.clone(),
            log: None,
            usable_bytes: 0,
        };
        for log in candidates(place) {
            let usable_bytes = usable_bytes(&log, place.must_contain);
            if state.log.is_none() || usable_bytes > state.usable_bytes {
                state.log = Some(log);
                state.usable_bytes = usable_bytes;
            }
        }
        state
    }
}

fn candidates(place: &RecordPlace) -> Vec<PathBuf> {
    let mut folders = vec![place.config_folder.join(&place.below)];
    for _ in 0..place.folders_between {
        let deeper = folders.iter().flat_map(|folder| entries(folder));
        folders = deeper.filter(|path| path.is_dir()).collect();
    }
    let named: Vec<PathBuf> = match &place.file_name {
        FileName::Is(name) => folders.iter().map(|folder| folder.join(name)).collect(),
        FileName::EndsWith(end) => folders
            .iter()
            .flat_map(|folder| entries(folder))
            .filter(|path| has_end(path, end))
            .collect(),
    };
    named.into_iter().filter(|file| file.is_file()).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect()
}

fn has_end(path: &Path, end: &str) -> bool {
    path.file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| name.ends_with(end))
}

/// The file's length if a line of it has `must_contain`, else 0.
fn usable_bytes(log: &Path, must_contain: &str) -> u64 {
    let Ok(file) = File::open(log) else {
        return 0;
    };
    let length = file.metadata().map_or(0, |data| data.len());
    let wanted = must_contain.as_bytes();
    let mut lines = BufReader::new(file).split(b'\n');
    let found = lines.any(|line| {
        line.is_ok_and(|line| line.windows(wanted.len().max(1)).any(|part| part == wanted))
    });
    if found { length } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const ID: &str = "11111111-1111-4111-8111-111111111111";

    fn place(config_folder: &Path) -> RecordPlace {
        RecordPlace {
            config_folder: config_folder.to_owned(),
            below: PathBuf::from("projects"),
            folders_between: 1,
            file_name: FileName::Is(format!("{ID}.jsonl")),
            must_contain: "\"type\":\"user\"",
        }
    }

    fn write(config_folder: &Path, text: &str) -> PathBuf {
        let folder = config_folder.join("projects/-home-a-project");
        fs::create_dir_all(&folder).unwrap();
        let log = folder.join(format!("{ID}.jsonl"));
        fs::write(&log, text).unwrap();
        log
    }

    #[test]
    fn each_fact_is_told_by_itself() {
        let config = tempfile::tempdir().unwrap();
        let nothing = SessionLog::look(&place(config.path()));
        assert_eq!((nothing.log, nothing.usable_bytes), (None, 0));

        for garbage in ["", "not a record", "{\"type\":\"summary\"}\n"] {
            let log = write(config.path(), garbage);
            let state = SessionLog::look(&place(config.path()));
            assert_eq!((state.log, state.usable_bytes), (Some(log), 0), "{garbage}");
        }

        let text = "{\"type\":\"summary\"}\n{\"type\":\"user\",\"x\":1}\n";
        let log = write(config.path(), text);
        let state = SessionLog::look(&place(config.path()));
        assert_eq!(state.config_folder, config.path());
        assert_eq!(
            (state.log, state.usable_bytes),
            (Some(log), text.len() as u64)
        );
    }

    #[test]
    fn a_record_is_found_in_folders_of_any_name_by_the_end_of_its_own() {
        let config = tempfile::tempdir().unwrap();
        let day = config.path().join("sessions/2026/11/30");
        fs::create_dir_all(&day).unwrap();
        let log = day.join(format!("rollout-2026-11-30T10-58-06-{ID}.jsonl"));
        fs::write(&log, "{\"type\":\"user\"}\n").unwrap();
        fs::write(
            day.join("rollout-of-another.jsonl"),
            "{\"type\":\"user\"}\n",
        )
        .unwrap();
        let by_day = RecordPlace {
            below: PathBuf::from("sessions"),
            folders_between: 3,
            file_name: FileName::EndsWith(format!("-{ID}.jsonl")),
            ..place(config.path())
        };
        assert_eq!(SessionLog::look(&by_day).log, Some(log));
    }

    /// S54: a file that another config folder still has does not make a session usable.
    #[test]
    fn a_stale_file_in_another_config_folder_is_not_seen() {
        let [in_force, another] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        write(another.path(), "{\"type\":\"user\"}\n");
        let state = SessionLog::look(&place(in_force.path()));
        assert_eq!((state.log, state.usable_bytes), (None, 0));
    }
}
