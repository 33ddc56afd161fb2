//! Drawing marks on the text. A range is kept as long as its block's element is, and made anew with that.

use super::marks::Mark;
use super::pages::Pages;
use super::sheet::Sheet;
use crate::browser::highlight::{self, Painted, Painting};
use crate::icon::lane_key;
use crate::model::Model;
use crate::reactive::on_change;
use leptos::prelude::*;
use rex_shared::document::selection::{stretches, touched};
use rex_shared::document::widening::images;
use rex_shared::lane::Lane;
use std::ops::Range;

/// What is painted under one name: the name, its priority, and bytes of the document.
type Layer = (&'static str, i32, Vec<Range<u32>>);

/// Keeps the marks as places, picks, the open thread and the pointer say.
pub(super) fn follow(model: Model, sheet: Sheet) {
    let painted = StoredValue::new_local(Painted::default());
    on_change(move || {
        let mut layers: Vec<Layer> = [
            (Lane::Resolved, 0),
            (Lane::Note, 1),
            (Lane::Draft, 2),
            (Lane::Gone, 3),
            (Lane::Open, 4),
        ]
        .into_iter()
        .map(|(lane, priority)| (lane_key(lane), priority, of_lane(sheet, lane)))
        .collect();
        layers.push(("over", 5, sheet.shared()));
        layers.push((
            "pick",
            8,
            sheet
                .picks
                .with(|picks| picks.iter().map(|(.., bytes)| bytes.clone()).collect()),
        ));
        sheet.pages.track();
        draw(sheet, painted, "data-mark", layers);
    });
    // What follows the pointer is painted apart, so that moving it costs a look at a few ranges and not at all of them.
    let painted = StoredValue::new_local(Painted::default());
    on_change(move || {
        let open = model.open_thread.get();
        let pointed = model.pointed.get();
        let of = |thread: Option<_>, bytes: fn(&Mark) -> &Range<u32>| {
            sheet.marks.with(|marks| {
                marks
                    .iter()
                    .filter(|mark| thread.as_ref() == Some(&mark.thread))
                    .map(|mark| bytes(mark).clone())
                    .collect::<Vec<_>>()
            })
        };
        let chosen = sheet.chosen.with(|chosen| {
            let place = &chosen.as_ref()?.pick.place;
            Some(place.start..place.end)
        });
        sheet.pages.track();
        let layers = vec![
            ("active", 6, of(open, |mark| &mark.bytes)),
            ("pointed", 7, of(pointed, |mark| &mark.whole)),
            ("chosen", 8, chosen.into_iter().collect()),
            ("flash", 9, sheet.flash.get().into_iter().collect()),
        ];
        draw(sheet, painted, "data-lit", layers);
    });
}

fn of_lane(sheet: Sheet, lane: Lane) -> Vec<Range<u32>> {
    sheet.marks.with(|marks| {
        marks
            .iter()
            .filter(|mark| mark.lane == lane)
            .map(|mark| mark.bytes.clone())
            .collect()
    })
}

/// Paints once the blocks are drawn; `frames` is the attribute that images get.
fn draw(
    sheet: Sheet,
    painted: StoredValue<Painted, LocalStorage>,
    frames: &'static str,
    layers: Vec<Layer>,
) {
    request_animation_frame(move || {
        let Some(Some(blocks)) = sheet.blocks.try_get_untracked() else {
            return;
        };
        let (paintings, framed) = sheet.pages.with_untracked(|pages| {
            pages
                .as_ref()
                .map(|pages| (paintings(pages, &layers), framed(pages, &layers)))
                .unwrap_or_default()
        });
        let names: Vec<_> = layers
            .iter()
            .map(|(name, priority, _)| (*name, *priority))
            .collect();
        highlight::frame(&blocks, frames, &framed);
        painted.try_update_value(|painted| painted.paint(&blocks, &names, paintings));
    });
}

/// What is painted in which block.
fn paintings(pages: &Pages, layers: &[Layer]) -> Vec<(usize, Painting)> {
    let mut paintings = Vec::new();
    for (name, _, ranges) in layers {
        for bytes in ranges {
            for stretch in stretches(&pages.blocks, bytes) {
                let painting = Painting {
                    name,
                    block: pages.blocks[stretch.block].key.clone(),
                    units: stretch.units,
                };
                paintings.push((stretch.block, painting));
            }
        }
    }
    paintings
}

/// The images that lie whole in what is painted: block, image of it, name. Later layers win.
fn framed(pages: &Pages, layers: &[Layer]) -> Vec<(usize, usize, &'static str)> {
    let mut framed = Vec::new();
    for (name, _, ranges) in layers {
        for bytes in ranges {
            for block in touched(&pages.blocks, bytes) {
                let images = images(&pages.blocks[block].readable);
                let inside =
                    |(_, at): &(usize, Range<u32>)| bytes.start <= at.start && at.end <= bytes.end;
                let inside = images.into_iter().enumerate().filter(inside);
                framed.extend(inside.map(|(nth, _)| (block, nth, *name)));
            }
        }
    }
    framed
}
