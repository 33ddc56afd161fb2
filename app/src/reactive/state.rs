//! Values that change and that views follow.

use super::Erased;
use leptos::prelude::{ArcTrigger, GetValue as _, Notify as _, StoredValue, Track as _};
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, PoisonError, RwLock};

/// A value that lives as long as the owner it was made under. `Copy`, so closures take it as it is.
pub struct State<T> {
    slot: StoredValue<Cell>,
    of: PhantomData<fn() -> T>,
}

/// A value that lives as long as somebody holds it.
pub struct SharedState<T> {
    value: Arc<RwLock<T>>,
    followers: ArcTrigger,
}

#[derive(Clone)]
struct Cell {
    value: Erased,
    followers: ArcTrigger,
}

#[inline(never)]
fn cell(slot: StoredValue<Cell>) -> Option<Cell> {
    slot.try_get_value()
}

#[inline(never)]
fn follow(followers: &ArcTrigger) {
    followers.track();
}

#[inline(never)]
fn tell(followers: &ArcTrigger) {
    followers.notify();
}

impl<T: Send + Sync + 'static> State<T> {
    /// A new value under the current owner.
    pub fn new(value: T) -> Self {
        Self::from(SharedState::new(value))
    }

    fn try_shared(self) -> Option<SharedState<T>> {
        let cell = cell(self.slot)?;
        Some(SharedState {
            value: cell.value.downcast().ok()?,
            followers: cell.followers,
        })
    }

    #[expect(
        clippy::expect_used,
        reason = "as in Leptos, reading past the owner's end is a mistake in the view that does it"
    )]
    fn shared(self) -> SharedState<T> {
        self.try_shared().expect("read after its owner's end")
    }

    /// The value; follows it.
    pub fn get(self) -> T
    where
        T: Clone,
    {
        self.shared().get()
    }

    /// The value as it is now.
    pub fn get_untracked(self) -> T
    where
        T: Clone,
    {
        self.shared().get_untracked()
    }

    /// The value as it is now; `None` after the owner's end.
    pub fn try_get_untracked(self) -> Option<T>
    where
        T: Clone,
    {
        Some(self.try_shared()?.get_untracked())
    }

    /// Reads the value; follows it.
    pub fn with<R>(self, read: impl FnOnce(&T) -> R) -> R {
        self.shared().with(read)
    }

    /// Reads the value as it is now.
    pub fn with_untracked<R>(self, read: impl FnOnce(&T) -> R) -> R {
        self.shared().with_untracked(read)
    }

    /// Reads the value as it is now; `None` after the owner's end.
    pub fn try_with_untracked<R>(self, read: impl FnOnce(&T) -> R) -> Option<R> {
        Some(self.try_shared()?.with_untracked(read))
    }

    /// Follows the value without reading it.
    pub fn track(self) {
        if let Some(cell) = cell(self.slot) {
            follow(&cell.followers);
        }
    }

    /// Replaces the value. After the owner's end nothing happens.
    pub fn set(self, value: T) {
        drop(self.try_set(value));
    }

    /// Replaces the value; gives it back after the owner's end.
    pub fn try_set(self, value: T) -> Option<T> {
        match self.try_shared() {
            Some(shared) => {
                shared.set(value);
                None
            }
            None => Some(value),
        }
    }

    /// Changes the value in place. After the owner's end nothing happens.
    pub fn update(self, change: impl FnOnce(&mut T)) {
        self.try_update(change);
    }

    /// Changes the value in place; `None` after the owner's end.
    pub fn try_update<R>(self, change: impl FnOnce(&mut T) -> R) -> Option<R> {
        Some(self.try_shared()?.change(change))
    }

    /// Changes the value in place and tells nobody; `None` after the owner's end.
    pub(super) fn try_update_untracked<R>(self, change: impl FnOnce(&mut T) -> R) -> Option<R> {
        Some(self.try_shared()?.change_untold(change))
    }
}

impl<T: Send + Sync + 'static> SharedState<T> {
    /// A new value.
    pub fn new(value: T) -> Self {
        Self {
            value: Arc::new(RwLock::new(value)),
            followers: ArcTrigger::new(),
        }
    }

    /// The value; follows it.
    pub fn get(&self) -> T
    where
        T: Clone,
    {
        self.with(T::clone)
    }

    /// The value as it is now.
    pub fn get_untracked(&self) -> T
    where
        T: Clone,
    {
        self.with_untracked(T::clone)
    }

    /// Reads the value; follows it.
    pub fn with<R>(&self, read: impl FnOnce(&T) -> R) -> R {
        follow(&self.followers);
        self.with_untracked(read)
    }

    /// Reads the value as it is now.
    pub fn with_untracked<R>(&self, read: impl FnOnce(&T) -> R) -> R {
        read(&self.value.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Follows the value without reading it.
    pub fn track(&self) {
        follow(&self.followers);
    }

    /// Replaces the value.
    pub fn set(&self, value: T) {
        self.change(|old| *old = value);
    }

    /// Changes the value in place.
    pub fn update(&self, change: impl FnOnce(&mut T)) {
        self.change(change);
    }

    fn change<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let result = self.change_untold(change);
        tell(&self.followers);
        result
    }

    fn change_untold<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        change(&mut self.value.write().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T: Send + Sync + 'static> From<SharedState<T>> for State<T> {
    fn from(shared: SharedState<T>) -> Self {
        let cell = Cell {
            value: shared.value,
            followers: shared.followers,
        };
        Self {
            slot: StoredValue::new(cell),
            of: PhantomData,
        }
    }
}

impl<T> Clone for State<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for State<T> {}

impl<T> Clone for SharedState<T> {
    fn clone(&self) -> Self {
        Self {
            value: Arc::clone(&self.value),
            followers: self.followers.clone(),
        }
    }
}

/// Equal is the same value in memory, as with Leptos's signals.
impl<T> PartialEq for SharedState<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.value, &other.value)
    }
}

impl<T: Default + Send + Sync + 'static> Default for State<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: Default + Send + Sync + 'static> Default for SharedState<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> fmt::Debug for State<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("State")
    }
}

impl<T> fmt::Debug for SharedState<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedState")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reactive::Derived;
    use leptos::prelude::Owner;

    #[test]
    fn what_is_set_is_read_and_followed() {
        let owner = Owner::new();
        owner.with(|| {
            let count = State::new(1);
            let double = Derived::new(move || count.get() * 2);
            assert_eq!(double.get_untracked(), 2);
            count.update(|count| *count += 1);
            assert_eq!((count.get_untracked(), double.get_untracked()), (2, 4));
        });
    }

    #[test]
    fn a_shared_value_outlives_the_owner_a_state_of_it_was_made_under() {
        let shared = SharedState::new("a");
        let owner = Owner::new();
        let state = owner.with(|| State::from(shared.clone()));
        state.set("b");
        owner.cleanup();
        assert_eq!(state.try_get_untracked(), None);
        assert_eq!(state.try_set("c"), Some("c"));
        assert_eq!(shared.get_untracked(), "b");
    }
}
