//! How a program is started, how it ended, and why it did not start.

use super::look_up::is_executable;
use super::sandbox::RecordFolders;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

/// How a program is started. The runner adds the allow-listed base environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// Absolute path.
    pub program: PathBuf,
    /// Arguments; never through a shell.
    pub arguments: Vec<String>,
    /// Variables besides the base list.
    pub environment: BTreeMap<String, OsString>,
    /// Working folder.
    pub folder: PathBuf,
    /// The run's own temp folder, which becomes `TMPDIR`.
    pub scratch: PathBuf,
    /// How one talks to it.
    pub talk: Talk,
    /// Files that the program wants to find in there, by name. They hold no secret.
    pub files: BTreeMap<String, String>,
    /// What it may write to besides, in a sandbox.
    pub records: RecordFolders,
    /// What an act run works in instead of the workspace.
    pub copy: Option<Copied>,
}

/// A private copy of a workspace, which may be written to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    /// The workspace's folder.
    pub of: PathBuf,
    /// The copy.
    pub at: PathBuf,
    /// Folders of the workspace, relative to it, that are not in the copy and are seen as they are.
    pub left_out: Vec<String>,
}

/// How one talks to a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Talk {
    /// On its pipes, a process for each turn.
    Pipes,
    /// By HTTP: it is a server, announces its address on stdout, and is kept for the turns to come.
    Http(Serving),
}

/// Who is let in by a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Serving {
    /// The name to sign in with.
    pub user: &'static str,
    /// The variable that tells it the password, which is made for each start.
    pub password_variable: &'static str,
}

impl Launch {
    /// The folder of the workspace it is started for.
    pub(super) fn workspace(&self) -> &Path {
        self.copy.as_ref().map_or(&self.folder, |copy| &copy.of)
    }

    /// Where a file of [`Launch::files`] will lie.
    pub fn file(scratch: &Path, name: &str) -> PathBuf {
        scratch.join(name)
    }

    /// Puts the files there, and makes the folders for records, the person's alone: some programs do without them in
    /// silence.
    pub(super) fn write_files(&self) -> io::Result<()> {
        self.files
            .iter()
            .try_for_each(|(name, text)| std::fs::write(Self::file(&self.scratch, name), text))?;
        let mut folders = DirBuilder::new();
        folders.recursive(true).mode(0o700);
        let mut needed = self.records.folders.iter();
        needed.try_for_each(|folder| folders.create(folder))
    }

    /// What the system would say to starting it, for when another program is to.
    pub(super) fn check(&self) -> io::Result<()> {
        let program = self.program.metadata()?;
        if missing_folder(&self.folder) {
            return Err(io::ErrorKind::NotFound.into());
        }
        if is_executable(&program) {
            Ok(())
        } else {
            Err(io::ErrorKind::PermissionDenied.into())
        }
    }
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exit {
    /// Exit code, if it exited by itself.
    pub code: Option<i32>,
    /// Signal, if one ended it.
    pub signal: Option<i32>,
    /// The end of what it wrote to stderr, at most 16 kB.
    pub stderr: String,
}

impl Exit {
    /// The end of a program; what is around a wrapped one passes its signal on as 128 and more.
    pub(super) fn of(status: ExitStatus, is_wrapped: bool, stderr: String) -> Self {
        let passed_on = status.code().filter(|code| is_wrapped && *code > 128);
        Self {
            code: status.code().filter(|_| passed_on.is_none()),
            signal: status.signal().or(passed_on.map(|code| code - 128)),
            stderr,
        }
    }
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.code, self.signal) {
            (_, Some(signal)) => write!(f, "was killed (signal {signal})"),
            (Some(code), None) => write!(f, "ended with exit code {code}"),
            (None, None) => f.write_str("ended"),
        }
    }
}

/// Why a program did not start; each says what was tried and what to do.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The file is not there.
    #[error("{} is not there any more. Install it again, or check PATH", .0.display())]
    NotFound(PathBuf),
    /// The file may not be executed.
    #[error("{} is not executable by you. Check its mode, or install it again", .0.display())]
    NotExecutable(PathBuf),
    /// The file is open for writing (ETXTBSY).
    #[error("{} is being written just now, perhaps by an update. Try again in a moment", .0.display())]
    BeingWritten(PathBuf),
    /// The machine refuses another process (EAGAIN, ENOMEM).
    #[error("this machine has no room for another process ({}). End something and try again", .0.display())]
    NoRoom(PathBuf),
    /// The working folder is not there.
    #[error("the folder {} is not there any more, so {} was not started", folder.display(), program.display())]
    NoFolder {
        /// The program.
        program: PathBuf,
        /// Its working folder.
        folder: PathBuf,
    },
    /// Anything else the system said.
    #[error("{} did not start: {error}", program.display())]
    Other {
        /// The program.
        program: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl StartError {
    /// Names what the system said about starting `launch`.
    pub(super) fn of(launch: &Launch, error: io::Error) -> Self {
        let program = launch.program.clone();
        match error.kind() {
            // A missing working folder is reported as if the program were missing.
            io::ErrorKind::NotFound if missing_folder(&launch.folder) => Self::NoFolder {
                program,
                folder: launch.folder.clone(),
            },
            io::ErrorKind::NotFound => Self::NotFound(program),
            io::ErrorKind::PermissionDenied => Self::NotExecutable(program),
            io::ErrorKind::ExecutableFileBusy => Self::BeingWritten(program),
            io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => Self::NoRoom(program),
            _ => Self::Other { program, error },
        }
    }
}

fn missing_folder(folder: &Path) -> bool {
    !folder.is_dir()
}
