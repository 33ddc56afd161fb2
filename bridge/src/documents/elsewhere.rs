//! Text that moved to another file: looked for in the files that changed at the same time, and only ever offered.

use super::lines::Lines;
use super::standing::offer;
use super::watch::{TOGETHER, Watcher};
use super::{Text, lock};
use crate::store::{Anchor, Standing};
use crate::workspaces::blocking;
use rex_shared::ids::{PlaceId, ThreadId, Version};
use rex_shared::locate::{OtherFile, elsewhere};
use rex_shared::wire::place::{Offer, PlaceState};
use rex_shared::wire::problem::Problem;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// Files that are looked into at most, and the bytes of one.
const MOST_FILES: usize = 40;
const LARGEST: usize = 2 * 1024 * 1024;

/// A file that changed, and what it was before as far as that is known.
struct Other {
    text: Text,
    before: Option<Arc<str>>,
}

impl Watcher {
    /// Adds to what places are offered that lost their text in this version of their document.
    pub(super) async fn offer_elsewhere(
        &self,
        text: &Text,
        lost: Vec<&mut (Anchor, Standing)>,
    ) -> Result<(), Problem> {
        let anchors = lost.iter().map(|(anchor, _)| anchor.clone()).collect();
        let found = self.found_elsewhere(text, anchors).await?;
        for ((_, standing), found) in lost.into_iter().zip(found) {
            // The very words in another file come before what is merely alike in this one.
            if let Some(offer) = found {
                standing.offers.insert(0, offer);
            }
        }
        Ok(())
    }

    /// The same for places that lost their text a moment ago, now that more files have changed.
    pub(super) async fn offer_later(self, document: String) {
        if let Err(problem) = self.try_offer_later(&document).await {
            tracing::warn!(detail = problem.detail, "moved text was not looked for");
        }
    }

    async fn try_offer_later(&self, document: &str) -> Result<(), Problem> {
        let _turn = self.watch.turn.lock().await;
        let Ok(text) = self.documents.read(&self.workspace, document).await else {
            return Ok(());
        };
        let standings = self.documents.standings(&self.workspace, &text).await?;
        let lost: Vec<Anchor> = standings
            .into_iter()
            .filter(|(_, standing)| standing.state == PlaceState::Gone)
            .map(|(anchor, _)| anchor)
            .collect();
        let ids: Vec<(PlaceId, ThreadId)> = lost
            .iter()
            .map(|anchor| (anchor.place_id.clone(), anchor.thread_id.clone()))
            .collect();
        let found = self.found_elsewhere(&text, lost).await?;
        let (mut offers, mut threads) = (Vec::new(), HashSet::new());
        for ((place, thread), offer) in ids.into_iter().zip(found) {
            if let Some(offer) = offer {
                offers.push((place, offer));
                threads.insert(thread);
            }
        }
        if !offers.is_empty() {
            let store = &self.documents.0.store;
            store.add_offers(&text.version, offers).await?;
        }
        for thread in &threads {
            self.tell_row(thread).await;
        }
        Ok(())
    }

    /// For each place: where its text is among the files that changed together with its document.
    async fn found_elsewhere(
        &self,
        text: &Text,
        lost: Vec<Anchor>,
    ) -> Result<Vec<Option<Offer>>, Problem> {
        let others = self.changed_together(&text.document).await?;
        if others.is_empty() || lost.is_empty() {
            return Ok(vec![None; lost.len()]);
        }
        let versions = lost.iter().map(|anchor| last_stand(anchor).0.clone());
        let sources = self.documents.sources(versions.collect()).await?;
        let format = text.format;
        let found = blocking(move || {
            let files: Vec<OtherFile<'_>> = others
                .iter()
                .map(|other| OtherFile {
                    path: &other.text.document,
                    format: other.text.format,
                    before: other.before.as_deref(),
                    after: &other.text.source,
                })
                .collect();
            let find = |anchor: &Anchor| {
                let (version, range) = last_stand(anchor);
                let found = elsewhere(format, sources.get(version)?, &range, &files)?;
                let other = others
                    .iter()
                    .find(|other| other.text.document == found.path)?;
                let lines = Lines::new(&other.text.source);
                let offer = offer(&other.text, &lines, found.range);
                Some((offer, other.text.bytes.clone()))
            };
            Ok(lost.iter().map(find).collect::<Vec<_>>())
        });
        let mut offers = Vec::new();
        for found in found.await? {
            offers.push(match found {
                Some((offer, bytes)) => {
                    // The person may take it up much later.
                    let store = &self.documents.0.store;
                    store.keep_snapshot(&offer.version, bytes).await?;
                    Some(offer)
                }
                None => None,
            });
        }
        Ok(offers)
    }

    async fn changed_together(&self, document: &str) -> Result<Vec<Other>, Problem> {
        let mut paths = self.watch.changed.within(TOGETHER);
        paths.retain(|path| path != document);
        paths.sort();
        let root = self.documents.workspaces().root(&self.workspace).await?;
        let texts = blocking(move || {
            let read = |path: &String| Text::read(&root, path).ok();
            let texts = paths.iter().filter_map(read);
            let texts = texts.filter(|text| text.bytes.len() <= LARGEST);
            Ok(texts.take(MOST_FILES).collect::<Vec<_>>())
        });
        let mut others = Vec::new();
        for text in texts.await? {
            let before = {
                let seen = lock(&self.watch.seen);
                seen.get(&text.document).and_then(|seen| {
                    let is_dealt_with = seen.version.as_ref() == Some(&text.version);
                    if is_dealt_with {
                        &seen.before
                    } else {
                        &seen.version
                    }
                    .clone()
                })
            };
            let before = match before {
                Some(version) => self.documents.version_text(&version).await?,
                None => None,
            };
            others.push(Other { text, before });
        }
        Ok(others)
    }
}

/// Where a place was last: in the version it was last found in, else in the one it was made on.
fn last_stand(anchor: &Anchor) -> (&Version, Range<usize>) {
    match &anchor.step {
        Some(step) => (&step.version, step.start as usize..step.end as usize),
        None => (&anchor.version, anchor.start as usize..anchor.end as usize),
    }
}
