//! Documents: reading them, showing them as typed trees, and knowing where their places stand.
//!
//! [`Documents`] reads beneath a workspace's root and keeps what it served: versions by their hash, so that a place
//! picked on one of them is still known, and parsed trees. A version is the hash of a file's bytes and nothing else.
//!
//! A document's identity is its link-free path: a name that leads through links is answered as the document it leads
//! to, and places are stored under that.
//!
//! Looking writes nothing: a page of a document is put together from stored standings and, where the version on disk
//! is not the one they are about, from standings worked out in memory. Only [`watch`] records them.
//!
//! Deliberately absent: writing of any kind, HTML, and any state of who is reading what beyond this process.

mod classes;
mod elsewhere;
mod encoding;
mod excerpt;
mod folders;
mod highlight;
mod lines;
mod math;
mod newest;
mod page;
mod panes;
mod place;
mod raw;
mod recent;
mod renames;
mod report;
mod settle;
mod stamp;
mod standing;
mod syntaxes;
mod text;
mod tree;
mod walk;
mod watch;

pub(crate) use lines::Lines;
pub use page::Ask;
pub use raw::Raw;
pub use text::Text;
pub(crate) use text::{bytes, not_read, plain_text, version};

use crate::follow::{Hub, LiveTable};
use crate::fresh;
use crate::store::Store;
use crate::workspaces::{Workspaces, blocking};
use newest::Newest;
use rex_shared::ids::{Version, WorkspaceId};
use rex_shared::wire::document::{FileNode, Files};
use rex_shared::wire::problem::Problem;
use stamp::Stamp;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tree::Tree;

/// Bytes of served versions that are kept, newest first.
const SERVED: usize = 64 * 1024 * 1024;
/// Bytes of files that are not read again while they stay as they are.
const READ: usize = 8 * 1024 * 1024;
/// Bytes of source whose trees are kept; a tree takes some ten times as much. The newest is kept however big it is.
const TREES: usize = 512 * 1024;

/// Entries among which the first document to show is looked for.
const FIRST_AMONG: usize = 2000;

/// The documents of all workspaces. Clones share everything.
#[derive(Clone)]
pub struct Documents(Arc<Inner>);

struct Inner {
    workspaces: Workspaces,
    store: Store,
    hub: Hub,
    live: LiveTable,
    served: Mutex<Newest<Version, Arc<[u8]>>>,
    /// Files as they were read last: paging through a big one reads it once.
    read: Mutex<Newest<(WorkspaceId, String, Stamp), Text>>,
    trees: Mutex<Newest<(Version, String), Arc<Tree>>>,
    watches: Mutex<HashMap<WorkspaceId, Arc<watch::Watch>>>,
}

impl Documents {
    /// Documents of the workspaces that `store` knows. Frames go to `hub`.
    pub fn new(store: Store, hub: Hub, live: LiveTable) -> Self {
        Self(Arc::new(Inner {
            workspaces: Workspaces::new(store.clone()),
            store,
            hub,
            live,
            served: Mutex::new(Newest::new(SERVED)),
            read: Mutex::new(Newest::new(READ)),
            trees: Mutex::new(Newest::new(TREES)),
            watches: Mutex::default(),
        }))
    }

    /// The roots of the workspaces.
    pub fn workspaces(&self) -> &Workspaces {
        &self.0.workspaces
    }

    /// A document as it is on disk now.
    pub async fn read(&self, workspace: &WorkspaceId, name: &str) -> Result<Text, Problem> {
        let root = self.0.workspaces.root(workspace).await?;
        let (documents, within, name) = (self.clone(), workspace.clone(), name.to_owned());
        let text = blocking(move || {
            let opened = root
                .read(&name)
                .map_err(|refused| text::not_read(&name, &refused))?;
            let stamp = Stamp::of(&opened.metadata);
            let key = (within, opened.document.clone(), stamp);
            if let Some(text) = lock(&documents.0.read).get(&key) {
                return Ok(text);
            }
            let text = Text::of_file(opened)?;
            if stamp.is_settled(fresh::now()) {
                lock(&documents.0.read).put(key, text.clone(), text.bytes.len());
            }
            Ok(text)
        })
        .await?;
        lock(&self.0.served).put(text.version.clone(), text.bytes.clone(), text.bytes.len());
        self.note_seen(workspace, &text);
        Ok(text)
    }

    /// The bytes of a version that was served lately or that a place refers to.
    pub async fn version_bytes(&self, version: &Version) -> Result<Option<Arc<[u8]>>, Problem> {
        let served = lock(&self.0.served).get(version);
        if served.is_some() {
            return Ok(served);
        }
        Ok(self.0.store.snapshot(version).await?.map(Arc::from))
    }

    /// The source of a version that was served lately or that a place refers to.
    pub async fn version_text(&self, version: &Version) -> Result<Option<Arc<str>>, Problem> {
        let Some(bytes) = self.version_bytes(version).await? else {
            return Ok(None);
        };
        blocking(move || Ok(Some(text::source(&bytes).into()))).await
    }

    /// The file tree with the number of unresolved threads of each file.
    pub async fn files(&self, workspace: &WorkspaceId) -> Result<Files, Problem> {
        let mut counts = self.0.store.document_counts(workspace).await?;
        let mut renames = self.0.store.rename_offers(workspace).await?;
        let root = self.0.workspaces.root(workspace).await?;
        blocking(move || {
            let walk = walk::walk(&root, walk::MOST_ENTRIES)
                .map_err(|refused| text::not_read("", &refused))?;
            let mut entries = walk.entries;
            take_counts(&mut entries, &mut counts);
            // What is left has threads and was not met: ignored, beyond the limit, or gone from the disk.
            let mut missing: Vec<_> = counts
                .into_keys()
                .filter(|document| root.document(document).is_err())
                .collect();
            missing.sort();
            // An offer holds as long as the one is away and the other is there.
            renames
                .retain(|offer| missing.contains(&offer.from) && root.document(&offer.to).is_ok());
            Ok(Files {
                entries,
                missing,
                renames,
                truncated: walk.truncated,
            })
        })
        .await
    }

    /// The document to show when nothing names one: a readme at the top, else the first Markdown file.
    pub async fn first(&self, workspace: &WorkspaceId) -> Result<Option<String>, Problem> {
        let root = self.0.workspaces.root(workspace).await?;
        blocking(move || {
            let walk =
                walk::walk(&root, FIRST_AMONG).map_err(|refused| text::not_read("", &refused))?;
            let readme = walk
                .entries
                .iter()
                .find(|entry| entry.name.eq_ignore_ascii_case("readme.md"));
            Ok(readme
                .map(|entry| entry.path.clone())
                .or_else(|| first_markdown(&walk.entries)))
        })
        .await
    }

    /// The tree of a version, parsed when it is not at hand.
    async fn tree(&self, text: &Text) -> Result<Arc<Tree>, Problem> {
        let read_as = match text.syntax {
            Some(syntax) => format!("code {}", syntax.name),
            None => format!("{:?}", text.format),
        };
        let key = (text.version.clone(), read_as);
        if let Some(tree) = lock(&self.0.trees).get(&key) {
            return Ok(tree);
        }
        let (format, syntax, source) = (text.format, text.syntax, text.source.clone());
        let tree = blocking(move || Ok(Arc::new(Tree::new(format, syntax, &source)))).await?;
        lock(&self.0.trees).put(key, tree.clone(), text.source.len());
        Ok(tree)
    }
}

fn take_counts(entries: &mut [FileNode], counts: &mut HashMap<String, u32>) {
    for entry in entries {
        match &mut entry.children {
            Some(children) => take_counts(children, counts),
            None => entry.threads = counts.remove(&entry.path).unwrap_or(0),
        }
    }
}

/// The first Markdown file, those at the top before those in folders.
fn first_markdown(entries: &[FileNode]) -> Option<String> {
    let here = entries.iter().find(|entry| {
        let name = entry.name.to_ascii_lowercase();
        entry.children.is_none() && (name.ends_with(".md") || name.ends_with(".markdown"))
    });
    here.map(|entry| entry.path.clone()).or_else(|| {
        entries
            .iter()
            .filter_map(|entry| entry.children.as_deref())
            .find_map(first_markdown)
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
