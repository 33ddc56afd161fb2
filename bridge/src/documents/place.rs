//! Checking a place before it is stored.

use super::standing::{stands, unknown};
use super::{Documents, Text};
use crate::store::CheckedPlace;
use crate::workspaces::blocking;
use rex_shared::document::extents::{Extent, extents};
use rex_shared::ids::WorkspaceId;
use rex_shared::locate::{Alignment, Located};
use rex_shared::wire::place::{NewPlace, PlaceKind, PlaceState};
use rex_shared::wire::problem::{Problem, ProblemType};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

impl Documents {
    /// Checks places that come together, all on one reading of their documents; the first that does not fit refuses
    /// them all.
    pub async fn check_places(
        &self,
        workspace: &WorkspaceId,
        places: &[NewPlace],
    ) -> Result<Vec<CheckedPlace>, Problem> {
        let mut current = HashMap::new();
        let mut checked = Vec::with_capacity(places.len());
        for place in places {
            let current = match current.entry(place.document.as_str()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(self.read(workspace, &place.document).await),
            };
            checked.push(self.check(place, current.clone()).await?);
        }
        Ok(checked)
    }

    /// Checks that a place's quote is what stands there: 422 `quote-mismatch` when not. Its version must be the one
    /// on disk, one served lately, or one that another place refers to: else 409 `stale-version` with the
    /// `currentVersion`. The place comes back under the document's own name, with where it stands now.
    pub async fn check_place(
        &self,
        workspace: &WorkspaceId,
        place: &NewPlace,
    ) -> Result<CheckedPlace, Problem> {
        let current = self.read(workspace, &place.document).await;
        self.check(place, current).await
    }

    async fn check(
        &self,
        place: &NewPlace,
        current: Result<Text, Problem>,
    ) -> Result<CheckedPlace, Problem> {
        let bytes = match &current {
            Ok(text) if text.version == place.version => text.bytes.clone(),
            _ => match self.version_bytes(&place.version).await? {
                Some(bytes) => bytes,
                None => return Err(stale(&current?)),
            },
        };
        let mut place = place.clone();
        if let Ok(text) = &current {
            place.document.clone_from(&text.document);
        }
        blocking(move || {
            let made_on = Text::of(place.document.clone(), bytes.clone())?;
            check_quote(&mut place, &made_on)?;
            let range = place.start as usize..place.end as usize;
            let (standing, now) = match &current {
                Ok(text) if text.version == place.version => {
                    let located = Located {
                        state: PlaceState::Exact,
                        range: Some(range),
                    };
                    (stands(located, place.kind, text), None)
                }
                Ok(text) => {
                    let alignment = Alignment::new(text.format, &made_on.source, &text.source);
                    let located = alignment.locate(range, place.kind);
                    (stands(located, place.kind, text), Some(text.bytes.clone()))
                }
                Err(_) => (unknown(), None),
            };
            Ok(CheckedPlace {
                place,
                source: bytes,
                standing,
                now,
            })
        })
        .await
    }
}

/// Checks that a place is what it says. Text and parts of a document are quoted by their source; a part is that part
/// from end to end and not some of it. A whole document is not quoted: the quote may be left out, and is.
fn check_quote(place: &mut NewPlace, made_on: &Text) -> Result<(), Problem> {
    let source = &*made_on.source;
    let range = place.start as usize..place.end as usize;
    if place.kind == PlaceKind::Document {
        if range != (0..source.len()) {
            return Err(mismatch());
        }
        place.quote.clear();
        return Ok(());
    }
    let slice = source.get(range.clone());
    if slice != Some(&place.quote) || place.quote.trim().is_empty() {
        return Err(mismatch());
    }
    let is_that = place.kind == PlaceKind::Text || {
        let extents = extents(made_on.format, source);
        let is_it = |extent: &Extent| extent.kind == place.kind && extent.range == range;
        extents.iter().any(is_it)
    };
    if is_that {
        Ok(())
    } else {
        Err(not_that(place.kind))
    }
}

fn not_that(kind: PlaceKind) -> Problem {
    let name = match kind {
        PlaceKind::Section => "section",
        PlaceKind::Cell => "table cell",
        PlaceKind::Row => "table row",
        PlaceKind::Image => "image",
        PlaceKind::Text | PlaceKind::Document => "passage",
    };
    Problem::new(
        ProblemType::QuoteMismatch,
        format!("This is not a whole {name}"),
        format!(
            "No {name} of that version begins and ends where this passage does. Nothing was stored."
        ),
        "Load the document again and pick it anew.",
    )
}

fn mismatch() -> Problem {
    Problem::new(
        ProblemType::QuoteMismatch,
        "The passage is not what was selected",
        "The words that came with this passage are not the ones at its place in that version. Nothing was stored.",
        "Load the document again and select the passage anew.",
    )
}

fn stale(current: &Text) -> Problem {
    Problem::new(
        ProblemType::StaleVersion,
        "The document has changed",
        format!(
            "{} has changed since it was shown, and the version it was shown in is not kept any more. Nothing was stored.",
            current.document
        ),
        "Load the document again and select the passage anew.",
    )
    .with("currentVersion", current.version.as_str())
}
