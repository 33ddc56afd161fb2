//! Where blocks stand on the paper, in pixels, and moving the view by it.
//!
//! A sheet's children are runs of blocks. What a run holds is laid out only near the view, and asking where a block of
//! it stands would lay it out: so runs are asked first.

use super::selection::selection_lies;
use web_sys::{Element, HtmlCollection, HtmlElement, Range};

/// Pixels from the end at which more of the document is wanted.
const NEAR_END: i32 = 2400;

/// Space between margin cards.
const BETWEEN_CARDS: i32 = 8;

/// Space between selected text and the bar that is about it.
const GAP: f64 = 6.0;

/// Room the bar takes, to keep it inside of the view.
const BAR_HEIGHT: f64 = 96.0;
const BAR_WIDTH: f64 = 384.0;

/// The blocks at the top of the view: each one's index and how far its upper edge is below the view's.
pub fn at_top(view: &Element, sheet: &Element, count: usize) -> Vec<(usize, f64)> {
    let top = view.get_bounding_client_rect().top();
    below(sheet, top)
        .take(count)
        .map(|(index, block)| (index, block.get_bounding_client_rect().top() - top))
        .collect()
}

/// The blocks from the first one on that reaches below a height of the window, each with its index.
fn below(sheet: &Element, top: f64) -> impl Iterator<Item = (usize, Element)> {
    let is_above = move |element: &Element| element.get_bounding_client_rect().bottom() <= top;
    let runs: Vec<Element> = items(&sheet.children()).collect();
    let first = runs.partition_point(is_above);
    let before: u32 = runs[..first].iter().map(Element::child_element_count).sum();
    let blocks = runs.into_iter().skip(first);
    let blocks = blocks.flat_map(|run| items(&run.children()));
    (before as usize..)
        .zip(blocks)
        .skip_while(move |(_, block)| is_above(block))
}

fn items(of: &HtmlCollection) -> impl Iterator<Item = Element> + use<> {
    let of = of.clone();
    (0..of.length()).filter_map(move |at| of.item(at))
}

/// The `index`-th block.
fn nth(sheet: &Element, index: usize) -> Option<Element> {
    let mut index = u32::try_from(index).ok()?;
    for run in items(&sheet.children()) {
        let count = run.child_element_count();
        if index < count {
            return run.children().item(index);
        }
        index -= count;
    }
    None
}

/// Scrolls so that a block's upper edge is so far below the view's.
pub fn put(view: &Element, sheet: &Element, index: usize, below: f64) {
    let Some(block) = nth(sheet, index) else {
        return;
    };
    let now = block.get_bounding_client_rect().top() - view.get_bounding_client_rect().top();
    scroll_by(view, now - below);
}

/// Brings a block into view, so that it is laid out and its ranges can be measured.
pub fn bring(view: &Element, sheet: &Element, index: usize) {
    put(view, sheet, index, f64::from(view.client_height()) / 3.0);
}

/// Scrolls a range to the upper third of the view, unless all of it can be seen.
pub fn bring_range(view: &Element, range: &Range) {
    let rect = range.get_bounding_client_rect();
    let frame = view.get_bounding_client_rect();
    if rect.top() >= frame.top() + 16.0 && rect.bottom() <= frame.bottom() - 16.0 {
        return;
    }
    scroll_by(view, rect.top() - frame.top() - frame.height() / 3.0);
}

fn scroll_by(view: &Element, pixels: f64) {
    view.set_scroll_top(view.scroll_top() + pixels.round() as i32);
}

/// Whether the view is so near the end that more is wanted.
pub fn is_near_end(view: &Element) -> bool {
    view.scroll_height() - view.scroll_top() - view.client_height() < NEAR_END
}

/// A point of the window as a point of what the view scrolls.
fn in_view(view: &Element, x: f64, y: f64) -> (i32, i32) {
    let frame = view.get_bounding_client_rect();
    (
        (x - frame.left()).round() as i32 + view.scroll_left(),
        (y - frame.top()).round() as i32 + view.scroll_top(),
    )
}

/// A little below a point of the window, as a point of what the view scrolls.
pub fn under(view: &Element, x: f64, y: f64) -> (i32, i32) {
    in_view(view, x, y + 2.0 * GAP)
}

/// Pushes margin cards down so that none covers the one above it: those that are in view or less than a view away.
/// Others are not laid out, and asking where they stand would lay out each of them.
pub fn push_cards(view: &Element, sheet: &Element) {
    let frame = view.get_bounding_client_rect();
    let (top, bottom) = (
        frame.top() - frame.height(),
        frame.bottom() + frame.height(),
    );
    let near = below(sheet, top)
        .map(|(_, block)| block)
        .take_while(|block| block.get_bounding_client_rect().top() < bottom);
    let cards: Vec<HtmlElement> = near
        .filter_map(|block| block.query_selector_all(".mcard").ok())
        .flat_map(|cards| (0..cards.length()).filter_map(move |at| cards.item(at)))
        .filter_map(|card| wasm_bindgen::JsCast::dyn_into(card).ok())
        .collect();
    // All reads before all writes, so that the layout is computed once.
    let rects: Vec<(i32, i32)> = cards
        .iter()
        .map(|card| {
            let rect = card.get_bounding_client_rect();
            (
                rect.top().floor() as i32 - pushed(card),
                rect.height().ceil() as i32,
            )
        })
        .collect();
    let mut free = i32::MIN / 2;
    for (card, (top, height)) in cards.iter().zip(rects) {
        let push = (free - top).max(0);
        if push != pushed(card) {
            // A custom property can always be set.
            drop(card.style().set_property("--push", &format!("{push}px")));
            drop(card.toggle_attribute_with_force("data-pushed", push > 0));
        }
        free = top + push + height + BETWEEN_CARDS;
    }
}

fn pushed(card: &HtmlElement) -> i32 {
    let push = card
        .style()
        .get_property_value("--push")
        .unwrap_or_default();
    push.trim_end_matches("px").parse().unwrap_or_default()
}

/// Whether a range is laid out, so that it can be measured.
pub fn has_height(range: &Range) -> bool {
    range.get_bounding_client_rect().height() > 0.0
}

/// Where a bar about the selected text stands in what the view scrolls: below it, or above it where there is no room.
pub fn by_selection(view: &Element) -> Option<(i32, i32)> {
    let lies = selection_lies()?;
    let frame = view.get_bounding_client_rect();
    let below = lies.bottom + GAP;
    let top = if below + BAR_HEIGHT > frame.bottom() {
        (lies.top - GAP - BAR_HEIGHT).max(frame.top() + GAP)
    } else {
        below
    };
    let left = lies
        .left
        .min(frame.right() - BAR_WIDTH)
        .max(frame.left() + GAP);
    Some(in_view(view, left, top))
}
