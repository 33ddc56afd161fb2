//! Prompts: what the person sends, stored whole before a process is started for it.

use super::columns::word;
use super::entries::{self, NewRow};
use super::runs;
use super::writer::Durability;
use super::{Begun, NewRun, Store, StoreError, kept, places, queue, snapshots, threads};
use crate::fresh;
use rex_shared::ids::{MessageId, Millis, PlaceId, ThreadId, Version};
use rex_shared::transcript::{EntryKind, RunRecord, RunState};
use rex_shared::wire::message::Role;
use rex_shared::wire::thread::{Draft, ThreadStatus};
use rusqlite::{Connection, OptionalExtension as _, params};

impl Store {
    /// Stores a prompt, before anything is started for it, in one transaction: makes the thread when there is none,
    /// keeps the message, gives it the thread's pending places and its own, clears the composer, and makes the run:
    /// `running`, or `queued` behind another one. The same prompt again gives the same run and writes nothing.
    pub async fn begin_run(&self, new: NewRun, now: Millis) -> Result<Begun, StoreError> {
        snapshots::keep_all(self, &new.places).await?;
        self.write(Durability::Kept, move |db| begin(db, &new, now))
            .await
    }
}

pub(super) fn begin(db: &Connection, new: &NewRun, now: Millis) -> Result<Begun, StoreError> {
    let (thread, message) = (&new.thread_id, &new.prompt.message_id);
    let hash = prompt_hash(new)?;
    if let Some(run) = stored_before(db, new, hash)? {
        return Ok(Begun {
            run,
            again: true,
            created: false,
        });
    }
    let workspace = threads::find_workspace(db, thread)?;
    let created = workspace.is_none();
    let workspace = match workspace {
        Some(workspace) => {
            check_open(db, thread)?;
            workspace
        }
        None => {
            threads::insert(db, &new.workspace_id, thread, None, now)?;
            new.workspace_id.clone()
        }
    };
    let state = next_state(db, thread)?;
    insert_run(db, new, hash, state, now)?;
    db.execute(
        "UPDATE thread_target SET message_id = ?2 WHERE thread_id = ?1 AND message_id IS NULL",
        params![thread.as_str(), message.as_str()],
    )?;
    places::add_all(db, &workspace, thread, &new.places, Some(message), now)?;
    insert_message(db, new, now)?;
    db.execute(
        "UPDATE thread SET sent_at = coalesce(sent_at, ?2) WHERE id = ?1",
        params![thread.as_str(), now.0],
    )?;
    threads::set_draft(db, thread, &Draft::default())?;
    let (run, _) = runs::find(db, &new.run_id)?;
    if state == RunState::Running {
        queue::place_in_order(db, thread, &run, now)?;
    }
    kept::title(db, thread)?;
    kept::activity(db, thread, now)?;
    Ok(Begun {
        run,
        again: false,
        created,
    })
}

/// The run of this very prompt, when it was stored before.
fn stored_before(
    db: &Connection,
    new: &NewRun,
    hash: [u8; 32],
) -> Result<Option<RunRecord>, StoreError> {
    let message = new.prompt.message_id.as_str();
    let known: Option<(String, [u8; 32])> = db
        .prepare_cached("SELECT thread_id, prompt_hash FROM run WHERE message_id = ?1 LIMIT 1")?
        .query_row([message], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    match known {
        Some((thread, sent)) if thread == new.thread_id.as_str() && sent == hash => Ok(
            runs::of_message(db, &new.thread_id, &new.prompt.message_id)?
                .into_iter()
                .next(),
        ),
        Some(_) => Err(StoreError::IdReused("message")),
        None => {
            let taken: bool = db.query_row(
                "SELECT EXISTS (SELECT 1 FROM message WHERE message_id = ?1)
                     OR EXISTS (SELECT 1 FROM run WHERE reply_id = ?1)",
                [message],
                |row| row.get(0),
            )?;
            if taken {
                return Err(StoreError::IdReused("message"));
            }
            Ok(None)
        }
    }
}

/// Whether a thread takes prompts.
pub(super) fn check_open(db: &Connection, thread: &ThreadId) -> Result<(), StoreError> {
    let (is_note, status): (bool, String) = db
        .prepare_cached("SELECT is_note, status FROM thread WHERE id = ?1")?
        .query_row([thread.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?
        .ok_or(StoreError::UnknownThread)?;
    if is_note {
        return Err(StoreError::ThreadIsNote);
    }
    if status == word(&ThreadStatus::Resolved) {
        return Err(StoreError::ThreadResolved);
    }
    Ok(())
}

/// One run per thread goes on, in the order the prompts came.
pub(super) fn next_state(db: &Connection, thread: &ThreadId) -> Result<RunState, StoreError> {
    let behind: bool = db
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM run WHERE thread_id = ?1 AND state = 'running')
                 OR EXISTS (SELECT 1 FROM run INDEXED BY run_waiting WHERE thread_id = ?1 AND state = 'queued')",
        )?
        .query_row([thread.as_str()], |row| row.get(0))?;
    Ok(if behind {
        RunState::Queued
    } else {
        RunState::Running
    })
}

fn insert_run(
    db: &Connection,
    new: &NewRun,
    hash: [u8; 32],
    state: RunState,
    now: Millis,
) -> Result<(), StoreError> {
    let prompt = &new.prompt;
    db.prepare_cached(
        "INSERT INTO run (id, thread_id, message_id, reply_id, state, mode, sdk, gateway_id, model, forecast,
           started_at, prompt_hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    )?
    .execute(params![
        new.run_id.as_str(),
        new.thread_id.as_str(),
        prompt.message_id.as_str(),
        new.reply_id.as_str(),
        word(&state),
        word(&prompt.mode),
        prompt.sdk.as_str(),
        prompt.gateway.as_str(),
        prompt.model,
        new.forecast.as_ref().map(super::columns::json).transpose()?,
        now.0,
        hash,
    ])?;
    Ok(())
}

/// The person's message, without a place in the order yet.
fn insert_message(db: &Connection, new: &NewRun, now: Millis) -> Result<(), StoreError> {
    let prompt = &new.prompt;
    let version = first_version(db, &new.thread_id, &prompt.message_id)?;
    let text = (!prompt.text.is_empty() || prompt.images.is_empty()).then(|| EntryKind::Text {
        text: prompt.text.clone(),
    });
    let images = prompt.images.iter().map(|image| EntryKind::Image {
        media_type: image.media_type.clone(),
        data_base64: image.data_base64.clone(),
    });
    for (at, body) in text.into_iter().chain(images).enumerate() {
        entries::insert(
            db,
            &NewRow {
                entry_id: &fresh::id(),
                thread_id: &new.thread_id,
                seq: None,
                message_id: &prompt.message_id,
                opens: at == 0,
                role: Role::User,
                body: &body,
                run_id: None,
                mode: prompt.mode,
                sdk: &prompt.sdk,
                gateway: &prompt.gateway,
                model: prompt.model.as_deref(),
                version: version.as_ref().filter(|_| at == 0),
                created_at: now,
            },
        )?;
    }
    Ok(())
}

/// The version in which the first place that a message brought stands now.
fn first_version(
    db: &Connection,
    thread: &ThreadId,
    message: &MessageId,
) -> Result<Option<Version>, StoreError> {
    Ok(places::of_thread(db, thread)?
        .into_iter()
        .find(|place| place.message_id.as_ref() == Some(message))
        .map(|place| place.version))
}

/// What makes a prompt the same one: all that the person sent, and to whom.
fn prompt_hash(new: &NewRun) -> Result<[u8; 32], StoreError> {
    let prompt = &new.prompt;
    let places: Vec<&PlaceId> = new
        .places
        .iter()
        .map(|place| &place.place.place_id)
        .collect();
    let body = super::columns::json(&(
        &new.thread_id,
        &prompt.text,
        places,
        prompt.mode,
        &prompt.sdk,
        &prompt.gateway,
        &prompt.model,
        &prompt.images,
    ))?;
    Ok(blake3::hash(body.as_bytes()).into())
}
