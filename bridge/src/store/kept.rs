//! Facts of a thread that follow from other rows and are kept on its own, so that the rail reads one row.
//!
//! Each is computed anew from the rows it follows from, in the write that changed them.

use super::StoreError;
use rex_shared::ids::{Millis, ThreadId};
use rusqlite::{Connection, OptionalExtension as _, params};

/// The title: name, else the person's first message, else the note.
pub(super) fn title(db: &Connection, thread: &ThreadId) -> Result<(), StoreError> {
    let (name, note): (Option<String>, Option<String>) = db
        .prepare_cached("SELECT name, note FROM thread WHERE id = ?1")?
        .query_row([thread.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let first: Option<String> = db
        .prepare_cached(
            "SELECT text FROM message
             WHERE thread_id = ?1 AND opens = 1 AND seq >= 0 AND role = 'user' AND kind = 'text'
             ORDER BY seq LIMIT 1",
        )?
        .query_row([thread.as_str()], |row| row.get(0))
        .optional()?;
    let title = rex_shared::title::title(name.as_deref(), first.as_deref(), note.as_deref());
    db.prepare_cached("UPDATE thread SET title = ?2 WHERE id = ?1")?
        .execute(params![thread.as_str(), title])?;
    Ok(())
}

/// The number of places that are gone and that nothing replaces: what makes the lane `gone`. A place whose text stands
/// in an open proposal is about that change.
pub(super) fn gone_places(db: &Connection, thread: &ThreadId) -> Result<(), StoreError> {
    db.prepare_cached(
        "UPDATE thread SET gone_places = (
           SELECT count(*) FROM thread_target AS t
           WHERE t.thread_id = thread.id AND t.state = 'gone'
             AND NOT EXISTS (SELECT 1 FROM thread_target AS n WHERE n.replaces = t.id)
             AND NOT EXISTS (
               SELECT 1 FROM proposal_place AS s
               JOIN proposal_file AS f ON f.id = s.file_id
               JOIN proposal AS p ON p.id = f.proposal_id
               WHERE s.place_id = t.id AND p.superseded_by IS NULL AND EXISTS (
                 SELECT 1 FROM proposal_hunk AS h WHERE h.file_id = f.id AND h.state = 'open'))
         ) WHERE id = ?1",
    )?
    .execute([thread.as_str()])?;
    Ok(())
}

/// A person did something in this thread, or a run of it ended.
pub(super) fn activity(db: &Connection, thread: &ThreadId, now: Millis) -> Result<(), StoreError> {
    db.prepare_cached("UPDATE thread SET last_activity_at = ?2 WHERE id = ?1")?
        .execute(params![thread.as_str(), now.0])?;
    Ok(())
}

/// The next place in the thread's order.
pub(super) fn next_seq(db: &Connection, thread: &ThreadId) -> Result<i64, StoreError> {
    Ok(db
        .prepare_cached(
            "UPDATE thread SET next_seq = next_seq + 1 WHERE id = ?1 RETURNING next_seq - 1",
        )?
        .query_row([thread.as_str()], |row| row.get(0))?)
}
