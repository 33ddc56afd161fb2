//! The one writer: a thread that owns the only connection which can change anything.

use super::error::StoreError;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use std::os::unix::fs::MetadataExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{mpsc, oneshot};

/// Writes that may wait. More than this and callers wait too, so that a slow disk slows agents down, not memory.
const QUEUE: usize = 256;

/// What a committed write survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durability {
    /// A crash of the bridge: for what an agent streams.
    Streamed,
    /// A power cut too: for what a person did and for the end of a run.
    Kept,
}

type Job = Box<dyn FnOnce(&mut Pen) + Send>;

/// The handle to the writer thread.
pub(super) struct Writer {
    jobs: mpsc::Sender<Job>,
    read_only: Arc<Mutex<Option<String>>>,
}

impl Writer {
    /// Starts the thread. Without a connection there is none, and `read_only` says why.
    pub(super) fn start(
        path: &Path,
        connection: Option<Connection>,
        read_only: Option<String>,
    ) -> Result<Self, StoreError> {
        let (jobs, mut waiting) = mpsc::channel::<Job>(QUEUE);
        let read_only = Arc::new(Mutex::new(read_only));
        if let Some(connection) = connection {
            let mut pen = Pen {
                file: identity(path)?,
                path: path.to_owned(),
                connection,
                durability: None,
                read_only: Arc::clone(&read_only),
            };
            std::thread::Builder::new()
                .name("store-writer".to_owned())
                .spawn(move || {
                    while let Some(job) = waiting.blocking_recv() {
                        // A panic in one write takes back that write and fails its caller, nothing else.
                        drop(catch_unwind(AssertUnwindSafe(|| job(&mut pen))));
                    }
                })?;
        }
        Ok(Self { jobs, read_only })
    }

    pub(super) fn read_only(&self) -> Option<String> {
        self.read_only
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(super) async fn write<T: Send + 'static>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        if let Some(why) = self.read_only() {
            return Err(StoreError::ReadOnly(why));
        }
        let (answer, result) = oneshot::channel();
        let job: Job = Box::new(move |pen| {
            // A caller that went away does not take its write back.
            drop(answer.send(pen.write(durability, work)));
        });
        self.jobs.send(job).await.map_err(|_| StoreError::Closed)?;
        result.await.map_err(|_| StoreError::Closed)?
    }

    /// Hands in a write nobody waits for.
    pub(super) fn post(
        &self,
        work: impl FnOnce(&Connection) -> Result<(), StoreError> + Send + 'static,
    ) {
        let job: Job = Box::new(move |pen| {
            if let Err(error) = pen.write(Durability::Streamed, work) {
                tracing::warn!(%error, "tidying the database failed");
            }
        });
        // A full queue or no writer: it is only tidying.
        drop(self.jobs.try_send(job));
    }

    pub(super) async fn close(&self) {
        let (answer, done) = oneshot::channel();
        let job: Job = Box::new(move |pen| {
            pen.refuse_from_now("REX is shutting down");
            let folded =
                pen.connection
                    .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
            if let Err(error) = folded {
                tracing::warn!(%error, "the database's log stays beside it until the next start");
            }
            let _ = answer.send(());
        });
        if self.jobs.send(job).await.is_ok() {
            drop(done.await);
        }
    }
}

/// What the writer thread holds.
struct Pen {
    connection: Connection,
    path: PathBuf,
    file: (u64, u64),
    durability: Option<Durability>,
    read_only: Arc<Mutex<Option<String>>>,
}

impl Pen {
    fn write<T>(
        &mut self,
        durability: Durability,
        work: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let stopped = self
            .read_only
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        if let Some(why) = stopped {
            return Err(StoreError::ReadOnly(why));
        }
        if identity(&self.path).ok() != Some(self.file) {
            return Err(self.stop(
                "the database file was moved or replaced while REX was running; put it back and start REX again",
            ));
        }
        let result = self.transact(durability, work);
        if let Err(StoreError::Sqlite(error)) = &result {
            match error.sqlite_error_code() {
                // A disk that failed once cannot be trusted with a second try.
                Some(ErrorCode::SystemIoFailure) => {
                    return Err(self.stop(
                        "the disk failed while the database was written; check the disk and start REX again",
                    ));
                }
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                    return Err(self.stop(
                        "the database is damaged; keep the file, and put a backup in its place",
                    ));
                }
                _ => {}
            }
        }
        result
    }

    fn transact<T>(
        &mut self,
        durability: Durability,
        work: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.durability != Some(durability) {
            let level = match durability {
                Durability::Streamed => "NORMAL",
                Durability::Kept => "FULL",
            };
            self.connection.pragma_update(None, "synchronous", level)?;
            self.durability = Some(durability);
        }
        let transaction = Transaction::new(&mut self.connection, TransactionBehavior::Immediate)?;
        let value = work(&transaction)?;
        transaction.commit()?;
        Ok(value)
    }

    /// No write from now on because something went wrong, and what.
    fn stop(&self, why: &str) -> StoreError {
        tracing::error!(why, "the database takes no more writes");
        self.refuse_from_now(why)
    }

    /// No write from now on, and why.
    fn refuse_from_now(&self, why: &str) -> StoreError {
        *self
            .read_only
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(why.to_owned());
        StoreError::ReadOnly(why.to_owned())
    }
}

/// Device and inode: what tells a file from another one of the same name.
fn identity(path: &Path) -> std::io::Result<(u64, u64)> {
    std::fs::metadata(path).map(|file| (file.dev(), file.ino()))
}
