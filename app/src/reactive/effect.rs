//! What the page does when states change.

use leptos::prelude::Effect;

/// Runs after the current turn, and again whenever a state it read has changed.
pub fn on_change(run: impl FnMut() + 'static) {
    effect(Box::new(run));
}

/// As [`on_change`], with what the last run gave.
pub fn on_change_since<T: 'static>(mut run: impl FnMut(Option<T>) -> T + 'static) {
    let mut before = None;
    on_change(move || before = Some(run(before.take())));
}

#[inline(never)]
fn effect(run: Box<dyn FnMut()>) {
    Effect::new(run);
}
