//! A view that is there or not.

use super::Derived;
use leptos::prelude::*;

/// Leptos's `Show`: children while `when` holds, else the fallback.
#[component]
pub fn Only(
    /// What is drawn while `when` holds.
    children: ChildrenFn,
    /// Whether it is drawn.
    when: impl Fn() -> bool + Send + Sync + 'static,
    /// What is drawn otherwise.
    #[prop(optional, into)]
    fallback: ViewFn,
) -> AnyView {
    only(Derived::new(when), children, fallback)
}

#[inline(never)]
fn only(when: Derived<bool>, children: ChildrenFn, fallback: ViewFn) -> AnyView {
    let view = move || {
        if when.get() {
            children()
        } else {
            fallback.run()
        }
    };
    view.into_any()
}
