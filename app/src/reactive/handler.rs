//! What an element does when it is clicked, pointed at or typed into, as one type for each kind of event.

use leptos::ev::{KeyboardEvent, MouseEvent, PointerEvent};

/// Hears a key.
pub fn on_key(hear: impl FnMut(KeyboardEvent) + 'static) -> Box<dyn FnMut(KeyboardEvent)> {
    Box::new(hear)
}

/// Hears a click or a button of the mouse.
pub fn on_mouse(hear: impl FnMut(MouseEvent) + 'static) -> Box<dyn FnMut(MouseEvent)> {
    Box::new(hear)
}

/// Hears the pointer.
pub fn on_pointer(hear: impl FnMut(PointerEvent) + 'static) -> Box<dyn FnMut(PointerEvent)> {
    Box::new(hear)
}
