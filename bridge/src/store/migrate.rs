//! Migrations: numbered files that only ever grow, each whole or not at all.

use super::backup::{self, beside};
use super::error::StoreError;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};

/// The schema's steps; the n-th brings a database to `user_version` n.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("../../../migrations/0001_foundation.sql"),
    include_str!("../../../migrations/0002_changes.sql"),
    include_str!("../../../migrations/0003_declined_renames.sql"),
    include_str!("../../../migrations/0004_session_answers.sql"),
    include_str!("../../../migrations/0005_proposals.sql"),
    include_str!("../../../migrations/0006_said_gone.sql"),
];

/// The newest schema that `migrations` know.
pub(super) fn newest(migrations: &[&str]) -> u32 {
    u32::try_from(migrations.len()).unwrap_or(u32::MAX)
}

/// Brings a database of schema `from` to the newest one. Every step is one transaction.
pub(super) fn run(
    connection: &mut Connection,
    migrations: &[&str],
    from: u32,
) -> Result<(), StoreError> {
    for (version, step) in (1..).zip(migrations).skip(from as usize) {
        let transaction = Transaction::new(connection, TransactionBehavior::Immediate)?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "user_version", version)?;
        transaction.commit()?;
        tracing::info!(schema = version, "the database was brought up to date");
    }
    Ok(())
}

/// Copies the database to a file beside it, before anything changes it.
pub(super) fn back_up(
    connection: &Connection,
    path: &Path,
    schema: u32,
) -> Result<PathBuf, StoreError> {
    let copy = beside(path, &format!("schema-{schema}.backup"));
    backup::copy(connection, &copy, schema)?;
    Ok(copy)
}

#[cfg(test)]
mod tests;
