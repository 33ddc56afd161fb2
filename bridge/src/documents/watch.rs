//! Noticing changes: every place of a changed document is resolved again, stored in one transaction, then told.
//!
//! A change counts when the file was left alone for a moment and read the same twice, because editors and agents
//! write in pieces. A file that is away or empty for less than a second was being saved. Times are not believed,
//! only contents: REX compares hashes.

use super::folders::{Changed, Folders, QUIET};
use super::stamp::Stamp;
use super::standing::{Origins, unknown};
use super::{Documents, Text, lock};
use crate::follow::rail_changed;
use crate::store::Standing;
use crate::workspaces::{Root, blocking};
use rex_shared::ids::{PlaceId, Version, WorkspaceId};
use rex_shared::wire::follow::{DocumentFrame, Frame};
use rex_shared::wire::problem::Problem;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;

/// How often what is not watched is looked at, and whether the folder itself is still there.
const LOOK: Duration = Duration::from_secs(2);
/// How long a file may be away or empty while it is being saved.
const SAVING: Duration = Duration::from_secs(1);
/// After this long of steady change the present content is taken.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is known of one workspace's documents.
#[derive(Default)]
pub(super) struct Watch {
    /// Documents that somebody looked at or that have places.
    seen: Mutex<HashMap<String, Seen>>,
    /// Documents that are being waited for.
    settling: Mutex<HashSet<String>>,
    folders: Mutex<Option<Folders>>,
}

struct Seen {
    /// The last version told of; `None` when the file could not be read.
    version: Option<Version>,
    /// Whether its places were resolved in that version.
    resolved: bool,
    /// What the file system says, for documents in folders that are not watched.
    stamp: Option<Stamp>,
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
        let watcher = Watcher {
            documents: self.clone(),
            workspace: workspace.clone(),
            watch,
            stop,
        };
        drop(tokio::spawn(watcher.run()));
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
                    resolved: false,
                    stamp: None,
                });
        }
    }
}

#[derive(Clone)]
struct Watcher {
    documents: Documents,
    workspace: WorkspaceId,
    watch: Arc<Watch>,
    stop: CancellationToken,
}

impl Watcher {
    async fn run(self) {
        let (tell, mut hear) = mpsc::unbounded_channel();
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
        match self
            .documents
            .0
            .store
            .document_counts(&self.workspace)
            .await
        {
            Ok(counts) => self.settle_all(counts.into_keys()),
            Err(error) => tracing::warn!(%error, "places were not resolved at the start"),
        }
        self.settle_all(self.seen());
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
        let touched = self.seen().into_iter().filter(|document| {
            changed.iter().any(|path| {
                document
                    .strip_prefix(path.as_str())
                    .is_some_and(|rest| path.is_empty() || rest.is_empty() || rest.starts_with('/'))
            })
        });
        self.settle_all(touched);
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
                    known.stamp = stamp;
                    changed.push(document.clone());
                }
            }
            Ok(changed)
        });
        self.settle_all(changed.await.unwrap_or_default());
    }

    fn seen(&self) -> Vec<String> {
        lock(&self.watch.seen).keys().cloned().collect()
    }

    fn settle_all(&self, documents: impl IntoIterator<Item = String>) {
        for document in documents {
            if lock(&self.watch.settling).insert(document.clone()) {
                drop(tokio::spawn(self.clone().settle(document)));
            }
        }
    }

    /// Waits until a document is left alone, then deals with what it has become.
    async fn settle(self, document: String) {
        let begun = Instant::now();
        let mut last = self.read(&document).await;
        loop {
            tokio::select! {
                () = self.stop.cancelled() => return,
                () = sleep(QUIET) => {}
            }
            // From here on a further change begins a wait of its own.
            lock(&self.watch.settling).remove(&document);
            let now = self.read(&document).await;
            let same = version(last.as_ref()) == version(now.as_ref());
            let being_saved = now.as_ref().is_none_or(|text| text.bytes.is_empty())
                && begun.elapsed() < SAVING
                && !self.is_known(&document, now.as_ref());
            if (same && !being_saved) || begun.elapsed() > PATIENCE {
                if let Err(problem) = self.changed(&document, now).await {
                    tracing::warn!(detail = problem.detail, "a change was not dealt with");
                }
                return;
            }
            if !lock(&self.watch.settling).insert(document.clone()) {
                return;
            }
            last = now;
        }
    }

    async fn read(&self, document: &str) -> Option<Text> {
        let root = self
            .documents
            .workspaces()
            .root(&self.workspace)
            .await
            .ok()?;
        let name = document.to_owned();
        blocking(move || Text::read(&root, &name)).await.ok()
    }

    fn is_known(&self, document: &str, text: Option<&Text>) -> bool {
        lock(&self.watch.seen)
            .get(document)
            .is_some_and(|seen| seen.resolved && seen.version.as_ref() == version(text))
    }

    /// Resolves a document's places, stores how they stand, and tells of it. Nothing when its content is known.
    async fn changed(&self, document: &str, text: Option<Text>) -> Result<(), Problem> {
        if self.is_known(document, text.as_ref()) {
            return Ok(());
        }
        let inner = &self.documents.0;
        let standings: Vec<(PlaceId, Standing)> = match &text {
            Some(text) => {
                let origins = &mut Origins::default();
                self.documents
                    .standings(&self.workspace, text, origins)
                    .await?
            }
            None => {
                let anchors = inner.store.anchors(&self.workspace, document).await?;
                anchors
                    .into_iter()
                    .map(|anchor| (anchor.place_id, unknown()))
                    .collect()
            }
        };
        let resolved = inner
            .store
            .record_standings(&self.workspace, document, standings)
            .await?;
        let version = text.map(|text| text.version);
        lock(&self.watch.seen).insert(
            document.to_owned(),
            Seen {
                version: version.clone(),
                resolved: true,
                stamp: None,
            },
        );
        let frame = DocumentFrame {
            document: document.to_owned(),
            version,
            counts: resolved.counts,
            change: None,
            renamed_from: None,
        };
        inner
            .hub
            .tell_workspace(&self.workspace, Frame::Document(frame));
        for thread in &resolved.threads {
            rail_changed(&inner.store, &inner.hub, &inner.live, thread).await;
        }
        Ok(())
    }
}

fn version(text: Option<&Text>) -> Option<&Version> {
    text.map(|text| &text.version)
}
