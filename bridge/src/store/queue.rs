//! Prompts that wait behind a run of their thread: stored, editable, without a place in the order yet.

use super::entries::{self, NewRow};
use super::writer::Durability;
use super::{Store, StoreError, kept, runs, threads};
use crate::fresh;
use rex_shared::ids::{MessageId, Millis, ThreadId};
use rex_shared::transcript::{EntryKind, RunRecord, RunState};
use rex_shared::wire::message::Role;
use rex_shared::wire::prompt::Queued;
use rusqlite::{Connection, OptionalExtension as _, params};

impl Store {
    /// Prompts that wait behind a run, in order.
    pub async fn queued(&self, thread: &ThreadId) -> Result<Vec<Queued>, StoreError> {
        let thread = thread.clone();
        self.read(move |db| waiting(db, &thread)).await
    }

    /// Threads with prompts that wait, the longest waiting first.
    pub async fn waiting_threads(&self) -> Result<Vec<ThreadId>, StoreError> {
        self.read(|db| {
            let mut found = db.prepare_cached(
                "SELECT thread_id FROM run WHERE state = 'queued'
                 GROUP BY thread_id ORDER BY min(started_at), thread_id",
            )?;
            let found = found.query_map([], |row| super::columns::get(row, "thread_id"))?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Starts the thread's next queued run: its message gets its place in the order. `None` when none waits or one is
    /// going on.
    pub async fn start_queued(
        &self,
        thread: &ThreadId,
        now: Millis,
    ) -> Result<Option<RunRecord>, StoreError> {
        let thread = thread.clone();
        self.write(Durability::Kept, move |db| {
            let next: Option<RunRecord> = db
                .prepare_cached(&format!(
                    "SELECT {} FROM run INDEXED BY run_waiting WHERE thread_id = ?1 AND state = 'queued'
                       AND NOT EXISTS (SELECT 1 FROM run WHERE thread_id = ?1 AND state = 'running')
                     ORDER BY started_at, id LIMIT 1",
                    runs::COLUMNS
                ))?
                .query_row([thread.as_str()], runs::run_of)
                .optional()?;
            let Some(next) = next else {
                return Ok(None);
            };
            db.execute(
                "UPDATE run SET state = 'running', started_at = ?2 WHERE id = ?1",
                params![next.run_id.as_str(), now.0],
            )?;
            place_in_order(db, &thread, &next, now)?;
            Ok(Some(runs::find(db, &next.run_id)?.0))
        })
        .await
    }

    /// A queued prompt's new text.
    pub async fn edit_queued(
        &self,
        thread: &ThreadId,
        message: &MessageId,
        text: String,
    ) -> Result<(), StoreError> {
        let (thread, message) = (thread.clone(), message.clone());
        self.write(Durability::Kept, move |db| {
            let run = find_waiting(db, &thread, &message)?;
            let edited = db.execute(
                "UPDATE message SET text = ?2 WHERE message_id = ?1 AND seq IS NULL AND kind = 'text'",
                params![message.as_str(), text],
            )?;
            if edited == 0 {
                // It was images alone.
                insert_text(db, &thread, &run, text)?;
            }
            kept::title(db, &thread)
        })
        .await
    }

    /// Takes a queued prompt away; the places it was to bring wait again.
    pub async fn drop_queued(
        &self,
        thread: &ThreadId,
        message: &MessageId,
    ) -> Result<(), StoreError> {
        let (thread, message) = (thread.clone(), message.clone());
        self.write(Durability::Kept, move |db| {
            let run = find_waiting(db, &thread, &message)?;
            let taken = db.execute(
                "DELETE FROM message WHERE message_id = ?1 AND seq IS NULL",
                [message.as_str()],
            )?;
            if taken > 0 {
                db.execute(
                    "UPDATE thread_target SET message_id = NULL WHERE thread_id = ?1 AND message_id = ?2",
                    params![thread.as_str(), message.as_str()],
                )?;
            }
            db.execute("DELETE FROM run WHERE id = ?1", [run.run_id.as_str()])?;
            kept::title(db, &thread)
        })
        .await
    }
}

/// Gives a message that has none its place in the order, behind everything that stands there, and says from where on
/// another mode holds. What the person sends, they have read so far.
pub(super) fn place_in_order(
    db: &Connection,
    thread: &ThreadId,
    run: &RunRecord,
    now: Millis,
) -> Result<(), StoreError> {
    threads::record_mode(db, thread, run.mode, now)?;
    let mut unplaced = db.prepare_cached(
        "SELECT id FROM message INDEXED BY message_by_message
         WHERE message_id = ?1 AND thread_id = ?2 AND seq IS NULL ORDER BY rowid",
    )?;
    let unplaced: Vec<String> = unplaced
        .query_map(params![run.message_id.as_str(), thread.as_str()], |row| {
            row.get(0)
        })?
        .collect::<Result<_, _>>()?;
    for entry in &unplaced {
        db.prepare_cached("UPDATE message SET seq = ?2, run_id = ?3 WHERE id = ?1")?
            .execute(params![
                entry,
                kept::next_seq(db, thread)?,
                run.run_id.as_str()
            ])?;
    }
    if !unplaced.is_empty() {
        db.prepare_cached(
            "UPDATE thread SET message_count = message_count + 1, read_seq = next_seq - 1 WHERE id = ?1",
        )?
        .execute([thread.as_str()])?;
    }
    Ok(())
}

/// Prompts that wait, in order.
pub(super) fn waiting(db: &Connection, thread: &ThreadId) -> Result<Vec<Queued>, StoreError> {
    let mut found = db.prepare_cached(
        "SELECT r.message_id, coalesce((
             SELECT m.text FROM message AS m
             WHERE m.message_id = r.message_id AND m.kind = 'text' AND m.role = 'user' LIMIT 1), '') AS text
         FROM run AS r INDEXED BY run_waiting WHERE r.thread_id = ?1 AND r.state = 'queued' ORDER BY r.started_at, r.id",
    )?;
    let found = found.query_map([thread.as_str()], |row| {
        Ok(Queued {
            message_id: super::columns::get(row, "message_id")?,
            text: row.get("text")?,
        })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn find_waiting(
    db: &Connection,
    thread: &ThreadId,
    message: &MessageId,
) -> Result<RunRecord, StoreError> {
    runs::of_message(db, thread, message)?
        .pop()
        .filter(|run| run.state == RunState::Queued)
        .ok_or(StoreError::UnknownMessage)
}

fn insert_text(
    db: &Connection,
    thread: &ThreadId,
    run: &RunRecord,
    text: String,
) -> Result<(), StoreError> {
    entries::insert(
        db,
        &NewRow {
            entry_id: &fresh::id(),
            thread_id: thread,
            seq: None,
            message_id: &run.message_id,
            opens: false,
            role: Role::User,
            body: &EntryKind::Text { text },
            run_id: None,
            mode: run.mode,
            sdk: &run.sdk,
            gateway: &run.gateway,
            model: run.model.as_deref(),
            version: None,
            created_at: run.started_at,
        },
    )
}
