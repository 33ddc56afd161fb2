//! What a document has become: every place of it is resolved again, stored in one transaction, then told.
//!
//! A change counts when the file was left alone for a moment and read the same twice, because editors and agents
//! write in pieces. A file that is away or empty for less than a second was being saved.

use super::standing::unknown;
use super::watch::{Seen, Watcher};
use super::{Text, lock};
use crate::follow::rail_changed;
use crate::fresh;
use crate::store::{Anchor, Standing};
use crate::workspaces::{Refused, blocking};
use rex_shared::ids::Version;
use rex_shared::wire::follow::{DocumentFrame, Frame};
use rex_shared::wire::place::PlaceState;
use rex_shared::wire::problem::Problem;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long after it was read a file is read again, when it was heard of after a while of quiet.
pub(super) const AGAIN: Duration = Duration::from_millis(50);
/// How long a file may be away or empty while it is being saved.
const SAVING: Duration = Duration::from_secs(1);
/// After this long of steady change the present content is taken.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is at a document's path.
enum Content {
    Text(Text),
    /// Nothing.
    Missing,
    /// Something that cannot be read as this document.
    Unreadable,
}

impl Content {
    fn version(&self) -> Option<&Version> {
        match self {
            Self::Text(text) => Some(&text.version),
            Self::Missing | Self::Unreadable => None,
        }
    }

    fn is_nothing(&self) -> bool {
        match self {
            Self::Text(text) => text.bytes.is_empty(),
            Self::Missing | Self::Unreadable => true,
        }
    }
}

impl Watcher {
    /// Waits until a document is left alone, reading it every `wait`, then deals with what it has become.
    pub(super) async fn settle(self, document: String, wait: Duration) {
        let begun = Instant::now();
        let mut last = self.content(&document).await;
        loop {
            tokio::select! {
                () = self.stop.cancelled() => return,
                () = sleep(wait) => {}
            }
            // From here on a further change begins a wait of its own.
            lock(&self.watch.settling).remove(&document);
            let now = self.content(&document).await;
            let same = last.version() == now.version();
            let being_saved = now.is_nothing()
                && begun.elapsed() < SAVING
                && !self.is_known(&document, now.version());
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

    async fn content(&self, document: &str) -> Content {
        let Ok(root) = self.documents.workspaces().root(&self.workspace).await else {
            return Content::Unreadable;
        };
        let name = document.to_owned();
        let content = blocking(move || {
            Ok(match root.read(&name) {
                // A link that took the file's place leads to another document.
                Ok(opened) if opened.document == name => {
                    Text::of_file(opened).map_or(Content::Unreadable, Content::Text)
                }
                Err(Refused::Missing) => Content::Missing,
                Ok(_) | Err(_) => Content::Unreadable,
            })
        });
        content.await.unwrap_or(Content::Unreadable)
    }

    fn is_known(&self, document: &str, version: Option<&Version>) -> bool {
        lock(&self.watch.seen)
            .get(document)
            .is_some_and(|seen| seen.resolved && seen.version.as_ref() == version)
    }

    /// Resolves a document's places, stores how they stand, and tells of it. Nothing when its content is known.
    async fn changed(&self, document: &str, content: Content) -> Result<(), Problem> {
        // Looking around may take a while, and others wait for their turn.
        let to = match &content {
            Content::Missing => self.went_to(document).await?,
            Content::Text(text) => self.other_case(text).await?,
            Content::Unreadable => None,
        };
        let _turn = self.watch.turn.lock().await;
        if let Some(to) = to {
            if self.content(document).await.version() != content.version() {
                // It has changed meanwhile, and is being waited for again.
                return Ok(());
            }
            let documents = &self.documents;
            return documents
                .take_rename(&self.workspace, document, &to, false)
                .await;
        }
        let version = content.version().cloned();
        if self.is_known(document, version.as_ref()) {
            return Ok(());
        }
        let standings = self.standings(document, &content).await?;
        let store = &self.documents.0.store;
        let resolved = store
            .record_standings(
                &self.workspace,
                document,
                version.clone(),
                standings
                    .into_iter()
                    .map(|(anchor, standing)| (anchor.place_id, standing))
                    .collect(),
                fresh::now(),
            )
            .await?;
        self.note_version(document, version.as_ref());
        self.tell(DocumentFrame {
            document: document.to_owned(),
            version,
            counts: resolved.counts,
            change: resolved.change,
            renamed_from: None,
        });
        for thread in &resolved.threads {
            self.tell_row(thread).await;
        }
        Ok(())
    }

    /// How each place stands in this content. The text is kept, for the next change to be a step from it.
    async fn standings(
        &self,
        document: &str,
        content: &Content,
    ) -> Result<Vec<(Anchor, Standing)>, Problem> {
        let store = &self.documents.0.store;
        let Content::Text(text) = content else {
            let anchors = store.anchors(&self.workspace, document).await?;
            return Ok(anchors
                .into_iter()
                .map(|anchor| (anchor, unknown()))
                .collect());
        };
        let mut standings = self.documents.standings(&self.workspace, text).await?;
        if standings.is_empty() {
            return Ok(standings);
        }
        store
            .keep_snapshot(&text.version, text.bytes.clone())
            .await?;
        let lost: Vec<&mut (Anchor, Standing)> = standings
            .iter_mut()
            .filter(|(anchor, standing)| {
                standing.state == PlaceState::Gone && anchor.state != PlaceState::Gone
            })
            .collect();
        if !lost.is_empty() {
            self.watch.bereft.note([document.to_owned()]);
            self.offer_elsewhere(text, lost).await?;
        }
        Ok(standings)
    }

    fn note_version(&self, document: &str, version: Option<&Version>) {
        let mut seen = lock(&self.watch.seen);
        let known = seen.entry(document.to_owned()).or_default();
        if known.version.as_ref() != version {
            known.before = known.version.take();
        }
        *known = Seen {
            version: version.cloned(),
            before: known.before.take(),
            resolved: true,
            stamp: None,
        };
    }

    fn tell(&self, frame: DocumentFrame) {
        let hub = &self.documents.0.hub;
        hub.tell_workspace(&self.workspace, Frame::Document(frame));
    }

    /// Tells that a thread's row changed.
    pub(super) async fn tell_row(&self, thread: &rex_shared::ids::ThreadId) {
        let inner = &self.documents.0;
        rail_changed(&inner.store, &inner.hub, &inner.live, thread).await;
    }
}
