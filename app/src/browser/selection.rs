//! Between the browser's ranges and offsets in the texts of blocks.
//!
//! A block's text is what the element marked with [`BLOCK`] holds, all of it: whatever REX adds there is drawn by the
//! style. So the browser itself counts offsets, and no walk has to know which text is whose.

use rex_shared::document::reading::Utf16;
use std::ops::Range as Span;
use wasm_bindgen::prelude::*;
use web_sys::{Element, Node, Range, Text};

/// The attribute that holds a block's key, on the element with its text.
pub const BLOCK: &str = "data-block";

/// The DOM's number for a walk over text nodes.
const SHOW_TEXT: u32 = 4;

const ANY_BLOCK: &str = "[data-block]";

/// A position in a block's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boundary {
    /// The block's key.
    pub key: String,
    /// The offset.
    pub offset: Utf16,
    /// The block's whole text as the page holds it.
    pub text: String,
}

/// The class of the element around each image of a block; blocks and images are in the order of the source.
pub const IMAGE: &str = "image";

const ANY_IMAGE: &str = ".image";

/// One image of the paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageAt {
    /// The key of its block.
    pub block: String,
    /// How many images of the block stand before it.
    pub nth: usize,
}

/// The image that a click is on; one in a link is the link's.
pub fn clicked_image(event: &web_sys::MouseEvent) -> Option<ImageAt> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let image = target.closest(ANY_IMAGE).ok()??;
    (!is_on_control(event)).then_some(())?;
    let text = image.closest(ANY_BLOCK).ok()??;
    let nth = images(&text).position(|other| other == image)?;
    let block = text.get_attribute(BLOCK)?;
    Some(ImageAt { block, nth })
}

/// Selects an image and nothing else.
pub fn select_image(sheet: &Element, image: &ImageAt) {
    let select = || {
        let texts = elements(&sheet.query_selector_all(ANY_BLOCK).ok()?);
        let text = texts
            .into_iter()
            .find(|text| text.get_attribute(BLOCK).as_ref() == Some(&image.block))?;
        let range = Range::new().ok()?;
        let image = images(&text).nth(image.nth)?;
        range.select_node(&image).ok()?;
        let selection = web_sys::window()?.get_selection().ok()??;
        selection.remove_all_ranges().ok()?;
        selection.add_range(&range).ok()
    };
    select();
}

/// The image that is selected; `None` where there are several, or text beside it.
pub fn selected_image(sheet: &Element) -> Option<ImageAt> {
    let range = selected_range()?;
    (range.to_string().length() == 0).then_some(())?;
    let is_selected = |image: &Element| range.intersects_node(image).unwrap_or(false);
    let mut selected = elements(&sheet.query_selector_all(ANY_IMAGE).ok()?)
        .into_iter()
        .filter(is_selected);
    let (Some(image), None) = (selected.next(), selected.next()) else {
        return None;
    };
    let text = image.closest(ANY_BLOCK).ok()??;
    let nth = images(&text).position(|other| other == image)?;
    let block = text.get_attribute(BLOCK)?;
    Some(ImageAt { block, nth })
}

fn images(text: &Element) -> impl Iterator<Item = Element> + use<> {
    let found = text.query_selector_all(ANY_IMAGE).ok();
    found
        .map(|found| elements(&found))
        .unwrap_or_default()
        .into_iter()
}

fn elements(found: &web_sys::NodeList) -> Vec<Element> {
    (0..found.length())
        .filter_map(|at| found.item(at)?.dyn_into().ok())
        .collect()
}

/// The two ends of what is selected in `sheet`; an end outside of it counts as the nearest text inside.
pub fn selected(sheet: &Element) -> Option<[Boundary; 2]> {
    let range = selected_range()?;
    let start = range.start_container().ok()?;
    let end = range.end_container().ok()?;
    if !sheet.contains(Some(&start)) && !sheet.contains(Some(&end)) {
        return None;
    }
    Some([
        boundary(sheet, &start, range.start_offset().ok()?)?,
        boundary(sheet, &end, range.end_offset().ok()?)?,
    ])
}

/// Whether anything is selected anywhere.
pub fn is_something_selected() -> bool {
    selected_range().is_some()
}

/// Selects nothing any more.
pub fn select_nothing() {
    if let Some(Ok(Some(selection))) = web_sys::window().map(|window| window.get_selection()) {
        // There is always something to take away, if only nothing.
        drop(selection.remove_all_ranges());
    }
}

/// Whether an event happened on something that has a purpose of its own, such as a link or a button.
pub fn is_on_control(event: &web_sys::MouseEvent) -> bool {
    event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok())
        .is_some_and(|element| {
            matches!(
                element.closest("a, button, input, .selbar, .several"),
                Ok(Some(_))
            )
        })
}

/// Where the selected text lies in the view: its lower left end and its upper edge, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lies {
    /// Left edge of the last line.
    pub left: f64,
    /// Lower edge of the last line.
    pub bottom: f64,
    /// Upper edge of the first line.
    pub top: f64,
}

/// Where the selected text lies.
pub fn selection_lies() -> Option<Lies> {
    let rects = selected_range()?.get_client_rects()?;
    let first = rects.item(0)?;
    let last = rects.item(rects.length().checked_sub(1)?)?;
    Some(Lies {
        left: last.left(),
        bottom: last.bottom(),
        top: first.top(),
    })
}

fn selected_range() -> Option<Range> {
    let selection = web_sys::window()?.get_selection().ok()??;
    (!selection.is_collapsed() && selection.range_count() > 0).then_some(())?;
    selection.get_range_at(0).ok()
}

/// The character under a point of the view, if there is one right there.
pub fn at_point(sheet: &Element, x: f64, y: f64) -> Option<Boundary> {
    let (node, offset) = caret_at(x as f32, y as f32)?;
    if !sheet.contains(Some(&node)) {
        return None;
    }
    let text = node.dyn_ref::<Text>()?;
    let under = |from: u32, to: u32| {
        (to <= text.length()).then_some(())?;
        let range = Range::new().ok()?;
        range.set_start(text, from).ok()?;
        range.set_end(text, to).ok()?;
        let rects = range.get_client_rects()?;
        (0..rects.length())
            .filter_map(|at| rects.item(at))
            .any(|rect| {
                (rect.left()..=rect.right()).contains(&x)
                    && (rect.top()..=rect.bottom()).contains(&y)
            })
            .then_some(from)
    };
    let before = offset.checked_sub(1).and_then(|from| under(from, offset));
    let offset = under(offset, offset + 1).or(before)?;
    boundary(sheet, &node, offset)
}

#[wasm_bindgen]
extern "C" {
    /// A document as both kinds of engines know carets; one of the two is missing in each.
    #[wasm_bindgen(extends = js_sys::Object)]
    type Carets;

    #[wasm_bindgen(method, catch, js_name = caretPositionFromPoint)]
    fn caret_position_from_point(
        this: &Carets,
        x: f32,
        y: f32,
    ) -> Result<Option<web_sys::CaretPosition>, JsValue>;

    #[wasm_bindgen(method, catch, js_name = caretRangeFromPoint)]
    fn caret_range_from_point(this: &Carets, x: f32, y: f32) -> Result<Option<Range>, JsValue>;
}

fn caret_at(x: f32, y: f32) -> Option<(Node, u32)> {
    let carets: Carets = web_sys::window()?.document()?.unchecked_into();
    match carets.caret_position_from_point(x, y) {
        Ok(caret) => {
            let caret = caret?;
            Some((caret.offset_node()?, caret.offset()))
        }
        Err(_) => {
            let range = carets.caret_range_from_point(x, y).ok()??;
            Some((range.start_container().ok()?, range.start_offset().ok()?))
        }
    }
}

/// The position in a block's text of a boundary point. One that stands in no text counts as the beginning of the next.
fn boundary(sheet: &Element, node: &Node, offset: u32) -> Option<Boundary> {
    let element = node
        .dyn_ref::<Element>()
        .cloned()
        .or_else(|| node.parent_element())?;
    let inside = element
        .closest(ANY_BLOCK)
        .ok()
        .flatten()
        .filter(|text| sheet.contains(Some(text)));
    if let Some(text) = inside {
        let before = Range::new().ok()?;
        before.set_start(&text, 0).ok()?;
        before.set_end(node, offset).ok()?;
        return at(&text, before.to_string().length());
    }
    let here = Range::new().ok()?;
    here.set_start(node, offset).ok()?;
    here.collapse_with_to_start(true);
    let texts = sheet.query_selector_all(ANY_BLOCK).ok()?;
    let (mut low, mut high) = (0, texts.length());
    while low < high {
        let middle = low + (high - low) / 2;
        if here.compare_point(&texts.item(middle)?, 0).ok()? > 0 {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    match texts.item(low) {
        Some(next) => at(next.dyn_ref()?, 0),
        None => at(texts.item(low.checked_sub(1)?)?.dyn_ref()?, u32::MAX),
    }
}

fn at(text: &Element, offset: u32) -> Option<Boundary> {
    Some(Boundary {
        key: text.get_attribute(BLOCK)?,
        offset: Utf16(offset),
        text: text.text_content().unwrap_or_default(),
    })
}

/// The texts of a sheet's blocks, in order.
#[derive(Debug)]
pub struct BlockTexts(web_sys::NodeList);

impl BlockTexts {
    /// The texts of a sheet as it is now.
    pub fn of(sheet: &Element) -> Option<Self> {
        sheet.query_selector_all(ANY_BLOCK).ok().map(Self)
    }

    /// The element with the text of the `index`-th block.
    pub(super) fn element(&self, index: usize) -> Option<Element> {
        self.0.item(u32::try_from(index).ok()?)?.dyn_into().ok()
    }

    /// The text of the `index`-th block, to draw ranges in it.
    pub fn block(&self, index: usize) -> Option<Texts> {
        Texts::of(&self.element(index)?)
    }
}

/// The texts of one block with their offsets, to draw ranges in it.
#[derive(Debug)]
pub struct Texts {
    nodes: Vec<(Span<u32>, Text)>,
}

impl Texts {
    fn of(root: &Element) -> Option<Self> {
        let walker = web_sys::window()?
            .document()?
            .create_tree_walker_with_what_to_show(root, SHOW_TEXT)
            .ok()?;
        let mut nodes = Vec::new();
        let mut start = 0;
        while let Ok(Some(node)) = walker.next_node() {
            let Ok(text) = node.dyn_into::<Text>() else {
                continue;
            };
            let end = start + text.length();
            nodes.push((start..end, text));
            start = end;
        }
        Some(Self { nodes })
    }

    /// The browser's range of a stretch of the block's text.
    pub fn range(&self, units: &Span<Utf16>) -> Option<Range> {
        let (from, to) = (units.start.0, units.end.0);
        let first = self.nodes.partition_point(|(span, _)| span.end <= from);
        let last = self.nodes.partition_point(|(span, _)| span.end < to);
        let (start, text) = self.nodes.get(first)?;
        let range = Range::new().ok()?;
        range.set_start(text, from.checked_sub(start.start)?).ok()?;
        let (end, text) = self.nodes.get(last)?;
        range.set_end(text, to.checked_sub(end.start)?).ok()?;
        Some(range)
    }
}
