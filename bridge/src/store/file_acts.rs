//! The journal of writing into a person's files: what is being written, and how far that has got.

use super::columns::{get, get_option};
use super::writer::Durability;
use super::{ActState, Content, FileAct, FileWrite, Store, StoreError, kept, proposals};
use rex_shared::ids::{Millis, ThreadId, Version, WorkspaceId};
use rex_shared::wire::proposal::HunkState;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

/// How long an accept can be taken back.
const KEPT_MS: i64 = 24 * 60 * 60 * 1000;

impl Store {
    /// Writes down what is about to be laid beside the files, before any of it is.
    pub async fn stage_act(&self, act: FileAct) -> Result<(), StoreError> {
        self.write(Durability::Kept, move |db| {
            db.execute(
                "INSERT INTO file_act (id, proposal_id, takes_back, state, at) VALUES (?1, ?2, ?3, 'staged', ?4)",
                params![act.act_id, act.proposal_id.as_str(), act.takes_back, act.at.0],
            )?;
            for (ordinal, write) in (0_u32..).zip(&act.writes) {
                let (before, after) = (write.before.as_ref(), write.after.as_ref());
                db.prepare_cached(
                    "INSERT INTO file_write (act_id, ordinal, path, before_hash, after_hash, before_mode,
                       after_mode, staged_as) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                )?
                .execute(params![
                    act.act_id,
                    ordinal,
                    write.path,
                    before.map(|content| content.hash.as_str()),
                    after.map(|content| content.hash.as_str()),
                    before.map(|content| content.mode),
                    after.map(|content| content.mode),
                    write.staged_as,
                ])?;
            }
            for (hunk, text) in &act.hunks {
                db.prepare_cached(
                    "INSERT INTO file_act_hunk (act_id, hunk_id, text) VALUES (?1, ?2, ?3)",
                )?
                .execute(params![act.act_id, hunk.as_str(), text])?;
            }
            Ok(())
        })
        .await
    }

    /// Every new content is on disk: from here on the act is finished, also after a crash.
    pub async fn act_goes(&self, act: &str) -> Result<(), StoreError> {
        let act = act.to_owned();
        self.write(Durability::Kept, move |db| {
            let gone = "UPDATE file_act SET state = 'going' WHERE id = ?1 AND state = 'staged'";
            db.execute(gone, [act])?;
            Ok(())
        })
        .await
    }

    /// Every file has its new content: the hunks are accepted, or open again when this took an accept back. Gives the
    /// threads whose rows this changed.
    pub async fn finish_act(&self, act: &str, now: Millis) -> Result<Vec<ThreadId>, StoreError> {
        let act = act.to_owned();
        self.write(Durability::Kept, move |db| {
            let (_, act) = find(db, &act)?.ok_or(StoreError::UnknownProposal)?;
            for (hunk, text) in &act.hunks {
                let (state, text) = match act.takes_back {
                    Some(_) => (HunkState::Open, None),
                    None => (HunkState::Accepted, text.as_deref()),
                };
                proposals::set_state(db, hunk, state, text, "")?;
            }
            db.execute(
                "UPDATE file_act SET state = 'done' WHERE id = ?1",
                [&act.act_id],
            )?;
            let thread = proposals::thread_of(db, &act.proposal_id)?;
            kept::activity(db, &thread, now)?;
            proposals::settle(db, &act.proposal_id)
        })
        .await
    }

    /// Forgets an act that changed nothing.
    pub async fn drop_act(&self, act: &str) -> Result<(), StoreError> {
        let act = act.to_owned();
        self.write(Durability::Kept, move |db| {
            db.execute(
                "DELETE FROM file_act WHERE id = ?1 AND state <> 'done'",
                [act],
            )?;
            Ok(())
        })
        .await
    }

    /// An accept that can be taken back: it is done, nothing took it back, and it is not over 24 hours old.
    pub async fn accept_to_undo(
        &self,
        act: &str,
        now: Millis,
    ) -> Result<Option<FileAct>, StoreError> {
        let act = act.to_owned();
        self.read(move |db| {
            let taken_back: bool = db.query_row(
                "SELECT EXISTS (SELECT 1 FROM file_act WHERE takes_back = ?1)",
                [&act],
                |row| row.get(0),
            )?;
            let found = find(db, &act)?.filter(|(state, act)| {
                *state == ActState::Done
                    && act.takes_back.is_none()
                    && !taken_back
                    && act.at.0 > now.0 - KEPT_MS
            });
            Ok(found.map(|(_, act)| act))
        })
        .await
    }

    /// Acts that a crash interrupted, with the workspace they write into.
    pub async fn unfinished_acts(
        &self,
    ) -> Result<Vec<(WorkspaceId, ActState, FileAct)>, StoreError> {
        self.read(|db| {
            let mut found = db.prepare_cached(
                "SELECT a.id, t.workspace_id FROM file_act AS a
                 JOIN proposal AS p ON p.id = a.proposal_id
                 JOIN thread AS t ON t.id = p.thread_id
                 WHERE a.state <> 'done' ORDER BY a.at, a.id",
            )?;
            let found: Vec<(String, WorkspaceId)> = found
                .query_map([], |row| Ok((row.get("id")?, get(row, "workspace_id")?)))?
                .collect::<Result<_, _>>()?;
            let mut acts = Vec::with_capacity(found.len());
            for (act, workspace) in found {
                acts.extend(find(db, &act)?.map(|(state, act)| (workspace, state, act)));
            }
            Ok(acts)
        })
        .await
    }
}

fn find(db: &Connection, act: &str) -> Result<Option<(ActState, FileAct)>, StoreError> {
    let found = db
        .prepare_cached("SELECT * FROM file_act WHERE id = ?1")?
        .query_row([act], |row| {
            let state = match row.get::<_, String>("state")?.as_str() {
                "staged" => ActState::Staged,
                "going" => ActState::Going,
                _ => ActState::Done,
            };
            let act = FileAct {
                act_id: row.get("id")?,
                proposal_id: get(row, "proposal_id")?,
                takes_back: row.get("takes_back")?,
                at: Millis(row.get("at")?),
                writes: Vec::new(),
                hunks: Vec::new(),
            };
            Ok((state, act))
        })
        .optional()?;
    let Some((state, mut found)) = found else {
        return Ok(None);
    };
    let mut writes =
        db.prepare_cached("SELECT * FROM file_write WHERE act_id = ?1 ORDER BY ordinal")?;
    let writes = writes.query_map([act], |row| {
        Ok(FileWrite {
            path: row.get("path")?,
            before: content_of(row, "before_hash", "before_mode")?,
            after: content_of(row, "after_hash", "after_mode")?,
            staged_as: row.get("staged_as")?,
        })
    })?;
    found.writes = writes.collect::<Result<_, _>>()?;
    let mut hunks =
        db.prepare_cached("SELECT hunk_id, text FROM file_act_hunk WHERE act_id = ?1")?;
    let hunks = hunks.query_map([act], |row| Ok((get(row, "hunk_id")?, row.get("text")?)))?;
    found.hunks = hunks.collect::<Result<_, _>>()?;
    Ok(Some((state, found)))
}

fn content_of(row: &Row<'_>, hash: &str, mode: &str) -> rusqlite::Result<Option<Content>> {
    let hash: Option<Version> = get_option(row, hash)?;
    let mode: Option<u32> = row.get(mode)?;
    Ok(hash.zip(mode).map(|(hash, mode)| Content { hash, mode }))
}
