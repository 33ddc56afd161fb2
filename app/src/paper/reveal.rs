//! Bringing a passage into view: from a place in the card, a marker, a pick or a link to a heading.

use super::link::slug;
use super::load;
use super::marks::marks;
use super::pages::Pages;
use super::sheet::Sheet;
use crate::browser::selection::BlockTexts;
use crate::browser::{sheet as pixels, timer};
use crate::model::Model;
use crate::reactive::on_change;
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::document::Node;
use rex_shared::document::selection::{stretches, touched};
use rex_shared::ids::PlaceId;
use std::ops::Range;

/// How long a passage stays lit, in milliseconds.
const LIT: u32 = 1600;

/// Brings the model's jump into view as soon as it has been read.
pub(super) fn follow(model: Model, sheet: Sheet) {
    on_change(move || {
        let Some(place) = model.document.jump.get() else {
            return;
        };
        let Some(at) = sheet.pages.with(|pages| {
            let pages = pages.as_ref()?;
            Some(bytes(sheet, pages, &place).map(|bytes| (has_come(pages, &bytes), bytes)))
        }) else {
            return;
        };
        match at {
            Some((true, bytes)) => {
                model.document.jump.set(None);
                show(sheet, bytes);
            }
            Some((false, _)) => load::read_on(model, sheet),
            None if is_lost(sheet, &place) => {
                model.document.jump.set(None);
                // An open card says it itself, with what the passage was.
                if model.open_thread.with_untracked(Option::is_none) {
                    model
                        .notices
                        .say("This passage is not found in the document as it is now.");
                }
            }
            // It was made just now: it comes with the places that are being asked for.
            None => {}
        }
    });
}

/// Where a place of this document lies, whether its lane is shown or not. Tracks places and picks.
fn bytes(sheet: Sheet, pages: &Pages, place: &PlaceId) -> Option<Range<u32>> {
    let of_mark = sheet.places.with(|places| {
        let marks = marks(places, pages);
        let mark = marks.iter().find(|mark| mark.place == *place)?;
        Some(mark.bytes.clone())
    });
    of_mark.or_else(|| {
        sheet.picks.with(|picks| {
            let (.., bytes) = picks.iter().find(|(_, id, _)| id == place)?;
            Some(bytes.clone())
        })
    })
}

fn has_come(pages: &Pages, bytes: &Range<u32>) -> bool {
    pages.is_whole()
        || pages
            .blocks
            .last()
            .is_some_and(|last| last.readable.end >= bytes.end)
}

/// The place is known here and cannot be drawn.
fn is_lost(sheet: Sheet, place: &PlaceId) -> bool {
    sheet
        .places
        .with(|places| places.iter().any(|at| at.place.place_id == *place))
}

/// Scrolls to a range of bytes and lights it for a moment.
pub(super) fn show(sheet: Sheet, bytes: Range<u32>) {
    // An image shows no text, and a document is not marked: their block is brought into view.
    let first = sheet.pages.with_untracked(|pages| {
        let blocks = &pages.as_ref()?.blocks;
        let words = stretches(blocks, &bytes).into_iter().next();
        let block = match &words {
            Some(words) => words.block,
            None => touched(blocks, &bytes).next()?,
        };
        Some((block, words))
    });
    let Some((block, words)) = first else { return };
    sheet.flash.set(Some(bytes.clone()));
    request_animation_frame(move || {
        let (Some(Some(view)), Some(Some(blocks))) = (
            sheet.view.try_get_untracked(),
            sheet.blocks.try_get_untracked(),
        ) else {
            return;
        };
        // A block out of view is not laid out: first the block, then the very words.
        let words = words.and_then(|words| {
            let texts = BlockTexts::of(&blocks)?.block(block)?;
            texts.range(&words.units)
        });
        let is_laid_out = words.as_ref().is_some_and(pixels::has_height);
        if !is_laid_out {
            pixels::bring(&view, &blocks, block);
        }
        request_animation_frame(move || {
            if let Some(words) = words {
                pixels::bring_range(&view, &words);
            }
        });
    });
    spawn_local(async move {
        timer::sleep(LIT).await;
        let is_lit = sheet
            .flash
            .try_with_untracked(|lit| lit.as_ref() == Some(&bytes));
        if is_lit == Some(true) {
            sheet.flash.set(None);
        }
    });
}

/// Scrolls to the heading with a name, if it has been read.
pub(super) fn heading(sheet: Sheet, name: &str) {
    let wanted = slug(name);
    to_block(sheet, |node, text| {
        matches!(node, Node::Heading { .. }) && slug(text) == wanted
    });
}

/// Scrolls to a footnote.
pub(super) fn footnote(sheet: Sheet, label: &str) {
    to_block(
        sheet,
        |node, _| matches!(node, Node::Footnote { label: at, .. } if at == label),
    );
}

fn to_block(sheet: Sheet, is_it: impl Fn(&Node, &str) -> bool) {
    let bytes = sheet.pages.with_untracked(|pages| {
        let blocks = &pages.as_ref()?.blocks;
        let block = blocks.iter().find(|shown| {
            let body = &shown.readable.body;
            is_it(&body.node, body.reading.text())
        })?;
        Some(block.readable.start..block.readable.end)
    });
    if let Some(bytes) = bytes {
        show(sheet, bytes);
    }
}
