//! The address bar and the history.

use wasm_bindgen::JsCast as _;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;

fn location() -> Option<web_sys::Location> {
    Some(web_sys::window()?.location())
}

/// The query with its `?`, or nothing.
pub fn query() -> String {
    location()
        .and_then(|location| location.search().ok())
        .unwrap_or_default()
}

/// The fragment with its `#`, or nothing.
pub fn fragment() -> String {
    location()
        .and_then(|location| location.hash().ok())
        .unwrap_or_default()
}

/// Scheme, host and port.
pub fn origin() -> String {
    location()
        .and_then(|location| location.origin().ok())
        .unwrap_or_default()
}

/// Host and port.
pub fn host() -> String {
    location()
        .and_then(|location| location.host().ok())
        .unwrap_or_default()
}

/// Adds a history entry.
pub fn push(url: &str) {
    if let Some(history) = web_sys::window().and_then(|window| window.history().ok()) {
        // Browsers refuse only floods of entries; the screen is right all the same.
        drop(history.push_state_with_url(&JsValue::NULL, "", Some(url)));
    }
}

/// Replaces the present history entry.
pub fn replace(url: &str) {
    if let Some(history) = web_sys::window().and_then(|window| window.history().ok()) {
        drop(history.replace_state_with_url(&JsValue::NULL, "", Some(url)));
    }
}

/// Calls `went` whenever the person goes back or forward, for as long as the page lives.
pub fn on_pop(went: impl Fn() + 'static) {
    let listener = Closure::<dyn Fn()>::new(went);
    if let Some(window) = web_sys::window() {
        drop(
            window.add_event_listener_with_callback("popstate", listener.as_ref().unchecked_ref()),
        );
    }
    listener.forget();
}

/// Loads the page anew.
pub fn reload() {
    if let Some(location) = location() {
        drop(location.reload());
    }
}
