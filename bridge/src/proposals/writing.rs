//! Putting new contents into a person's files: laid beside them first, then put in place by one rename each.
//!
//! Every path is walked beneath the workspace's root without following links. The new content has the old one's owner;
//! where that cannot be given, nothing is written.

use crate::documents::{bytes, version};
use crate::store::{Content, FileWrite};
use crate::workspaces::{Refused, Root};
use rex_shared::ids::Version;
use rex_shared::wire::problem::Problem;
use rustix::fs::{AtFlags, Gid, Mode, OFlags, RenameFlags, Uid};
use std::fs::{File, Metadata, Permissions};
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

/// Why a file did not get its new content.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotWritten {
    /// Somebody else wrote into it in this very moment.
    #[error("{0} was changed in this moment")]
    MovedOn(String),
    /// Its owner could not be kept.
    #[error("{0} belongs to another user, and a new content would not")]
    Owner(String),
    /// The disk or the rights.
    #[error("{path} could not be written: {error}")]
    Io {
        /// Workspace-relative.
        path: String,
        /// What the system said.
        error: io::Error,
    },
}

/// A file as it is now: its own path, when a link was put in its place meanwhile; its content and its mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// The link-free path.
    pub(super) path: String,
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
    /// Permission bits.
    pub(super) mode: u32,
}

/// Reads what is at a path; `None` when nothing is.
pub(super) fn read(root: &Root, path: &str) -> Result<Option<Found>, Problem> {
    match root.read(path) {
        Ok(opened) => {
            let mode = opened.metadata.mode() & 0o7777;
            Ok(Some(Found {
                path: opened.document.clone(),
                bytes: bytes(opened)?,
                mode,
            }))
        }
        Err(Refused::Missing) => Ok(None),
        Err(refused) => Err(crate::documents::not_read(path, &refused)),
    }
}

/// The nearest folder of a path that is there: what is put into a new folder is laid down outside it first.
pub(super) fn nearest_folder<'a>(root: &Root, path: &'a str) -> &'a str {
    let mut folder = path;
    loop {
        folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        if folder.is_empty() || root.folder(folder).is_ok() {
            return folder;
        }
    }
}

/// Lays a new content beside its file, on disk to stay. A removal has none.
pub(super) fn stage(root: &Root, write: &FileWrite, content: &[u8]) -> Result<(), NotWritten> {
    let Some(after) = &write.after else {
        return Ok(());
    };
    let failed = |error| NotWritten::Io {
        path: write.path.clone(),
        error,
    };
    let (folder, name) = within(root, &write.staged_as).map_err(failed)?;
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::openat(&folder, name, flags, Mode::RUSR | Mode::WUSR);
    let mut file = File::from(file.map_err(|error| failed(error.into()))?);
    file.write_all(content).map_err(failed)?;
    if let Ok(old) = root.read(&write.path) {
        keep_owner(&file, &old.metadata).map_err(|_| NotWritten::Owner(write.path.clone()))?;
    }
    file.set_permissions(Permissions::from_mode(after.mode))
        .map_err(failed)?;
    file.sync_all().map_err(failed)
}

fn keep_owner(file: &File, old: &Metadata) -> io::Result<()> {
    let new = file.metadata()?;
    if (new.uid(), new.gid()) == (old.uid(), old.gid()) {
        return Ok(());
    }
    let (owner, group) = (Uid::from_raw(old.uid()), Gid::from_raw(old.gid()));
    Ok(rustix::fs::fchown(file, Some(owner), Some(group))?)
}

/// Puts what was laid down in its place, if the file is still what it was.
pub(super) fn put(root: &Root, write: &FileWrite) -> Result<(), NotWritten> {
    if !holds(root, &write.path, write.before.as_ref()) {
        return Err(NotWritten::MovedOn(write.path.clone()));
    }
    let failed = |error| NotWritten::Io {
        path: write.path.clone(),
        error,
    };
    let (folder, name) = match write.after {
        Some(_) => made(root, &write.path).map_err(failed)?,
        None => within(root, &write.path).map_err(failed)?,
    };
    if write.after.is_none() {
        rustix::fs::unlinkat(&folder, name, AtFlags::empty())
            .map_err(|error| failed(error.into()))?;
    } else {
        let (from, staged) = within(root, &write.staged_as).map_err(failed)?;
        let moved = match write.before {
            Some(_) => rustix::fs::renameat(&from, staged, &folder, name),
            // What was made there in this moment is not written over.
            None => rustix::fs::renameat_with(&from, staged, &folder, name, RenameFlags::NOREPLACE),
        };
        moved.map_err(|error| match error {
            rustix::io::Errno::EXIST => NotWritten::MovedOn(write.path.clone()),
            error => failed(error.into()),
        })?;
    }
    File::from(folder).sync_all().map_err(failed)
}

/// Removes what was laid down and not put in place.
pub(super) fn unstage(root: &Root, write: &FileWrite) {
    if let Ok((folder, name)) = within(root, &write.staged_as) {
        // It was never there, or it is in its place.
        let _removed = rustix::fs::unlinkat(&folder, name, AtFlags::empty());
    }
}

/// Whether exactly this content is at a path; no content is no file.
pub(super) fn holds(root: &Root, path: &str, content: Option<&Content>) -> bool {
    match (read(root, path), content) {
        (Ok(Some(found)), Some(content)) => hash(&found) == content.hash,
        (Ok(None), None) => true,
        _ => false,
    }
}

/// The content hash of what was found.
pub(super) fn hash(found: &Found) -> Version {
    version(&found.bytes)
}

/// The folder of a path, open, and the last part.
fn within<'a>(root: &Root, path: &'a str) -> io::Result<(OwnedFd, &'a str)> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    root.folder(folder)
        .map(|folder| (folder, name))
        .map_err(|refused| io::Error::other(refused.to_string()))
}

/// The same, with every missing folder made.
fn made<'a>(root: &Root, path: &'a str) -> io::Result<(OwnedFd, &'a str)> {
    let (folder, _) = path.rsplit_once('/').unwrap_or(("", path));
    let mut at = 0;
    while at < folder.len() {
        let end = folder[at..]
            .find('/')
            .map_or(folder.len(), |slash| at + slash);
        if root.folder(&folder[..end]).is_err() {
            let (within, name) = within(root, &folder[..end])?;
            rustix::fs::mkdirat(within, name, Mode::from_raw_mode(0o777))?;
        }
        at = end + 1;
    }
    within(root, path)
}
