//! What the paper knows: the blocks that came, the places in them, and what stands beside each block.

use super::keep::Kept;
use super::marks::{Mark, marks, overlaps};
use super::pages::{Pages, Shown};
use super::runs::{Run, runs};
use crate::model::{Model, Pick};
use crate::reactive::{Derived, State, Stored};
use leptos::html;
use leptos::prelude::*;
use rex_shared::document::selection::touched;
use rex_shared::ids::{PlaceId, ThreadId};
use rex_shared::lane::Lane;
use rex_shared::wire::document::DocumentPlace;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A thread's number in the gutter of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbered {
    /// The thread.
    pub thread: ThreadId,
    /// Its number.
    pub number: u32,
    /// Its lane.
    pub lane: Lane,
}

/// What stands beside one block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Beside {
    /// The threads with a passage in it, each once.
    pub threads: Vec<Numbered>,
    /// The numbers of picks in it, from 1.
    pub picks: Vec<usize>,
    /// The threads whose first passage it holds: their cards stand in its margin.
    pub cards: Vec<ThreadId>,
}

/// A selection that the selection bar is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// The pick it would become.
    pub pick: Pick,
    /// Where the bar stands in what the view scrolls, in pixels.
    pub at: (i32, i32),
}

/// Threads that share the character that was clicked.
#[derive(Debug, Clone, PartialEq)]
pub struct Several {
    /// The threads.
    pub threads: Vec<Mark>,
    /// Where the list stands in what the view scrolls, in pixels.
    pub at: (i32, i32),
}

/// What the paper knows.
#[derive(Debug, Clone, Copy)]
pub struct Sheet {
    /// The blocks that came; `None` until the first ones did.
    pub pages: State<Option<Pages>>,
    /// Every place in the document.
    pub places: State<Vec<DocumentPlace>>,
    /// Why there is nothing to show.
    pub trouble: State<Option<String>>,
    /// Blocks by key.
    pub index: Derived<HashMap<String, usize>>,
    /// The runs that the blocks stand in.
    pub runs: Derived<Vec<Run>>,
    /// Places drawn now: of the lane that is shown, without those of the tray.
    pub marks: Derived<Vec<Mark>>,
    /// What stands beside each block, by its key.
    pub beside: Derived<HashMap<String, Beside>>,
    /// The picks that lie in this version of this document: number and bytes.
    pub picks: Derived<Vec<(usize, PlaceId, Range<u32>)>>,
    /// The selection that the selection bar is about.
    pub chosen: State<Option<Chosen>>,
    /// Threads to choose from.
    pub several: State<Option<Several>>,
    /// Bytes lit for a moment.
    pub flash: State<Option<Range<u32>>>,
    /// The element that scrolls.
    pub view: NodeRef<html::Div>,
    /// The element whose children are the runs, in order; their children are the blocks.
    pub blocks: NodeRef<html::Div>,
    /// What stood at the top of the view when it was scrolled last.
    pub kept: Stored<Vec<Kept>>,
    /// Counts readings: an answer to an older one changes nothing.
    pub reading: Stored<u64>,
}

impl Sheet {
    /// A paper without a document.
    pub fn new(model: Model) -> Self {
        let pages = State::<Option<Pages>>::default();
        let places = State::<Vec<DocumentPlace>>::default();
        let index = Derived::new(move || {
            pages.with(|pages| {
                let blocks = pages.iter().flat_map(|pages| &pages.blocks);
                blocks
                    .enumerate()
                    .map(|(index, shown)| (shown.key.clone(), index))
                    .collect()
            })
        });
        let runs = Derived::new(move || {
            pages.with(|pages| {
                pages
                    .as_ref()
                    .map(|pages| runs(&pages.blocks))
                    .unwrap_or_default()
            })
        });
        let marks = Derived::new(move || drawn(model, pages, places));
        let picks = Derived::new(move || picked(model, pages, places));
        let beside = Derived::new(move || {
            pages.with(|pages| {
                let Some(pages) = pages else {
                    return HashMap::new();
                };
                marks.with(|marks| picks.with(|picks| beside(pages, marks, picks)))
            })
        });
        Self {
            pages,
            places,
            trouble: State::default(),
            index,
            runs,
            marks,
            beside,
            picks,
            chosen: State::default(),
            several: State::default(),
            flash: State::default(),
            view: NodeRef::new(),
            blocks: NodeRef::new(),
            kept: Stored::default(),
            reading: Stored::default(),
        }
    }

    /// Something of the blocks of a run; `None` when it is gone.
    pub(super) fn blocks_of<T>(&self, run: &str, see: impl FnOnce(&[Shown]) -> T) -> Option<T> {
        let range = self.runs.with(|runs| {
            let run = runs.iter().find(|known| known.key == run)?;
            Some(run.blocks.clone())
        })?;
        self.pages
            .with(|pages| Some(see(pages.as_ref()?.blocks.get(range)?)))
    }

    /// The bytes that two threads or more share.
    pub fn shared(&self) -> Vec<Range<u32>> {
        self.marks.with(|marks| overlaps(marks))
    }
}

fn drawn(
    model: Model,
    pages: State<Option<Pages>>,
    places: State<Vec<DocumentPlace>>,
) -> Vec<Mark> {
    let filter = model.rail.filter.get();
    let tray = model
        .tray
        .with(|tray| tray.as_ref().map(|tray| tray.thread_id.clone()));
    let mut drawn = pages.with(|pages| {
        let marks = |pages| places.with(|places| marks(places, pages));
        pages.as_ref().map(marks).unwrap_or_default()
    });
    drawn.retain(|mark| filter.is_none_or(|lane| lane == mark.lane));
    drawn.retain(|mark| tray.as_ref() != Some(&mark.thread));
    drawn
}

/// A pick lies where its place is found now; one that the bridge did not hear of yet, where it was made.
fn picked(
    model: Model,
    pages: State<Option<Pages>>,
    places: State<Vec<DocumentPlace>>,
) -> Vec<(usize, PlaceId, Range<u32>)> {
    if model.tray.with(Option::is_none) {
        return Vec::new();
    }
    let here = pages.with(|pages| {
        let pages = pages.as_ref()?;
        let found = places.with(|places| marks(places, pages));
        Some((pages.document.clone(), pages.version.clone(), found))
    });
    let Some((document, version, found)) = here else {
        return Vec::new();
    };
    model.tray.with(|tray| {
        let picks = tray.iter().flat_map(|tray| &tray.picks);
        picks
            .zip(1..)
            .map(|(pick, number)| (&pick.place, number))
            .filter(|(place, _)| place.document == document)
            .filter_map(|(place, number)| {
                let mark = found.iter().find(|mark| mark.place == place.place_id);
                let made = (place.version == version).then_some(place.start..place.end);
                let bytes = mark.map(|mark| mark.whole.clone()).or(made)?;
                Some((number, place.place_id.clone(), bytes))
            })
            .collect()
    })
}

fn beside(
    pages: &Pages,
    marks: &[Mark],
    picks: &[(usize, PlaceId, Range<u32>)],
) -> HashMap<String, Beside> {
    let mut all: HashMap<String, Beside> = HashMap::new();
    let mut seen: HashSet<&ThreadId> = HashSet::new();
    for mark in marks {
        for block in touched(&pages.blocks, &mark.bytes) {
            let beside = all.entry(pages.blocks[block].key.clone()).or_default();
            if seen.insert(&mark.thread) {
                beside.cards.push(mark.thread.clone());
            }
            if beside.threads.iter().all(|at| at.thread != mark.thread) {
                beside.threads.push(Numbered {
                    thread: mark.thread.clone(),
                    number: mark.number,
                    lane: mark.lane,
                });
            }
        }
    }
    for (number, _, bytes) in picks {
        if let Some(first) = touched(&pages.blocks, bytes).next() {
            let key = pages.blocks[first].key.clone();
            all.entry(key).or_default().picks.push(*number);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::pages::tests::document;
    use super::*;

    fn mark(number: u32, bytes: Range<u32>) -> Mark {
        let id = format!("01890a5d-ac96-774b-bcce-{number:012}");
        Mark {
            thread: ThreadId::parse(&id).unwrap(),
            number,
            lane: Lane::Open,
            place: PlaceId::parse(&id).unwrap(),
            whole: bytes.clone(),
            bytes,
        }
    }

    /// S5: every block that a passage touches shows the way to its thread; the thread's card stands at the first.
    #[test]
    fn a_number_stands_at_every_block_of_a_passage_and_its_card_at_the_first() {
        let pages = Pages::begin(document('a', &["one", "two", "three"]), None).unwrap();
        let marks = [mark(4, 1..8), mark(4, 2..3), mark(7, 10..12)];
        let pick = PlaceId::parse("01890a5d-ac96-774b-bcce-b302099a8057").unwrap();
        let all = beside(&pages, &marks, &[(2, pick, 5..8)]);
        let numbers = |key: &str| {
            let numbered = all[key].threads.iter();
            numbered.map(|at| at.number).collect::<Vec<_>>()
        };
        assert_eq!(numbers("id-one.0"), [4]);
        assert_eq!(numbers("id-two.0"), [4]);
        assert_eq!(numbers("id-three.0"), [7]);
        assert_eq!(all["id-one.0"].cards, [mark(4, 0..0).thread]);
        assert!(all["id-two.0"].cards.is_empty());
        assert_eq!(all["id-two.0"].picks, [2]);
    }
}
