//! Noticing changes: which documents to look at again. What they have become is dealt with in `settle`.
//!
//! Times are not believed, only contents: REX compares hashes.

use super::folders::{Changed, Folders, QUIET};
use super::recent::Recent;
use super::settle::AGAIN;
use super::stamp::Stamp;
use super::{Documents, Text, lock};
use crate::workspaces::{Root, blocking};
use rex_shared::ids::{Version, WorkspaceId};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

/// How often what is not watched is looked at, and whether the folder itself is still there.
const LOOK: Duration = Duration::from_secs(2);
/// Files that change within this time of each other changed together.
pub(super) const TOGETHER: Duration = Duration::from_secs(5);

/// What is known of one workspace's documents.
#[derive(Default)]
pub(super) struct Watch {
    /// Documents that somebody looked at or that have places.
    pub(super) seen: Mutex<HashMap<String, Seen>>,
    /// Documents that are being waited for.
    pub(super) settling: Mutex<HashSet<String>>,
    /// One document is dealt with at a time, in the order in which they came to rest.
    pub(super) turn: tokio::sync::Mutex<()>,
    /// Paths that changed.
    pub(super) changed: Recent,
    /// Paths that something was made at or renamed to. The empty path is all of them.
    pub(super) arrived: Recent,
    /// Documents that places lost their text in.
    pub(super) bereft: Recent,
    folders: Mutex<Option<Folders>>,
    tell: Mutex<Option<mpsc::UnboundedSender<Changed>>>,
}

/// What is known of one document.
#[derive(Default)]
pub(super) struct Seen {
    /// The last version told of; `None` when the file could not be read.
    pub(super) version: Option<Version>,
    /// The version before that one.
    pub(super) before: Option<Version>,
    /// Whether its places were resolved in `version`.
    pub(super) resolved: bool,
    /// What the file system says, for documents in folders that are not watched.
    pub(super) stamp: Option<Stamp>,
}

impl Watch {
    /// From now on changes of `to` are told and no longer those of `from`; its places are looked for at once.
    pub(super) fn renamed(&self, from: &str, to: &str) {
        {
            let mut seen = lock(&self.seen);
            seen.remove(from);
            seen.insert(to.to_owned(), Seen::default());
        }
        let changed = Changed {
            paths: HashSet::from([to.to_owned()]),
            ..Changed::default()
        };
        if let Some(tell) = lock(&self.tell).as_ref() {
            // A closed channel means that nobody watches any more.
            drop(tell.send(changed));
        }
    }
}

impl Documents {
    /// Watches a workspace until `stop`, and resolves all its places in the background. Once is enough.
    pub fn watch(&self, workspace: &WorkspaceId, stop: CancellationToken) {
        let watch = {
            let mut watches = lock(&self.0.watches);
            if watches.contains_key(workspace) {
                return;
            }
            let watch = Arc::new(Watch::default());
            watches.insert(workspace.clone(), watch.clone());
            watch
        };
        let (tell, hear) = mpsc::unbounded_channel();
        *lock(&watch.tell) = Some(tell.clone());
        let watcher = Watcher {
            documents: self.clone(),
            workspace: workspace.clone(),
            watch,
            stop,
        };
        drop(tokio::spawn(watcher.run(tell, hear)));
    }

    /// How a workspace is watched, if it is.
    pub(super) fn watch_of(&self, workspace: &WorkspaceId) -> Option<Arc<Watch>> {
        lock(&self.0.watches).get(workspace).cloned()
    }

    /// What is not as it should be with watching, one sentence each.
    pub fn reasons(&self) -> Vec<String> {
        let watches = lock(&self.0.watches);
        watches
            .values()
            .filter_map(|watch| {
                let folders = lock(&watch.folders);
                folders.as_ref()?.limited().map(str::to_owned)
            })
            .collect()
    }

    /// Somebody looks at this version: from now on a change of the document is told.
    pub(super) fn note_seen(&self, workspace: &WorkspaceId, text: &Text) {
        if let Some(watch) = lock(&self.0.watches).get(workspace) {
            lock(&watch.seen)
                .entry(text.document.clone())
                .or_insert_with(|| Seen {
                    version: Some(text.version.clone()),
                    ..Seen::default()
                });
        }
    }
}

/// Watches one workspace.
#[derive(Clone)]
pub(super) struct Watcher {
    pub(super) documents: Documents,
    pub(super) workspace: WorkspaceId,
    pub(super) watch: Arc<Watch>,
    pub(super) stop: CancellationToken,
}

impl Watcher {
    async fn run(
        self,
        tell: mpsc::UnboundedSender<Changed>,
        mut hear: mpsc::UnboundedReceiver<Changed>,
    ) {
        let mut root: Option<Arc<Root>> = None;
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut first = true;
        loop {
            tokio::select! {
                () = self.stop.cancelled() => break,
                Some(changed) = hear.recv() => self.heard(changed).await,
                _ = look.tick() => {
                    let now = self.documents.workspaces().root(&self.workspace).await.ok();
                    let same = match (&root, &now) {
                        (Some(root), Some(now)) => Arc::ptr_eq(root, now),
                        (None, None) => !first,
                        _ => false,
                    };
                    if same {
                        self.look_at_unwatched(now).await;
                    } else {
                        first = false;
                        root.clone_from(&now);
                        self.start(now, tell.clone()).await;
                    }
                }
            }
        }
        lock(&self.watch.folders).take();
    }

    /// The folder is there, or there again, or gone: watches it anew and looks at everything.
    async fn start(&self, root: Option<Arc<Root>>, tell: mpsc::UnboundedSender<Changed>) {
        let folders = match root {
            Some(root) => blocking(move || Ok(Folders::start(root, tell).ok()))
                .await
                .ok()
                .flatten(),
            None => None,
        };
        *lock(&self.watch.folders) = folders;
        // Whatever was renamed while nobody watched can be anywhere.
        self.watch.arrived.note([String::new()]);
        match self
            .documents
            .0
            .store
            .document_counts(&self.workspace)
            .await
        {
            Ok(counts) => self.settle_all(counts.into_keys(), QUIET),
            Err(error) => tracing::warn!(%error, "places were not resolved at the start"),
        }
        self.settle_all(self.seen(), QUIET);
    }

    async fn heard(&self, changed: Changed) {
        let watch = self.watch.clone();
        let taken = changed.clone();
        let followed = blocking(move || {
            if let Some(folders) = lock(&watch.folders).as_mut() {
                folders.follow(&taken);
            }
            Ok(())
        });
        // Not following a new folder is made up for by looking.
        drop(followed.await);
        let missing: HashSet<String> = {
            let seen = lock(&self.watch.seen);
            let missing = seen.iter().filter(|(_, known)| known.version.is_none());
            missing.map(|(document, _)| document.clone()).collect()
        };
        // What arrived may be what is missing, and what text was cut from one may be pasted into the other.
        let looks_for =
            |document: &String| !changed.arrived.is_empty() && missing.contains(document);
        let bereft = self.watch.bereft.within(TOGETHER);
        let (touched, rest): (Vec<_>, Vec<_>) = self
            .seen()
            .into_iter()
            .partition(|document| is_touched(document, &changed.paths) || looks_for(document));
        let bereft = rest
            .into_iter()
            .filter(|document| bereft.contains(document));
        for document in bereft {
            drop(tokio::spawn(self.clone().offer_later(document)));
        }
        self.watch.arrived.note(changed.arrived);
        self.watch.changed.note(changed.paths);
        self.settle_all(touched, AGAIN);
    }

    /// Documents in folders that are not watched, by what the file system says of them.
    async fn look_at_unwatched(&self, root: Option<Arc<Root>>) {
        let Some(root) = root else {
            return;
        };
        let watch = self.watch.clone();
        let changed = blocking(move || {
            let folders = lock(&watch.folders);
            let mut seen = lock(&watch.seen);
            let mut changed = Vec::new();
            for (document, known) in seen.iter_mut() {
                let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
                if folders
                    .as_ref()
                    .is_some_and(|folders| folders.watches(folder))
                {
                    continue;
                }
                let opened = root.read(document).ok();
                let stamp = opened.map(|opened| Stamp::of(&opened.metadata));
                if stamp != known.stamp {
                    if stamp.is_none() {
                        watch.arrived.note([String::new()]);
                    }
                    known.stamp = stamp;
                    changed.push(document.clone());
                }
            }
            Ok(changed)
        });
        self.settle_all(changed.await.unwrap_or_default(), QUIET);
    }

    fn seen(&self) -> Vec<String> {
        lock(&self.watch.seen).keys().cloned().collect()
    }

    fn settle_all(&self, documents: impl IntoIterator<Item = String>, wait: Duration) {
        for document in documents {
            if lock(&self.watch.settling).insert(document.clone()) {
                drop(tokio::spawn(self.clone().settle(document, wait)));
            }
        }
    }
}

/// Whether one of these paths is the document's, or that of a folder it is in.
fn is_touched(document: &str, paths: &HashSet<String>) -> bool {
    paths.iter().any(|path| {
        let rest = document.strip_prefix(path.as_str());
        rest.is_some_and(|rest| path.is_empty() || rest.is_empty() || rest.starts_with('/'))
    })
}
