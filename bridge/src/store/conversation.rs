//! Reading a conversation back: a page of whole messages with all that belongs to them, in one snapshot.

use super::columns::{get, get_option, get_tokens};
use super::{Conversation, Store, StoreError, dialogs, entries, places, queue, runs, threads};
use rex_shared::ids::{MessageId, ThreadId};
use rex_shared::transcript::{Entry, RunRecord};
use rex_shared::wire::message::{Mode, Role, Usage};
use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::BTreeMap;

/// Messages of one page.
const PAGE: i64 = 100;

impl Store {
    /// The newest 100 messages before the message `before`, with all that belongs to them. `None` when there is no such
    /// thread.
    pub async fn conversation(
        &self,
        thread: &ThreadId,
        before: Option<&MessageId>,
    ) -> Result<Option<Conversation>, StoreError> {
        let (thread, before) = (thread.clone(), before.cloned());
        self.read(move |db| {
            let head = db
                .prepare_cached(
                    "SELECT workspace_id, last_run, draft_text, draft_mode, draft_sdk, draft_gateway, draft_model
                     FROM thread WHERE id = ?1",
                )?
                .query_row([thread.as_str()], |row| {
                    Ok((
                        get(row, "workspace_id")?,
                        get_option(row, "last_run")?,
                        threads::draft_of(row)?,
                    ))
                })
                .optional()?;
            let Some((workspace_id, last_run, draft)) = head else {
                return Ok(None);
            };
            let (from, to) = page(db, &thread, before.as_ref())?;
            let entries = entries_between(db, &thread, from.unwrap_or_default(), to)?;
            Ok(Some(Conversation {
                workspace_id,
                runs: runs_of(db, &thread, &entries, to)?,
                entries,
                places: places::of_thread(db, &thread)?,
                has_earlier: from.is_some(),
                permission_mode: stored_mode(db, &thread)?,
                usage: usage(db, &thread)?,
                open_dialogs: dialogs::open_of(db, &thread)?,
                queued: queue::waiting(db, &thread)?,
                draft,
                last_run,
            }))
        })
        .await
    }

    /// Every entry of a thread, in order.
    pub async fn transcript(&self, thread: &ThreadId) -> Result<Vec<Entry>, StoreError> {
        let thread = thread.clone();
        self.read(move |db| entries_between(db, &thread, 0, i64::MAX))
            .await
    }
}

/// Where a page begins and ends in the order; no beginning means that it holds the oldest message.
fn page(
    db: &Connection,
    thread: &ThreadId,
    before: Option<&MessageId>,
) -> Result<(Option<i64>, i64), StoreError> {
    let to = match before {
        None => i64::MAX,
        Some(message) => db
            .prepare_cached(
                "SELECT min(seq) FROM message INDEXED BY message_by_message
                 WHERE message_id = ?1 AND thread_id = ?2 AND seq IS NOT NULL",
            )?
            .query_row(params![message.as_str(), thread.as_str()], |row| {
                row.get::<_, Option<i64>>(0)
            })?
            .ok_or(StoreError::UnknownMessage)?,
    };
    let mut openings = db.prepare_cached(
        "SELECT seq FROM message WHERE thread_id = ?1 AND opens = 1 AND seq < ?2
         ORDER BY seq DESC LIMIT ?3",
    )?;
    let openings: Vec<i64> = openings
        .query_map(params![thread.as_str(), to, PAGE + 1], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let full = openings.len() as i64 > PAGE;
    Ok((full.then(|| openings[openings.len() - 2]), to))
}

fn entries_between(
    db: &Connection,
    thread: &ThreadId,
    from: i64,
    to: i64,
) -> Result<Vec<Entry>, StoreError> {
    let mut found = db.prepare_cached(&format!(
        "SELECT {} FROM message WHERE thread_id = ?1 AND seq >= ?2 AND seq < ?3 ORDER BY seq",
        entries::COLUMNS
    ))?;
    let found = found.query_map(params![thread.as_str(), from, to], entries::entry_of)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The runs that the page's messages belong to, oldest first; a run whose reply is still empty goes with its prompt, one
/// whose reply stands on the next page goes with that.
fn runs_of(
    db: &Connection,
    thread: &ThreadId,
    entries: &[Entry],
    to: i64,
) -> Result<Vec<RunRecord>, StoreError> {
    let mut found = BTreeMap::new();
    let mut last: Option<&MessageId> = None;
    for entry in entries {
        if last == Some(&entry.message_id) {
            continue;
        }
        last = Some(&entry.message_id);
        let runs = match entry.role {
            Role::User => runs::of_message(db, thread, &entry.message_id)?,
            Role::Assistant => runs::of_reply(db, &entry.message_id)?.into_iter().collect(),
        };
        for run in runs {
            if to < i64::MAX && begins_after(db, &run.reply_id, to)? {
                continue;
            }
            found.insert((run.started_at, run.run_id.clone()), run);
        }
    }
    Ok(found.into_values().collect())
}

fn begins_after(db: &Connection, reply: &MessageId, to: i64) -> Result<bool, StoreError> {
    Ok(db
        .prepare_cached("SELECT min(seq) >= ?2 FROM message WHERE message_id = ?1")?
        .query_row(params![reply.as_str(), to], |row| {
            row.get::<_, Option<bool>>(0)
        })?
        .unwrap_or_default())
}

/// The mode of the last mode entry, else the fresh one.
pub(super) fn stored_mode(db: &Connection, thread: &ThreadId) -> Result<Mode, StoreError> {
    Ok(db
        .prepare_cached(
            "SELECT mode FROM message WHERE thread_id = ?1 AND kind = 'notice' AND notice = ?2
             ORDER BY seq DESC LIMIT 1",
        )?
        .query_row(params![thread.as_str(), entries::MODE_CHANGE], |row| {
            get(row, "mode")
        })
        .optional()?
        .unwrap_or_default())
}

/// What the whole thread used; unknown stays unknown.
fn usage(db: &Connection, thread: &ThreadId) -> Result<Usage, StoreError> {
    Ok(db
        .prepare_cached(
            "SELECT sum(cost_usd) AS cost_usd, sum(tokens_input) AS tokens_input,
               sum(tokens_output) AS tokens_output, sum(tokens_cache_read) AS tokens_cache_read,
               sum(tokens_cache_write) AS tokens_cache_write
             FROM message
             WHERE thread_id = ?1 AND (cost_usd IS NOT NULL OR tokens_input IS NOT NULL)",
        )?
        .query_row([thread.as_str()], |row| {
            Ok(Usage {
                tokens: get_tokens(row)?,
                cost_usd: row.get("cost_usd")?,
                context: None,
            })
        })?)
}
