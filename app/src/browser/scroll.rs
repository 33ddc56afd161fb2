//! Scrolling panes: where one stands, and moving it.

use web_sys::Element;

/// How near the end counts as being there, in CSS pixels.
const NEAR: i32 = 12;

/// Whether the end of what a pane holds is in view.
pub fn is_at_end(pane: &Element) -> bool {
    pane.scroll_height() - pane.scroll_top() - pane.client_height() <= NEAR
}

/// How far down a pane stands.
pub fn top(pane: &Element) -> i32 {
    pane.scroll_top()
}

/// Shows the end.
pub fn to_end(pane: &Element) {
    pane.set_scroll_top(pane.scroll_height());
}

/// How far what is in view is from the end; stays the same when something is put in front.
pub fn from_end(pane: &Element) -> i32 {
    pane.scroll_height() - pane.scroll_top()
}

/// Shows again what was that far from the end.
pub fn restore_from_end(pane: &Element, distance: i32) {
    pane.set_scroll_top(pane.scroll_height() - distance);
}

/// Brings the element with this id into view. `false`: there is none.
pub fn to_id(id: &str) -> bool {
    let element = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id(id));
    element.is_some_and(|element| {
        element.scroll_into_view_with_bool(true);
        true
    })
}
