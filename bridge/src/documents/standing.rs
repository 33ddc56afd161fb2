//! Where places stand in a version of their document.

use super::{Documents, Text};
use crate::store::{Anchor, Found, Standing};
use crate::workspaces::blocking;
use rex_shared::ids::{PlaceId, Version, WorkspaceId};
use rex_shared::locate::{Alignment, Located};
use rex_shared::wire::place::{PlaceKind, PlaceState};
use rex_shared::wire::problem::Problem;
use std::collections::HashMap;
use std::sync::Arc;

/// Sources of the versions that places were made on.
pub(super) type Origins = HashMap<Version, Arc<str>>;

impl Documents {
    /// How every place of a document stands in this version of it: as stored, where that is known, else worked out
    /// in memory. Writes nothing.
    pub(super) async fn standings(
        &self,
        workspace: &WorkspaceId,
        text: &Text,
        origins: &mut Origins,
    ) -> Result<Vec<(PlaceId, Standing)>, Problem> {
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
                Some(standing) => standings.push((anchor.place_id, standing)),
                None => open.push(anchor),
            }
        }
        for anchor in &open {
            if !origins.contains_key(&anchor.version)
                && let Some(source) = self.version_text(&anchor.version).await?
            {
                origins.insert(anchor.version.clone(), source);
            }
        }
        if !open.is_empty() {
            let text = text.clone();
            let origins = origins.clone();
            let found = blocking(move || Ok(resolve(&open, &origins, &text))).await?;
            standings.extend(found);
        }
        Ok(standings)
    }
}

/// Resolves anchors in a version: one alignment for each version that they were made on.
fn resolve(anchors: &[Anchor], origins: &Origins, text: &Text) -> Vec<(PlaceId, Standing)> {
    let (version, source) = (&text.version, &text.source);
    let mut by_origin: HashMap<&Version, Vec<&Anchor>> = HashMap::new();
    for anchor in anchors {
        by_origin.entry(&anchor.version).or_default().push(anchor);
    }
    let mut standings = Vec::with_capacity(anchors.len());
    for (origin, anchors) in by_origin {
        let alignment = origins
            .get(origin)
            .map(|old| Alignment::new(text.format, old, source));
        for anchor in anchors {
            let standing = match &alignment {
                Some(alignment) => {
                    let range = anchor.start as usize..anchor.end as usize;
                    stands(
                        alignment.locate(range, anchor.kind),
                        anchor.kind,
                        version,
                        source,
                    )
                }
                // Without the text it was made on nothing can be claimed.
                None => unknown(),
            };
            standings.push((anchor.place_id.clone(), standing));
        }
    }
    standings
}

/// What was located, as it is stored. A whole document's quote is left out: it would be the document.
pub(super) fn stands(
    located: Located,
    kind: PlaceKind,
    version: &Version,
    source: &str,
) -> Standing {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Standing {
        state: located.state,
        version: Some(version.clone()),
        found: located.range.map(|range| Found {
            start: offset(range.start),
            end: offset(range.end),
            quote: match kind {
                PlaceKind::Document => String::new(),
                _ => source[range].to_owned(),
            },
        }),
    }
}

/// The standing of a place in a file that cannot be read.
pub(super) fn unknown() -> Standing {
    Standing {
        state: PlaceState::Unknown,
        version: None,
        found: None,
    }
}
