//! Workspaces: the folders REX was opened on, and the documents in them that have comments.

use super::columns::{get, get_option};
use super::writer::Durability;
use super::{Store, StoreError, WorkspaceRecord};
use crate::fresh;
use rex_shared::ids::{Millis, PlaceId, Version, WorkspaceId};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

const SELECT: &str = "SELECT id, root, unenforced_accepted, opened_at FROM workspace";

impl Store {
    /// The workspace at this canonical path; made when there is none.
    pub async fn open_workspace(
        &self,
        root: &str,
        now: Millis,
    ) -> Result<WorkspaceRecord, StoreError> {
        let root = root.to_owned();
        self.write(Durability::Kept, move |db| {
            let id: WorkspaceId = fresh::id();
            let record = db.query_row(
                "INSERT INTO workspace (id, root, created_at, opened_at) VALUES (?1, ?2, ?3, ?3)
                 ON CONFLICT (root) DO UPDATE SET opened_at = excluded.opened_at
                 RETURNING id, root, unenforced_accepted, opened_at",
                params![id.as_str(), root, now.0],
                record_of,
            )?;
            Ok(record)
        })
        .await
    }

    /// All workspaces, the last opened first.
    pub async fn workspaces(&self) -> Result<Vec<WorkspaceRecord>, StoreError> {
        self.read(|db| {
            let mut found = db.prepare_cached(&format!("{SELECT} ORDER BY opened_at DESC, id"))?;
            let records = found.query_map([], record_of)?;
            Ok(records.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// One workspace.
    pub async fn workspace(
        &self,
        workspace: &WorkspaceId,
    ) -> Result<Option<WorkspaceRecord>, StoreError> {
        let workspace = workspace.clone();
        self.read(move |db| {
            Ok(db
                .prepare_cached(&format!("{SELECT} WHERE id = ?1"))?
                .query_row([workspace.as_str()], record_of)
                .optional()?)
        })
        .await
    }

    /// The version that a document's places were last found in.
    pub async fn document_version(
        &self,
        workspace: &WorkspaceId,
        document: &str,
    ) -> Result<Option<Version>, StoreError> {
        let (workspace, document) = (workspace.clone(), document.to_owned());
        self.read(move |db| {
            Ok(db
                .prepare_cached(
                    "SELECT version FROM document WHERE workspace_id = ?1 AND path = ?2",
                )?
                .query_row(params![workspace.as_str(), document], |row| {
                    get_option(row, "version")
                })
                .optional()?
                .flatten())
        })
        .await
    }

    /// The person said go on without an enforced sandbox here.
    pub async fn accept_unenforced(&self, workspace: &WorkspaceId) -> Result<(), StoreError> {
        let workspace = workspace.clone();
        self.write(Durability::Kept, move |db| {
            let changed = db.execute(
                "UPDATE workspace SET unenforced_accepted = 1 WHERE id = ?1",
                [workspace.as_str()],
            )?;
            if changed == 0 {
                return Err(StoreError::UnknownWorkspace);
            }
            Ok(())
        })
        .await
    }
}

fn record_of(row: &Row<'_>) -> rusqlite::Result<WorkspaceRecord> {
    Ok(WorkspaceRecord {
        workspace_id: get(row, "id")?,
        root: row.get("root")?,
        unenforced_accepted: row.get("unenforced_accepted")?,
        opened_at: Millis(row.get("opened_at")?),
    })
}

/// The row of a document; made when this is the first place in it.
pub(super) fn document_row(
    db: &Connection,
    workspace: &WorkspaceId,
    path: &str,
) -> Result<i64, StoreError> {
    db.prepare_cached(
        "INSERT INTO document (workspace_id, path) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
    )?
    .execute(params![workspace.as_str(), path])?;
    find_document(db, workspace, path)?.ok_or(StoreError::UnknownWorkspace)
}

/// The row of a document, if a place is or was in it.
pub(super) fn find_document(
    db: &Connection,
    workspace: &WorkspaceId,
    path: &str,
) -> Result<Option<i64>, StoreError> {
    Ok(db
        .prepare_cached("SELECT id FROM document WHERE workspace_id = ?1 AND path = ?2")?
        .query_row(params![workspace.as_str(), path], |row| row.get(0))
        .optional()?)
}

/// Notes the version in which a document's only place is found; what follows is recorded as changes.
pub(super) fn first_version(
    db: &Connection,
    document: i64,
    version: &Version,
) -> Result<(), StoreError> {
    db.prepare_cached(
        "UPDATE document SET version = ?2 WHERE id = ?1 AND (
           version IS NULL OR NOT EXISTS (SELECT 1 FROM thread_target WHERE document_id = ?1))",
    )?
    .execute(params![document, version.as_str()])?;
    Ok(())
}

/// The version that a place's document was last resolved in.
pub(super) fn version_of(db: &Connection, place: &PlaceId) -> Result<Option<Version>, StoreError> {
    Ok(db
        .prepare_cached(
            "SELECT d.version FROM document AS d JOIN thread_target AS t ON t.document_id = d.id
             WHERE t.id = ?1",
        )?
        .query_row([place.as_str()], |row| get_option(row, "version"))
        .optional()?
        .flatten())
}
