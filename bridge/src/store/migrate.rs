//! Migrations: numbered files that only ever grow, each whole or not at all.

use super::error::StoreError;
use super::open::immutable;
use rusqlite::{Connection, MAIN_DB, Transaction, TransactionBehavior, backup::Progress};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The schema's steps; the n-th brings a database to `user_version` n.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("../../../migrations/0001_foundation.sql"),
    include_str!("../../../migrations/0002_changes.sql"),
    include_str!("../../../migrations/0003_declined_renames.sql"),
    include_str!("../../../migrations/0004_session_answers.sql"),
    include_str!("../../../migrations/0005_proposals.sql"),
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

/// Copies the database to a file beside it and proves the copy sound, before anything changes it.
pub(super) fn back_up(
    connection: &Connection,
    path: &Path,
    schema: u32,
) -> Result<PathBuf, StoreError> {
    let copy = beside(path, &format!("schema-{schema}.backup"));
    let partial = beside(path, "backup.partial");
    let made = copy_to(connection, &partial, schema)
        .and_then(|()| Ok(std::fs::rename(&partial, &copy)?))
        .and_then(|()| match path.parent() {
            Some(folder) => Ok(File::open(folder)?.sync_all()?),
            None => Ok(()),
        });
    if let Err(error) = made {
        // The partial copy may never have come to be.
        drop(std::fs::remove_file(&partial));
        return Err(error);
    }
    Ok(copy)
}

fn copy_to(connection: &Connection, partial: &Path, schema: u32) -> Result<(), StoreError> {
    if partial.exists() {
        std::fs::remove_file(partial)?;
    }
    connection.backup(MAIN_DB, partial, None::<fn(Progress)>)?;
    let copy = immutable(partial)?;
    let check: String = copy.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    let copied: u32 = copy.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if check != "ok" || copied != schema {
        return Err(StoreError::Damaged {
            path: partial.to_owned(),
            detail: format!("the backup before the update is not sound: {check}"),
        });
    }
    File::open(partial)?.sync_all()?;
    Ok(())
}

/// A file of the same name with one more ending.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests;
