//! Where places stand in which version: a cache by content and resolver, never migrated, only found anew.

use super::columns::{get, get_option, word};
use super::{Anchor, Found, Standing, Step, Store, StoreError, offers};
use rex_shared::ids::{PlaceId, Version, WorkspaceId};
use rex_shared::locate::RESOLVER_VERSION;
use rex_shared::wire::follow::Counts;
use rex_shared::wire::place::PlaceState;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use std::collections::HashMap;

impl Store {
    /// The anchors of all places in one document, those that another one replaces too: taking that back must find
    /// them as they stand.
    pub async fn anchors(
        &self,
        workspace: &WorkspaceId,
        document: &str,
    ) -> Result<Vec<Anchor>, StoreError> {
        let (workspace, document) = (workspace.clone(), document.to_owned());
        self.read(move |db| {
            let mut found = db.prepare_cached(
                r#"SELECT t.id, t.thread_id, t.kind, t.start, t."end", t.snapshot, t.quote, t.state,
                     r.content_hash AS step, r.start AS step_start, r."end" AS step_end
                   FROM document AS d
                   JOIN thread_target AS t ON t.document_id = d.id
                   LEFT JOIN place_resolution AS r ON r.id = (
                     SELECT max(x.id) FROM place_resolution AS x
                     WHERE x.place_id = t.id AND x.start IS NOT NULL)
                   WHERE d.workspace_id = ?1 AND d.path = ?2
                   ORDER BY t.start, t.id"#,
            )?;
            let found = found.query_map(params![workspace.as_str(), document], anchor_of)?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Standings that this build's resolver found before in this version of the document.
    pub async fn known_standings(
        &self,
        workspace: &WorkspaceId,
        document: &str,
        version: &Version,
    ) -> Result<HashMap<PlaceId, Standing>, StoreError> {
        let (workspace, document, version) =
            (workspace.clone(), document.to_owned(), version.clone());
        self.read(move |db| {
            let mut found = db.prepare_cached(
                r#"SELECT r.place_id, r.state, r.start, r."end", r.quote
                   FROM document AS d
                   JOIN thread_target AS t ON t.document_id = d.id
                   JOIN place_resolution AS r ON r.place_id = t.id
                   WHERE d.workspace_id = ?1 AND d.path = ?2 AND r.content_hash = ?3 AND r.resolver = ?4"#,
            )?;
            let found = found.query_map(
                params![
                    workspace.as_str(),
                    document,
                    version.as_str(),
                    RESOLVER_VERSION
                ],
                |row| Ok((get(row, "place_id")?, standing_of(row, &version)?)),
            )?;
            let mut known: HashMap<PlaceId, Standing> = found.collect::<Result<_, _>>()?;
            for (place, standing) in &mut known {
                if standing.state == PlaceState::Gone {
                    standing.offers = offers::of_place(db, place, &version)?;
                }
            }
            Ok(known)
        })
        .await
    }
}

/// The newest standing in the cache of a place in a version, whichever resolver found it.
pub(super) fn cached(
    db: &Connection,
    place: &PlaceId,
    version: &Version,
) -> Result<Option<Standing>, StoreError> {
    let standing = db
        .prepare_cached(
            r#"SELECT state, start, "end", quote FROM place_resolution
               WHERE place_id = ?1 AND content_hash = ?2 ORDER BY resolver DESC LIMIT 1"#,
        )?
        .query_row(params![place.as_str(), version.as_str()], |row| {
            standing_of(row, version)
        })
        .optional()?;
    let Some(mut standing) = standing else {
        return Ok(None);
    };
    if standing.state == PlaceState::Gone {
        standing.offers = offers::of_place(db, place, version)?;
    }
    Ok(Some(standing))
}

/// Puts a standing in the cache, as the place's newest one. What could not be read is no finding.
pub(super) fn cache(
    db: &Connection,
    place: &PlaceId,
    standing: &Standing,
) -> Result<(), StoreError> {
    let (Some(version), true) = (&standing.version, standing.state != PlaceState::Unknown) else {
        return Ok(());
    };
    let newest: Option<(Version, u32, PlaceState)> = db
        .prepare_cached(
            "SELECT content_hash, resolver, state FROM place_resolution
             WHERE place_id = ?1 ORDER BY id DESC LIMIT 1",
        )?
        .query_row([place.as_str()], |row| {
            Ok((
                get(row, "content_hash")?,
                row.get("resolver")?,
                get(row, "state")?,
            ))
        })
        .optional()?;
    if newest == Some((version.clone(), RESOLVER_VERSION, standing.state)) {
        return Ok(());
    }
    let found = standing.found.as_ref();
    db.prepare_cached(
        r#"INSERT OR REPLACE INTO place_resolution
           (place_id, content_hash, resolver, state, start, "end", quote)
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"#,
    )?
    .execute(params![
        place.as_str(),
        version.as_str(),
        RESOLVER_VERSION,
        word(&standing.state),
        found.map(|found| found.start),
        found.map(|found| found.end),
        found.map(|found| &found.quote),
    ])?;
    offers::put(db, place, version, &standing.offers)
}

/// How the places of a document stand that nothing replaces.
pub(super) fn counts(db: &Connection, document: i64) -> Result<Counts, StoreError> {
    let mut counts = Counts::default();
    let mut states = db.prepare_cached(
        "SELECT state, count(*) AS places FROM thread_target AS t WHERE document_id = ?1
           AND NOT EXISTS (SELECT 1 FROM thread_target AS n WHERE n.replaces = t.id)
         GROUP BY state",
    )?;
    let mut states = states.query([document])?;
    while let Some(state) = states.next()? {
        let places = state.get("places")?;
        match get(state, "state")? {
            PlaceState::Exact => counts.exact = places,
            PlaceState::Moved => counts.moved = places,
            PlaceState::Changed => counts.changed = places,
            PlaceState::Gone => counts.gone = places,
            PlaceState::Unknown => counts.unknown = places,
        }
    }
    Ok(counts)
}

fn anchor_of(row: &Row<'_>) -> rusqlite::Result<Anchor> {
    let origin: Version = get(row, "snapshot")?;
    Ok(Anchor {
        place_id: get(row, "id")?,
        thread_id: get(row, "thread_id")?,
        kind: get(row, "kind")?,
        start: row.get("start")?,
        end: row.get("end")?,
        quote: row.get("quote")?,
        state: get(row, "state")?,
        step: match get_option::<Version>(row, "step")? {
            Some(version) if version != origin => Some(Step {
                version,
                start: row.get("step_start")?,
                end: row.get("step_end")?,
            }),
            _ => None,
        },
        version: origin,
    })
}

fn standing_of(row: &Row<'_>, version: &Version) -> rusqlite::Result<Standing> {
    let start: Option<u32> = row.get("start")?;
    Ok(Standing {
        state: get(row, "state")?,
        version: Some(version.clone()),
        found: match start {
            Some(start) => Some(Found {
                start,
                end: row.get("end")?,
                quote: row.get("quote")?,
            }),
            None => None,
        },
        offers: Vec::new(),
    })
}
