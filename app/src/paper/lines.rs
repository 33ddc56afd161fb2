//! Lines of the source: an agent names them, so the card can go to one, and says of each place which it stands in.

use super::marks::marks;
use super::pages::{Pages, Shown};
use super::sheet::Sheet;
use super::{load, reveal};
use crate::model::Model;
use crate::reactive::on_change;
use rex_shared::document::selection::stretches;
use std::collections::HashMap;
use std::ops::Range;

/// Brings the model's line into view as soon as it has been read, and tells the model the lines of all places.
pub(super) fn follow(model: Model, sheet: Sheet) {
    on_change(move || {
        let Some(line) = model.document.jump_line.get() else {
            return;
        };
        let path = model.document.path.get();
        let Some((come, bytes)) = sheet.pages.with(|pages| {
            let pages = pages
                .as_ref()
                .filter(|pages| Some(&pages.document) == path.as_ref())?;
            Some((has_come(pages, line), bytes_of(&pages.blocks, line)))
        }) else {
            return;
        };
        if come {
            model.document.jump_line.set(None);
            if let Some(bytes) = bytes {
                reveal::show(sheet, bytes);
            }
        } else {
            load::read_on(model, sheet);
        }
    });
    on_change(move || {
        let lines = sheet.pages.with(|pages| {
            let Some(pages) = pages else {
                return HashMap::new();
            };
            sheet.places.with(|places| {
                marks(places, pages)
                    .into_iter()
                    .filter_map(|mark| {
                        Some((mark.place, line_at(&pages.blocks, mark.bytes.start)?))
                    })
                    .collect()
            })
        });
        if model
            .document
            .place_lines
            .with_untracked(|old| *old != lines)
        {
            model.document.place_lines.set(lines);
        }
    });
}

fn has_come(pages: &Pages, line: u32) -> bool {
    pages.is_whole()
        || pages
            .blocks
            .last()
            .is_some_and(|last| last.first_line > line)
}

/// The bytes of a line; of its whole block where the line itself shows nothing. Behind the end it is the last block.
fn bytes_of(blocks: &[Shown], line: u32) -> Option<Range<u32>> {
    let at = blocks.partition_point(|block| block.first_line <= line);
    let block = blocks.get(at.saturating_sub(1))?;
    let below = line.saturating_sub(block.first_line) as usize;
    let mut from = block.readable.start;
    for (at, text) in block.readable.body.source.split_inclusive('\n').enumerate() {
        let bytes = from..from + u32::try_from(text.trim_end().len()).ok()?;
        if at == below && !stretches(blocks, &bytes).is_empty() {
            return Some(bytes);
        }
        from += u32::try_from(text.len()).ok()?;
    }
    Some(block.readable.start..block.readable.end)
}

/// The line of a byte, from 1.
fn line_at(blocks: &[Shown], byte: u32) -> Option<u32> {
    let at = blocks.partition_point(|block| block.readable.start <= byte);
    let block = blocks.get(at.checked_sub(1)?)?;
    let before = block
        .readable
        .body
        .source
        .get(..(byte - block.readable.start) as usize)?;
    Some(block.first_line + super::pages::lines_in(before))
}

#[cfg(test)]
mod tests {
    use super::super::pages::tests::document;
    use super::*;

    #[test]
    fn a_line_is_found_by_its_number_and_a_byte_by_its_line() {
        // Blocks of one line with a blank line below: "one" is line 1, "two" line 3.
        let pages = Pages::begin(document('a', &["one", "two"]), None).unwrap();
        assert_eq!(bytes_of(&pages.blocks, 3), Some(5..8));
        assert_eq!(line_at(&pages.blocks, 5), Some(3));
        assert_eq!(line_at(&pages.blocks, 7), Some(3));
    }

    #[test]
    fn a_line_that_shows_nothing_means_its_block_and_one_behind_the_end_the_last_block() {
        let pages = Pages::begin(document('a', &["one", "two"]), None).unwrap();
        assert_eq!(bytes_of(&pages.blocks, 2), Some(0..5));
        assert_eq!(bytes_of(&pages.blocks, 99), Some(5..10));
    }
}
