//! Moving places: passages picked for one comment turn out to belong to another.

use super::writer::Durability;
use super::{Moved, Store, StoreError, kept, places, threads};
use rex_shared::ids::{Millis, PlaceId, ThreadId};
use rusqlite::{Connection, params};

impl Store {
    /// Moves places of drafts to another thread, with what was typed there; a draft left empty is deleted. Places that
    /// are there already stay.
    pub async fn move_places(
        &self,
        moving: Vec<PlaceId>,
        to: &ThreadId,
        now: Millis,
    ) -> Result<Moved, StoreError> {
        let to = to.clone();
        self.write(Durability::Kept, move |db| move_all(db, &moving, &to, now))
            .await
    }
}

fn move_all(
    db: &Connection,
    moving: &[PlaceId],
    to: &ThreadId,
    now: Millis,
) -> Result<Moved, StoreError> {
    let workspace = threads::find_workspace(db, to)?.ok_or(StoreError::UnknownThread)?;
    let mut from: Vec<ThreadId> = Vec::new();
    for place in moving {
        let (owner, _) = places::anchor(db, place)?.ok_or(StoreError::UnknownPlace)?;
        if owner == *to {
            continue;
        }
        // What a message brought stays with it, and a thread's places are all of one workspace.
        let moved = db.execute(
            "UPDATE thread_target SET thread_id = ?2, replaces = NULL,
               ordinal = (SELECT 1 + coalesce(max(ordinal), -1) FROM thread_target WHERE thread_id = ?2)
             WHERE id = ?1 AND message_id IS NULL
               AND (SELECT workspace_id FROM thread WHERE id = thread_id) = ?3",
            params![place.as_str(), to.as_str(), workspace.as_str()],
        )?;
        if moved == 0 {
            return Err(StoreError::UnknownPlace);
        }
        if !from.contains(&owner) {
            from.push(owner);
        }
    }
    let mut moved = Moved::default();
    for thread in from {
        if left_empty(db, &thread)? {
            carry_draft(db, &thread, to)?;
            db.execute("DELETE FROM thread WHERE id = ?1", [thread.as_str()])?;
            moved.removed.push(thread);
        } else {
            kept::gone_places(db, &thread)?;
            moved.changed.push(thread);
        }
    }
    kept::gone_places(db, to)?;
    kept::activity(db, to, now)?;
    Ok(moved)
}

/// A draft of which only the composer may have something left.
fn left_empty(db: &Connection, thread: &ThreadId) -> Result<bool, StoreError> {
    Ok(db.query_row(
        "SELECT sent_at IS NULL AND NOT is_note AND note IS NULL AND name IS NULL
           AND NOT EXISTS (SELECT 1 FROM thread_target WHERE thread_id = thread.id)
         FROM thread WHERE id = ?1",
        [thread.as_str()],
        |row| row.get(0),
    )?)
}

/// What was typed for the passages goes where they go.
fn carry_draft(db: &Connection, from: &ThreadId, to: &ThreadId) -> Result<(), StoreError> {
    db.execute(
        "UPDATE thread SET draft_text = CASE
             WHEN trim(d.draft_text) = '' THEN thread.draft_text
             WHEN trim(thread.draft_text) = '' THEN d.draft_text
             ELSE thread.draft_text || char(10, 10) || d.draft_text END
         FROM (SELECT draft_text FROM thread WHERE id = ?1) AS d WHERE thread.id = ?2",
        params![from.as_str(), to.as_str()],
    )?;
    Ok(())
}
