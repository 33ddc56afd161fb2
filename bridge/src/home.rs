//! `$REX_HOME`: the folder of the database, held by one bridge for its whole life.
//!
//! The hold is a `flock` on a file of its own, so that it ends with the process however that ends, and names an inode,
//! not a path: the same folder by another name is the same home. The process id in that file is for people to read;
//! nothing is ever decided or signalled by it.

use crate::agents::CONFIGURATION;
use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::{Component, Path, PathBuf};

const LOCK: &str = "bridge.lock";
/// The database's file.
pub const DATABASE: &str = "rex.db";

/// Why a home cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// Neither `--home`, `REX_HOME` nor `HOME` says where.
    #[error("there is no home folder to keep the database in; name one with --home FOLDER")]
    Nowhere,
    /// The workspace would contain the database.
    #[error(
        "the REX home {} lies inside the folder to review, {}; its database could be committed by accident. \
         Name another place with --home FOLDER",
        home.display(), workspace.display()
    )]
    InsideWorkspace {
        /// The home.
        home: PathBuf,
        /// The folder to open.
        workspace: PathBuf,
    },
    /// A folder with other things in it.
    #[error("{} has files in it that are not REX's; name an empty or new folder with --home", .0.display())]
    NotAHome(PathBuf),
    /// Another bridge holds it.
    #[error("another REX serves {}", home.display())]
    Held {
        /// The home.
        home: PathBuf,
        /// What the holder wrote down, for people.
        pid: Option<u32>,
    },
    /// The file system said no.
    #[error("the REX home {} cannot be used: {cause}", home.display())]
    Io {
        /// The home.
        home: PathBuf,
        /// What it said.
        cause: io::Error,
    },
}

/// A home that this process holds.
#[derive(Debug)]
pub struct Home {
    root: PathBuf,
    /// Closing it lets go of the home.
    _lock: File,
}

/// Where the home is: `--home`, else `REX_HOME`, else `.rex` in the person's own folder. Absolute, with links followed
/// as far as it exists. Makes nothing.
pub fn locate(named: Option<&Path>) -> Result<PathBuf, HomeError> {
    let set = |name| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let home = named
        .map(Path::to_owned)
        .or_else(|| set("REX_HOME"))
        .or_else(|| set("HOME").map(|home| home.join(".rex")))
        .ok_or(HomeError::Nowhere)?;
    real(&home).map_err(|cause| HomeError::Io { home, cause })
}

/// The database's file of a home.
pub fn database_in(root: &Path) -> PathBuf {
    root.join(DATABASE)
}

/// Refuses a home inside a folder that is to be reviewed. Both paths have their links followed.
pub fn keep_apart(home: &Path, workspace: &Path) -> Result<(), HomeError> {
    if home.starts_with(workspace) {
        return Err(HomeError::InsideWorkspace {
            home: home.to_owned(),
            workspace: workspace.to_owned(),
        });
    }
    Ok(())
}

impl Home {
    /// Takes hold of the home at `root`; makes it when it is not there.
    pub fn take(root: &Path) -> Result<Self, HomeError> {
        let io = |cause| HomeError::Io {
            home: root.to_owned(),
            cause,
        };
        if is_something_else(root).map_err(io)? {
            return Err(HomeError::NotAHome(root.to_owned()));
        }
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(root)
            .map_err(io)?;
        fs::set_permissions(root, fs::Permissions::from_mode(0o700)).map_err(io)?;
        let lock = hold(&root.join(LOCK)).map_err(io)?;
        let Some(mut lock) = lock else {
            return Err(HomeError::Held {
                home: root.to_owned(),
                pid: holder(root),
            });
        };
        lock.set_len(0).and_then(|()| lock.rewind()).map_err(io)?;
        writeln!(lock, "{}", std::process::id()).map_err(io)?;
        let home = Self {
            root: root.to_owned(),
            _lock: lock,
        };
        home.write(".gitignore", "*\n").map_err(io)?;
        Ok(home)
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The database's file.
    pub fn database(&self) -> PathBuf {
        database_in(&self.root)
    }

    /// Reads a small file of the home; one that is not there is none.
    pub fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.root.join(name)).ok()
    }

    /// Writes a small file of the home, whole or not at all, readable by its owner only.
    pub fn write(&self, name: &str, content: &str) -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.root)?;
        file.write_all(content.as_bytes())?;
        file.persist(self.root.join(name))
            .map_err(|error| error.error)?;
        Ok(())
    }

    /// Removes a file of the home, if it is there.
    pub fn remove(&self, name: &str) {
        if let Err(error) = fs::remove_file(self.root.join(name))
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(%error, name, "a file of the home could not be removed");
        }
    }
}

/// Whether somebody holds the home right now. Takes nothing and makes nothing.
pub fn is_held(root: &Path) -> bool {
    File::open(root.join(LOCK))
        .is_ok_and(|lock| flock(&lock, FlockOperation::NonBlockingLockShared).is_err())
}

/// The process id that the holder wrote down.
pub fn holder(root: &Path) -> Option<u32> {
    let mut text = String::new();
    File::open(root.join(LOCK))
        .ok()?
        .take(16)
        .read_to_string(&mut text)
        .ok()?;
    text.trim().parse().ok()
}

/// The lock, or `None` when another process has it.
fn hold(path: &Path) -> io::Result<Option<File>> {
    loop {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
        // Somebody may have removed the file between the two calls: then this is a lock on nothing.
        let held = file.metadata()?;
        match fs::metadata(path) {
            Ok(there) if (there.dev(), there.ino()) == (held.dev(), held.ino()) => {
                return Ok(Some(file));
            }
            _ => {}
        }
    }
}

/// A folder that holds files, but none of those that only REX makes.
fn is_something_else(root: &Path) -> io::Result<bool> {
    match fs::read_dir(root) {
        // A person may write the configuration before the first start.
        Ok(mut files) => Ok(files
            .any(|file| file.is_ok_and(|file| file.file_name() != CONFIGURATION))
            && !root.join(LOCK).exists()
            && !root.join(DATABASE).exists()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The path with links followed as far as it exists; what does not exist yet has neither links nor `..` in it.
fn real(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let mut missing = Vec::new();
    let mut there = path.as_path();
    loop {
        match there.canonicalize() {
            Ok(real) => {
                return Ok(missing
                    .iter()
                    .rev()
                    .fold(real, |path, name| path.join(name)));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        match (there.components().next_back(), there.parent()) {
            (Some(Component::Normal(name)), Some(parent)) => {
                missing.push(name);
                there = parent;
            }
            _ => return Err(io::Error::from(io::ErrorKind::NotFound)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().canonicalize().unwrap();
        (temp, path)
    }

    /// S8: the database's folder is its owner's alone, and no repository around it takes it up.
    #[test]
    fn a_new_home_is_private_and_ignored_by_git() {
        let (_temp, folder) = folder();
        let root = folder.join("deep/home");
        let home = Home::take(&root).unwrap();
        assert_eq!(fs::metadata(&root).unwrap().mode() & 0o777, 0o700);
        assert_eq!(home.read(".gitignore").unwrap(), "*\n");
        home.write("port", "7390").unwrap();
        assert_eq!(
            fs::metadata(root.join("port")).unwrap().mode() & 0o777,
            0o600
        );
        assert_eq!(home.database(), root.join("rex.db"));
    }

    /// S8: a home inside the folder to review is refused, by whatever name, and the refusal names the way out.
    #[test]
    fn a_home_inside_the_workspace_is_refused() {
        let (_temp, folder) = folder();
        let workspace = folder.join("docs");
        fs::create_dir(&workspace).unwrap();
        std::os::unix::fs::symlink(&workspace, folder.join("link")).unwrap();
        for inside in [
            "docs",
            "docs/.rex",
            "docs/a/b",
            "link/.rex",
            "other/../docs/.rex",
        ] {
            fs::create_dir_all(folder.join("other")).unwrap();
            let home = locate(Some(&folder.join(inside))).unwrap();
            let refusal = keep_apart(&home, &workspace).unwrap_err().to_string();
            assert!(refusal.contains("--home"), "{inside}: {refusal}");
            assert!(!workspace.join(".rex").exists());
        }
        for apart in ["home", "docs-home", "docs.rex"] {
            let home = locate(Some(&folder.join(apart))).unwrap();
            keep_apart(&home, &workspace).unwrap();
        }
    }

    #[test]
    fn a_folder_with_other_files_is_no_home_and_stays_as_it_is() {
        let (_temp, folder) = folder();
        fs::write(folder.join("thesis.md"), "mine").unwrap();
        assert!(matches!(Home::take(&folder), Err(HomeError::NotAHome(_))));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    fn a_home_is_held_once_by_whatever_name_and_free_again_afterwards() {
        let (_temp, folder) = folder();
        let root = folder.join("home");
        let home = Home::take(&root).unwrap();
        std::os::unix::fs::symlink(&root, folder.join("same")).unwrap();
        for name in [root.clone(), folder.join("same")] {
            let Err(HomeError::Held { pid, .. }) = Home::take(&name) else {
                panic!("held twice");
            };
            assert_eq!(pid, Some(std::process::id()));
            assert!(is_held(&name));
        }
        drop(home);
        assert!(!is_held(&root));
        Home::take(&root).unwrap();
    }

    #[test]
    fn of_twenty_that_start_at_once_one_gets_the_home() {
        let (_temp, folder) = folder();
        let root = folder.join("home");
        let start = std::sync::Barrier::new(20);
        let held: Vec<_> = std::thread::scope(|threads| {
            let starting: Vec<_> = (0..20)
                .map(|_| {
                    threads.spawn(|| {
                        start.wait();
                        Home::take(&root).ok()
                    })
                })
                .collect();
            starting
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        assert_eq!(held.iter().flatten().count(), 1);
    }

    #[test]
    fn a_stale_lock_of_a_dead_bridge_holds_nobody_up() {
        let (_temp, folder) = folder();
        // The number of a program that is alive and has nothing to do with REX.
        fs::write(folder.join(LOCK), "1\n").unwrap();
        assert!(!is_held(&folder));
        Home::take(&folder).unwrap();
    }
}
