//! Marks on text by the CSS Custom Highlight API: named sets of ranges that the style paints.
//!
//! The document's elements are never altered to show a mark; an image, which no range can colour, gets a frame by an
//! attribute that the style draws. Where a browser has no such API nothing is painted; the
//! numbered markers beside the text still say what stands where.

use super::selection::{BlockTexts, IMAGE, Texts};
use rex_shared::document::reading::Utf16;
use std::collections::HashMap;
use std::ops::Range as Span;
use wasm_bindgen::prelude::*;
use web_sys::{Element, Range};

#[wasm_bindgen]
extern "C" {
    type HighlightRegistry;

    #[wasm_bindgen(thread_local_v2, js_namespace = CSS, js_name = highlights)]
    static HIGHLIGHTS: Option<HighlightRegistry>;

    #[wasm_bindgen(method)]
    fn set(this: &HighlightRegistry, name: &str, highlight: &Highlight);

    #[derive(Debug)]
    type Highlight;

    #[wasm_bindgen(constructor)]
    fn new() -> Highlight;

    #[wasm_bindgen(method)]
    fn add(this: &Highlight, range: &Range);

    #[wasm_bindgen(method)]
    fn delete(this: &Highlight, range: &Range) -> bool;

    #[wasm_bindgen(method, setter)]
    fn set_priority(this: &Highlight, priority: i32);
}

/// A stretch of a block's text under the name that it is painted with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Painting {
    /// The name.
    pub name: &'static str,
    /// The block's key.
    pub block: String,
    /// The stretch.
    pub units: Span<Utf16>,
}

/// What is painted now, so that what stays is not painted anew.
#[derive(Debug, Default)]
pub struct Painted {
    highlights: HashMap<&'static str, Highlight>,
    ranges: HashMap<Painting, (Element, Range)>,
}

impl Painted {
    /// Paints these, each with the index of its block, and nothing else. Of two names on the same text the one with
    /// the higher priority wins.
    pub fn paint(
        &mut self,
        sheet: &Element,
        names: &[(&'static str, i32)],
        paintings: Vec<(usize, Painting)>,
    ) {
        if !self.register(names) {
            return;
        }
        let Some(texts) = BlockTexts::of(sheet) else {
            return;
        };
        let mut before = std::mem::take(&mut self.ranges);
        let mut last: Option<(usize, Option<Texts>)> = None;
        for (block, painting) in paintings {
            let Some(element) = texts.element(block) else {
                continue;
            };
            // A range that was taken out of the document with its text is empty from then on.
            let stays = before
                .get(&painting)
                .is_some_and(|(at, range)| *at == element && !range.collapsed());
            if stays && let Some(kept) = before.remove(&painting) {
                self.ranges.insert(painting, kept);
                continue;
            }
            if self.ranges.contains_key(&painting) {
                continue;
            }
            if last.as_ref().is_none_or(|(at, _)| *at != block) {
                last = Some((block, texts.block(block)));
            }
            let texts = last.as_ref().and_then(|(_, texts)| texts.as_ref());
            let range = texts.and_then(|texts| texts.range(&painting.units));
            if let (Some(range), Some(highlight)) = (range, self.highlights.get(painting.name)) {
                highlight.add(&range);
                self.ranges.insert(painting, (element, range));
            }
        }
        for (painting, (_, range)) in before {
            if let Some(highlight) = self.highlights.get(painting.name) {
                highlight.delete(&range);
            }
        }
    }

    /// Makes the names known to the browser; `false` where it paints none.
    fn register(&mut self, names: &[(&'static str, i32)]) -> bool {
        HIGHLIGHTS.with(|registry| {
            let Some(registry) = registry else {
                return false;
            };
            for (name, priority) in names {
                self.highlights.entry(name).or_insert_with(|| {
                    let highlight = Highlight::new();
                    highlight.set_priority(*priority);
                    registry.set(name, &highlight);
                    highlight
                });
            }
            true
        })
    }
}

/// Replaces the frames around images that have this attribute: each one's block, how many images of the block stand
/// before it, and the attribute's value.
pub fn frame(sheet: &Element, attribute: &str, framed: &[(usize, usize, &str)]) {
    let Ok(old) = sheet.query_selector_all(&format!(".{IMAGE}[{attribute}]")) else {
        return;
    };
    for image in (0..old.length()).filter_map(|at| old.item(at)) {
        if let Some(image) = image.dyn_ref::<Element>() {
            // It has the attribute, and the name is a good one.
            drop(image.remove_attribute(attribute));
        }
    }
    let Some(texts) = BlockTexts::of(sheet).filter(|_| !framed.is_empty()) else {
        return;
    };
    for (block, nth, value) in framed {
        let image = || {
            let images = texts.element(*block)?.get_elements_by_class_name(IMAGE);
            images.item(u32::try_from(*nth).ok()?)
        };
        if let Some(image) = image() {
            drop(image.set_attribute(attribute, value));
        }
    }
}
