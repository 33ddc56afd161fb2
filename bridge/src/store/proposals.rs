//! Proposals: what act runs want changed, and what a person said to each piece.

use super::columns::{get, get_option, word};
use super::writer::Durability;
use super::{FileRecord, FileState, HunkRecord, ProposalRecord, Store, StoreError, kept};
use rex_shared::ids::{HunkId, Millis, ProposalId, ThreadId, Version};
use rex_shared::wire::proposal::{HunkKind, HunkState};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use std::collections::BTreeSet;
use std::ops::Range;

const SELECT: &str =
    "SELECT p.id, p.thread_id, p.run_id, p.created_at, p.superseded_by, t.workspace_id
  FROM proposal AS p JOIN thread AS t ON t.id = p.thread_id";

impl Store {
    /// Stores a proposal. What waits of the thread's earlier ones is superseded by it. Gives the threads whose rows
    /// this changed: places that stand in an open proposal are not gone.
    pub async fn put_proposal(
        &self,
        proposal: ProposalRecord,
    ) -> Result<Vec<ThreadId>, StoreError> {
        self.write(Durability::Kept, move |db| {
            let mut threads = BTreeSet::new();
            for earlier in waiting(db, &proposal.thread_id)? {
                db.prepare_cached("UPDATE proposal SET superseded_by = ?2 WHERE id = ?1")?
                    .execute(params![earlier.as_str(), proposal.proposal_id.as_str()])?;
                threads.extend(threads_in(db, &earlier)?);
            }
            insert(db, &proposal)?;
            threads.extend(threads_in(db, &proposal.proposal_id)?);
            for thread in &threads {
                kept::gone_places(db, thread)?;
            }
            kept::activity(db, &proposal.thread_id, proposal.created_at)?;
            Ok(threads.into_iter().collect())
        })
        .await
    }

    /// One proposal.
    pub async fn proposal(
        &self,
        proposal: &ProposalId,
    ) -> Result<Option<ProposalRecord>, StoreError> {
        let proposal = proposal.clone();
        self.read(move |db| find(db, &proposal)).await
    }

    /// All proposals of a thread, the oldest first.
    pub async fn proposals(&self, thread: &ThreadId) -> Result<Vec<ProposalRecord>, StoreError> {
        let thread = thread.clone();
        self.read(move |db| {
            let mut ids = db.prepare_cached(
                "SELECT id FROM proposal WHERE thread_id = ?1 ORDER BY created_at, id",
            )?;
            let ids: Vec<ProposalId> = ids
                .query_map([thread.as_str()], |row| get(row, "id"))?
                .collect::<Result<_, _>>()?;
            let mut proposals = Vec::with_capacity(ids.len());
            for id in &ids {
                proposals.extend(find(db, id)?);
            }
            Ok(proposals)
        })
        .await
    }

    /// Turns hunks down. What is in the document already stays accepted: taking that back is another act. Gives the
    /// threads whose rows this changed.
    pub async fn reject_hunks(
        &self,
        proposal: &ProposalId,
        hunks: Vec<HunkId>,
        now: Millis,
    ) -> Result<Vec<ThreadId>, StoreError> {
        let proposal = proposal.clone();
        self.write(Durability::Kept, move |db| {
            let thread = thread_of(db, &proposal)?;
            for hunk in &hunks {
                set_state(db, hunk, HunkState::Rejected, None, "open")?;
            }
            kept::activity(db, &thread, now)?;
            settle(db, &proposal)
        })
        .await
    }
}

/// Gives a hunk another state, if it is in `from` now.
pub(super) fn set_state(
    db: &Connection,
    hunk: &HunkId,
    state: HunkState,
    text: Option<&str>,
    from: &str,
) -> Result<(), StoreError> {
    db.prepare_cached(
        "UPDATE proposal_hunk SET state = ?2, text = ?3 WHERE id = ?1 AND (?4 = '' OR state = ?4)",
    )?
    .execute(params![hunk.as_str(), word(&state), text, from])?;
    Ok(())
}

/// What is open has changed: places that stood only there may be gone now. Gives their threads and the proposal's own.
pub(super) fn settle(db: &Connection, proposal: &ProposalId) -> Result<Vec<ThreadId>, StoreError> {
    let mut threads = threads_in(db, proposal)?;
    for thread in &threads {
        kept::gone_places(db, thread)?;
    }
    threads.insert(thread_of(db, proposal)?);
    Ok(threads.into_iter().collect())
}

pub(super) fn thread_of(db: &Connection, proposal: &ProposalId) -> Result<ThreadId, StoreError> {
    db.prepare_cached("SELECT thread_id FROM proposal WHERE id = ?1")?
        .query_row([proposal.as_str()], |row| get(row, "thread_id"))
        .optional()?
        .ok_or(StoreError::UnknownProposal)
}

/// Threads with places that stand in a proposal's texts.
fn threads_in(db: &Connection, proposal: &ProposalId) -> Result<BTreeSet<ThreadId>, StoreError> {
    let mut threads = db.prepare_cached(
        "SELECT DISTINCT t.thread_id FROM proposal_file AS f
         JOIN proposal_place AS s ON s.file_id = f.id
         JOIN thread_target AS t ON t.id = s.place_id
         WHERE f.proposal_id = ?1",
    )?;
    let threads = threads.query_map([proposal.as_str()], |row| get(row, "thread_id"))?;
    Ok(threads.collect::<Result<_, _>>()?)
}

/// Proposals of a thread of which something waits.
fn waiting(db: &Connection, thread: &ThreadId) -> Result<Vec<ProposalId>, StoreError> {
    let mut waiting = db.prepare_cached(
        "SELECT id FROM proposal AS p WHERE thread_id = ?1 AND superseded_by IS NULL AND EXISTS (
           SELECT 1 FROM proposal_file AS f JOIN proposal_hunk AS h ON h.file_id = f.id
           WHERE f.proposal_id = p.id AND h.state = 'open')",
    )?;
    let waiting = waiting.query_map([thread.as_str()], |row| get(row, "id"))?;
    Ok(waiting.collect::<Result<_, _>>()?)
}

fn insert(db: &Connection, proposal: &ProposalRecord) -> Result<(), StoreError> {
    db.prepare_cached(
        "INSERT INTO proposal (id, thread_id, run_id, created_at) VALUES (?1, ?2, ?3, ?4)",
    )?
    .execute(params![
        proposal.proposal_id.as_str(),
        proposal.thread_id.as_str(),
        proposal.run_id.as_str(),
        proposal.created_at.0,
    ])?;
    for (ordinal, file) in (0_u32..).zip(&proposal.files) {
        insert_file(db, &proposal.proposal_id, ordinal, file)?;
    }
    Ok(())
}

fn insert_file(
    db: &Connection,
    proposal: &ProposalId,
    ordinal: u32,
    file: &FileRecord,
) -> Result<(), StoreError> {
    let (before, after) = (file.before.as_ref(), file.after.as_ref());
    db.prepare_cached(
        "INSERT INTO proposal_file (proposal_id, ordinal, change, old_path, new_path, old_hash, new_hash,
           old_mode, new_mode, is_text)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        proposal.as_str(),
        ordinal,
        word(&file.change),
        before.map(|state| &state.path),
        after.map(|state| &state.path),
        before.map(|state| state.hash.as_str()),
        after.map(|state| state.hash.as_str()),
        before.map(|state| state.mode),
        after.map(|state| state.mode),
        file.is_text,
    ])?;
    let file_id = db.last_insert_rowid();
    for (ordinal, hunk) in (0_u32..).zip(&file.hunks) {
        db.prepare_cached(
            "INSERT INTO proposal_hunk (id, file_id, ordinal, kind, old_line, old_lines, new_line, new_lines,
               old_start, old_end, new_start, new_end)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            hunk.hunk_id.as_str(),
            file_id,
            ordinal,
            word(&hunk.kind),
            hunk.old_lines.start,
            hunk.old_lines.end - hunk.old_lines.start,
            hunk.new_lines.start,
            hunk.new_lines.end - hunk.new_lines.start,
            hunk.old_bytes.start,
            hunk.old_bytes.end,
            hunk.new_bytes.start,
            hunk.new_bytes.end,
        ])?;
    }
    for place in &file.stands {
        db.prepare_cached(
            "INSERT INTO proposal_place (file_id, place_id)
             SELECT ?1, id FROM thread_target WHERE id = ?2",
        )?
        .execute(params![file_id, place.as_str()])?;
    }
    Ok(())
}

fn find(db: &Connection, proposal: &ProposalId) -> Result<Option<ProposalRecord>, StoreError> {
    let found = db
        .prepare_cached(&format!("{SELECT} WHERE p.id = ?1"))?
        .query_row([proposal.as_str()], |row| {
            Ok(ProposalRecord {
                proposal_id: get(row, "id")?,
                thread_id: get(row, "thread_id")?,
                workspace_id: get(row, "workspace_id")?,
                run_id: get(row, "run_id")?,
                created_at: Millis(row.get("created_at")?),
                superseded: row.get::<_, Option<String>>("superseded_by")?.is_some(),
                files: Vec::new(),
            })
        })
        .optional()?;
    let Some(mut found) = found else {
        return Ok(None);
    };
    let mut files =
        db.prepare_cached("SELECT * FROM proposal_file WHERE proposal_id = ?1 ORDER BY ordinal")?;
    let mut files = files.query([proposal.as_str()])?;
    while let Some(row) = files.next()? {
        found.files.push(file_of(db, row)?);
    }
    Ok(Some(found))
}

fn file_of(db: &Connection, row: &Row<'_>) -> Result<FileRecord, StoreError> {
    let mut hunks =
        db.prepare_cached("SELECT * FROM proposal_hunk WHERE file_id = ?1 ORDER BY ordinal")?;
    let hunks = hunks.query_map([row.get::<_, i64>("id")?], hunk_of)?;
    Ok(FileRecord {
        change: get(row, "change")?,
        before: state_of(row, ["old_path", "old_hash", "old_mode"])?,
        after: state_of(row, ["new_path", "new_hash", "new_mode"])?,
        is_text: row.get("is_text")?,
        hunks: hunks.collect::<Result<_, _>>()?,
        stands: Vec::new(),
    })
}

fn state_of(row: &Row<'_>, [path, hash, mode]: [&str; 3]) -> rusqlite::Result<Option<FileState>> {
    let path: Option<String> = row.get(path)?;
    let hash: Option<Version> = get_option(row, hash)?;
    let mode: Option<u32> = row.get(mode)?;
    Ok(match (path, hash, mode) {
        (Some(path), Some(hash), Some(mode)) => Some(FileState { path, hash, mode }),
        _ => None,
    })
}

fn hunk_of(row: &Row<'_>) -> rusqlite::Result<HunkRecord> {
    let lines = |start: &str, count: &str| -> rusqlite::Result<Range<u32>> {
        let start: u32 = row.get(start)?;
        Ok(start..start + row.get::<_, u32>(count)?)
    };
    let kind: HunkKind = get(row, "kind")?;
    Ok(HunkRecord {
        hunk_id: get(row, "id")?,
        kind,
        old_lines: lines("old_line", "old_lines")?,
        new_lines: lines("new_line", "new_lines")?,
        old_bytes: row.get("old_start")?..row.get("old_end")?,
        new_bytes: row.get("new_start")?..row.get("new_end")?,
        state: get(row, "state")?,
        text: row.get("text")?,
    })
}
