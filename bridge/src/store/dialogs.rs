//! Dialogs: what agents asked the person, and what came of it.

use super::columns::{get, get_json, json, word};
use super::writer::Durability;
use super::{Store, StoreError, runs};
use rex_shared::ids::{DialogId, Millis, RunId, ThreadId};
use rex_shared::wire::prompt::{Answer, Dialog, DialogState};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

const COLUMNS: &str =
    "id, kind, title, action, command, path, diff, options, state, opened_at, thread_id";

impl Store {
    /// Stores an open dialog of a run.
    pub async fn open_dialog(&self, run: &RunId, dialog: Dialog) -> Result<(), StoreError> {
        let run = run.clone();
        self.write(Durability::Streamed, move |db| {
            let (_, thread) = runs::find(db, &run)?;
            db.execute(
                "INSERT INTO dialog (id, thread_id, run_id, kind, state, opened_at, title, action, command, path,
                   diff, options)
                 VALUES (?1, ?2, ?3, ?4, 'open', ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                params![
                    dialog.dialog_id.as_str(),
                    thread.as_str(),
                    run.as_str(),
                    word(&dialog.kind),
                    dialog.opened_at.0,
                    dialog.title,
                    dialog.action,
                    dialog.command,
                    dialog.path,
                    dialog.diff,
                    json(&dialog.options)?,
                ],
            )?;
            Ok(())
        })
        .await
    }

    /// Records the person's answer; [`StoreError::DialogClosed`] when it is no longer open.
    pub async fn answer_dialog(
        &self,
        thread: &ThreadId,
        dialog: &DialogId,
        answer: Answer,
        text: Option<String>,
        now: Millis,
    ) -> Result<Dialog, StoreError> {
        let (thread, dialog) = (thread.clone(), dialog.clone());
        self.write(Durability::Kept, move |db| {
            let mut asked = find(db, &dialog)?
                .filter(|(_, asked_in)| *asked_in == thread)
                .ok_or(StoreError::UnknownDialog)?
                .0;
            if asked.state != DialogState::Open {
                return Err(StoreError::DialogClosed);
            }
            asked.state = DialogState::Answered;
            db.execute(
                "UPDATE dialog SET state = 'answered', answer = ?2, answer_text = ?3, closed_at = ?4 WHERE id = ?1",
                params![dialog.as_str(), word(&answer), text, now.0],
            )?;
            Ok(asked)
        })
        .await
    }

    /// Its agent withdrew the question or went away; `None` when it was closed already.
    pub async fn expire_dialog(
        &self,
        dialog: &DialogId,
        now: Millis,
    ) -> Result<Option<Dialog>, StoreError> {
        let dialog = dialog.clone();
        self.write(Durability::Streamed, move |db| {
            let (mut asked, _) = find(db, &dialog)?.ok_or(StoreError::UnknownDialog)?;
            if asked.state != DialogState::Open {
                return Ok(None);
            }
            asked.state = DialogState::Expired;
            db.execute(
                "UPDATE dialog SET state = 'expired', closed_at = ?2 WHERE id = ?1",
                params![dialog.as_str(), now.0],
            )?;
            Ok(Some(asked))
        })
        .await
    }

    /// A dialog of this thread.
    pub async fn dialog(
        &self,
        thread: &ThreadId,
        dialog: &DialogId,
    ) -> Result<Option<Dialog>, StoreError> {
        let (thread, dialog) = (thread.clone(), dialog.clone());
        self.read(move |db| {
            Ok(find(db, &dialog)?
                .filter(|(_, asked_in)| *asked_in == thread)
                .map(|(dialog, _)| dialog))
        })
        .await
    }
}

/// Questions of a thread that wait for the person, the oldest first.
pub(super) fn open_of(db: &Connection, thread: &ThreadId) -> Result<Vec<Dialog>, StoreError> {
    let mut found = db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM dialog WHERE thread_id = ?1 AND state = 'open' ORDER BY opened_at, id"
    ))?;
    let found = found.query_map([thread.as_str()], dialog_of)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The agent of a run is gone: nobody can hear an answer any more.
pub(super) fn expire_all(db: &Connection, run: &RunId, now: Millis) -> Result<(), StoreError> {
    db.prepare_cached(
        "UPDATE dialog SET state = 'expired', closed_at = ?2 WHERE run_id = ?1 AND state = 'open'",
    )?
    .execute(params![run.as_str(), now.0])?;
    Ok(())
}

fn find(db: &Connection, dialog: &DialogId) -> Result<Option<(Dialog, ThreadId)>, StoreError> {
    Ok(db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM dialog WHERE id = ?1"))?
        .query_row([dialog.as_str()], |row| {
            Ok((dialog_of(row)?, get(row, "thread_id")?))
        })
        .optional()?)
}

fn dialog_of(row: &Row<'_>) -> rusqlite::Result<Dialog> {
    Ok(Dialog {
        dialog_id: get(row, "id")?,
        kind: get(row, "kind")?,
        title: row.get("title")?,
        action: row.get("action")?,
        command: row.get("command")?,
        path: row.get("path")?,
        diff: row.get("diff")?,
        options: get_json(row, "options")?.unwrap_or_default(),
        state: get(row, "state")?,
        opened_at: Millis(row.get("opened_at")?),
    })
}
