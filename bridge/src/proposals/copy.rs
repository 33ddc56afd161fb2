//! The private copy that an act run works in, and what it was copied from.
//!
//! A plain copy with its `.git`, never a worktree or a linked clone: those let a run change the person's repository.
//! Beside it the bytes that were copied are kept in one file, so that what a run changed is known even when the person
//! writes into the same file meanwhile. Everything lies in one temp folder, which goes with the value; what a crash
//! leaves is removed at the next start with all temp folders of earlier starts.
//!
//! Ignored folders that are larger than [`LARGEST_IGNORED`] are left out and named; whoever encloses the run in a sandbox
//! lets it see them read-only.

use crate::workspaces::ignored::{self, Ignored};
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{FileExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Bytes of an ignored folder that is still copied.
pub const LARGEST_IGNORED: u64 = 50 * 1024 * 1024;
/// Entries of an ignored folder that is still copied.
pub const MOST_IGNORED: usize = 5_000;
/// Bytes of a workspace that is copied at all, its `.git` included.
const LARGEST: u64 = 4 * 1024 * 1024 * 1024;
/// Bytes of a file whose content is kept beside the copy, which are those that a document may have.
pub(super) const LARGEST_KEPT: u64 = 32 * 1024 * 1024;

/// A private copy of a workspace.
#[derive(Debug)]
pub struct PrivateCopy {
    folder: TempDir,
    kept: File,
    /// Files and links as they were, by path; ignored ones are not among them.
    pub(super) before: BTreeMap<String, Entry>,
    left_out: Vec<String>,
}

/// One copied entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    /// A file.
    File(Copied),
    /// A link, with what it says.
    Link(PathBuf),
}

/// One copied file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Copied {
    /// Permission bits.
    pub(super) mode: u32,
    /// Where its bytes are kept; `None` when it is too large for that.
    kept: Option<(u64, usize)>,
    /// The copy as the file system described it when it was made.
    stamp: [i64; 6],
}

/// Why a workspace was not copied. The person's folder was only read.
#[derive(Debug, thiserror::Error)]
pub enum NotCopied {
    /// There is too much of it.
    #[error("the folder is larger than 4 GB, too much for a private copy")]
    TooLarge,
    /// A folder was being changed while it was read, or cannot be read.
    #[error("{path} could not be copied: {error}")]
    Io {
        /// Workspace-relative.
        path: String,
        /// What the system said.
        error: io::Error,
    },
}

impl PrivateCopy {
    /// Copies the workspace at `root` into a new folder in `within`. Blocks; takes as long as the disk needs.
    pub fn make(root: &Path, within: &Path) -> Result<Self, NotCopied> {
        let failed = |error| NotCopied::Io {
            path: "the folder".to_owned(),
            error,
        };
        fs::create_dir_all(within).map_err(failed)?;
        let folder = tempfile::Builder::new()
            .prefix("copy-")
            .tempdir_in(within)
            .map_err(failed)?;
        let kept = OpenOptions::new()
            .create_new(true)
            .read(true)
            .append(true)
            .open(folder.path().join("before"))
            .map_err(failed)?;
        let mut copy = Self {
            folder,
            kept,
            before: BTreeMap::new(),
            left_out: Vec::new(),
        };
        fs::create_dir(copy.path()).map_err(failed)?;
        let mut copier = Copier {
            root,
            to: copy.path(),
            copied: 0,
            kept: 0,
            copy: &mut copy,
        };
        let mut rules = Ignored::default();
        rules.enter("", ignore_file(&root.join(".git/info/exclude")).as_deref());
        copier.folder("", &mut rules, false)?;
        Ok(copy)
    }

    /// The folder that the run works in instead of the workspace.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("workspace")
    }

    /// Workspace-relative paths of ignored folders that are not in it.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// The bytes of a file as it was copied; `None` when they were too many to be kept.
    pub(super) fn bytes_before(&self, file: &Copied) -> io::Result<Option<Vec<u8>>> {
        let Some((at, length)) = file.kept else {
            return Ok(None);
        };
        let mut bytes = vec![0; length];
        self.kept.read_exact_at(&mut bytes, at)?;
        Ok(Some(bytes))
    }
}

impl Drop for PrivateCopy {
    /// A run may have taken the right to remove its files from their folders.
    fn drop(&mut self) {
        open_up(self.folder.path());
    }
}

impl Copied {
    /// Whether the copy is still the very file that was made.
    pub(super) fn is_untouched(&self, now: &Metadata) -> bool {
        self.stamp == stamp(now)
    }
}

fn stamp(of: &Metadata) -> [i64; 6] {
    [
        of.ino().cast_signed(),
        of.len().cast_signed(),
        of.mtime(),
        of.mtime_nsec(),
        of.ctime()
            .wrapping_mul(1_000_000_000)
            .wrapping_add(of.ctime_nsec()),
        i64::from(of.mode()),
    ]
}

/// Permission bits of a file.
pub(super) fn mode_of(of: &Metadata) -> u32 {
    of.mode() & 0o7777
}

struct Copier<'a> {
    root: &'a Path,
    to: PathBuf,
    copied: u64,
    kept: u64,
    copy: &'a mut PrivateCopy,
}

impl Copier<'_> {
    /// Copies what is in a folder; `path` is empty or ends with `/`. What is below an ignored folder is ignored.
    fn folder(&mut self, path: &str, rules: &mut Ignored, ignored: bool) -> Result<(), NotCopied> {
        let failed = |error| NotCopied::Io {
            path: path.to_owned(),
            error,
        };
        let own = ignore_file(&self.root.join(path).join(".gitignore"));
        let had = rules.enter(path, own.as_deref());
        for entry in fs::read_dir(self.root.join(path)).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            // Nothing of REX can name a file whose name is no text; it is copied for the run all the same.
            let shown = name.to_string_lossy();
            let inner = format!("{path}{shown}");
            let source = self.root.join(path).join(&name);
            let target = self.to.join(path).join(&name);
            // It may have gone since the folder was listed.
            let Ok(metadata) = fs::symlink_metadata(&source) else {
                continue;
            };
            let nameable = name.to_str().is_some();
            let is_git = path.is_empty() && shown == ".git";
            let ignored = ignored || is_git || !nameable || rules.holds(&inner, metadata.is_dir());
            let failed = |error| NotCopied::Io {
                path: inner.clone(),
                error,
            };
            if metadata.is_symlink() {
                let to = fs::read_link(&source).map_err(failed)?;
                std::os::unix::fs::symlink(&to, &target).map_err(failed)?;
                if !ignored {
                    self.copy.before.insert(inner, Entry::Link(to));
                }
            } else if metadata.is_dir() {
                fs::create_dir(&target).map_err(failed)?;
                if ignored && !is_git && is_huge(&source) {
                    // The empty folder is what the real one is shown in.
                    self.copy.left_out.push(inner);
                    continue;
                }
                self.folder(&format!("{inner}/"), rules, ignored)?;
                let mode = mode_of(&metadata) | 0o700;
                fs::set_permissions(&target, Permissions::from_mode(mode)).map_err(failed)?;
            } else if metadata.is_file() {
                self.copied += metadata.len();
                if self.copied > LARGEST {
                    return Err(NotCopied::TooLarge);
                }
                let file = self.file(&source, &target, &metadata).map_err(failed)?;
                if !ignored {
                    self.copy.before.insert(inner, Entry::File(file));
                }
            }
            // Pipes, sockets and devices are nothing that a document could be.
        }
        rules.leave(had);
        Ok(())
    }

    /// Copies a file and keeps its bytes. A large one is copied by the system, which shares its blocks where it can.
    fn file(&mut self, source: &Path, target: &Path, metadata: &Metadata) -> io::Result<Copied> {
        let kept = if metadata.len() <= LARGEST_KEPT {
            let mut bytes = Vec::new();
            File::open(source)?
                .take(LARGEST_KEPT + 1)
                .read_to_end(&mut bytes)?;
            fs::write(target, &bytes)?;
            self.copy.kept.write_all(&bytes)?;
            let at = self.kept;
            self.kept += bytes.len() as u64;
            Some((at, bytes.len()))
        } else {
            fs::copy(source, target)?;
            None
        };
        let written = File::options().write(true).open(target)?;
        written.set_modified(metadata.modified()?)?;
        written.set_permissions(Permissions::from_mode(mode_of(metadata)))?;
        Ok(Copied {
            mode: mode_of(metadata),
            kept,
            stamp: stamp(&written.metadata()?),
        })
    }
}

/// What an ignore file says, if there is one.
pub(super) fn ignore_file(path: &Path) -> Option<Vec<u8>> {
    if !fs::symlink_metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    let file = File::open(path).ok()?;
    file.take(ignored::LONGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Whether an ignored folder is too large to be copied. Looks no further than that takes.
fn is_huge(folder: &Path) -> bool {
    let (mut bytes, mut entries) = (0, 0);
    let walk = ignore::WalkBuilder::new(folder)
        .standard_filters(false)
        .build();
    for entry in walk.flatten() {
        bytes += entry.metadata().map_or(0, |metadata| metadata.len());
        entries += 1;
        if bytes > LARGEST_IGNORED || entries > MOST_IGNORED {
            return true;
        }
    }
    false
}

/// Makes every folder below one that can be emptied.
fn open_up(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            // What still cannot be removed then is tried again at the next start.
            drop(fs::set_permissions(
                entry.path(),
                Permissions::from_mode(0o700),
            ));
            open_up(&entry.path());
        }
    }
}
