//! A view for each item of a list.

use leptos::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::Arc;

/// Leptos's `For`: items are known by their key, and a view is made once for each.
#[component]
pub fn Each<T: Send + 'static, K: Hash, V: IntoView + 'static>(
    /// The items.
    each: impl Fn() -> Vec<T> + Send + 'static,
    /// What an item is known by.
    key: impl Fn(&T) -> K + Send + 'static,
    /// The view of an item.
    children: impl Fn(T) -> V + Send + Sync + 'static,
) -> AnyView {
    let children = Arc::new(children);
    let items = move || {
        let with_views = each().into_iter().map(|item| {
            let children = Arc::clone(&children);
            Item {
                key: hashed(&key(&item)),
                view: Box::new(move || children(item).into_any()),
            }
        });
        with_views.collect()
    };
    keyed(Box::new(items))
}

struct Item {
    key: u64,
    view: Box<dyn FnOnce() -> AnyView + Send>,
}

/// Two of a few thousand keys meet in 64 bits less often than a disk errs.
fn hashed(key: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

#[inline(never)]
fn keyed(items: Box<dyn Fn() -> Vec<Item> + Send>) -> AnyView {
    let key = |item: &Item| item.key;
    let children = |item: Item| (item.view)();
    view! { <For each=items key children /> }.into_any()
}
