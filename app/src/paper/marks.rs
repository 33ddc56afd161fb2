//! Which threads touch which bytes of the document on the paper.

use super::pages::Pages;
use crate::sorted::sort_by_key;
use rex_shared::document::selection::touched;
use rex_shared::ids::{PlaceId, ThreadId};
use rex_shared::lane::Lane;
use rex_shared::wire::document::DocumentPlace;
use rex_shared::wire::place::{Place, PlaceKind, PlaceState};
use std::ops::Range;

/// One place of a thread that is found in the version on the paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The thread.
    pub thread: ThreadId,
    /// Its number.
    pub number: u32,
    /// Its lane.
    pub lane: Lane,
    /// The place.
    pub place: PlaceId,
    /// Bytes of the document's source that stand for it on the paper: of a section its heading, of the whole document
    /// none.
    pub bytes: Range<u32>,
    /// Bytes of all of it.
    pub whole: Range<u32>,
}

/// The places that can be drawn on `pages`: a lost one, or one whose range is of another version, is not guessed at.
pub(super) fn marks(places: &[DocumentPlace], pages: &Pages) -> Vec<Mark> {
    let mut marks: Vec<_> = places
        .iter()
        .filter(|at| at.place.version == pages.version)
        .filter(|at| !matches!(at.place.state, PlaceState::Gone | PlaceState::Unknown))
        .map(|at| Mark {
            thread: at.thread_id.clone(),
            number: at.number,
            lane: at.lane,
            place: at.place.place_id.clone(),
            bytes: standing_for(&at.place, pages),
            whole: at.place.start..at.place.end,
        })
        .collect();
    sort_by_key(&mut marks, |mark| {
        [mark.bytes.start.into(), mark.number.into()]
    });
    marks
}

/// A section or a document marked from end to end would hide every other mark in it.
fn standing_for(place: &Place, pages: &Pages) -> Range<u32> {
    let end = match place.kind {
        PlaceKind::Document => place.start,
        PlaceKind::Section => {
            let heading = touched(&pages.blocks, &(place.start..place.end)).next();
            heading.map_or(place.end, |at| pages.blocks[at].readable.end)
        }
        _ => place.end,
    };
    place.start..end.min(place.end)
}

/// The ranges that two threads or more share.
pub(super) fn overlaps(marks: &[Mark]) -> Vec<Range<u32>> {
    let mut edges: Vec<(u32, bool, &ThreadId)> = marks
        .iter()
        .filter(|mark| !mark.bytes.is_empty())
        .flat_map(|mark| {
            let Range { start, end } = mark.bytes;
            [(start, true, &mark.thread), (end, false, &mark.thread)]
        })
        .collect();
    sort_by_key(&mut edges, |(at, begins, _)| {
        [(*at).into(), (*begins).into()]
    });

    let mut open: Vec<&ThreadId> = Vec::new();
    let mut shared = Vec::new();
    let mut since = None;
    for (at, begins, thread) in edges {
        if begins {
            open.push(thread);
        } else if let Some(found) = open.iter().position(|known| *known == thread) {
            open.swap_remove(found);
        }
        let several = open.iter().any(|other| *other != open[0]);
        match (since, several) {
            (None, true) => since = Some(at),
            (Some(start), false) => {
                since = None;
                if start < at {
                    shared.push(start..at);
                }
            }
            _ => {}
        }
    }
    shared
}

/// The threads at a byte, each once, the shortest passage first: that is the one a person aimed at most closely.
pub(super) fn threads_at(marks: &[Mark], byte: u32) -> Vec<Mark> {
    let mut found: Vec<_> = marks
        .iter()
        .filter(|mark| mark.bytes.contains(&byte))
        .cloned()
        .collect();
    sort_by_key(&mut found, |mark| {
        let length = mark.bytes.end - mark.bytes.start;
        [length.into(), mark.number.into()]
    });
    let mut seen: Vec<ThreadId> = Vec::new();
    found.retain(|mark| {
        let new = !seen.contains(&mark.thread);
        seen.push(mark.thread.clone());
        new
    });
    found
}

#[cfg(test)]
mod tests {
    use super::super::pages::tests::{document, version};
    use super::*;

    fn pages() -> Pages {
        Pages::begin(document('a', &["# One", "two"]), None).unwrap()
    }

    fn at(number: u32, bytes: Range<u32>, state: PlaceState) -> DocumentPlace {
        let id = format!("01890a5d-ac96-774b-bcce-{number:012}");
        DocumentPlace {
            thread_id: ThreadId::parse(&id).unwrap(),
            number,
            lane: Lane::Open,
            place: Place {
                place_id: PlaceId::parse(&id).unwrap(),
                document: "pricing.md".to_owned(),
                kind: PlaceKind::Text,
                start: bytes.start,
                end: bytes.end,
                version: version('a'),
                quote: String::new(),
                state,
                message_id: None,
                replaces: None,
                vanished: None,
            },
        }
    }

    fn numbers(marks: &[Mark]) -> Vec<u32> {
        marks.iter().map(|mark| mark.number).collect()
    }

    #[test]
    fn a_lost_place_and_one_of_another_version_are_not_drawn() {
        let found = at(1, 0..4, PlaceState::Changed);
        let lost = at(2, 0..4, PlaceState::Gone);
        let unread = at(3, 0..4, PlaceState::Unknown);
        let mut elsewhere = at(4, 0..4, PlaceState::Exact);
        elsewhere.place.version = version('b');
        let marks = marks(&[found, lost, unread, elsewhere], &pages());
        assert_eq!(numbers(&marks), [1]);
    }

    /// S5: one click from a passage to each of its threads, never a guess between them.
    #[test]
    fn every_thread_at_a_byte_is_found_once_the_closest_first() {
        let places = [
            at(4, 0..90, PlaceState::Exact),
            at(4, 10..60, PlaceState::Exact),
            at(10, 40..50, PlaceState::Exact),
        ];
        let marks = marks(&places, &pages());
        assert_eq!(numbers(&threads_at(&marks, 45)), [10, 4]);
        assert_eq!(numbers(&threads_at(&marks, 50)), [4]);
        assert!(threads_at(&marks, 90).is_empty());
    }

    #[test]
    fn a_section_is_marked_at_its_heading_and_a_document_nowhere() {
        let mut section = at(1, 0..12, PlaceState::Exact);
        section.place.kind = PlaceKind::Section;
        let mut whole = at(2, 0..12, PlaceState::Exact);
        whole.place.kind = PlaceKind::Document;
        let marks = marks(&[section, whole], &pages());
        assert_eq!((&marks[0].bytes, &marks[0].whole), (&(0..7), &(0..12)));
        assert_eq!((&marks[1].bytes, &marks[1].whole), (&(0..0), &(0..12)));
        assert_eq!(numbers(&threads_at(&marks, 3)), [1]);
        assert!(overlaps(&marks).is_empty());
    }

    #[test]
    fn an_overlap_is_where_two_threads_stand_not_two_places_of_one() {
        let places = [
            at(4, 0..60, PlaceState::Exact),
            at(4, 10..70, PlaceState::Exact),
            at(10, 40..50, PlaceState::Exact),
            at(7, 70..80, PlaceState::Exact),
        ];
        let shared = overlaps(&marks(&places, &pages()));
        assert_eq!((shared.len(), shared[0].clone()), (1, 40..50));
        assert!(overlaps(&[]).is_empty());
    }
}
