//! Finding a program in `PATH` and asking it something short.

use super::environment::Environment;
use super::launch::{Launch, Talk};
use super::runner::{Heard, Runner};
use super::sandbox::RecordFolders;
use rex_shared::wire::agent::Sandbox;
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// More than any version or help text; what comes after it is not wanted.
const MAX_ANSWER: usize = 256 * 1024;

/// The first executable file called `name` in `environment`'s `PATH`, as an absolute path. Looks at files only.
pub fn find_program(name: &str, environment: &Environment) -> Option<PathBuf> {
    std::env::split_paths(environment.get("PATH")?)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|path| path.metadata().is_ok_and(|data| is_executable(&data)))
}

pub(super) fn is_executable(data: &Metadata) -> bool {
    data.is_file() && data.permissions().mode() & 0o111 != 0
}

impl Runner {
    /// What a program prints when it is started with `arguments` and left alone: its stdout, or when that is empty its
    /// stderr. `None` when it cannot be started, fails, or is not done within `limit` (it is killed then).
    pub async fn ask(&self, program: &Path, arguments: &[&str], limit: Duration) -> Option<String> {
        let launch = Launch {
            program: program.to_owned(),
            arguments: arguments.iter().map(|text| (*text).to_owned()).collect(),
            environment: BTreeMap::new(),
            folder: PathBuf::from("/"),
            scratch: std::env::temp_dir(),
            talk: Talk::Pipes,
            files: BTreeMap::new(),
            records: RecordFolders::default(),
            copy: None,
        };
        let what = format!("look-up-{}", std::process::id());
        let mut process = self.start_in(&launch, &what, Sandbox::None).ok()?;
        process.close_stdin();
        let answer = async {
            let mut answer = String::new();
            while let Some(heard) = process.next().await {
                match heard {
                    Heard::Line(line) if answer.len() < MAX_ANSWER => {
                        answer.push_str(&line);
                        answer.push('\n');
                    }
                    Heard::Exited(exit) if exit.code != Some(0) => return None,
                    Heard::Exited(exit) if answer.is_empty() => return Some(exit.stderr),
                    Heard::Exited(_) => return Some(answer),
                    Heard::Line(_) | Heard::Cut { .. } | Heard::Quiet(_) => {}
                }
            }
            None
        };
        tokio::time::timeout(limit, answer).await.ok().flatten()
    }
}
