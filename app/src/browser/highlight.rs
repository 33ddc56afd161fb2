//! Marks on text by the CSS Custom Highlight API: named sets of ranges that the style paints.
//!
//! The document's elements are never altered to show a mark; an image, which no range can colour, gets a frame by an
//! attribute that the style draws. Where a browser has no such API nothing is painted; the
//! numbered markers beside the text still say what stands where.

use super::selection::IMAGE;
use wasm_bindgen::prelude::*;
use web_sys::{Element, Range};

#[wasm_bindgen]
extern "C" {
    type HighlightRegistry;

    #[wasm_bindgen(thread_local_v2, js_namespace = CSS, js_name = highlights)]
    static HIGHLIGHTS: Option<HighlightRegistry>;

    #[wasm_bindgen(method)]
    fn set(this: &HighlightRegistry, name: &str, highlight: &Highlight);

    #[wasm_bindgen(method)]
    fn delete(this: &HighlightRegistry, name: &str) -> bool;

    type Highlight;

    #[wasm_bindgen(constructor)]
    fn new() -> Highlight;

    #[wasm_bindgen(method)]
    fn add(this: &Highlight, range: &Range);

    #[wasm_bindgen(method, setter)]
    fn set_priority(this: &Highlight, priority: i32);
}

/// Replaces what is painted under a name. Of two names on the same text the higher priority wins.
pub fn paint(name: &str, priority: i32, ranges: &[Range]) {
    HIGHLIGHTS.with(|registry| {
        let Some(registry) = registry else { return };
        if ranges.is_empty() {
            registry.delete(name);
            return;
        }
        let highlight = Highlight::new();
        highlight.set_priority(priority);
        for range in ranges {
            highlight.add(range);
        }
        registry.set(name, &highlight);
    });
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
    for (block, nth, value) in framed {
        let image = || {
            let block = sheet.children().item(u32::try_from(*block).ok()?)?;
            let images = block.get_elements_by_class_name(IMAGE);
            images.item(u32::try_from(*nth).ok()?)
        };
        if let Some(image) = image() {
            drop(image.set_attribute(attribute, value));
        }
    }
}
