//! Places: a thread's anchored passages, from any of its workspace's documents.

use super::columns::{get, get_option, word};
use super::writer::Durability;
use super::{CheckedPlace, Store, StoreError, kept, resolutions, snapshots, threads, workspaces};
use rex_shared::ids::{MessageId, Millis, PlaceId, ThreadId, Version, WorkspaceId};
use rex_shared::wire::document::DocumentPlace;
use rex_shared::wire::place::{NewPlace, Place, PlaceState, Vanished};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use std::collections::HashMap;

/// A place as it stands now: its newest found resolution, else its anchor.
const SELECT: &str = r#"SELECT t.id, t.kind, t.state, t.message_id, t.replaces, t.gone_at, t.gone_in, t.said_gone_at, d.path,
    coalesce(r.start, t.start) AS start, coalesce(r."end", t."end") AS "end",
    coalesce(r.content_hash, t.snapshot) AS version, coalesce(r.quote, t.quote) AS quote
  FROM thread_target AS t
  JOIN document AS d ON d.id = t.document_id
  LEFT JOIN place_resolution AS r ON r.id = (
    SELECT max(x.id) FROM place_resolution AS x WHERE x.place_id = t.id AND x.start IS NOT NULL)"#;

impl Store {
    /// Adds pending places. A repeat with the same content is harmless.
    pub async fn add_places(
        &self,
        thread: &ThreadId,
        places: Vec<CheckedPlace>,
        now: Millis,
    ) -> Result<(), StoreError> {
        snapshots::keep_all(self, &places).await?;
        let thread = thread.clone();
        self.write(Durability::Kept, move |db| {
            let workspace =
                threads::find_workspace(db, &thread)?.ok_or(StoreError::UnknownThread)?;
            add_all(db, &workspace, &thread, &places, None, now)?;
            kept::activity(db, &thread, now)
        })
        .await
    }

    /// One place of this thread.
    pub async fn place(
        &self,
        thread: &ThreadId,
        place: &PlaceId,
    ) -> Result<Option<Place>, StoreError> {
        let (thread, place) = (thread.clone(), place.clone());
        self.read(move |db| of_id(db, &thread, &place)).await
    }

    /// Places of all threads in one document that nothing replaces, by thread number.
    pub async fn document_places(
        &self,
        workspace: &WorkspaceId,
        document: &str,
    ) -> Result<Vec<DocumentPlace>, StoreError> {
        let (workspace, document) = (workspace.clone(), document.to_owned());
        self.read(move |db| {
            let mut found = db.prepare_cached(&format!(
                "SELECT p.*, h.id AS thread_id, h.number, h.lane FROM ({SELECT}
                   WHERE d.workspace_id = ?1 AND d.path = ?2
                     AND NOT EXISTS (SELECT 1 FROM thread_target AS n WHERE n.replaces = t.id)) AS p
                 JOIN thread_target AS t ON t.id = p.id
                 JOIN thread AS h ON h.id = t.thread_id
                 ORDER BY h.number, t.ordinal"
            ))?;
            let found = found.query_map(params![workspace.as_str(), document], |row| {
                Ok(DocumentPlace {
                    thread_id: get(row, "thread_id")?,
                    number: row.get("number")?,
                    lane: get(row, "lane")?,
                    place: place_of(row)?,
                })
            })?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// For each document that has places: its threads that are not resolved.
    pub async fn document_counts(
        &self,
        workspace: &WorkspaceId,
    ) -> Result<HashMap<String, u32>, StoreError> {
        let workspace = workspace.clone();
        self.read(move |db| {
            let mut counts = db.prepare_cached(
                "SELECT d.path, count(DISTINCT h.id) FILTER (WHERE h.status = 'open')
                 FROM document AS d
                 JOIN thread_target AS t ON t.document_id = d.id
                 JOIN thread AS h ON h.id = t.thread_id
                 WHERE d.workspace_id = ?1 GROUP BY d.id",
            )?;
            let counts =
                counts.query_map([workspace.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(counts.collect::<Result<_, _>>()?)
        })
        .await
    }
}

/// Adds places that `message` brings, or that wait for one.
pub(super) fn add_all(
    db: &Connection,
    workspace: &WorkspaceId,
    thread: &ThreadId,
    places: &[CheckedPlace],
    message: Option<&MessageId>,
    now: Millis,
) -> Result<(), StoreError> {
    for place in places {
        add(db, workspace, thread, place, message, now)?;
    }
    kept::gone_places(db, thread)
}

/// Adds one place. A repeat with the same content is harmless.
pub(super) fn add(
    db: &Connection,
    workspace: &WorkspaceId,
    thread: &ThreadId,
    checked: &CheckedPlace,
    message: Option<&MessageId>,
    now: Millis,
) -> Result<(), StoreError> {
    let place = &checked.place;
    if let Some((owner, known)) = anchor(db, &place.place_id)? {
        return if owner == *thread && known == *place {
            Ok(())
        } else {
            Err(StoreError::IdReused("passage"))
        };
    }
    let document = workspaces::document_row(db, workspace, &place.document)?;
    let standing = &checked.standing;
    if let Some(version) = &standing.version {
        workspaces::first_version(db, document, version)?;
    }
    let gone_in = match standing.state {
        PlaceState::Gone => standing.version.as_ref().map(Version::as_str),
        _ => None,
    };
    db.prepare_cached(
        r#"INSERT INTO thread_target
           (id, thread_id, ordinal, document_id, kind, start, "end", snapshot, quote, state, message_id, created_at,
            gone_at, gone_in)
           SELECT ?1, ?2, 1 + coalesce(max(ordinal), -1), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13
           FROM thread_target WHERE thread_id = ?2"#,
    )?
    .execute(params![
        place.place_id.as_str(),
        thread.as_str(),
        document,
        word(&place.kind),
        place.start,
        place.end,
        place.version.as_str(),
        place.quote,
        word(&standing.state),
        message.map(MessageId::as_str),
        now.0,
        gone_in.map(|_| now.0),
        gone_in,
    ])?;
    // A place made on a proposal's text stands in it.
    db.prepare_cached(
        "INSERT INTO proposal_place (file_id, place_id)
         SELECT f.id, ?1 FROM proposal_file AS f
         JOIN proposal AS p ON p.id = f.proposal_id
         JOIN thread AS h ON h.id = p.thread_id
         WHERE f.new_hash = ?2 AND f.new_path = ?3 AND h.workspace_id = ?4",
    )?
    .execute(params![
        place.place_id.as_str(),
        place.version.as_str(),
        place.document,
        workspace.as_str(),
    ])?;
    resolutions::cache(db, &place.place_id, standing)
}

/// The thread and the anchor of a place.
pub(super) fn anchor(
    db: &Connection,
    place: &PlaceId,
) -> Result<Option<(ThreadId, NewPlace)>, StoreError> {
    Ok(db
        .prepare_cached(
            r#"SELECT t.id, t.thread_id, d.path, t.kind, t.start, t."end", t.snapshot, t.quote
               FROM thread_target AS t JOIN document AS d ON d.id = t.document_id WHERE t.id = ?1"#,
        )?
        .query_row([place.as_str()], |row| {
            let place = NewPlace {
                place_id: get(row, "id")?,
                document: row.get("path")?,
                kind: get(row, "kind")?,
                start: row.get("start")?,
                end: row.get("end")?,
                version: get(row, "snapshot")?,
                quote: row.get("quote")?,
            };
            Ok((get(row, "thread_id")?, place))
        })
        .optional()?)
}

/// A thread's places, in the order they were added, replaced ones too.
pub(super) fn of_thread(db: &Connection, thread: &ThreadId) -> Result<Vec<Place>, StoreError> {
    let mut found = db.prepare_cached(&format!(
        "{SELECT} WHERE t.thread_id = ?1 ORDER BY t.ordinal"
    ))?;
    let found = found.query_map([thread.as_str()], place_of)?;
    Ok(found.collect::<Result<_, _>>()?)
}

pub(super) fn of_id(
    db: &Connection,
    thread: &ThreadId,
    place: &PlaceId,
) -> Result<Option<Place>, StoreError> {
    Ok(db
        .prepare_cached(&format!("{SELECT} WHERE t.id = ?1 AND t.thread_id = ?2"))?
        .query_row(params![place.as_str(), thread.as_str()], place_of)
        .optional()?)
}

fn place_of(row: &Row<'_>) -> rusqlite::Result<Place> {
    let state = get(row, "state")?;
    Ok(Place {
        place_id: get(row, "id")?,
        document: row.get("path")?,
        kind: get(row, "kind")?,
        start: row.get("start")?,
        end: row.get("end")?,
        version: get(row, "version")?,
        quote: row.get("quote")?,
        state,
        message_id: get_option(row, "message_id")?,
        replaces: get_option(row, "replaces")?,
        vanished: match (state, row.get("gone_at")?, get_option(row, "gone_in")?) {
            (PlaceState::Gone, Some(at), Some(version)) => Some(Vanished {
                at: Millis(at),
                version,
                said_at: row.get::<_, Option<i64>>("said_gone_at")?.map(Millis),
            }),
            _ => None,
        },
    })
}
