//! The path bar: what a pick can reach, from the whole document down to the words that were selected.
//!
//! It is a group of radio buttons, so that arrows widen and narrow, and assistive technology says which of how many.
//! While text is selected the same arrows do so from anywhere on the paper.

use super::sheet::Sheet;
use crate::browser::ids;
use crate::browser::keys::KeyPress;
use crate::model::Pick;
use crate::reactive::Derived;
use leptos::prelude::*;
use rex_shared::document::selection::quote;
use rex_shared::document::widening::{Step, What, widening};
use rex_shared::wire::place::{NewPlace, PlaceKind};

/// A pick of the paper and what it can reach.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    sheet: Sheet,
    pick: Derived<Option<Pick>>,
    steps: Derived<Vec<Step>>,
}

impl Reach {
    /// Of a pick that may come and go. One of another document, or of another version of this one, reaches nothing.
    pub(super) fn of(
        sheet: Sheet,
        pick: impl Fn() -> Option<Pick> + Send + Sync + 'static,
    ) -> Self {
        let pick = Derived::new(pick);
        let made = Derived::new(move || {
            pick.with(|pick| {
                let Pick { place, made, .. } = pick.as_ref()?;
                Some((place.document.clone(), place.version.clone(), made.clone()))
            })
        });
        let steps = Derived::new(move || {
            made.with(|made| {
                let (document, version, (kind, range)) = made.as_ref()?;
                sheet.pages.with(|pages| {
                    let pages = pages.as_ref()?;
                    let is_here = (document, version) == (&pages.document, &pages.version);
                    let whole = pages.is_whole();
                    is_here.then(|| widening(pages.format, &pages.blocks, whole, *kind, range))
                })
            })
            .unwrap_or_default()
        });
        Self { sheet, pick, steps }
    }

    /// The step that the pick is at.
    fn at(self) -> Option<usize> {
        self.pick.with(|pick| {
            let place = &pick.as_ref()?.place;
            self.steps.with(|steps| {
                steps.iter().position(|step| {
                    (step.kind, step.range.start, step.range.end)
                        == (place.kind, place.start, place.end)
                })
            })
        })
    }

    /// The pick as it would be at a step.
    fn pick_at(self, step: usize) -> Option<Pick> {
        let old = self.pick.get_untracked()?;
        let step = self
            .steps
            .with_untracked(|steps| steps.get(step).cloned())?;
        let quote = match step.kind {
            PlaceKind::Document => String::new(),
            _ => self
                .sheet
                .pages
                .with_untracked(|pages| quote(&pages.as_ref()?.blocks, &step.range))?,
        };
        Some(Pick {
            place: NewPlace {
                place_id: ids::place_id(),
                kind: step.kind,
                start: step.range.start,
                end: step.range.end,
                quote,
                ..old.place
            },
            made: old.made,
            stored: false,
        })
    }

    /// The pick one step on, when a key asks for that: up widens, down narrows.
    pub(super) fn pressed(self, key: &KeyPress) -> Option<Pick> {
        let is_plain = !(key.modifier || key.alt || key.shift || key.in_text || key.composing);
        let at = self.at().filter(|_| is_plain)?;
        match key.key.as_str() {
            "ArrowUp" => self.pick_at(at + 1),
            "ArrowDown" => self.pick_at(at.checked_sub(1)?),
            _ => None,
        }
    }
}

/// The bar; `name` tells its radio buttons from those of another one. A pick that reaches nothing else has none.
#[component]
pub(super) fn PathBar(
    reach: Reach,
    name: &'static str,
    choose: impl Fn(Pick) + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let step = move |(at, step): (usize, Step)| {
        view! {
            <label class="path__step">
                <input
                    type="radio"
                    name=name
                    prop:checked=move || reach.at() == Some(at)
                    on:change=move |_| {
                        if let Some(pick) = reach.pick_at(at) {
                            choose(pick);
                        }
                    }
                />
                <span>{word(step.what)}</span>
            </label>
        }
    };
    move || {
        let steps = reach.steps.get();
        (steps.len() > 1).then(|| {
            let steps = steps.into_iter().enumerate().rev().map(step).collect_view();
            view! {
                <fieldset class="path" aria-keyshortcuts="ArrowUp ArrowDown">
                    <legend class="vh">"How far it reaches"</legend>
                    {steps}
                </fieldset>
            }
        })
    }
}

/// What a person calls a step.
fn word(what: What) -> String {
    let word = match what {
        What::Selection => "Selection",
        What::Words => "Words",
        What::Sentence => "Sentence",
        What::Line => "Line",
        What::Paragraph => "Paragraph",
        What::Heading => "Heading",
        What::Item => "List item",
        What::List => "List",
        What::Quote => "Quote",
        What::Code => "Code",
        What::Cell => "Cell",
        What::Row => "Row",
        What::Table => "Table",
        What::Image => "Image",
        What::Footnote => "Footnote",
        What::Blocks => "Block",
        What::Section(title) => return format!("Section {title}").trim_end().to_owned(),
        What::Document => "Document",
    };
    word.to_owned()
}
