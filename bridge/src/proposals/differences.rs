//! What a run changed in its copy, found by our own walk.
//!
//! No git is run in a copy that an agent has touched: its configuration may name programs. Links are not followed. What
//! the copy's ignore files leave out is no part of a proposal, and neither is a link that was made or turned elsewhere;
//! a file put in the place of a link is a change of the file that the link led to, as it would be for an editor that
//! follows links.

use super::copy::{Copied, Entry, LARGEST_KEPT, PrivateCopy, ignore_file, mode_of};
use crate::workspaces::ignored::Ignored;
use crate::workspaces::name;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};

/// Files of a proposal at most. A run that changes more did something else than edit documents.
pub const MOST_FILES: usize = 1_000;

/// What is in a file, and what may be done with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Side {
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
    /// Permission bits.
    pub(super) mode: u32,
}

/// One path that differs. Not both sides are missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    /// Workspace-relative path with `/`.
    pub(super) path: String,
    /// As it was copied.
    pub(super) before: Option<Side>,
    /// As it is now.
    pub(super) after: Option<Side>,
}

/// Why what a run changed is not known. The person's folder was not touched.
#[derive(Debug, thiserror::Error)]
pub enum NotCompared {
    /// Too many files.
    #[error("it changed more than {MOST_FILES} files, which is more than a proposal holds")]
    TooMany,
    /// One file is too large.
    #[error("it changed {0}, which is larger than 32 MB")]
    TooLarge(String),
    /// The copy could not be read.
    #[error("its copy could not be read: {0}")]
    Io(#[from] io::Error),
}

/// Every path that differs, in order. Blocks on the disk.
pub(super) fn differences(copy: &PrivateCopy) -> Result<Vec<Difference>, NotCompared> {
    let root = copy.path();
    let mut now = BTreeMap::new();
    let mut ignored = Ignored::default();
    let exclude = ignore_file(&root.join(".git/info/exclude"));
    ignored.enter("", exclude.as_deref());
    walk(copy, &root, "", &mut ignored, &mut now)?;
    let mut found = BTreeMap::new();
    for (path, file) in &now {
        match copy.before.get(path) {
            Some(Entry::File(copied)) => {
                let metadata = fs::symlink_metadata(file)?;
                if !copied.is_untouched(&metadata) {
                    let difference = compared(copy, path, Some(copied), Some(file))?;
                    found.extend(difference.map(|difference| (path.clone(), difference)));
                }
            }
            Some(Entry::Link(to)) => {
                // The link was replaced by a file: what it led to is meant.
                let Some(target) = led_to(path, to) else {
                    continue;
                };
                if let (Some(Entry::File(copied)), false) =
                    (copy.before.get(&target), found.contains_key(&target))
                {
                    let difference = compared(copy, &target, Some(copied), Some(file))?;
                    found.extend(difference.map(|difference| (target, difference)));
                }
            }
            None => {
                let difference = compared(copy, path, None, Some(file))?;
                found.extend(difference.map(|difference| (path.clone(), difference)));
            }
        }
        if found.len() > MOST_FILES {
            return Err(NotCompared::TooMany);
        }
    }
    for (path, entry) in &copy.before {
        if let (Entry::File(copied), false) = (entry, fs::symlink_metadata(root.join(path)).is_ok())
        {
            let difference = compared(copy, path, Some(copied), None)?;
            found.extend(difference.map(|difference| (path.clone(), difference)));
        }
        if found.len() > MOST_FILES {
            return Err(NotCompared::TooMany);
        }
    }
    Ok(found.into_values().collect())
}

/// Regular files by their paths: those that were copied, and new ones that are not ignored.
fn walk(
    copy: &PrivateCopy,
    root: &Path,
    prefix: &str,
    ignored: &mut Ignored,
    found: &mut BTreeMap<String, PathBuf>,
) -> Result<(), NotCompared> {
    let own = ignore_file(&root.join(prefix).join(".gitignore"));
    let had = ignored.enter(prefix, own.as_deref());
    // The run may have taken the right to look into a folder from it.
    let Ok(entries) = fs::read_dir(root.join(prefix)) else {
        return Ok(());
    };
    for entry in entries {
        let entry = entry?;
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
            continue;
        };
        let path = format!("{prefix}{name}");
        let kind = entry.file_type()?;
        let known = copy.before.contains_key(&path);
        if name::parts(&path).is_err() || (!known && !kind.is_dir() && ignored.holds(&path, false))
        {
            continue;
        }
        if kind.is_file() {
            found.insert(path, entry.path());
        } else if kind.is_dir() && !copy.left_out().contains(&path) {
            let inner = format!("{path}/");
            // A folder that is ignored now may hold files that were not when they were copied.
            if !ignored.holds(&path, true) || holds_known(copy, &inner) {
                walk(copy, root, &inner, ignored, found)?;
            }
        }
    }
    ignored.leave(had);
    Ok(())
}

fn holds_known(copy: &PrivateCopy, prefix: &str) -> bool {
    let mut from = copy.before.range(prefix.to_owned()..);
    from.next()
        .is_some_and(|(path, _)| path.starts_with(prefix))
}

/// Both sides of a path, if they differ.
fn compared(
    copy: &PrivateCopy,
    path: &str,
    before: Option<&Copied>,
    after: Option<&PathBuf>,
) -> Result<Option<Difference>, NotCompared> {
    let too_large = || NotCompared::TooLarge(path.to_owned());
    let before = match before {
        Some(copied) => Some(Side {
            bytes: copy.bytes_before(copied)?.ok_or_else(too_large)?,
            mode: copied.mode,
        }),
        None => None,
    };
    let after = match after {
        Some(file) => Some(read(file)?.ok_or_else(too_large)?),
        None => None,
    };
    Ok((before != after).then(|| Difference {
        path: path.to_owned(),
        before,
        after,
    }))
}

/// A file of the copy; `None` when it is too large.
fn read(file: &Path) -> io::Result<Option<Side>> {
    let metadata = fs::symlink_metadata(file)?;
    if metadata.len() > LARGEST_KEPT {
        return Ok(None);
    }
    let mode = mode_of(&metadata);
    if mode & 0o400 == 0 {
        // The copy is ours, whatever the run did to it.
        fs::set_permissions(file, fs::Permissions::from_mode(mode | 0o400))?;
    }
    Ok(Some(Side {
        bytes: fs::read(file)?,
        mode,
    }))
}

/// The workspace-relative path that a link leads to, by its words alone.
fn led_to(link: &str, to: &Path) -> Option<String> {
    let mut parts: Vec<&str> = link.split('/').collect();
    parts.pop();
    for component in to.components() {
        match component {
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::ParentDir => {
                parts.pop()?;
            }
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.join("/"))
}
