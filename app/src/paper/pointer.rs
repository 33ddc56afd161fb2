//! Selecting, clicking and pointing on the paper.

use super::marks::{Mark, threads_at};
use super::sheet::{Chosen, Several, Sheet};
use crate::browser::listen::Listening;
use crate::browser::selection::{self, Boundary};
use crate::browser::{ids, sheet as pixels};
use crate::health;
use crate::lazy;
use crate::model::{Model, Pick, Picked};
use crate::navigate;
use crate::reactive::Stored;
use leptos::prelude::*;
use rex_shared::document::selection::{Point, Refusal, Selected, select, source_at};
use rex_shared::wire::place::{NewPlace, PlaceKind};
use std::time::Duration;

/// A selection that rests so long is meant, whether by keys or by a finger.
const REST: Duration = Duration::from_millis(250);

/// What is under way between pointer and selection.
#[derive(Debug, Clone, Copy)]
pub struct Hand {
    model: Model,
    sheet: Sheet,
    pressing: Stored<bool>,
    resting: Stored<Option<TimeoutHandle>>,
    moving: Stored<bool>,
}

impl Hand {
    /// Listens to the selection as long as the paper lives.
    pub(super) fn new(model: Model, sheet: Sheet) -> Self {
        let hand = Self {
            model,
            sheet,
            pressing: Stored::new(false),
            resting: Stored::new(None),
            moving: Stored::new(false),
        };
        let listening = StoredValue::new_local(Listening::to_selection(move || hand.changed()));
        on_cleanup(move || listening.dispose());
        hand
    }

    /// The paper.
    pub(super) fn sheet(self) -> Sheet {
        self.sheet
    }

    /// The pointer went down: until it is released nothing is decided.
    pub(super) fn press(self) {
        self.pressing.set_value(true);
        self.sheet.several.set(None);
    }

    /// The pointer was released, on the paper or elsewhere.
    pub(super) fn release(self) {
        if self.pressing.get_value() {
            self.pressing.set_value(false);
            // The browser has the new selection only after the event.
            set_timeout(move || self.look(), Duration::ZERO);
        }
    }

    fn changed(self) {
        if let Some(Some(resting)) = self.resting.try_update_value(Option::take) {
            resting.clear();
        }
        let resting = set_timeout_with_handle(
            move || {
                if self.pressing.try_get_value() == Some(false) {
                    self.look();
                }
            },
            REST,
        );
        self.resting.try_update_value(|at| *at = resting.ok());
    }

    fn look(self) {
        if selection::is_something_selected() {
            lazy::with_thread(self.model, move |code| (code.settle)(self));
        } else if self.sheet.chosen.try_with_untracked(Option::is_some) == Some(true) {
            self.sheet.chosen.set(None);
        }
    }

    /// Makes of the selection what it means: a further pick while the tray is open, else the selection bar.
    pub(crate) fn settle(self) {
        // The paper may be gone by the time this runs.
        let Some(Some(blocks)) = self.sheet.blocks.try_get_untracked() else {
            return;
        };
        let Some(ends) = selection::selected(&blocks) else {
            self.sheet.chosen.set(None);
            return;
        };
        let tied = match self.tie(&ends) {
            Err(Refusal::TooShort) => self.selected_image().ok_or(Refusal::TooShort),
            tied => tied,
        };
        if let (Ok(place), Some(lost)) = (&tied, self.model.bereft.get_untracked()) {
            selection::select_nothing();
            self.sheet.chosen.set(None);
            return health::put_on(self.model, lost, place.clone());
        }
        match tied {
            Ok(place) if self.model.tray.with_untracked(Option::is_some) => {
                self.sheet.chosen.set(None);
                let pick = Pick::new(place);
                self.model
                    .picked
                    .update(|picked| picked.push(Picked::Further(pick)));
            }
            Ok(place) => {
                let view = self.sheet.view.get_untracked();
                let at = view.and_then(|view| pixels::by_selection(&view));
                let pick = Pick::new(place);
                let chosen = at.map(|at| Chosen { pick, at });
                // The bar that is there already stays: it may be about to be clicked.
                if self
                    .sheet
                    .chosen
                    .with_untracked(|old| !is_same(old, &chosen))
                {
                    self.sheet.chosen.set(chosen);
                }
            }
            Err(refusal) => {
                self.sheet.chosen.set(None);
                if let Some(sentence) = refusal.sentence() {
                    self.model.notices.say(sentence);
                }
            }
        }
    }

    fn tie(self, ends: &[Boundary; 2]) -> Result<NewPlace, Refusal> {
        self.sheet.pages.with_untracked(|pages| {
            let pages = pages.as_ref().ok_or(Refusal::TooShort)?;
            let [a, b] = [self.point(&ends[0])?, self.point(&ends[1])?];
            let Selected {
                start, end, quote, ..
            } = select(&pages.blocks, a, b)?;
            Ok(NewPlace {
                place_id: ids::place_id(),
                document: pages.document.clone(),
                kind: PlaceKind::Text,
                start,
                end,
                version: pages.version.clone(),
                quote,
            })
        })
    }

    /// A boundary as a point of the blocks, if the element holds the very text that was read.
    fn point(self, boundary: &Boundary) -> Result<Point, Refusal> {
        let index = self
            .sheet
            .index
            .with_untracked(|index| index.get(&boundary.key).copied());
        let block = index.ok_or(Refusal::Untied)?;
        self.sheet.pages.with_untracked(|pages| {
            let read = pages.as_ref().and_then(|pages| pages.blocks.get(block));
            let read = read.ok_or(Refusal::Untied)?.readable.body.reading.text();
            if read != boundary.text {
                return Err(Refusal::Untied);
            }
            Ok(Point {
                block,
                offset: boundary.offset,
            })
        })
    }

    /// A click on a passage opens its thread; where several share it, they are offered.
    pub(super) fn click(self, x: i32, y: i32) {
        if selection::is_something_selected() {
            return;
        }
        self.open_one_of(self.at(x, y), x, y);
    }

    /// Opens a thread; where there are several, they are offered.
    pub(super) fn open_one_of(self, mut threads: Vec<Mark>, x: i32, y: i32) {
        match threads.len() {
            0 => {}
            1 => navigate::to_thread(self.model, threads.remove(0).thread),
            _ => {
                let at = self
                    .sheet
                    .view
                    .get_untracked()
                    .map(|view| pixels::under(&view, f64::from(x), f64::from(y)));
                self.sheet.several.set(at.map(|at| Several { threads, at }));
            }
        }
    }

    /// Marks the thread of the passage under the pointer, at most once a frame.
    pub(super) fn hover(self, x: i32, y: i32) {
        if self.moving.get_value() || self.pressing.get_value() {
            return;
        }
        self.moving.set_value(true);
        request_animation_frame(move || {
            if self
                .moving
                .try_update_value(|moving| *moving = false)
                .is_none()
            {
                return;
            }
            let thread = self.at(x, y).into_iter().next().map(|mark| mark.thread);
            if self
                .model
                .pointed
                .with_untracked(|pointed| *pointed != thread)
            {
                self.model.pointed.set(thread);
            }
        });
    }

    fn at(self, x: i32, y: i32) -> Vec<Mark> {
        let found = || {
            if self.sheet.marks.with_untracked(Vec::is_empty) {
                return None;
            }
            let blocks = self.sheet.blocks.get_untracked()?;
            let at = selection::at_point(&blocks, f64::from(x), f64::from(y))?;
            let point = self.point(&at).ok()?;
            let byte = self
                .sheet
                .pages
                .with_untracked(|pages| source_at(&pages.as_ref()?.blocks, point))?;
            Some(
                self.sheet
                    .marks
                    .with_untracked(|marks| threads_at(marks, byte)),
            )
        };
        found().unwrap_or_default()
    }
}

fn is_same(old: &Option<Chosen>, new: &Option<Chosen>) -> bool {
    let made = |chosen: &Option<Chosen>| chosen.as_ref().map(|chosen| chosen.pick.made.clone());
    old.is_some() && made(old) == made(new)
}
