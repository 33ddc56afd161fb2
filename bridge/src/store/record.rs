//! The record of a stream: written down as it arrives, before anyone is shown it.

use super::columns::json;
use super::entries::{self, NewRow};
use super::writer::Durability;
use super::{NewEntry, RecordOp, Store, StoreError, kept, runs};
use rex_shared::ids::{EntryId, Millis, RunId, ThreadId};
use rex_shared::transcript::{EntryKind, RunRecord, RunState};
use rex_shared::wire::message::Role;
use rusqlite::{Connection, params};

impl Store {
    /// Writes a stretch of a run's stream down, in one transaction; gives the `seq` of each inserted entry. A run that
    /// has ended takes nothing more: [`StoreError::RunEnded`].
    pub async fn append(
        &self,
        run: &RunId,
        ops: Vec<RecordOp>,
        now: Millis,
    ) -> Result<Vec<u64>, StoreError> {
        let run = run.clone();
        self.write(Durability::Streamed, move |db| append(db, &run, &ops, now))
            .await
    }
}

pub(super) fn append(
    db: &Connection,
    run: &RunId,
    ops: &[RecordOp],
    now: Millis,
) -> Result<Vec<u64>, StoreError> {
    let (run, thread) = runs::find(db, run)?;
    if run.state != RunState::Running {
        return Err(StoreError::RunEnded);
    }
    let mut inserted = Vec::new();
    for op in ops {
        match op {
            RecordOp::Insert(entry) => {
                inserted.push(insert(db, &thread, &run, entry, now)?);
            }
            RecordOp::Append { entry_id, text } => {
                let sql = "UPDATE message SET text = text || ?3 WHERE id = ?1 AND run_id = ?2";
                change(db, sql, &run, entry_id, text)?;
            }
            RecordOp::Replace { entry_id, text } => {
                let sql = "UPDATE message SET text = ?3 WHERE id = ?1 AND run_id = ?2";
                change(db, sql, &run, entry_id, text)?;
            }
            RecordOp::ToolInput { entry_id, input } => {
                let sql = "UPDATE message SET tool_input = ?3 WHERE id = ?1 AND run_id = ?2";
                change(db, sql, &run, entry_id, &json(input)?)?;
            }
        }
    }
    Ok(inserted)
}

fn insert(
    db: &Connection,
    thread: &ThreadId,
    run: &RunRecord,
    entry: &NewEntry,
    now: Millis,
) -> Result<u64, StoreError> {
    let seq = kept::next_seq(db, thread)?;
    let in_message = !matches!(entry.body, EntryKind::Notice { .. });
    let opens = in_message
        && !db
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM message WHERE message_id = ?1 AND kind <> 'notice')",
            )?
            .query_row([entry.message_id.as_str()], |row| row.get::<_, bool>(0))?;
    entries::insert(
        db,
        &NewRow {
            entry_id: &entry.entry_id,
            thread_id: thread,
            seq: Some(seq),
            message_id: &entry.message_id,
            opens,
            role: entry.role,
            body: &entry.body,
            run_id: Some(&run.run_id),
            mode: run.mode,
            sdk: &run.sdk,
            gateway: &run.gateway,
            model: run.model.as_deref(),
            version: None,
            created_at: now,
        },
    )?;
    db.prepare_cached(
        "UPDATE thread SET message_count = message_count + ?2,
           last_reply_seq = CASE WHEN ?3 THEN ?4 ELSE last_reply_seq END WHERE id = ?1",
    )?
    .execute(params![
        thread.as_str(),
        opens,
        in_message && entry.role == Role::Assistant,
        seq
    ])?;
    Ok(u64::try_from(seq).unwrap_or_default())
}

fn change(
    db: &Connection,
    sql: &str,
    run: &RunRecord,
    entry: &EntryId,
    value: &str,
) -> Result<(), StoreError> {
    let changed =
        db.prepare_cached(sql)?
            .execute(params![entry.as_str(), run.run_id.as_str(), value])?;
    if changed == 0 {
        return Err(StoreError::UnknownMessage);
    }
    Ok(())
}
