//! Trying whether a sandbox holds, by doing what it must refuse.

use super::super::launch::{Exit, Launch, Talk};
use super::super::runner::{Heard, Process, Runner};
use super::RecordFolders;
use crate::fresh;
use rex_shared::ids::RunId;
use rex_shared::wire::agent::Sandbox;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A machine that takes longer has no sandbox that a run could wait for.
const LIMIT: Duration = Duration::from_secs(5);
/// Ends with 0 when nothing of this worked: a file in the folder; the whole disk made writable again, also from inside
/// another namespace; a setting of the kernel, which is asked and not tried; and no right is left that would make a
/// mount possible where these programs are not there to try it.
const NAMESPACE: &str = "touch \"$1\" 2>/dev/null && exit 3; \
     unshare -Urm mount -o remount,rw,bind / 2>/dev/null && exit 4; \
     mount -o remount,rw,bind / 2>/dev/null && exit 5; \
     [ -w /proc/sys/kernel/core_pattern ] && exit 6; \
     grep -q '^CapEff:[[:space:]]*0*$' /proc/self/status || exit 7; exit 0";
/// Landlock refuses every mount, and the question whether a file could be written is not put to it.
const RESTRICTED: &str = "touch \"$1\" 2>/dev/null && exit 3; \
     mount -o remount,rw,bind / 2>/dev/null && exit 5; exit 0";

impl Runner {
    /// What holds programs that are started in `folder`; tried until something does.
    pub async fn sandbox(&self, folder: &Path) -> Sandbox {
        if let Some(known) = self.sandboxes().known(folder) {
            return known;
        }
        for candidate in self.sandboxes().candidates() {
            if self.holds(*candidate, folder).await {
                self.sandboxes().remember(folder, *candidate);
                return *candidate;
            }
        }
        // Not remembered: the machine may have been too busy.
        Sandbox::None
    }

    /// The same as far as it is known: starts nothing.
    pub fn known_sandbox(&self, folder: &Path) -> Option<Sandbox> {
        self.sandboxes().known(folder)
    }

    /// What was found to hold anywhere: starts nothing.
    pub fn held_sandbox(&self) -> Option<Sandbox> {
        self.sandboxes().any()
    }

    async fn holds(&self, sandbox: Sandbox, folder: &Path) -> bool {
        let Ok(scratch) = tempfile::tempdir() else {
            return false;
        };
        let run: RunId = fresh::id();
        let attempt = folder.join(format!(".rex-probe-{run}"));
        let script = match sandbox {
            Sandbox::Bubblewrap => NAMESPACE,
            Sandbox::Landlock | Sandbox::None => RESTRICTED,
        };
        let arguments = ["-c", script, "sh", &attempt.to_string_lossy()];
        let launch = Launch {
            program: PathBuf::from("/bin/sh"),
            arguments: arguments.map(str::to_owned).into(),
            environment: BTreeMap::new(),
            folder: folder.to_owned(),
            scratch: scratch.path().to_owned(),
            talk: Talk::Pipes,
            files: BTreeMap::new(),
            records: RecordFolders::default(),
            copy: None,
        };
        let exit = match self.start_in(&launch, run.as_str(), sandbox) {
            Ok(process) => tokio::time::timeout(LIMIT, end(process)).await.ok(),
            Err(error) => {
                tracing::debug!(?sandbox, %error, "a sandbox cannot be made");
                None
            }
        };
        // It is there only when nothing kept it from being made.
        let is_kept_out = std::fs::remove_file(&attempt).is_err();
        match exit.flatten() {
            Some(exit) if exit.code == Some(0) => is_kept_out,
            exit => {
                tracing::debug!(?sandbox, ?exit, "a sandbox does not hold");
                false
            }
        }
    }
}

async fn end(mut process: Process) -> Option<Exit> {
    process.close_stdin();
    while let Some(heard) = process.next().await {
        if let Heard::Exited(exit) = heard {
            return Some(exit);
        }
    }
    None
}
