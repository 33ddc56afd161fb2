//! Runs: a prompt is stored before anything is started for it, and every run has exactly one end.

use super::columns::{get, get_count, get_json, get_option, int, json, word};
use super::writer::Durability;
use super::{
    ProcessMark, RunEnd, RunUpdate, Store, StoreError, UnfinishedRun, dialogs, entries, kept, queue,
};
use rex_shared::ids::{GatewayId, MessageId, Millis, RunId, Sdk, ThreadId};
use rex_shared::transcript::{RunRecord, RunState};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

pub(super) const COLUMNS: &str = "id, thread_id, message_id, reply_id, state, mode, sdk, gateway_id, model,
  memory, forecast, receipt, refusal, failure, first_word_ms, started_at, ended_at, pid, process_started";

impl Store {
    /// Facts that became known; gives the run as it is now.
    pub async fn update_run(
        &self,
        run: &RunId,
        update: RunUpdate,
    ) -> Result<RunRecord, StoreError> {
        let run = run.clone();
        self.write(Durability::Streamed, move |db| {
            let forecast = update.forecast.as_ref().map(json).transpose()?;
            let updated = db
                .prepare_cached(
                    "UPDATE run SET memory = coalesce(?2, memory), forecast = coalesce(?3, forecast),
                       model = coalesce(?4, model), pid = coalesce(?5, pid),
                       process_started = coalesce(?6, process_started),
                       session_id = coalesce(?7, session_id), first_word_ms = coalesce(?8, first_word_ms)
                     WHERE id = ?1",
                )?
                .execute(params![
                    run.as_str(),
                    update.memory.as_ref().map(word),
                    forecast,
                    update.model,
                    update.process.map(|process| process.pid),
                    update.process.map(|process| int(process.started)),
                    update.session_id,
                    update.first_word_ms.map(int),
                ])?;
            if updated == 0 {
                return Err(StoreError::UnknownMessage);
            }
            Ok(find(db, &run)?.0)
        })
        .await
    }

    /// The end of a run. One that has ended already stays as it ended. Its open dialogs expire.
    pub async fn finish_run(
        &self,
        run: &RunId,
        end: RunEnd,
        now: Millis,
    ) -> Result<RunRecord, StoreError> {
        let run = run.clone();
        self.write(Durability::Kept, move |db| finish(db, &run, &end, now))
            .await
    }

    /// Runs that were going on when the bridge last stopped.
    pub async fn unfinished_runs(&self) -> Result<Vec<UnfinishedRun>, StoreError> {
        self.read(|db| {
            let mut found = db.prepare_cached(&format!(
                "SELECT {COLUMNS}, session_id FROM run WHERE state = 'running' ORDER BY started_at, id"
            ))?;
            let found = found.query_map([], |row| {
                let pid: Option<u32> = row.get("pid")?;
                let started = get_count(row, "process_started")?;
                Ok(UnfinishedRun {
                    thread_id: get(row, "thread_id")?,
                    run: run_of(row)?,
                    process: pid
                        .zip(started)
                        .map(|(pid, started)| ProcessMark { pid, started }),
                    session_id: row.get("session_id")?,
                })
            })?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// The newest run of a thread that has begun.
    pub async fn newest_run(&self, thread: &ThreadId) -> Result<Option<RunRecord>, StoreError> {
        let thread = thread.clone();
        self.read(move |db| {
            Ok(db
                .prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM run WHERE thread_id = ?1 AND state <> 'queued'
                     ORDER BY started_at DESC, id DESC LIMIT 1"
                ))?
                .query_row([thread.as_str()], run_of)
                .optional()?)
        })
        .await
    }

    /// How long this sdk and gateway last took to the first word, in milliseconds.
    pub async fn last_wait(
        &self,
        sdk: &Sdk,
        gateway: &GatewayId,
    ) -> Result<Option<u64>, StoreError> {
        let (sdk, gateway) = (sdk.clone(), gateway.clone());
        self.read(move |db| {
            Ok(db
                .prepare_cached(
                    "SELECT first_word_ms FROM run
                     WHERE sdk = ?1 AND gateway_id = ?2 AND first_word_ms IS NOT NULL
                     ORDER BY started_at DESC LIMIT 1",
                )?
                .query_row(params![sdk.as_str(), gateway.as_str()], |row| {
                    get_count(row, "first_word_ms")
                })
                .optional()?
                .flatten())
        })
        .await
    }
}

pub(super) fn finish(
    db: &Connection,
    run: &RunId,
    end: &RunEnd,
    now: Millis,
) -> Result<RunRecord, StoreError> {
    let (record, thread) = find(db, run)?;
    match record.state {
        RunState::Running => {}
        // A prompt that never got its turn still gets its place in the order.
        RunState::Queued => queue::place_in_order(db, &thread, &record, now)?,
        _ => return Ok(record),
    }
    db.prepare_cached(
        "UPDATE run SET state = ?2, refusal = ?3, failure = ?4, receipt = ?5, ended_at = ?6 WHERE id = ?1",
    )?
    .execute(params![
        run.as_str(),
        word(&end.state),
        end.refusal.as_ref().map(json).transpose()?,
        end.failure,
        end.receipt.as_ref().map(json).transpose()?,
        now.0,
    ])?;
    entries::set_usage(db, &record.reply_id, end)?;
    dialogs::expire_all(db, run, now)?;
    db.prepare_cached("UPDATE thread SET last_run = ?2 WHERE id = ?1")?
        .execute(params![thread.as_str(), word(&end.state)])?;
    kept::activity(db, &thread, now)?;
    Ok(find(db, run)?.0)
}

/// A run and its thread.
pub(super) fn find(db: &Connection, run: &RunId) -> Result<(RunRecord, ThreadId), StoreError> {
    db.prepare_cached(&format!("SELECT {COLUMNS} FROM run WHERE id = ?1"))?
        .query_row([run.as_str()], |row| {
            Ok((run_of(row)?, get(row, "thread_id")?))
        })
        .optional()?
        .ok_or(StoreError::UnknownMessage)
}

/// The runs of one message of the person, oldest first.
pub(super) fn of_message(
    db: &Connection,
    thread: &ThreadId,
    message: &MessageId,
) -> Result<Vec<RunRecord>, StoreError> {
    let mut found = db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM run INDEXED BY run_by_message
         WHERE message_id = ?1 AND thread_id = ?2 ORDER BY started_at, id"
    ))?;
    let found = found.query_map(params![message.as_str(), thread.as_str()], run_of)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The run that a message of an agent is the reply of.
pub(super) fn of_reply(
    db: &Connection,
    reply: &MessageId,
) -> Result<Option<RunRecord>, StoreError> {
    Ok(db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM run WHERE reply_id = ?1"))?
        .query_row([reply.as_str()], run_of)
        .optional()?)
}

pub(super) fn run_of(row: &Row<'_>) -> rusqlite::Result<RunRecord> {
    Ok(RunRecord {
        run_id: get(row, "id")?,
        message_id: get(row, "message_id")?,
        reply_id: get(row, "reply_id")?,
        state: get(row, "state")?,
        mode: get(row, "mode")?,
        sdk: get(row, "sdk")?,
        gateway: get(row, "gateway_id")?,
        model: row.get("model")?,
        memory: get_option(row, "memory")?,
        forecast: get_json(row, "forecast")?,
        receipt: get_json(row, "receipt")?,
        refusal: get_json(row, "refusal")?,
        failure: row.get("failure")?,
        first_word_ms: get_count(row, "first_word_ms")?,
        started_at: Millis(row.get("started_at")?),
        ended_at: row.get::<_, Option<i64>>("ended_at")?.map(Millis),
    })
}
