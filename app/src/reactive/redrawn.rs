//! What a view shows of states, as one type for each type shown.

use leptos::tachys::reactive_graph::SharedReactiveFunction;
use std::sync::{Arc, Mutex};

/// A child or an attribute that is drawn anew when what it reads changes.
///
/// The page's build does the same to a closure written inside `view!`; this is for one that has a name.
pub fn redrawn<T: 'static>(draw: impl FnMut() -> T + Send + 'static) -> SharedReactiveFunction<T> {
    Arc::new(Mutex::new(draw))
}
