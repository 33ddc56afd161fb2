//! Where places stand in a version of their document.

use super::{Documents, Text};
use crate::store::{Anchor, Found, Standing};
use crate::workspaces::blocking;
use rex_shared::ids::{Version, WorkspaceId};
use rex_shared::locate::{Alignment, Located};
use rex_shared::wire::place::{PlaceKind, PlaceState};
use rex_shared::wire::problem::Problem;
use std::collections::{HashMap, HashSet};

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
            let stand = |anchor: Anchor| {
                let standing = resolve(&anchor, &alignments, &text);
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
    let located = origin.locate(from, anchor.kind);
    let located = match step {
        // What no longer shows from the origin may be a small step from where it stood last.
        Some((step, range)) if located.state == PlaceState::Gone => {
            let state = PlaceState::Changed;
            let stepped = step.locate(range, anchor.kind);
            match stepped.range {
                Some(_) => Located { state, ..stepped },
                None => stepped,
            }
        }
        _ => located,
    };
    stands(located, anchor.kind, text)
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
