//! Renames made outside: a document whose file is missing, and a new file that is what it was.
//!
//! Equal bytes in exactly one new file are certain, and the document goes there with all its comments. Half of the
//! text is only offered.

use super::walk::{MOST_ENTRIES, names, walk};
use super::watch::Watcher;
use super::{Documents, Text, text};
use crate::follow::rail_changed;
use crate::workspaces::{Root, blocking};
use rex_shared::ids::WorkspaceId;
use rex_shared::locate::renamed;
use rex_shared::wire::document::{FileNode, RenameOffer};
use rex_shared::wire::follow::{DocumentFrame, Frame};
use rex_shared::wire::problem::Problem;
use std::os::unix::fs::MetadataExt as _;
use std::sync::Arc;
use std::time::Duration;

/// How long after it came a file may be what is missing.
const ARRIVED: Duration = Duration::from_mins(1);
/// Files that are compared by their text at most, and the bytes of one.
const MOST_COMPARED: usize = 40;
const LARGEST: u64 = 2 * 1024 * 1024;

impl Documents {
    /// The person says that the comments of `from` are about `to`. When there is a file at `from` they have also said
    /// that it is not what the document became: it is offered, and not taken again by itself.
    pub async fn rename(
        &self,
        workspace: &WorkspaceId,
        from: &str,
        to: &str,
    ) -> Result<(), Problem> {
        let to = self.identity(workspace, to).await?;
        let root = self.workspaces().root(workspace).await?;
        let left = from.to_owned();
        let is_there = blocking(move || Ok(root.document(&left).is_ok())).await?;
        self.take_rename(workspace, from, &to, is_there).await
    }

    /// A document has another path from now on: stored, then told.
    pub(super) async fn take_rename(
        &self,
        workspace: &WorkspaceId,
        from: &str,
        to: &str,
        from_is_another: bool,
    ) -> Result<(), Problem> {
        let store = &self.0.store;
        let renaming = store
            .rename_document(workspace, from, to, from_is_another)
            .await?;
        let frame = DocumentFrame {
            document: to.to_owned(),
            version: store.document_version(workspace, to).await?,
            counts: renaming.counts,
            change: None,
            renamed_from: Some(from.to_owned()),
        };
        self.0.hub.tell_workspace(workspace, Frame::Document(frame));
        for thread in &renaming.threads {
            rail_changed(store, &self.0.hub, &self.0.live, thread).await;
        }
        if let Some(watch) = self.watch_of(workspace) {
            if from_is_another {
                watch.arrived.note([from.to_owned()]);
            }
            watch.renamed(from, to);
        }
        Ok(())
    }
}

impl Watcher {
    /// The file that a missing document certainly is now. What it only may be is stored as offers.
    pub(super) async fn went_to(&self, document: &str) -> Result<Option<String>, Problem> {
        let arrived = self.watch.arrived.within(ARRIVED);
        let store = &self.documents.0.store;
        let Some(version) = store.document_version(&self.workspace, document).await? else {
            return Ok(None);
        };
        let was = self.documents.version_bytes(&version).await?;
        let Some(was) = was.filter(|was| !was.is_empty() && !arrived.is_empty()) else {
            return Ok(None);
        };
        let taken = store.document_counts(&self.workspace).await?;
        let root = self.documents.workspaces().root(&self.workspace).await?;
        let from = document.to_owned();
        let mut found = blocking(move || {
            let candidates = candidates(&root, arrived)?;
            let free = candidates
                .into_iter()
                .filter(|path| !taken.contains_key(path));
            compare(&root, &from, &was, free.collect())
        })
        .await?;
        let equal: Vec<&RenameOffer> = found.iter().filter(|offer| offer.alike == 100).collect();
        let declined = store.declined_renames(&self.workspace, document).await?;
        if let [certain] = equal.as_slice()
            && !declined.contains(&certain.to)
        {
            return Ok(Some(certain.to.clone()));
        }
        found.sort_by_key(|offer| (100 - offer.alike.min(100), offer.to.clone()));
        store
            .offer_renames(&self.workspace, document, found)
            .await?;
        Ok(None)
    }

    /// The name of a document on a disk that takes upper and lower case for the same, when that is how it changed.
    pub(super) async fn other_case(&self, text: &Text) -> Result<Option<String>, Problem> {
        let arrived = self.watch.arrived.within(ARRIVED);
        let lower = text.document.to_lowercase();
        let to = arrived
            .into_iter()
            .find(|path| *path != text.document && path.to_lowercase() == lower);
        let Some(to) = to else {
            return Ok(None);
        };
        let store = &self.documents.0.store;
        let declined = store.declined_renames(&self.workspace, &text.document);
        if declined.await?.contains(&to) {
            return Ok(None);
        }
        let root = self.documents.workspaces().root(&self.workspace).await?;
        let from = text.document.clone();
        blocking(move || {
            let (Ok(one), Ok(other)) = (root.read(&from), root.read(&to)) else {
                return Ok(None);
            };
            let identity = |file: &std::fs::Metadata| (file.dev(), file.ino());
            let same_file = identity(&one.metadata) == identity(&other.metadata);
            // Two names of one file on a disk that knows them apart are two documents.
            let renamed = same_file && is_listed(&root, &to) && !is_listed(&root, &from);
            Ok(renamed.then_some(to))
        })
        .await
    }
}

/// Whether a folder lists this very name, letter by letter.
fn is_listed(root: &Root, path: &str) -> bool {
    let (folder, file) = parts(path);
    root.folder(folder)
        .is_ok_and(|folder| names(&folder).iter().any(|(name, _)| name == file))
}

/// The files at or below these paths.
fn candidates(root: &Root, arrived: Vec<String>) -> Result<Vec<String>, Problem> {
    let (folders, mut candidates): (Vec<String>, Vec<String>) = arrived
        .into_iter()
        .partition(|path| path.is_empty() || root.folder(path).is_ok());
    if folders.is_empty() {
        return Ok(candidates);
    }
    let found = walk(root, MOST_ENTRIES).map_err(|refused| text::not_read("", &refused))?;
    each_file(&found.entries, &mut |file| {
        let below = |folder: &String| {
            let rest = file.path.strip_prefix(folder.as_str());
            rest.is_some_and(|rest| folder.is_empty() || rest.starts_with('/'))
        };
        if folders.iter().any(below) && !candidates.contains(&file.path) {
            candidates.push(file.path.clone());
        }
    });
    Ok(candidates)
}

fn each_file(entries: &[FileNode], with: &mut impl FnMut(&FileNode)) {
    for entry in entries {
        match &entry.children {
            Some(children) => each_file(children, with),
            None => with(entry),
        }
    }
}

/// The candidates that are what the document was, or at least half of it.
fn compare(
    root: &Root,
    from: &str,
    was: &Arc<[u8]>,
    mut candidates: Vec<String>,
) -> Result<Vec<RenameOffer>, Problem> {
    let was_text = Text::of(from.to_owned(), was.clone())?;
    // The likeliest first: the same name in another folder, then the same folder.
    candidates.sort_by_key(|path| {
        let (folder, name) = parts(path);
        (name != parts(from).1, folder != parts(from).0)
    });
    let mut offers = Vec::new();
    let mut compared = 0;
    for path in candidates {
        let Ok(opened) = root.read(&path) else {
            continue;
        };
        let size = opened.metadata.len();
        let same_size = size == was.len() as u64;
        let same_kind = extension(&path) == extension(from);
        if !same_size && (!same_kind || size > LARGEST || compared == MOST_COMPARED) {
            continue;
        }
        let Ok(is) = Text::of_file(opened) else {
            continue;
        };
        let offer = |alike| RenameOffer {
            from: from.to_owned(),
            to: path.clone(),
            alike,
        };
        if is.bytes == *was {
            offers.push(offer(100));
        } else if same_kind && size <= LARGEST {
            compared += 1;
            let share = renamed(is.format, &was_text.source, &is.source);
            offers.extend(share.map(|share| offer(per_cent(share))));
        }
    }
    Ok(offers)
}

/// At most 99: only equal bytes are all of it.
fn per_cent(share: f64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to two digits"
    )]
    let per_cent = (share * 100.0).round().clamp(0.0, 99.0) as u32;
    per_cent
}

fn parts(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

fn extension(path: &str) -> Option<&str> {
    Some(parts(path).1.rsplit_once('.')?.1)
}
