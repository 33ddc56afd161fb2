//! The keyboard, as plain values.

use super::storage;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;

const FIELDS: &str = "textarea, select, [contenteditable]:not([contenteditable=false]), \
                      input:not([type=radio], [type=checkbox], [type=button])";

/// One key as it was pressed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeyPress {
    /// The key's value, such as `j`, `?` or `Escape`.
    pub key: String,
    /// Ctrl, or Command on a Mac.
    pub modifier: bool,
    /// Alt or Option.
    pub alt: bool,
    /// Shift.
    pub shift: bool,
    /// What takes text, or picks by letters, has focus.
    pub in_field: bool,
    /// That, a dialog or a menu has focus.
    pub in_text: bool,
    /// Single letters are keys here: not in text, and the person did not switch them off.
    pub letters_act: bool,
    /// An input method is composing.
    pub composing: bool,
}

/// Reads a key event.
pub fn pressed(event: &web_sys::KeyboardEvent) -> KeyPress {
    let target = event
        .target()
        .and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    let within = |selector| {
        target
            .as_ref()
            .is_some_and(|element| matches!(element.closest(selector), Ok(Some(_))))
    };
    let in_field = within(FIELDS);
    let in_text = in_field || within("dialog[open], [role=menu]");
    KeyPress {
        key: event.key(),
        modifier: event.ctrl_key() || event.meta_key(),
        alt: event.alt_key(),
        shift: event.shift_key(),
        in_field,
        in_text,
        letters_act: !in_text && storage::letters_act(),
        composing: event.is_composing() || event.key_code() == 229,
    }
}

/// Calls `press` for every key that nothing nearer took, for as long as the page lives. `true` means that the key was
/// taken and the browser does nothing more with it.
pub fn on_press(press: impl Fn(KeyPress) -> bool + 'static) {
    let listener =
        Closure::<dyn Fn(web_sys::KeyboardEvent)>::new(move |event: web_sys::KeyboardEvent| {
            if !event.default_prevented() && press(pressed(&event)) {
                event.prevent_default();
            }
        });
    if let Some(window) = web_sys::window() {
        drop(window.add_event_listener_with_callback("keydown", listener.as_ref().unchecked_ref()));
    }
    listener.forget();
}
