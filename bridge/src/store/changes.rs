//! Changes: one version of a document followed another, and what that did to its places.
//!
//! A change is the pair and its counts. What became of each place is read from the standings that are cached for both
//! versions, whose texts are kept as long as the change is.

use super::columns::get;
use super::{ChangeRecord, ChangedPlace, Store, StoreError, resolutions, steps};
use crate::fresh;
use rex_shared::ids::{ChangeId, Millis, Version, WorkspaceId};
use rex_shared::wire::change::{Change, Outcomes};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

/// Changes of a document that are kept, the newest.
pub(super) const KEPT: u32 = 20;

const SELECT: &str =
    "SELECT c.*, d.path FROM document_change AS c JOIN document AS d ON d.id = c.document_id";

impl Store {
    /// The newest changes of a document, the last one first.
    pub async fn changes(
        &self,
        workspace: &WorkspaceId,
        document: &str,
    ) -> Result<Vec<Change>, StoreError> {
        let (workspace, document) = (workspace.clone(), document.to_owned());
        self.read(move |db| {
            let mut found = db.prepare_cached(&format!(
                "{SELECT} WHERE d.workspace_id = ?1 AND d.path = ?2 ORDER BY c.rowid DESC LIMIT ?3"
            ))?;
            let found = found.query_map(params![workspace.as_str(), document, KEPT], change_of)?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// One change with the places that are known in both of its versions and that nothing replaces.
    pub async fn change(&self, change: &ChangeId) -> Result<Option<ChangeRecord>, StoreError> {
        let change = change.clone();
        self.read(move |db| {
            let found = db
                .prepare_cached(&format!("{SELECT} WHERE c.id = ?1"))?
                .query_row([change.as_str()], |row| {
                    Ok((row.get::<_, i64>("document_id")?, change_of(row)?))
                })
                .optional()?;
            let Some((document, change)) = found else {
                return Ok(None);
            };
            let places = places(db, document, &change)?;
            Ok(Some(ChangeRecord { change, places }))
        })
        .await
    }
}

/// Records that `after` followed `before`, and lets go of the changes that are too many.
pub(super) fn record(
    db: &Connection,
    document: (i64, &str),
    (before, after): (Version, Version),
    outcomes: Outcomes,
    at: Millis,
) -> Result<Change, StoreError> {
    let (row, path) = document;
    let change = Change {
        change_id: fresh::id(),
        document: path.to_owned(),
        before,
        after,
        at,
        outcomes,
    };
    db.prepare_cached(
        "INSERT INTO document_change
           (id, document_id, before_hash, after_hash, at, same, moved, changed, gone, back)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        change.change_id.as_str(),
        row,
        change.before.as_str(),
        change.after.as_str(),
        at.0,
        outcomes.same,
        outcomes.moved,
        outcomes.changed,
        outcomes.gone,
        outcomes.back,
    ])?;
    steps::let_go(db, row)?;
    Ok(change)
}

fn places(
    db: &Connection,
    document: i64,
    change: &Change,
) -> Result<Vec<ChangedPlace>, StoreError> {
    let mut found = db.prepare_cached(
        r#"SELECT t.id, t.thread_id, t.kind, t.start, t."end", t.snapshot, t.quote, t.said_gone_at,
             h.number, h.lane
           FROM thread_target AS t JOIN thread AS h ON h.id = t.thread_id
           WHERE t.document_id = ?1
             AND NOT EXISTS (SELECT 1 FROM thread_target AS n WHERE n.replaces = t.id)"#,
    )?;
    let mut found = found.query([document])?;
    let mut places = Vec::new();
    while let Some(row) = found.next()? {
        let place_id = get(row, "id")?;
        let (Some(before), Some(after)) = (
            resolutions::cached(db, &place_id, &change.before)?,
            resolutions::cached(db, &place_id, &change.after)?,
        ) else {
            continue;
        };
        places.push(ChangedPlace {
            place_id,
            thread_id: get(row, "thread_id")?,
            number: row.get("number")?,
            lane: get(row, "lane")?,
            kind: get(row, "kind")?,
            start: row.get("start")?,
            end: row.get("end")?,
            origin: get(row, "snapshot")?,
            quote: row.get("quote")?,
            said_gone: row.get::<_, Option<i64>>("said_gone_at")?.is_some(),
            before,
            after,
        });
    }
    Ok(places)
}

fn change_of(row: &Row<'_>) -> rusqlite::Result<Change> {
    Ok(Change {
        change_id: get(row, "id")?,
        document: row.get("path")?,
        before: get(row, "before_hash")?,
        after: get(row, "after_hash")?,
        at: Millis(row.get("at")?),
        outcomes: Outcomes {
            same: row.get("same")?,
            moved: row.get("moved")?,
            changed: row.get("changed")?,
            gone: row.get("gone")?,
            back: row.get("back")?,
        },
    })
}
