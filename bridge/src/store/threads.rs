//! Threads: made as a draft or a note, read whole, changed by the person.

use super::columns::{get, get_option, word};
use super::entries::{self, NewRow};
use super::writer::Durability;
use super::{CheckedPlace, Store, StoreError, conversation, kept, places, rows, snapshots};
use crate::fresh;
use rex_shared::ids::{GatewayId, Millis, Sdk, ThreadId, WorkspaceId};
use rex_shared::transcript::EntryKind;
use rex_shared::wire::message::{Mode, Role};
use rex_shared::wire::place::NewPlace;
use rex_shared::wire::thread::{Draft, NewThread, Thread};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

impl Store {
    /// Makes a draft or a note. A repeat with the same body is harmless; with another it is [`StoreError::IdReused`].
    /// `new.places` are not read: `places` are the checked ones.
    pub async fn create_thread(
        &self,
        workspace: &WorkspaceId,
        new: NewThread,
        places: Vec<CheckedPlace>,
        now: Millis,
    ) -> Result<(), StoreError> {
        snapshots::keep_all(self, &places).await?;
        let workspace = workspace.clone();
        self.write(Durability::Kept, move |db| {
            let request = request_hash(&workspace, &new, &places)?;
            let made_from: Option<Option<[u8; 32]>> = db
                .prepare_cached("SELECT created_from FROM thread WHERE id = ?1")?
                .query_row([new.thread_id.as_str()], |row| row.get(0))
                .optional()?;
            match made_from {
                Some(Some(made_from)) if made_from == request => return Ok(()),
                Some(_) => return Err(StoreError::IdReused("comment")),
                None => insert(db, &workspace, &new.thread_id, Some(request), now)?,
            }
            db.execute(
                "UPDATE thread SET is_note = ?2, note = ?3 WHERE id = ?1",
                params![new.thread_id.as_str(), new.is_note, written(new.note)],
            )?;
            places::add_all(db, &workspace, &new.thread_id, &places, None, now)?;
            kept::title(db, &new.thread_id)
        })
        .await
    }

    /// One thread whole; `busy` and `asks_you` are false: the live table knows them.
    pub async fn thread(&self, thread: &ThreadId) -> Result<Option<Thread>, StoreError> {
        let thread = thread.clone();
        self.read(move |db| {
            let Some((workspace_id, row)) = rows::row(db, &thread)? else {
                return Ok(None);
            };
            let (note, draft) = db
                .prepare_cached(
                    "SELECT note, draft_text, draft_mode, draft_sdk, draft_gateway, draft_model
                     FROM thread WHERE id = ?1",
                )?
                .query_row([thread.as_str()], |row| {
                    Ok((row.get("note")?, draft_of(row)?))
                })?;
            Ok(Some(Thread {
                row,
                workspace_id,
                places: places::of_thread(db, &thread)?,
                note,
                draft,
                permission_mode: conversation::stored_mode(db, &thread)?,
            }))
        })
        .await
    }

    /// The thread's workspace.
    pub async fn workspace_of(&self, thread: &ThreadId) -> Result<Option<WorkspaceId>, StoreError> {
        let thread = thread.clone();
        self.read(move |db| find_workspace(db, &thread)).await
    }
}

/// What stands in the composer from now on.
pub(super) fn set_draft(
    db: &Connection,
    thread: &ThreadId,
    draft: &Draft,
) -> Result<(), StoreError> {
    db.prepare_cached(
        "UPDATE thread SET draft_text = ?2, draft_mode = ?3, draft_sdk = ?4, draft_gateway = ?5,
           draft_model = ?6 WHERE id = ?1",
    )?
    .execute(params![
        thread.as_str(),
        draft.text,
        draft.mode.as_ref().map(word),
        draft.sdk.as_ref().map(Sdk::as_str),
        draft.gateway.as_ref().map(GatewayId::as_str),
        draft.model,
    ])?;
    Ok(())
}

pub(super) fn draft_of(row: &Row<'_>) -> rusqlite::Result<Draft> {
    Ok(Draft {
        text: row.get("draft_text")?,
        mode: get_option(row, "draft_mode")?,
        sdk: get_option(row, "draft_sdk")?,
        gateway: get_option(row, "draft_gateway")?,
        model: row.get("draft_model")?,
    })
}

/// Records the mode of the next send as an entry of the conversation, if it differs from the one in force.
pub(super) fn record_mode(
    db: &Connection,
    thread: &ThreadId,
    mode: Mode,
    now: Millis,
) -> Result<(), StoreError> {
    if conversation::stored_mode(db, thread)? == mode {
        return Ok(());
    }
    let sdk = Sdk::parse(entries::OURSELVES).map_err(|_| StoreError::UnknownThread)?;
    entries::insert(
        db,
        &NewRow {
            entry_id: &fresh::id(),
            thread_id: thread,
            seq: Some(kept::next_seq(db, thread)?),
            message_id: &fresh::id(),
            opens: false,
            role: Role::User,
            body: &EntryKind::Notice {
                name: entries::MODE_CHANGE.to_owned(),
                detail: serde_json::json!({ "mode": mode }),
            },
            run_id: None,
            mode,
            sdk: &sdk,
            gateway: &GatewayId::default_gateway(),
            model: None,
            version: None,
            created_at: now,
        },
    )
}

/// Makes an empty thread with the workspace's next number.
pub(super) fn insert(
    db: &Connection,
    workspace: &WorkspaceId,
    thread: &ThreadId,
    created_from: Option<[u8; 32]>,
    now: Millis,
) -> Result<(), StoreError> {
    let number: i64 = db
        .prepare_cached(
            "UPDATE workspace SET next_number = next_number + 1 WHERE id = ?1 RETURNING next_number - 1",
        )?
        .query_row([workspace.as_str()], |row| row.get(0))
        .optional()?
        .ok_or(StoreError::UnknownWorkspace)?;
    db.prepare_cached(
        "INSERT INTO thread (id, workspace_id, number, created_at, created_from, last_activity_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?4)",
    )?
    .execute(params![
        thread.as_str(),
        workspace.as_str(),
        number,
        now.0,
        created_from
    ])?;
    Ok(())
}

pub(super) fn find_workspace(
    db: &Connection,
    thread: &ThreadId,
) -> Result<Option<WorkspaceId>, StoreError> {
    Ok(db
        .prepare_cached("SELECT workspace_id FROM thread WHERE id = ?1")?
        .query_row([thread.as_str()], |row| get(row, "workspace_id"))
        .optional()?)
}

fn request_hash(
    workspace: &WorkspaceId,
    new: &NewThread,
    places: &[CheckedPlace],
) -> Result<[u8; 32], StoreError> {
    let places: Vec<&NewPlace> = places.iter().map(|checked| &checked.place).collect();
    let body = super::columns::json(&(workspace, &new.note, new.is_note, places))?;
    Ok(blake3::hash(body.as_bytes()).into())
}

/// A text that says something.
pub(super) fn written(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}
