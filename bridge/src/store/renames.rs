//! Renames: a document is known by another path from now on, with all that was said about it.

use super::columns::get;
use super::writer::Durability;
use super::{Renaming, Store, StoreError, resolutions, workspaces};
use rex_shared::ids::WorkspaceId;
use rusqlite::{Connection, params};
use std::collections::HashSet;

impl Store {
    /// The comments of `from` are about `to` from now on. Refused when `to` has comments of its own: whose words are
    /// whose could not be told any more. When `from` is still there as a file the person has said that it is another
    /// one, which is remembered.
    pub async fn rename_document(
        &self,
        workspace: &WorkspaceId,
        from: &str,
        to: &str,
        from_is_another: bool,
    ) -> Result<Renaming, StoreError> {
        let (workspace, from, to) = (workspace.clone(), from.to_owned(), to.to_owned());
        self.write(Durability::Kept, move |db| {
            let row = workspaces::find_document(db, &workspace, &from)?
                .ok_or(StoreError::UnknownDocument)?;
            if let Some(other) = workspaces::find_document(db, &workspace, &to)? {
                if other == row || has_places(db, other)? {
                    return Err(StoreError::DocumentTaken);
                }
                db.execute("DELETE FROM document WHERE id = ?1", [other])?;
            }
            db.execute(
                "UPDATE document SET path = ?2 WHERE id = ?1",
                params![row, to],
            )?;
            db.execute("DELETE FROM rename_offer WHERE document_id = ?1", [row])?;
            db.execute(
                "DELETE FROM rename_declined WHERE document_id = ?1 AND path = ?2",
                params![row, to],
            )?;
            if from_is_another {
                db.execute(
                    "INSERT OR IGNORE INTO rename_declined (document_id, path) VALUES (?1, ?2)",
                    params![row, from],
                )?;
            }
            let mut threads = db.prepare_cached(
                "SELECT DISTINCT thread_id FROM thread_target WHERE document_id = ?1",
            )?;
            let threads = threads.query_map([row], |row| get(row, "thread_id"))?;
            Ok(Renaming {
                threads: threads.collect::<Result<_, _>>()?,
                counts: resolutions::counts(db, row)?,
            })
        })
        .await
    }

    /// The files that a person said this document did not become.
    pub async fn declined_renames(
        &self,
        workspace: &WorkspaceId,
        document: &str,
    ) -> Result<HashSet<String>, StoreError> {
        let (workspace, document) = (workspace.clone(), document.to_owned());
        self.read(move |db| {
            let mut declined = db.prepare_cached(
                "SELECT r.path FROM rename_declined AS r JOIN document AS d ON d.id = r.document_id
                 WHERE d.workspace_id = ?1 AND d.path = ?2",
            )?;
            let declined =
                declined.query_map(params![workspace.as_str(), document], |row| row.get(0))?;
            Ok(declined.collect::<Result<_, _>>()?)
        })
        .await
    }
}

fn has_places(db: &Connection, document: i64) -> Result<bool, StoreError> {
    Ok(db.query_row(
        "SELECT EXISTS (SELECT 1 FROM thread_target WHERE document_id = ?1)",
        [document],
        |row| row.get(0),
    )?)
}
