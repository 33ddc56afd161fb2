//! Where places stand in a version of their document.

use super::lines::Lines;
use super::{Documents, Text};
use crate::store::{Anchor, Found, Standing};
use crate::workspaces::blocking;
use rex_shared::ids::{Version, WorkspaceId};
use rex_shared::locate::{Alignment, Located, through_drift};
use rex_shared::wire::place::{Offer, PlaceKind, PlaceState};
use rex_shared::wire::problem::Problem;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Candidates in the document itself that a place which is gone is offered.
const MOST_OFFERS: usize = 3;

impl Documents {
    /// How every place of a document stands in this version of it: as stored, where that is known, else worked out
    /// in memory. Writes nothing.
    pub(super) async fn standings(
        &self,
        workspace: &WorkspaceId,
        text: &Text,
    ) -> Result<Vec<(Anchor, Standing)>, Problem> {
        let store = &self.0.store;
        let anchors = store.anchors(workspace, &text.document).await?;
        if anchors.is_empty() {
            return Ok(Vec::new());
        }
        let mut known = store
            .known_standings(workspace, &text.document, &text.version)
            .await?;
        let mut standings = Vec::with_capacity(anchors.len());
        let mut open = Vec::new();
        for anchor in anchors {
            match known.remove(&anchor.place_id) {
                Some(standing) => standings.push((anchor, standing)),
                None => open.push(anchor),
            }
        }
        if open.is_empty() {
            return Ok(standings);
        }
        let mut versions: HashSet<Version> =
            open.iter().map(|anchor| anchor.version.clone()).collect();
        let steps = open.iter().filter_map(|anchor| anchor.step.as_ref());
        versions.extend(steps.map(|step| step.version.clone()));
        let sources = self.sources(versions).await?;
        let text = text.clone();
        let found = blocking(move || {
            // One alignment for each version that places were made on or last found in.
            let alignments = sources
                .iter()
                .map(|(version, old)| (version, Alignment::new(text.format, old, &text.source)))
                .collect();
            let lines = Lines::new(&text.source);
            let stand = |anchor: Anchor| {
                let standing = resolve(&anchor, &alignments, &text, &lines);
                (anchor, standing)
            };
            Ok(open.into_iter().map(stand).collect::<Vec<_>>())
        });
        standings.extend(found.await?);
        Ok(standings)
    }
}

/// Resolves one anchor, from the text it was made on and from where it was last found.
fn resolve(
    anchor: &Anchor,
    alignments: &HashMap<&Version, Alignment<'_>>,
    text: &Text,
    lines: &Lines,
) -> Standing {
    // Without the text it was made on nothing can be claimed.
    let Some(origin) = alignments.get(&anchor.version) else {
        return unknown();
    };
    let from = anchor.start as usize..anchor.end as usize;
    let step = anchor.step.as_ref().and_then(|step| {
        let alignment = alignments.get(&step.version)?;
        Some((alignment, step.start as usize..step.end as usize))
    });
    let located = match &step {
        Some((step, range)) => {
            through_drift((origin, from.clone()), (step, range.clone()), anchor.kind)
        }
        None => origin.locate(from.clone(), anchor.kind),
    };
    let mut standing = stands(located, anchor.kind, text);
    if standing.state == PlaceState::Gone {
        let (alignment, range) = step.unwrap_or((origin, from));
        standing.offers = alignment
            .candidates(&range, MOST_OFFERS)
            .into_iter()
            .map(|candidate| offer(text, lines, candidate.range))
            .collect();
    }
    standing
}

/// What was located, as it is stored. A whole document's quote is left out: it would be the document.
pub(super) fn stands(located: Located, kind: PlaceKind, text: &Text) -> Standing {
    Standing {
        state: located.state,
        version: Some(text.version.clone()),
        found: located.range.map(|range| Found {
            start: offset(range.start),
            end: offset(range.end),
            quote: match kind {
                PlaceKind::Document => String::new(),
                _ => text.source[range].to_owned(),
            },
        }),
        offers: Vec::new(),
    }
}

/// A range of a version, as a place that lost its text is offered it.
pub(super) fn offer(text: &Text, lines: &Lines, range: Range<usize>) -> Offer {
    Offer {
        document: text.document.clone(),
        version: text.version.clone(),
        start: offset(range.start),
        end: offset(range.end),
        line: lines.of(range.start),
        quote: text.source[range].to_owned(),
    }
}

/// The standing of a place in a file that cannot be read.
pub(super) fn unknown() -> Standing {
    Standing {
        state: PlaceState::Unknown,
        version: None,
        found: None,
        offers: Vec::new(),
    }
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
