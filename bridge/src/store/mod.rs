//! The record: one SQLite file, and the only place that knows SQL.
//!
//! [`Store`] is a handle to one writer thread and a few reader threads. Every method is one transaction: it is there whole or
//! not at all, and once it returned it survives a crash of the bridge. What a person sent and how a run ended also
//! survive a power cut; what an agent streams may lose its last moment then.
//!
//! Deliberately absent: a mapping of objects to tables, a pool crate, and any cache in memory. Readers see the last
//! commit, so what was shown to a browser can be read back by the next one.
//!
//! Invariants and the tests that fail when they are broken: the database is the record
//! (`what_was_appended_is_there_after_the_process_is_gone`), looking writes nothing (`readers_cannot_write`), nothing
//! stores which version a comment is about (`no_column_says_which_version_a_comment_is_about`).

mod access;
mod backup;
mod changes;
mod columns;
mod conversation;
mod dialogs;
mod entries;
mod error;
mod examine;
mod file_acts;
mod gateways;
mod kept;
mod lost;
mod migrate;
mod moving;
mod offers;
mod open;
mod patch;
mod places;
mod prompts;
mod proposal_records;
mod proposals;
mod queue;
mod readers;
mod record;
mod records;
mod renames;
mod resolutions;
mod retry;
mod rows;
mod run_records;
mod runs;
mod sessions;
mod snapshots;
mod standings;
mod steps;
mod threads;
mod turns;
mod undo;
mod workspaces;
mod writer;

pub use backup::back_up;
pub use error::StoreError;
pub use examine::{Examined, examine};
pub use proposal_records::*;
pub use records::*;
pub use rows::RowQuery;
pub use run_records::*;

use readers::Readers;
use rex_shared::ids::Millis;
use rusqlite::Connection;
use std::path::Path;
use std::sync::Arc;
use writer::{Durability, Writer};

/// The schema this build writes: how many migrations there are.
pub fn schema_version() -> usize {
    migrate::MIGRATIONS.len()
}

/// The database of one home. Clones share it.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    // Readers first: the writer's connection is to be the last one open, for it alone can tidy up the log.
    readers: Readers,
    writer: Writer,
}

impl Store {
    /// Opens the database at `path`, makes it when it is not there, and brings it to this build's schema.
    ///
    /// Blocks; call it before serving. A file that is no database, damaged, or of a newer schema is refused unchanged.
    /// One that cannot be written is opened for reading: see [`Store::read_only`].
    pub fn open(path: &Path, now: Millis) -> Result<Self, StoreError> {
        let store = Self::of(path, open::open(path, migrate::MIGRATIONS)?)?;
        store.inner.writer.post(move |db| {
            undo::forget_old(db, now)?;
            steps::sweep(db)
        });
        Ok(store)
    }

    fn of(path: &Path, opened: open::Opened) -> Result<Self, StoreError> {
        Ok(Self {
            inner: Arc::new(Inner {
                readers: Readers::start(opened.readers)?,
                writer: Writer::start(path, opened.writer, opened.read_only)?,
            }),
        })
    }

    /// Why nothing can be written, in one sentence; `None` when all is well.
    pub fn read_only(&self) -> Option<String> {
        self.inner.writer.read_only()
    }

    /// Whether a write would go through now. Changes nothing.
    pub async fn takes_writes(&self) -> Result<(), StoreError> {
        self.write(Durability::Streamed, |_| Ok(())).await
    }

    /// Finishes the writes under way and folds the log into the file. Later writes are refused.
    pub async fn close(&self) {
        self.inner.writer.close().await;
    }

    /// Runs `work` in a read transaction, off the async threads.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.inner.readers.read(work).await
    }

    /// Runs `work` in a write transaction on the writer thread.
    async fn write<T: Send + 'static>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.inner.writer.write(durability, work).await
    }
}

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;
