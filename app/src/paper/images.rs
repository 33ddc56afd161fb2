//! Images of the paper: picked by a click or a selection of nothing else, and framed where a place marks them.

use super::marks::{Mark, threads_at};
use super::pointer::Hand;
use super::sheet::Sheet;
use crate::browser::ids;
use crate::browser::selection::{self, ImageAt};
use leptos::prelude::*;
use rex_shared::document::selection::quote;
use rex_shared::document::widening::images;
use rex_shared::wire::place::{NewPlace, PlaceKind};
use std::ops::Range;

impl Hand {
    /// A click on an image opens the thread that marks it, and selects it where none does.
    pub(crate) fn click_image(self, image: &ImageAt, x: i32, y: i32) {
        let sheet = self.sheet();
        let Some(bytes) = bytes_of(sheet, image) else {
            return;
        };
        let marks = sheet.marks.with_untracked(|marks| {
            let around =
                |mark: &&Mark| mark.bytes.start <= bytes.start && bytes.end <= mark.bytes.end;
            let marks: Vec<Mark> = marks.iter().filter(around).cloned().collect();
            threads_at(&marks, bytes.start)
        });
        match (marks.len(), sheet.blocks.get_untracked()) {
            (0, Some(blocks)) => selection::select_image(&blocks, image),
            _ => self.open_one_of(marks, x, y),
        }
    }

    /// The image that is selected with no text beside it.
    pub(super) fn selected_image(self) -> Option<NewPlace> {
        let sheet = self.sheet();
        let blocks = sheet.blocks.get_untracked()?;
        let image = selection::selected_image(&blocks)?;
        let bytes = bytes_of(sheet, &image)?;
        sheet.pages.with_untracked(|pages| {
            let pages = pages.as_ref()?;
            Some(NewPlace {
                place_id: ids::place_id(),
                document: pages.document.clone(),
                kind: PlaceKind::Image,
                start: bytes.start,
                end: bytes.end,
                version: pages.version.clone(),
                quote: quote(&pages.blocks, &bytes)?,
            })
        })
    }
}

fn bytes_of(sheet: Sheet, image: &ImageAt) -> Option<Range<u32>> {
    sheet.pages.with_untracked(|pages| {
        let pages = pages.as_ref()?;
        let block = &pages.blocks[pages.find(&image.block)?];
        images(&block.readable).into_iter().nth(image.nth)
    })
}
