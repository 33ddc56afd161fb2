//! What a person is told of a change, and of a place that is not what it was. Reads only.

use super::Documents;
use super::excerpt::excerpt;
use super::lines::Lines;
use crate::store::{ChangeRecord, ChangedPlace, Found, StoreError};
use crate::workspaces::blocking;
use rex_shared::change::words;
use rex_shared::ids::{ChangeId, PlaceId, ThreadId, Version, WorkspaceId};
use rex_shared::wire::change::{Change, ChangeReport, Outcome, PlaceChange};
use rex_shared::wire::place::{PlaceDetail, PlaceState};
use rex_shared::wire::problem::Problem;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

type Sources = HashMap<Version, Arc<str>>;

impl Documents {
    /// The newest changes of a document, the last one first.
    pub async fn changes(
        &self,
        workspace: &WorkspaceId,
        name: &str,
    ) -> Result<Vec<Change>, Problem> {
        let document = self.identity(workspace, name).await?;
        Ok(self.0.store.changes(workspace, &document).await?)
    }

    /// What one change did to each place.
    pub async fn change(&self, change: &ChangeId) -> Result<ChangeReport, Problem> {
        let record = self.0.store.change(change).await?;
        let record = record.ok_or(StoreError::UnknownChange)?;
        let lost = record
            .places
            .iter()
            .filter(|place| place.after.state == PlaceState::Gone);
        let mut versions: HashSet<Version> = lost.map(|place| place.origin.clone()).collect();
        versions.extend([record.change.before.clone(), record.change.after.clone()]);
        let sources = self.sources(versions).await?;
        blocking(move || Ok(report(record, &sources))).await
    }

    /// One place with what it was made on, and where it may belong.
    pub async fn place(&self, thread: &ThreadId, place: &PlaceId) -> Result<PlaceDetail, Problem> {
        let record = self.0.store.place_record(thread, place).await?;
        let record = record.ok_or(StoreError::UnknownPlace)?;
        let sources = self
            .sources(HashSet::from([record.anchor.version.clone()]))
            .await?;
        let thread_id = thread.clone();
        blocking(move || {
            let (place, anchor) = (record.place, record.anchor);
            let range = anchor.start as usize..anchor.end as usize;
            Ok(PlaceDetail {
                thread_id,
                origin: sources.get(&anchor.version).map(|source| {
                    let lines = Lines::new(source);
                    excerpt(&anchor.version, (source, &lines), range, anchor.kind)
                }),
                words: match place.state {
                    PlaceState::Changed => words(&anchor.quote, &place.quote),
                    _ => Vec::new(),
                },
                offers: record.offers,
                place,
            })
        })
        .await
    }

    /// The sources of these versions, of those that are kept.
    pub(super) async fn sources(&self, versions: HashSet<Version>) -> Result<Sources, Problem> {
        let mut sources = Sources::new();
        for version in versions {
            if let Some(source) = self.version_text(&version).await? {
                sources.insert(version, source);
            }
        }
        Ok(sources)
    }
}

/// The texts that places are told from, each with its lines.
type Texts<'a> = HashMap<&'a Version, (&'a str, Lines)>;

fn report(record: ChangeRecord, sources: &Sources) -> ChangeReport {
    let texts: Texts<'_> = sources
        .iter()
        .map(|(version, source)| (version, (&**source, Lines::new(source))))
        .collect();
    let mut places: Vec<(u32, PlaceChange)> = record
        .places
        .into_iter()
        .filter_map(|place| {
            let stood = place.before.found.as_ref().or(place.after.found.as_ref());
            let order = stood.map_or(0, |found| found.start);
            let told = told(place, &record.change, &texts)?;
            Some((order, told))
        })
        .collect();
    places.sort_by_key(|(order, place)| (*order, place.number));
    ChangeReport {
        change: record.change,
        places: places.into_iter().map(|(_, place)| place).collect(),
    }
}

fn told(place: ChangedPlace, change: &Change, texts: &Texts<'_>) -> Option<PlaceChange> {
    let outcome = Outcome::between(place.kind, place.before.seen(), place.after.seen())?;
    let line = |version: &Version, found: &Option<Found>| {
        let (_, lines) = texts.get(version)?;
        Some(lines.of(found.as_ref()?.start as usize))
    };
    let was_on = line(&change.before, &place.before.found);
    let line = line(&change.after, &place.after.found);
    let lines = match (was_on, line) {
        (Some(before), Some(after)) => i64::from(after) - i64::from(before),
        _ => 0,
    };
    let range = place.start as usize..place.end as usize;
    let gone = outcome == Outcome::Gone;
    let shown = if gone { &place.before } else { &place.after };
    let quote = shown.seen().1.to_owned();
    Some(PlaceChange {
        words: match outcome {
            Outcome::Changed => words(&place.quote, &quote),
            _ => Vec::new(),
        },
        origin: texts
            .get(&place.origin)
            .filter(|_| gone)
            .map(|(source, lines)| excerpt(&place.origin, (source, lines), range, place.kind)),
        said_gone: gone && place.said_gone,
        offers: place.after.offers,
        thread_id: place.thread_id,
        number: place.number,
        lane: place.lane,
        place_id: place.place_id,
        kind: place.kind,
        outcome,
        lines: i32::try_from(lines).unwrap_or_default(),
        line,
        quote,
    })
}
