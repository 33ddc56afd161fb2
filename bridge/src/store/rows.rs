//! Rows of the rail: one indexed row per thread, and its places by theirs. Never a look at a message.

use super::columns::{get, get_option, word};
use super::{Store, StoreError, workspaces};
use rex_shared::ids::{Millis, ThreadId, WorkspaceId};
use rex_shared::lane::Lane;
use rex_shared::wire::thread::{RowPlace, ThreadRow};
use rex_shared::wire::workspace::LaneCounts;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

/// Rows of one answer unless asked otherwise, and the most there can be.
const USUAL: u32 = 50;
const MOST: u32 = 200;

const COLUMNS: &str =
    "workspace_id, id, number, title, name, is_note, status, lane, last_activity_at,
  message_count, last_reply_seq > read_seq AS unread, last_run, group_id, position";

/// Which rows of the rail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowQuery {
    /// Of which workspace.
    pub workspace_id: WorkspaceId,
    /// Only of this lane.
    pub lane: Option<Lane>,
    /// Only with a place in this document.
    pub document: Option<String>,
    /// At most so many; 0 is the usual 50, and never more than 200.
    pub limit: u32,
    /// Only those that come after this thread.
    pub after: Option<ThreadId>,
}

/// `busy` and `asks_you` of a row are false here: the live table knows them.
impl Store {
    /// Rows, newest activity first.
    pub async fn rows(&self, query: RowQuery) -> Result<Vec<ThreadRow>, StoreError> {
        self.read(move |db| rows(db, &query)).await
    }

    /// One row and the workspace it belongs to.
    pub async fn row(
        &self,
        thread: &ThreadId,
    ) -> Result<Option<(WorkspaceId, ThreadRow)>, StoreError> {
        let thread = thread.clone();
        self.read(move |db| row(db, &thread)).await
    }

    /// Threads in each lane.
    pub async fn lane_counts(&self, workspace: &WorkspaceId) -> Result<LaneCounts, StoreError> {
        let workspace = workspace.clone();
        self.read(move |db| {
            let mut counts = LaneCounts::default();
            let mut lanes = db.prepare_cached(COUNTS)?;
            let mut lanes = lanes.query([workspace.as_str()])?;
            while let Some(lane) = lanes.next()? {
                let count = lane.get("threads")?;
                match get(lane, "lane")? {
                    Lane::Draft => counts.draft = count,
                    Lane::Note => counts.note = count,
                    Lane::Open => counts.open = count,
                    Lane::Gone => counts.gone = count,
                    Lane::Resolved => counts.resolved = count,
                }
            }
            Ok(counts)
        })
        .await
    }
}

pub(super) const COUNTS: &str =
    "SELECT lane, count(*) AS threads FROM thread WHERE workspace_id = ?1 GROUP BY lane";

fn rows(db: &Connection, query: &RowQuery) -> Result<Vec<ThreadRow>, StoreError> {
    if let Some(after) = &query.after {
        // A cursor that is gone would silently give an empty page.
        row(db, after)?.ok_or(StoreError::UnknownThread)?;
    }
    let document = match &query.document {
        Some(path) => match workspaces::find_document(db, &query.workspace_id, path)? {
            Some(document) => Some(document),
            None => return Ok(Vec::new()),
        },
        None => None,
    };
    let limit = match query.limit {
        0 => USUAL,
        asked => asked.min(MOST),
    };
    let mut statement = db.prepare_cached(&select(query))?;
    let found = statement.query_map(
        params![
            query.workspace_id.as_str(),
            query.lane.as_ref().map(word),
            document,
            query.after.as_ref().map(ThreadId::as_str),
            limit
        ],
        row_of,
    )?;
    let mut rows = Vec::new();
    for found in found {
        let (_, mut row) = found?;
        row.places = places(db, &row.thread_id)?;
        rows.push(row);
    }
    Ok(rows)
}

/// The statement for a query; `?1` to `?5` are workspace, lane, document, cursor and limit. All five stand in every
/// variant, so that they are bound in one way.
pub(super) fn select(query: &RowQuery) -> String {
    let mut conditions = String::from("workspace_id = ?1 AND ?2 IS ?2 AND ?3 IS ?3 AND ?4 IS ?4");
    if query.lane.is_some() {
        conditions.push_str(" AND lane = ?2");
    }
    if query.document.is_some() {
        conditions
            .push_str(" AND id IN (SELECT thread_id FROM thread_target WHERE document_id = ?3)");
    }
    if query.after.is_some() {
        conditions.push_str(
            " AND (last_activity_at, id) < (SELECT last_activity_at, id FROM thread WHERE id = ?4)",
        );
    }
    format!(
        "SELECT {COLUMNS} FROM thread WHERE {conditions} ORDER BY last_activity_at DESC, id DESC LIMIT ?5"
    )
}

/// One row and the workspace it belongs to.
pub(super) fn row(
    db: &Connection,
    thread: &ThreadId,
) -> Result<Option<(WorkspaceId, ThreadRow)>, StoreError> {
    let found = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM thread WHERE id = ?1"))?
        .query_row([thread.as_str()], row_of)
        .optional()?;
    let Some((workspace, mut row)) = found else {
        return Ok(None);
    };
    row.places = places(db, thread)?;
    Ok(Some((workspace, row)))
}

fn row_of(row: &Row<'_>) -> rusqlite::Result<(WorkspaceId, ThreadRow)> {
    Ok((
        get(row, "workspace_id")?,
        ThreadRow {
            thread_id: get(row, "id")?,
            number: row.get("number")?,
            title: row.get("title")?,
            name: row.get("name")?,
            is_note: row.get("is_note")?,
            status: get(row, "status")?,
            lane: get(row, "lane")?,
            last_activity_at: Millis(row.get("last_activity_at")?),
            message_count: row.get("message_count")?,
            busy: false,
            asks_you: false,
            unread: row.get("unread")?,
            last_run: get_option(row, "last_run")?,
            places: Vec::new(),
            group_id: get_option(row, "group_id")?,
            position: row.get("position")?,
        },
    ))
}

/// The places of a row: those that nothing replaces, in the order they were added. A quote can be as long as a chapter.
pub(super) const PLACES: &str = "SELECT t.id, d.path, substr(t.quote, 1, 300) AS quote, t.state
  FROM thread_target AS t JOIN document AS d ON d.id = t.document_id
  WHERE t.thread_id = ?1 AND NOT EXISTS (SELECT 1 FROM thread_target AS n WHERE n.replaces = t.id)
  ORDER BY t.ordinal";

fn places(db: &Connection, thread: &ThreadId) -> Result<Vec<RowPlace>, StoreError> {
    let mut places = db.prepare_cached(PLACES)?;
    let places = places.query_map([thread.as_str()], |row| {
        Ok(RowPlace {
            place_id: get(row, "id")?,
            document: row.get("path")?,
            quote: row.get("quote")?,
            state: get(row, "state")?,
        })
    })?;
    Ok(places.collect::<Result<_, _>>()?)
}
