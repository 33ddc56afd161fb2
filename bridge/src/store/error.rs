//! What can go wrong with the database, typed where it is handled and told to a person in one sentence.

use rex_shared::wire::problem::{Problem, ProblemType};
use std::path::PathBuf;

/// Why the store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another release of REX has already moved this database on.
    #[error(
        "{path} was written by a newer REX: its schema is {found}, this REX knows {known}. Nothing was changed; start the newer REX, or another --home"
    )]
    NewerSchema {
        /// The database.
        path: PathBuf,
        /// Its schema.
        found: u32,
        /// The newest schema of this build.
        known: u32,
    },
    /// An older database that cannot be brought up to date, because it cannot be written.
    #[error(
        "{path} has the older schema {found} and cannot be written, so it cannot be brought to {known}. Nothing was changed; make it writable and start again"
    )]
    OlderSchemaReadOnly {
        /// The database.
        path: PathBuf,
        /// Its schema.
        found: u32,
        /// The newest schema of this build.
        known: u32,
    },
    /// The file is no database, or a damaged one.
    #[error(
        "{path} is damaged or not a database ({detail}). It was left as it is; move it away, or put a backup in its place"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// SQLite's own words.
        detail: String,
    },
    /// A sound database of some other program.
    #[error("{path} is a database of another program. It was left as it is; choose another --home")]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// The database can be read, not written; the text says why.
    #[error("{0}")]
    ReadOnly(String),
    /// No space left: the write was taken back whole.
    #[error("the disk is full")]
    DiskFull,
    /// Another program holds the database's write lock.
    #[error("another program keeps the database locked")]
    Busy,
    /// The writer is gone; the bridge is shutting down.
    #[error("the database is closed")]
    Closed,
    /// No such thread.
    #[error("there is no such comment")]
    UnknownThread,
    /// No such place in this thread.
    #[error("there is no such passage in this comment")]
    UnknownPlace,
    /// No place is or was in a document of this path.
    #[error("no comment is about this document")]
    UnknownDocument,
    /// The document has comments of its own.
    #[error("comments are about that document already")]
    DocumentTaken,
    /// No such change, or it is no longer kept.
    #[error("this change is not known any more")]
    UnknownChange,
    /// No such proposal, or no such piece of it.
    #[error("there is no such proposal")]
    UnknownProposal,
    /// No such message, or it no longer waits.
    #[error("there is no such message")]
    UnknownMessage,
    /// No such dialog.
    #[error("there is no such question")]
    UnknownDialog,
    /// No such workspace.
    #[error("there is no such workspace")]
    UnknownWorkspace,
    /// No such gateway.
    #[error("there is no such gateway")]
    UnknownGateway,
    /// The id stands for something else already.
    #[error("this id already stands for another {0}")]
    IdReused(&'static str),
    /// A note is never sent.
    #[error("this comment is a note")]
    ThreadIsNote,
    /// A resolved thread takes no prompt.
    #[error("this comment is resolved")]
    ThreadResolved,
    /// What was sent cannot become a note.
    #[error("this comment was already sent")]
    AlreadySent,
    /// No run of this message that could be tried again.
    #[error("there is nothing to try again")]
    NothingToRetry,
    /// The thread's run has to end first.
    #[error("a run of this comment is going on")]
    RunGoing,
    /// A run that has ended takes nothing more.
    #[error("this run has ended")]
    RunEnded,
    /// The dialog was answered, or its agent went away.
    #[error("this question is no longer open")]
    DialogClosed,
    /// An undo no longer fits, or is over 24 hours old.
    #[error("{0}")]
    MovedOn(String),
    /// The built-in gateway stays as it is.
    #[error("the built-in gateway cannot be changed or deleted")]
    BuiltInGateway,
    /// An image whose bytes cannot be read.
    #[error("an image is not valid base64")]
    BadImage,
    /// Anything else SQLite says.
    #[error("the database failed: {0}")]
    Sqlite(rusqlite::Error),
    /// A file beside the database could not be written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(ErrorCode::ReadOnly) => Self::ReadOnly("the database can only be read".to_owned()),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            _ => Self::Sqlite(error),
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        use ProblemType as Kind;
        let detail = error.to_string();
        let (kind, title, hint) = match error {
            StoreError::UnknownThread => (
                Kind::UnknownThread,
                "Unknown comment",
                "It may have been deleted. Open it from the list.",
            ),
            StoreError::UnknownPlace => (
                Kind::UnknownPlace,
                "Unknown passage",
                "Load the comment again.",
            ),
            StoreError::UnknownDocument => (
                Kind::UnknownDocument,
                "No comments there",
                "Nothing was changed. Load the list of files again.",
            ),
            StoreError::DocumentTaken => (
                Kind::Conflict,
                "That document has comments",
                "Nothing was changed. Put the passages onto it one by one.",
            ),
            StoreError::UnknownChange => (
                Kind::UnknownChange,
                "Unknown change",
                "The newest changes of a document are kept. Load the document again.",
            ),
            StoreError::UnknownProposal => (
                Kind::UnknownProposal,
                "Unknown proposal",
                "Nothing was changed. Load the comment again.",
            ),
            StoreError::UnknownMessage => (
                Kind::UnknownMessage,
                "Unknown message",
                "It may have been sent or removed already. Load the comment again.",
            ),
            StoreError::UnknownDialog => (
                Kind::UnknownDialog,
                "Unknown question",
                "Load the comment again.",
            ),
            StoreError::UnknownWorkspace => (
                Kind::UnknownWorkspace,
                "Unknown workspace",
                "Open the folder with REX first.",
            ),
            StoreError::UnknownGateway => (
                Kind::UnknownGateway,
                "Unknown gateway",
                "Choose another gateway.",
            ),
            StoreError::IdReused(_) => (
                Kind::IdReused,
                "Id already used",
                "Nothing was changed. Send it again under a new id.",
            ),
            StoreError::ThreadIsNote => (
                Kind::ThreadIsNote,
                "This is a note",
                "Notes are never sent. Make it a draft first.",
            ),
            StoreError::ThreadResolved => (
                Kind::ThreadResolved,
                "This comment is resolved",
                "Reopen it first.",
            ),
            StoreError::AlreadySent => (
                Kind::Conflict,
                "Already sent",
                "A note is never sent, so this comment cannot become one.",
            ),
            StoreError::NothingToRetry => (
                Kind::NothingToRetry,
                "Nothing to retry",
                "Load the comment again: it may have been answered.",
            ),
            StoreError::RunGoing => (Kind::Conflict, "A run is going on", "Stop it first."),
            StoreError::RunEnded => (
                Kind::Conflict,
                "The run has ended",
                "Load the comment again.",
            ),
            StoreError::DialogClosed => (
                Kind::DialogClosed,
                "Question closed",
                "Your answer was not sent. Ask again if it still matters.",
            ),
            StoreError::MovedOn(_) => (Kind::MovedOn, "Cannot be undone", "Nothing was changed."),
            StoreError::BuiltInGateway => (
                Kind::Conflict,
                "Built-in gateway",
                "Make a gateway of your own instead.",
            ),
            StoreError::BadImage => (
                Kind::BadRequest,
                "Unreadable image",
                "Nothing was sent. Attach the image again.",
            ),
            StoreError::DiskFull => (
                Kind::ReadOnly,
                "The disk is full",
                "Nothing was half written. Make room and try again.",
            ),
            StoreError::ReadOnly(_)
            | StoreError::OlderSchemaReadOnly { .. }
            | StoreError::NewerSchema { .. } => (
                Kind::ReadOnly,
                "The database can only be read",
                "Reading goes on. Make the REX home writable and start REX again.",
            ),
            StoreError::Busy => (
                Kind::ReadOnly,
                "The database is locked",
                "Nothing was written. Close the other program that uses it and try again.",
            ),
            StoreError::Closed => (
                Kind::ReadOnly,
                "REX is shutting down",
                "Nothing was written. Start REX again.",
            ),
            StoreError::Damaged { .. }
            | StoreError::NotOurs { .. }
            | StoreError::Sqlite(_)
            | StoreError::Io(_) => {
                tracing::error!(error = %detail, "the database failed");
                return Self::new(
                    Kind::Internal,
                    "The database failed",
                    "The database could not do this. What was stored before is still there.",
                    "Try again; the log of the bridge says more.",
                );
            }
        };
        Self::new(kind, title, detail, hint)
    }
}
