//! What a person changes of a thread: its name, note and status, the composer, what was read, the mode.

use super::columns::word;
use super::threads::{find_workspace, record_mode, set_draft, written};
use super::writer::Durability;
use super::{Store, StoreError, kept};
use rex_shared::ids::{MessageId, Millis, ThreadId};
use rex_shared::wire::thread::{ThreadPatch, ThreadStatus};
use rusqlite::{Connection, params};

impl Store {
    /// Changes what `patch` names.
    pub async fn patch_thread(
        &self,
        thread: &ThreadId,
        patch: ThreadPatch,
        now: Millis,
    ) -> Result<(), StoreError> {
        let thread = thread.clone();
        self.write(Durability::Kept, move |db| {
            if find_workspace(db, &thread)?.is_none() {
                return Err(StoreError::UnknownThread);
            }
            apply(db, &thread, patch, now)
        })
        .await
    }
}

fn apply(
    db: &Connection,
    thread: &ThreadId,
    patch: ThreadPatch,
    now: Millis,
) -> Result<(), StoreError> {
    let id = thread.as_str();
    // Typing, reading and choosing a mode move no row in the rail.
    if patch.note.is_some() || patch.is_note.is_some() || patch.status.is_some() {
        kept::activity(db, thread, now)?;
    }
    if let Some(name) = patch.name {
        let name = written(Some(name));
        db.execute(
            "UPDATE thread SET name = ?2 WHERE id = ?1",
            params![id, name],
        )?;
    }
    if let Some(note) = patch.note {
        let note = written(Some(note));
        db.execute(
            "UPDATE thread SET note = ?2 WHERE id = ?1",
            params![id, note],
        )?;
    }
    if let Some(is_note) = patch.is_note {
        let changed = db.execute(
            "UPDATE thread SET is_note = ?2 WHERE id = ?1 AND NOT (?2 AND sent_at IS NOT NULL)",
            params![id, is_note],
        )?;
        if changed == 0 {
            return Err(StoreError::AlreadySent);
        }
    }
    if let Some(status) = patch.status {
        set_status(db, thread, status)?;
    }
    if let Some(draft) = patch.draft {
        set_draft(db, thread, &draft)?;
    }
    if let Some(message) = patch.read_up_to {
        read_up_to(db, thread, &message)?;
    }
    if let Some(mode) = patch.permission_mode {
        record_mode(db, thread, mode, now)?;
    }
    kept::title(db, thread)
}

fn set_status(db: &Connection, thread: &ThreadId, status: ThreadStatus) -> Result<(), StoreError> {
    db.execute(
        "UPDATE thread SET status = ?2 WHERE id = ?1",
        params![thread.as_str(), word(&status)],
    )?;
    Ok(())
}

/// Marks a message read. One that is still being written is read up to its beginning, so that its end is news.
fn read_up_to(db: &Connection, thread: &ThreadId, message: &MessageId) -> Result<(), StoreError> {
    let going = "SELECT 1 FROM run WHERE reply_id = ?2 AND state = 'running'";
    let (first, last): (Option<i64>, Option<i64>) = db.query_row(
        "SELECT min(seq), max(seq) FROM message INDEXED BY message_by_message
         WHERE message_id = ?2 AND thread_id = ?1",
        params![thread.as_str(), message.as_str()],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let (Some(first), Some(last)) = (first, last) else {
        return Ok(());
    };
    db.execute(
        &format!(
            "UPDATE thread SET read_seq = max(read_seq, CASE WHEN EXISTS ({going}) THEN ?3 ELSE ?4 END)
             WHERE id = ?1"
        ),
        params![thread.as_str(), message.as_str(), first - 1, last],
    )?;
    Ok(())
}
