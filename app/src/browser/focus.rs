//! Moving focus, and pressing what has a key.

use wasm_bindgen::JsCast as _;

/// Focuses the element with this id, if it is there.
pub fn to_id(id: &str) {
    let element = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id(id));
    focus(element);
}

/// Focuses the first element that a selector finds.
pub fn to_first(selector: &str) {
    focus(first(selector));
}

/// Clicks the first element that a selector finds. `false` when there is none.
pub fn press(selector: &str) -> bool {
    let element = html(first(selector));
    if let Some(element) = &element {
        element.click();
    }
    element.is_some()
}

fn first(selector: &str) -> Option<web_sys::Element> {
    let document = web_sys::window()?.document()?;
    document.query_selector(selector).ok()?
}

fn html(element: Option<web_sys::Element>) -> Option<web_sys::HtmlElement> {
    element?.dyn_into().ok()
}

fn focus(element: Option<web_sys::Element>) {
    if let Some(element) = html(element) {
        // An element that cannot take focus leaves it where it is.
        drop(element.focus());
    }
}

/// Whether focus goes out of the element that hears this event.
pub fn leaves(event: &web_sys::FocusEvent) -> bool {
    let container = event
        .current_target()
        .and_then(|target| target.dyn_into::<web_sys::Node>().ok());
    let next = event
        .related_target()
        .and_then(|target| target.dyn_into::<web_sys::Node>().ok());
    match (container, next) {
        (Some(container), Some(next)) => !container.contains(Some(&next)),
        // A press on what takes no focus: the press itself decides.
        _ => false,
    }
}
