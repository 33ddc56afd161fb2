//! Checking a place before it is stored.

use super::standing::{stands, unknown};
use super::{Documents, Text, text};
use crate::store::CheckedPlace;
use crate::workspaces::blocking;
use rex_shared::ids::WorkspaceId;
use rex_shared::locate::{Alignment, Located};
use rex_shared::wire::place::{NewPlace, PlaceKind, PlaceState};
use rex_shared::wire::problem::{Problem, ProblemType};

impl Documents {
    /// Checks places that come together; the first that does not fit refuses them all.
    pub async fn check_places(
        &self,
        workspace: &WorkspaceId,
        places: &[NewPlace],
    ) -> Result<Vec<CheckedPlace>, Problem> {
        let mut checked = Vec::with_capacity(places.len());
        for place in places {
            checked.push(self.check_place(workspace, place).await?);
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
            let source = text::source(&bytes);
            check_quote(&mut place, &source)?;
            let standing = match &current {
                Ok(text) if text.version == place.version => {
                    let located = Located {
                        state: PlaceState::Exact,
                        range: Some(place.start as usize..place.end as usize),
                    };
                    stands(located, place.kind, &text.version, &text.source)
                }
                Ok(text) => {
                    let range = place.start as usize..place.end as usize;
                    let located = Alignment::new(text.format, &source, &text.source)
                        .locate(range, place.kind);
                    stands(located, place.kind, &text.version, &text.source)
                }
                Err(_) => unknown(),
            };
            Ok(CheckedPlace {
                place,
                source: bytes,
                standing,
            })
        })
        .await
    }
}

/// A whole document is not quoted: the quote may be left out, and is.
fn check_quote(place: &mut NewPlace, source: &str) -> Result<(), Problem> {
    let (start, end) = (place.start as usize, place.end as usize);
    let slice = source.get(start..end);
    if place.kind == PlaceKind::Document {
        if (start, end) != (0, source.len()) {
            return Err(mismatch());
        }
        place.quote.clear();
        return Ok(());
    }
    match slice {
        Some(slice) if slice == place.quote && !slice.trim().is_empty() => Ok(()),
        _ => Err(mismatch()),
    }
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
