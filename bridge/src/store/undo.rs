//! Undo: what an act removed is kept row by row for 24 hours, and put back only into a world that still fits.

use super::columns::json;
use super::writer::Durability;
use super::{Store, StoreError, kept, threads};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rex_shared::ids::{Millis, PlaceId, ThreadId, WorkspaceId};
use rex_shared::wire::thread::Undo;
use rusqlite::types::{Value as Cell, ValueRef};
use rusqlite::{Connection, ErrorCode, OptionalExtension as _, params, params_from_iter};
use serde_json::{Map, Value, json as value};

/// How long an act can be taken back.
const KEPT_MS: i64 = 24 * 60 * 60 * 1000;

/// Where the rows of a thread stand, in the order that puts them back.
const THREAD_ROWS: &[(&str, &str)] = &[
    ("thread", "id = ?1"),
    ("run", "thread_id = ?1"),
    ("message", "thread_id = ?1"),
    ("dialog", "thread_id = ?1"),
    ("thread_target", "thread_id = ?1"),
    (
        "place_resolution",
        "place_id IN (SELECT id FROM thread_target WHERE thread_id = ?1)",
    ),
    (
        "place_offer",
        "place_id IN (SELECT id FROM thread_target WHERE thread_id = ?1)",
    ),
    ("thread_session", "thread_id = ?1"),
    ("proposal", "thread_id = ?1"),
    (
        "proposal_file",
        "proposal_id IN (SELECT id FROM proposal WHERE thread_id = ?1)",
    ),
    (
        "proposal_hunk",
        "file_id IN (SELECT f.id FROM proposal_file AS f JOIN proposal AS p ON p.id = f.proposal_id
           WHERE p.thread_id = ?1)",
    ),
    (
        "proposal_place",
        "file_id IN (SELECT f.id FROM proposal_file AS f JOIN proposal AS p ON p.id = f.proposal_id
           WHERE p.thread_id = ?1)",
    ),
    (
        "file_act",
        "proposal_id IN (SELECT id FROM proposal WHERE thread_id = ?1)",
    ),
    (
        "file_write",
        "act_id IN (SELECT a.id FROM file_act AS a JOIN proposal AS p ON p.id = a.proposal_id
           WHERE p.thread_id = ?1)",
    ),
    (
        "file_act_hunk",
        "act_id IN (SELECT a.id FROM file_act AS a JOIN proposal AS p ON p.id = a.proposal_id
           WHERE p.thread_id = ?1)",
    ),
];
const PLACE_ROWS: &[(&str, &str)] = &[
    ("thread_target", "id = ?1"),
    ("place_resolution", "place_id = ?1"),
    ("place_offer", "place_id = ?1"),
    ("proposal_place", "place_id = ?1"),
];

impl Store {
    /// Deletes a thread with all that belongs to it; it can be taken back for 24 hours. Not while a run is going on.
    pub async fn delete_thread(&self, thread: &ThreadId, now: Millis) -> Result<Undo, StoreError> {
        let thread = thread.clone();
        self.write(Durability::Kept, move |db| {
            let workspace =
                threads::find_workspace(db, &thread)?.ok_or(StoreError::UnknownThread)?;
            let going: bool = db.query_row(
                "SELECT EXISTS (SELECT 1 FROM run WHERE thread_id = ?1 AND state = 'running')",
                [thread.as_str()],
                |row| row.get(0),
            )?;
            if going {
                return Err(StoreError::RunGoing);
            }
            let undo = keep(db, "deleteThread", &workspace, &thread, now)?;
            keep_rows(db, &undo, THREAD_ROWS, thread.as_str())?;
            db.execute("DELETE FROM thread WHERE id = ?1", [thread.as_str()])?;
            Ok(undo)
        })
        .await
    }

    /// Takes a place away; it can be taken back for 24 hours.
    pub async fn remove_place(
        &self,
        thread: &ThreadId,
        place: &PlaceId,
        now: Millis,
    ) -> Result<Undo, StoreError> {
        let (thread, place) = (thread.clone(), place.clone());
        self.write(Durability::Kept, move |db| {
            let workspace =
                threads::find_workspace(db, &thread)?.ok_or(StoreError::UnknownThread)?;
            let undo = keep(db, "removePlace", &workspace, &thread, now)?;
            keep_rows(db, &undo, PLACE_ROWS, place.as_str())?;
            let removed = db.execute(
                "DELETE FROM thread_target WHERE id = ?1 AND thread_id = ?2",
                params![place.as_str(), thread.as_str()],
            )?;
            if removed == 0 {
                return Err(StoreError::UnknownPlace);
            }
            kept::gone_places(db, &thread)?;
            kept::activity(db, &thread, now)?;
            Ok(undo)
        })
        .await
    }

    /// Takes an act back, and names the thread it was about.
    pub async fn undo(&self, undo_id: &str, now: Millis) -> Result<ThreadId, StoreError> {
        let undo_id = undo_id.to_owned();
        self.write(Durability::Kept, move |db| {
            let known: Option<ThreadId> = db
                .query_row(
                    "SELECT thread_id FROM undo WHERE id = ?1 AND created_at > ?2",
                    params![undo_id, now.0 - KEPT_MS],
                    |row| super::columns::get(row, "thread_id"),
                )
                .optional()?;
            let Some(thread) = known else {
                return Err(StoreError::MovedOn(
                    "this was taken back already, or it is over 24 hours old".to_owned(),
                ));
            };
            put_back(db, &undo_id)?;
            db.execute("DELETE FROM undo WHERE id = ?1", [undo_id])?;
            kept::gone_places(db, &thread)?;
            Ok(thread)
        })
        .await
    }
}

/// Lets go of what can no longer be taken back.
pub(super) fn forget_old(db: &Connection, now: Millis) -> Result<(), StoreError> {
    db.execute("DELETE FROM undo WHERE created_at <= ?1", [now.0 - KEPT_MS])?;
    Ok(())
}

fn keep(
    db: &Connection,
    act: &str,
    workspace: &WorkspaceId,
    thread: &ThreadId,
    now: Millis,
) -> Result<Undo, StoreError> {
    forget_old(db, now)?;
    let undo_id = uuid::Uuid::now_v7().to_string();
    db.execute(
        "INSERT INTO undo (id, act, workspace_id, thread_id, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![undo_id, act, workspace.as_str(), thread.as_str(), now.0],
    )?;
    Ok(Undo { undo_id })
}

fn keep_rows(
    db: &Connection,
    undo: &Undo,
    tables: &[(&str, &str)],
    id: &str,
) -> Result<(), StoreError> {
    let mut ordinal = 0;
    for (table, condition) in tables {
        let columns = columns_of(db, table)?;
        let list = quoted(&columns);
        let mut rows = db.prepare(&format!(
            "SELECT {list} FROM {table} WHERE {condition} ORDER BY 1"
        ))?;
        let mut rows = rows.query([id])?;
        while let Some(row) = rows.next()? {
            let mut content = Map::new();
            for (at, column) in columns.iter().enumerate() {
                content.insert(column.clone(), to_json(row.get_ref(at)?));
            }
            db.prepare_cached(
                "INSERT INTO removed_row (undo_id, ordinal, from_table, content) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![undo.undo_id, ordinal, table, json(&content)?])?;
            ordinal += 1;
        }
    }
    Ok(())
}

fn put_back(db: &Connection, undo_id: &str) -> Result<(), StoreError> {
    let mut rows = db.prepare(
        "SELECT from_table, content FROM removed_row WHERE undo_id = ?1 ORDER BY ordinal",
    )?;
    let mut rows = rows.query([undo_id])?;
    while let Some(row) = rows.next()? {
        let (table, content): (String, String) = (row.get(0)?, row.get(1)?);
        let mut content: Map<String, Value> =
            serde_json::from_str(&content).map_err(|_| moved_on())?;
        if table == "thread_session" && !still_there(db, "agent_gateway", &content["gateway_id"])? {
            // Only a cache: without it the next turn is told the conversation again.
            continue;
        }
        if table == "thread" && !still_there(db, "thread_group", &content["group_id"])? {
            content["group_id"] = Value::Null;
        }
        let mut columns = columns_of(db, &table)?;
        columns.retain(|column| content.contains_key(column));
        let cells = columns.iter().map(|column| to_cell(&content[column]));
        let marks = vec!["?"; columns.len()].join(", ");
        let list = quoted(&columns);
        db.prepare_cached(&format!("INSERT INTO {table} ({list}) VALUES ({marks})"))?
            .execute(params_from_iter(cells))
            .map_err(|error| match error.sqlite_error_code() {
                Some(ErrorCode::ConstraintViolation) => moved_on(),
                _ => error.into(),
            })?;
    }
    Ok(())
}

fn moved_on() -> StoreError {
    StoreError::MovedOn("what it belongs to has changed meanwhile".to_owned())
}

fn still_there(db: &Connection, table: &str, id: &Value) -> Result<bool, StoreError> {
    Ok(db.query_row(
        &format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE id = ?1)"),
        [id.as_str()],
        |row| row.get(0),
    )?)
}

/// The stored columns of a table: generated ones make themselves.
fn columns_of(db: &Connection, table: &str) -> Result<Vec<String>, StoreError> {
    let mut columns = db.prepare_cached("SELECT name FROM pragma_table_info(?1)")?;
    let columns = columns.query_map([table], |row| row.get(0))?;
    Ok(columns.collect::<Result<_, _>>()?)
}

fn quoted(columns: &[String]) -> String {
    let columns: Vec<String> = columns.iter().map(|name| format!("\"{name}\"")).collect();
    columns.join(", ")
}

fn to_json(cell: ValueRef<'_>) -> Value {
    match cell {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => value!(number),
        ValueRef::Real(number) => value!(number),
        ValueRef::Text(text) => value!(String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) => value!({ "base64": BASE64.encode(bytes) }),
    }
}

fn to_cell(value: &Value) -> Cell {
    match value {
        Value::String(text) => Cell::Text(text.clone()),
        Value::Number(number) => match number.as_i64() {
            Some(number) => Cell::Integer(number),
            None => Cell::Real(number.as_f64().unwrap_or_default()),
        },
        Value::Object(bytes) => {
            let bytes = bytes.get("base64").and_then(Value::as_str);
            Cell::Blob(BASE64.decode(bytes.unwrap_or_default()).unwrap_or_default())
        }
        Value::Bool(_) | Value::Array(_) | Value::Null => Cell::Null,
    }
}
