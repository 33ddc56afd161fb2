//! Places as an agent is told them: by path, lines and heading, never as bare text.

use crate::documents::{Documents, Lines};
use rex_shared::document::{self, Format, Node};
use rex_shared::ids::{PlaceId, WorkspaceId};
use rex_shared::prompt::ToldPlace;
use rex_shared::wire::place::{Place, PlaceKind, PlaceState};
use std::collections::HashSet;
use std::sync::Arc;

/// The places that count: those that another one stands in for are left out.
pub(super) fn standing(places: &[Place]) -> Vec<&Place> {
    let replaced: HashSet<&PlaceId> = places
        .iter()
        .filter_map(|place| place.replaces.as_ref())
        .collect();
    places
        .iter()
        .filter(|place| !replaced.contains(&place.place_id))
        .collect()
}

/// Whether an agent that is told this place must make do with its quote.
pub(super) fn is_lost(place: &Place) -> bool {
    place.state == PlaceState::Gone && place.kind != PlaceKind::Document
}

/// Finds what an agent needs to find each place. A file that cannot be read leaves the quote alone.
pub(super) async fn told(
    documents: &Documents,
    workspace: &WorkspaceId,
    places: &[&Place],
) -> Vec<ToldPlace> {
    let mut told = Vec::with_capacity(places.len());
    for place in places {
        let source = source_of(documents, workspace, place).await;
        told.push(tell(place, source.as_deref()));
    }
    told
}

/// The text that a place's range is about: the file as the agent will find it, if it still is that version.
async fn source_of(
    documents: &Documents,
    workspace: &WorkspaceId,
    place: &Place,
) -> Option<Arc<str>> {
    if place.kind == PlaceKind::Document || is_lost(place) {
        return None;
    }
    match documents.read(workspace, &place.document).await {
        Ok(now) if now.version == place.version => Some(now.source),
        // Changed this moment and not resolved yet: the lines are those of a moment ago.
        Ok(_) => documents.version_text(&place.version).await.ok().flatten(),
        Err(_) => None,
    }
}

fn tell(place: &Place, source: Option<&str>) -> ToldPlace {
    let start = place.start as usize;
    let end = place.end as usize;
    ToldPlace {
        document: place.document.clone(),
        kind: place.kind,
        lines: source.map(|source| {
            let lines = Lines::new(source);
            (lines.of(start), lines.of(end.saturating_sub(1).max(start)))
        }),
        heading: source.and_then(|source| heading_above(&place.document, source, start)),
        quote: place.quote.clone(),
    }
}

/// The first line of the last heading that begins before a byte of a Markdown document.
fn heading_above(document: &str, source: &str, at: usize) -> Option<String> {
    let (_, extension) = document.rsplit_once('.')?;
    if !["md", "markdown"].contains(&extension.to_ascii_lowercase().as_str()) {
        return None;
    }
    let heading = document::parse(Format::Markdown, source)
        .into_iter()
        .take_while(|block| block.start as usize <= at)
        .filter(|block| matches!(block.node, Some(Node::Heading { .. })))
        .last()?;
    let line = source
        .get(heading.start as usize..heading.end as usize)?
        .lines()
        .next()?;
    Some(line.trim().trim_matches('#').trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rex_shared::ids::Version;

    fn place(document: &str, source: &str, quote: &str) -> Place {
        let start = source.find(quote).unwrap();
        Place {
            place_id: PlaceId::parse("00000000-0000-7000-8000-000000000001").unwrap(),
            document: document.to_owned(),
            kind: PlaceKind::Text,
            start: u32::try_from(start).unwrap(),
            end: u32::try_from(start + quote.len()).unwrap(),
            version: Version::parse(&"0".repeat(64)).unwrap(),
            quote: quote.to_owned(),
            state: PlaceState::Exact,
            message_id: None,
            replaces: None,
            vanished: None,
        }
    }

    /// S64: a passage reaches the agent with its file, its lines and the heading above it.
    #[test]
    fn a_place_is_told_with_its_lines_and_heading() {
        let source = "# Pricing\n\nIntro.\n\n## Volume ##\n\nTen\nper cent.\n\n## After\n";
        let told = tell(
            &place("docs/pricing.md", source, "Ten\nper cent."),
            Some(source),
        );
        assert_eq!(told.lines, Some((7, 8)));
        assert_eq!(told.heading.as_deref(), Some("Volume"));
        let code = tell(&place("a.rs", source, "Intro."), Some(source));
        assert_eq!((code.lines, code.heading), (Some((3, 3)), None));
    }

    #[test]
    fn a_lost_place_has_no_lines_and_a_replaced_one_is_not_told() {
        let source = "one two";
        let old = place("a.md", source, "one");
        let new = Place {
            place_id: PlaceId::parse("00000000-0000-7000-8000-000000000002").unwrap(),
            replaces: Some(old.place_id.clone()),
            ..place("a.md", source, "two")
        };
        assert_eq!(tell(&old, None).lines, None);
        assert_eq!(standing(&[old, new.clone()]), [&new]);
    }
}
