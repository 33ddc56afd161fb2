//! The folders of a workspace under watch: those that are not ignored, each by itself.
//!
//! A watch on a file dies with the file when an editor saves by renaming, so folders are watched. Where the system
//! allows no more watches the rest is looked at from time to time instead, and that is said.

use super::walk::{MOST_ENTRIES, walk};
use crate::workspaces::Root;
use notify_debouncer_full::notify::event::{ModifyKind, RenameMode};
use notify_debouncer_full::notify::{
    self, ErrorKind, EventKind, RecommendedWatcher, RecursiveMode,
};
use notify_debouncer_full::{DebounceEventResult, Debouncer, RecommendedCache, new_debouncer};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

/// How long nothing may happen before events are told.
pub(super) const QUIET: Duration = Duration::from_millis(150);

/// What changed in one go, as paths relative to the root; the empty path means anything may have.
#[derive(Debug, Clone, Default)]
pub(super) struct Changed {
    /// Paths at which something is, or was.
    pub(super) paths: HashSet<String>,
    /// Those of them at which something was made, or that something was renamed to.
    pub(super) arrived: HashSet<String>,
}

impl Changed {
    /// Anything may have changed.
    fn anything() -> Self {
        let all = HashSet::from([String::new()]);
        Self {
            paths: all.clone(),
            arrived: all,
        }
    }
}

pub(super) struct Folders {
    root: Arc<Root>,
    debouncer: Debouncer<RecommendedWatcher, RecommendedCache>,
    watched: HashSet<String>,
    limited: Option<String>,
}

impl Folders {
    /// Begins to watch. Blocks: it walks the tree.
    pub(super) fn start(root: Arc<Root>, tell: UnboundedSender<Changed>) -> notify::Result<Self> {
        let top = root.path().to_owned();
        let debouncer = new_debouncer(QUIET, None, move |result: DebounceEventResult| {
            let changed = changed(&top, result);
            if !changed.paths.is_empty() {
                // A closed channel means that nobody wants to know any more.
                drop(tell.send(changed));
            }
        })?;
        let mut folders = Self {
            root,
            debouncer,
            watched: HashSet::new(),
            limited: None,
        };
        folders.refresh();
        Ok(folders)
    }

    /// Whether changes in this folder will be told.
    pub(super) fn watches(&self, folder: &str) -> bool {
        self.watched.contains(folder)
    }

    /// Why not all is watched, in one sentence.
    pub(super) fn limited(&self) -> Option<&str> {
        self.limited.as_deref()
    }

    /// Takes note of what changed: new folders are watched from now on. Blocks.
    pub(super) fn follow(&mut self, changed: &Changed) {
        let mut refresh = false;
        for path in &changed.paths {
            // Made again, perhaps: a watch ends with its folder.
            let was_watched = self.watched.remove(path);
            let is_folder = || self.root.folder(path).is_ok();
            let is_rule = path.rsplit('/').next() == Some(".gitignore");
            refresh = refresh || was_watched || is_rule || is_folder();
        }
        if refresh {
            self.refresh();
        }
    }

    fn refresh(&mut self) {
        let Ok(found) = walk(&self.root, MOST_ENTRIES) else {
            return;
        };
        let there: HashSet<String> = found.folders.into_iter().collect();
        self.watched.retain(|folder| there.contains(folder));
        self.limited = None;
        for folder in there {
            if self.watched.contains(&folder) {
                continue;
            }
            let path = self.root.path().join(&folder);
            match self.debouncer.watch(&path, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.watched.insert(folder);
                }
                Err(error) if matches!(error.kind, ErrorKind::MaxFilesWatch) => {
                    self.limited = Some(format!(
                        "The system allows no more watched folders: some changes in {} are noticed only by looking every two seconds.",
                        self.root.path().display()
                    ));
                    return;
                }
                // Removed since it was found; the folder above tells of that.
                Err(_) => {}
            }
        }
    }
}

/// The paths of events that say something may have changed; reading a file is an event too, and is not one of them.
fn changed(top: &Path, result: DebounceEventResult) -> Changed {
    let Ok(events) = result else {
        return Changed::anything();
    };
    let mut changed = Changed::default();
    for event in events {
        if event.kind.is_access() {
            continue;
        }
        if event.need_rescan() {
            return Changed::anything();
        }
        // What is not UTF-8 is no document.
        let within = |path: &PathBuf| Some(path.strip_prefix(top).ok()?.to_str()?.to_owned());
        let paths = event.paths.iter().filter_map(within);
        changed.paths.extend(paths.clone());
        match event.kind {
            EventKind::Modify(ModifyKind::Name(RenameMode::From)) => {}
            EventKind::Modify(ModifyKind::Name(RenameMode::Both)) => {
                changed.arrived.extend(paths.skip(1));
            }
            EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(_)) => {
                changed.arrived.extend(paths);
            }
            _ => {}
        }
    }
    changed
}
