//! Copies of the database: each is proven sound before it gets its name.

use super::error::StoreError;
use super::{migrate, open};
use rusqlite::{Connection, MAIN_DB, backup::Progress};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Copies a home's database into a new file. The bridge that writes it may go on: the copy is the last commit before it.
///
/// Blocks. A file that is there is never replaced.
pub fn back_up(database: &Path, to: &Path) -> Result<(), StoreError> {
    if to.symlink_metadata().is_ok() {
        return Err(io::Error::from(io::ErrorKind::AlreadyExists).into());
    }
    if !database.exists() {
        return Err(io::Error::from(io::ErrorKind::NotFound).into());
    }
    let (found, looking) = open::look(database, migrate::newest(migrate::MIGRATIONS))?;
    match (found, looking) {
        (Some(schema), Some(connection)) => copy(&connection, to, schema),
        _ => Err(io::Error::from(io::ErrorKind::NotFound).into()),
    }
}

/// Copies the database to a file.
pub(super) fn copy(connection: &Connection, to: &Path, schema: u32) -> Result<(), StoreError> {
    let partial = beside(to, "partial");
    let made = write(connection, &partial, schema)
        .and_then(|()| Ok(std::fs::rename(&partial, to)?))
        .and_then(
            |()| match to.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                Some(folder) => Ok(File::open(folder)?.sync_all()?),
                None => Ok(()),
            },
        );
    if made.is_err() {
        // The partial copy may never have come to be.
        drop(std::fs::remove_file(&partial));
    }
    made
}

fn write(connection: &Connection, partial: &Path, schema: u32) -> Result<(), StoreError> {
    if partial.exists() {
        std::fs::remove_file(partial)?;
    }
    connection.backup(MAIN_DB, partial, None::<fn(Progress)>)?;
    let copy = open::immutable(partial)?;
    let check: String = copy.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    let copied: u32 = copy.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if check != "ok" || copied != schema {
        return Err(StoreError::Damaged {
            path: partial.to_owned(),
            detail: format!("the copy is not sound: {check}"),
        });
    }
    File::open(partial)?.sync_all()?;
    Ok(())
}

/// A file of the same name with one more ending.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;
    use crate::store::fixture::{Home, at};

    #[tokio::test]
    async fn a_backup_is_the_last_commit_while_the_bridge_goes_on_writing() {
        let home = Home::new().await;
        let thread = home.draft(&["per seat"], at(1)).await;
        let to = home.folder.path().join("copy.db");
        back_up(&home.path(), &to).unwrap();
        home.turn(&thread, "Why?", "Because.", at(2)).await;
        let copy = Store::open(&to, at(3)).unwrap();
        let kept = copy.thread(&thread).await.unwrap().unwrap();
        assert_eq!(kept.places[0].quote, "per seat");
        assert_eq!(kept.row.message_count, 0);
        copy.close().await;
    }

    #[tokio::test]
    async fn nothing_is_written_over_and_nothing_half_is_left() {
        let home = Home::new().await;
        let to = home.folder.path().join("mine.txt");
        std::fs::write(&to, "mine").unwrap();
        back_up(&home.path(), &to).unwrap_err();
        assert_eq!(std::fs::read_to_string(&to).unwrap(), "mine");
        let nowhere = home.folder.path().join("no/such/folder.db");
        back_up(&home.path(), &nowhere).unwrap_err();
        let text = home.folder.path().join("text.db");
        back_up(&to, &text).unwrap_err();
        back_up(&home.folder.path().join("none.db"), &text).unwrap_err();
        assert!(!text.exists());
        assert!(!home.folder.path().join("text.db.partial").exists());
    }
}
