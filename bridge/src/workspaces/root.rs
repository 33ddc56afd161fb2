//! One workspace's folder, held open, and the only way to the files in it.
//!
//! A name is resolved twice, both times beneath the descriptor. First its links are followed to the link-free path,
//! which is refused when it leads out of the root. Then that path is opened part by part without following any
//! link, so that a folder swapped for a link in between is refused instead of followed. The link-free path is the
//! document's identity: two names that lead to one file are one document, known by the file's own path.

use super::name;
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use rustix::fs::{Mode, OFlags};
use std::fs::{File, Metadata};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};

/// Why a name was not opened. Nothing was read.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The text cannot name a document; the reason completes "because …".
    #[error("this cannot name a document, because {0}")]
    Name(&'static str),
    /// There is nothing of that name.
    #[error("there is no file of that name")]
    Missing,
    /// A link leads out of the workspace, or in a circle.
    #[error("a link in its path leads out of the workspace")]
    Outside,
    /// A folder, a pipe, a socket or a device.
    #[error("it is not a regular file")]
    NotAFile,
    /// The file system's own refusal.
    #[error("it cannot be read: {0}")]
    Io(io::Error),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        use rustix::io::Errno;
        match error.raw_os_error().map(Errno::from_raw_os_error) {
            // The beneath-root opener's own refusal has no number.
            None if error.kind() == io::ErrorKind::PermissionDenied => Self::Outside,
            Some(Errno::XDEV | Errno::LOOP | Errno::MLINK) => Self::Outside,
            Some(Errno::NOENT | Errno::NOTDIR) => Self::Missing,
            Some(Errno::NAMETOOLONG) => Self::Name("it is too long for this file system"),
            // A socket, or a device without a driver.
            Some(Errno::NXIO | Errno::NODEV) => Self::NotAFile,
            _ => Self::Io(error),
        }
    }
}

impl From<rustix::io::Errno> for Refused {
    fn from(error: rustix::io::Errno) -> Self {
        io::Error::from(error).into()
    }
}

/// A regular file of a workspace, open for reading.
#[derive(Debug)]
pub struct Opened {
    /// The document's identity: its link-free path.
    pub document: String,
    /// The file.
    pub file: File,
    /// Its size, times and mode, of the open file itself.
    pub metadata: Metadata,
}

/// A workspace's folder, held open.
#[derive(Debug)]
pub struct Root {
    path: PathBuf,
    dir: Dir,
}

impl Root {
    /// Opens a folder by its path, following links: it is the person who names it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        let dir = Dir::open_ambient_dir(&path, ambient_authority())?;
        Ok(Self { path, dir })
    }

    /// The folder's canonical path, for showing and watching; never for opening what is inside.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the path still leads to the folder that is held open.
    pub fn is_still_there(&self) -> bool {
        let held = self.dir.dir_metadata();
        let there = std::fs::metadata(&self.path);
        match (held, there) {
            (Ok(held), Ok(there)) => {
                use cap_std::fs::MetadataExt as _;
                (held.dev(), held.ino()) == (there.dev(), there.ino())
            }
            _ => false,
        }
    }

    /// The link-free path that a name leads to.
    pub fn document(&self, name: &str) -> Result<String, Refused> {
        name::parts(name).map_err(Refused::Name)?;
        let path = self.dir.canonicalize(name)?;
        let mut parts = Vec::new();
        for component in path.components() {
            match component {
                Component::Normal(part) => {
                    parts.push(part.to_str().ok_or(Refused::Name("it is not UTF-8"))?);
                }
                Component::CurDir => {}
                _ => return Err(Refused::Outside),
            }
        }
        let path = parts.join("/");
        // A link may lead to what its own name does not say.
        name::parts(&path).map_err(Refused::Name)?;
        Ok(path)
    }

    /// Opens a regular file for reading. Never waits: a pipe or a device is refused at once.
    pub fn read(&self, name: &str) -> Result<Opened, Refused> {
        let document = self.document(name)?;
        let (folder, file) = match document.rsplit_once('/') {
            Some((folder, file)) => (Some(self.folder(folder)?), file),
            None => (None, document.as_str()),
        };
        let within = folder.as_ref().map_or(self.dir.as_fd(), |fd| fd.as_fd());
        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::openat(within, file, flags, Mode::empty())?);
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(Refused::NotAFile);
        }
        Ok(Opened {
            document,
            file,
            metadata,
        })
    }

    /// Opens a folder by its link-free path, following no link; the empty path is the root itself.
    pub fn folder(&self, path: &str) -> Result<OwnedFd, Refused> {
        // The root's own descriptor only stands for it; listing takes one that reads.
        let mut folder = open_folder(&self.dir, ".")?;
        for part in path.split('/').filter(|part| !part.is_empty()) {
            folder = open_folder(&folder, part)?;
        }
        Ok(folder)
    }
}

/// Opens a folder inside an open one, if it is no link.
pub(crate) fn open_folder(within: impl AsFd, part: &str) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(within, part, flags, Mode::empty())
}

#[cfg(test)]
mod tests;
