//! Listening to what no element of a view hears by itself. Each listener ends when it is dropped.

use wasm_bindgen::prelude::*;
use web_sys::{Document, Element, ResizeObserver};

/// A listener of the whole document.
#[derive(Debug)]
pub struct Listening {
    document: Document,
    event: &'static str,
    hear: Closure<dyn Fn()>,
}

impl Listening {
    /// Hears a change of the selection, wherever it is.
    pub fn to_selection(hear: impl Fn() + 'static) -> Option<Self> {
        let document = web_sys::window()?.document()?;
        let hear = Closure::<dyn Fn()>::new(hear);
        let event = "selectionchange";
        document
            .add_event_listener_with_callback(event, hear.as_ref().unchecked_ref())
            .ok()?;
        Some(Self {
            document,
            event,
            hear,
        })
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // It was added under the same name, so it can be taken away.
        let hear = self.hear.as_ref().unchecked_ref();
        drop(
            self.document
                .remove_event_listener_with_callback(self.event, hear),
        );
    }
}

/// Watches the size of an element.
#[derive(Debug)]
pub struct Sized {
    observer: ResizeObserver,
    _hear: Closure<dyn Fn()>,
}

impl Sized {
    /// Hears every change of `element`'s size.
    pub fn of(element: &Element, hear: impl Fn() + 'static) -> Option<Self> {
        let hear = Closure::<dyn Fn()>::new(hear);
        let observer = ResizeObserver::new(hear.as_ref().unchecked_ref()).ok()?;
        observer.observe(element);
        Some(Self {
            observer,
            _hear: hear,
        })
    }
}

impl Drop for Sized {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
