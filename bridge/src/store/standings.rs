//! Recording where places stand now: their states, and the change that led to them, in one transaction.

use super::columns::{get, get_option, word};
use super::resolutions::{cache, cached, counts};
use super::writer::Durability;
use super::{Resolved, Standing, Store, StoreError, changes, kept, workspaces};
use rex_shared::ids::{Millis, PlaceId, ThreadId, Version, WorkspaceId};
use rex_shared::wire::change::{Outcome, Outcomes};
use rex_shared::wire::place::{PlaceKind, PlaceState};
use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::BTreeSet;

impl Store {
    /// Records where places of a document stand now, in one transaction. `version` is what they stand in, `None` when
    /// the file could not be read. When it followed another one, that is recorded as a change. Places that went
    /// meanwhile are passed over.
    pub async fn record_standings(
        &self,
        workspace: &WorkspaceId,
        document: &str,
        version: Option<Version>,
        standings: Vec<(PlaceId, Standing)>,
        now: Millis,
    ) -> Result<Resolved, StoreError> {
        if standings.is_empty() {
            return Ok(Resolved::default());
        }
        let (workspace, path) = (workspace.clone(), document.to_owned());
        self.write(Durability::Streamed, move |db| {
            let Some(document) = workspaces::find_document(db, &workspace, &path)? else {
                return Ok(Resolved::default());
            };
            let before = match &version {
                Some(version) => follow(db, document, version)?,
                None => None,
            };
            let mut threads = BTreeSet::new();
            let mut outcomes = Outcomes::default();
            for (place, standing) in &standings {
                if let Some(before) = &before
                    && let Some(outcome) = outcome(db, place, before, standing)?
                {
                    outcomes.add(outcome);
                }
                threads.extend(record(db, document, place, standing, now)?);
            }
            for thread in &threads {
                kept::gone_places(db, thread)?;
            }
            let change = match (before, version) {
                (Some(before), Some(after)) => {
                    let pair = (before, after);
                    Some(changes::record(db, (document, &path), pair, outcomes, now)?)
                }
                _ => None,
            };
            Ok(Resolved {
                counts: counts(db, document)?,
                threads: threads.into_iter().collect(),
                change,
            })
        })
        .await
    }
}

/// Makes `version` the document's present one; gives the one it followed, if that was another.
fn follow(
    db: &Connection,
    document: i64,
    version: &Version,
) -> Result<Option<Version>, StoreError> {
    let before: Option<Version> = db
        .prepare_cached("SELECT version FROM document WHERE id = ?1")?
        .query_row([document], |row| get_option(row, "version"))?;
    if before.as_ref() == Some(version) {
        return Ok(None);
    }
    db.prepare_cached("UPDATE document SET version = ?2 WHERE id = ?1")?
        .execute(params![document, version.as_str()])?;
    Ok(before)
}

/// What the step from `before` to a standing did to a place that counts.
fn outcome(
    db: &Connection,
    place: &PlaceId,
    before: &Version,
    standing: &Standing,
) -> Result<Option<Outcome>, StoreError> {
    let kind: Option<PlaceKind> = db
        .prepare_cached(
            "SELECT kind FROM thread_target AS t WHERE id = ?1
               AND NOT EXISTS (SELECT 1 FROM thread_target AS n WHERE n.replaces = t.id)",
        )?
        .query_row([place.as_str()], |row| get(row, "kind"))
        .optional()?;
    let (Some(kind), Some(before)) = (kind, cached(db, place, before)?) else {
        return Ok(None);
    };
    Ok(Outcome::between(kind, before.seen(), standing.seen()))
}

/// Records one standing; gives the thread when the place's state changed.
fn record(
    db: &Connection,
    document: i64,
    place: &PlaceId,
    standing: &Standing,
    now: Millis,
) -> Result<Option<ThreadId>, StoreError> {
    let known: Option<(ThreadId, PlaceState)> = db
        .prepare_cached(
            "SELECT thread_id, state FROM thread_target WHERE id = ?1 AND document_id = ?2",
        )?
        .query_row(params![place.as_str(), document], |row| {
            Ok((get(row, "thread_id")?, get(row, "state")?))
        })
        .optional()?;
    let Some((thread, before)) = known else {
        return Ok(None);
    };
    cache(db, place, standing)?;
    if before == standing.state {
        return Ok(None);
    }
    // A file that cannot be read for a while says nothing about when a text went.
    db.prepare_cached(
        "UPDATE thread_target SET state = ?2,
           gone_at = CASE ?2 WHEN 'gone' THEN coalesce(gone_at, ?3) WHEN 'unknown' THEN gone_at END,
           gone_in = CASE ?2 WHEN 'gone' THEN coalesce(gone_in, ?4) WHEN 'unknown' THEN gone_in END,
           said_gone_at = CASE WHEN ?2 IN ('gone', 'unknown') THEN said_gone_at END
         WHERE id = ?1",
    )?
    .execute(params![
        place.as_str(),
        word(&standing.state),
        now.0,
        standing.version.as_ref().map(Version::as_str),
    ])?;
    Ok(Some(thread))
}
