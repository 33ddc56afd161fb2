//! Places that are more than a run of words: sections, table rows and cells, images. Each has its own rule for gone.
//!
//! A section is where its heading is; without its heading, where half of what stood under it went together under
//! one new heading. A row is its successor among rows. A cell needs its row and its column. An image is the one with
//! its target, else the only one that stands where it stood.

use super::Located;
use super::aligned::Aligned;
use super::fit::fit;
use super::mapping::Mapped;
use super::units::{Form, Row, Units};
use super::unread::stretch_at;
use crate::wire::place::PlaceState;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A heading and what is under it; a range that does not begin with a heading is gone.
pub(super) fn section(aligned: &Aligned, old: &str, new: &str, range: &Range<usize>) -> Located {
    let selected = aligned.old.tokens_in(range);
    let Some(heading) = unit_at(&aligned.old, &selected, |form| {
        matches!(form, Form::Heading(_))
    }) else {
        return Located::GONE;
    };
    let known = aligned.links.of_old(heading).and_then(|link| {
        let headings = link
            .new
            .clone()
            .find(|unit| is_heading(&aligned.new, *unit));
        headings.map(|unit| (unit, link.in_order))
    });
    let Some((successor, in_order)) = known.or_else(|| Some((adopted(aligned, heading)?, true)))
    else {
        return Located::GONE;
    };
    let tokens = aligned.new.tokens_of(&aligned.new.section(successor));
    let state = match (aligned.reads_the_same(&selected, &tokens), in_order) {
        (true, true) => PlaceState::Exact,
        (true, false) => PlaceState::Moved,
        (false, _) => PlaceState::Changed,
    };
    whole(aligned, (old, new), range, &selected, tokens, state)
}

/// A table row.
pub(super) fn row(aligned: &Aligned, old: &str, new: &str, range: &Range<usize>) -> Located {
    let selected = aligned.old.tokens_in(range);
    let is_row = |form| matches!(form, Form::Row { .. });
    let Some((unit, mapped)) =
        unit_at(&aligned.old, &selected, is_row).zip(aligned.map(selected.clone()))
    else {
        return Located::GONE;
    };
    let successor = aligned.new.unit(aligned.new.unit_of(mapped.tokens.start));
    if !is_row(successor.form) || !aligned.old.unit(unit).tokens.contains(&(selected.end - 1)) {
        return Located::GONE;
    }
    let tokens = successor.tokens.clone();
    whole(aligned, (old, new), range, &selected, tokens, mapped.state)
}

/// A table cell that holds words.
pub(super) fn cell(aligned: &Aligned, old: &str, new: &str, range: &Range<usize>) -> Located {
    let selected = aligned.old.tokens_in(range);
    let found = || -> Option<(Range<u32>, PlaceState)> {
        let (row, column) = cell_of(&aligned.old, selected.start)?;
        let link = aligned.links.of_old(row.unit)?;
        let successor = row_at(&aligned.new, link.new.start)?;
        let column = new_column(aligned, row, successor, column)?;
        let tokens = successor
            .cells
            .get(column)
            .filter(|cell| !cell.is_empty())?
            .clone();
        let state = match (aligned.reads_the_same(&selected, &tokens), link.in_order) {
            (true, true) => PlaceState::Exact,
            (true, false) => PlaceState::Moved,
            (false, _) => PlaceState::Changed,
        };
        Some((tokens, state))
    };
    match found() {
        Some((tokens, state)) => whole(aligned, (old, new), range, &selected, tokens, state),
        None => Located::GONE,
    }
}

/// An image, by where it leads or by where it stands.
pub(super) fn image(aligned: &Aligned, old: &str, new: &str, range: &Range<usize>) -> Located {
    let touches = |source: &Range<u32>| {
        (source.start as usize) < range.end && range.start < source.end as usize
    };
    let Some(wanted) = aligned
        .old
        .images
        .iter()
        .find(|image| touches(&image.source))
    else {
        return Located::GONE;
    };
    let source = |image: &Range<u32>| image.start as usize..image.end as usize;
    let stretch = stretch_at(aligned, aligned.old.tokens_in(range).start, new);
    let here = |image: &Range<u32>| {
        let inside = |stretch: &Range<usize>| {
            stretch.start <= image.start as usize && (image.start as usize) < stretch.end
        };
        stretch.as_ref().is_some_and(inside)
    };
    let twins = aligned
        .old
        .images
        .iter()
        .filter(|image| image.target == wanted.target)
        .count();
    let mut same: Vec<_> = aligned
        .new
        .images
        .iter()
        .filter(|image| image.target == wanted.target)
        .collect();
    if twins > 1 || same.len() > 1 {
        same.retain(|image| here(&image.source));
    }
    if let [image] = same[..] {
        let found = source(&image.source);
        let state = if old.get(source(&wanted.source)) != new.get(found.clone()) {
            PlaceState::Changed
        } else if here(&image.source) || stretch.is_none() {
            PlaceState::Exact
        } else {
            PlaceState::Moved
        };
        return Located::at(state, found);
    }
    let mut standing = aligned
        .new
        .images
        .iter()
        .filter(|image| here(&image.source));
    match (standing.next(), standing.next()) {
        (Some(image), None) if twins == 1 => {
            Located::at(PlaceState::Changed, source(&image.source))
        }
        _ => Located::GONE,
    }
}

fn whole(
    aligned: &Aligned,
    (old, new): (&str, &str),
    range: &Range<usize>,
    selected: &Range<u32>,
    tokens: Range<u32>,
    state: PlaceState,
) -> Located {
    let mapped = Mapped {
        tokens,
        state,
        ends: (true, true),
    };
    Located::at(
        state,
        fit(
            (old, &aligned.old),
            (new, &aligned.new),
            range,
            selected,
            &mapped,
        ),
    )
}

/// The unit that the selection begins with, if it is of the right form.
fn unit_at(units: &Units, selected: &Range<u32>, fits: impl Fn(Form) -> bool) -> Option<u32> {
    if selected.is_empty() {
        return None;
    }
    let unit = units.unit_of(selected.start);
    fits(units.units.get(unit as usize)?.form).then_some(unit)
}

fn is_heading(units: &Units, unit: u32) -> bool {
    matches!(units.unit(unit).form, Form::Heading(_))
}

/// The new heading, with no ancestor of its own, under which at least half of the words went that stood under a
/// heading which is gone.
fn adopted(aligned: &Aligned, heading: u32) -> Option<u32> {
    let section = aligned.old.section(heading);
    let mut words = 0;
    let mut homes: FxHashMap<u32, usize> = FxHashMap::default();
    for unit in section.start + 1..section.end {
        let length = aligned.old.unit(unit).len();
        words += length;
        if let Some(link) = aligned.links.of_old(unit) {
            *homes
                .entry(aligned.new.unit(link.new.start).parent)
                .or_default() += length;
        }
    }
    let (home, held) = homes
        .into_iter()
        .max_by_key(|(unit, held)| (*held, *unit))?;
    let free = aligned.links.new_is_free(home) && is_heading(&aligned.new, home);
    (free && 2 * held >= words).then_some(home)
}

fn row_at(units: &Units, unit: u32) -> Option<&Row> {
    let at = units
        .rows
        .binary_search_by_key(&unit, |row| row.unit)
        .ok()?;
    units.rows.get(at)
}

fn cell_of(units: &Units, token: u32) -> Option<(&Row, usize)> {
    let row = row_at(units, units.unit_of(token))?;
    let column = row.cells.iter().position(|cell| cell.contains(&token))?;
    Some((row, column))
}

/// The header says which column is which; without it, as many cells in the row are the same columns.
fn new_column(aligned: &Aligned, row: &Row, successor: &Row, column: usize) -> Option<usize> {
    let header = header_of(&aligned.old, row).and_then(|header| {
        let title = header.cells.get(column).filter(|title| !title.is_empty())?;
        let mapped = aligned.map(title.clone())?;
        let (found, at) = cell_of(&aligned.new, mapped.tokens.start)?;
        (header_of(&aligned.new, successor)?.unit == found.unit).then_some(at)
    });
    header.or_else(|| (row.cells.len() == successor.cells.len()).then_some(column))
}

fn header_of<'u>(units: &'u Units, row: &Row) -> Option<&'u Row> {
    let block = units.unit(row.unit).block;
    units.rows.iter().rev().find(|other| {
        let unit = units.unit(other.unit);
        unit.block == block && other.unit <= row.unit && unit.form == Form::Row { header: true }
    })
}

#[cfg(test)]
mod tests;
