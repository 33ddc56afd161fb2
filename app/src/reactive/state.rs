//! Values that change and that views follow.

use leptos::prelude::{ArcTrigger, GetValue as _, Notify as _, StoredValue, Track as _};
use std::any::Any;
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
    cell: Cell,
    of: PhantomData<fn() -> T>,
}

/// What a state is to all code that does not know its type.
#[derive(Clone)]
struct Cell {
    value: Arc<RwLock<Box<dyn Any + Send + Sync>>>,
    followers: ArcTrigger,
}

impl Cell {
    #[inline(never)]
    fn new(value: Box<dyn Any + Send + Sync>) -> Self {
        Self {
            value: Arc::new(RwLock::new(value)),
            followers: ArcTrigger::new(),
        }
    }

    #[inline(never)]
    fn read(&self, read: &mut dyn FnMut(&dyn Any)) {
        read(&**self.value.read().unwrap_or_else(PoisonError::into_inner));
    }

    #[inline(never)]
    fn write(&self, change: &mut dyn FnMut(&mut dyn Any)) {
        change(&mut **self.value.write().unwrap_or_else(PoisonError::into_inner));
    }

    #[inline(never)]
    fn follow(&self) {
        self.followers.track();
    }

    #[inline(never)]
    fn tell(&self) {
        self.followers.notify();
    }
}

#[inline(never)]
fn stored(cell: Cell) -> StoredValue<Cell> {
    StoredValue::new(cell)
}

#[inline(never)]
fn held(slot: StoredValue<Cell>) -> Option<Cell> {
    slot.try_get_value()
}

#[inline(never)]
#[expect(
    clippy::expect_used,
    reason = "as in Leptos, reading past the owner's end is a mistake in the view that does it"
)]
fn certain(slot: StoredValue<Cell>) -> Cell {
    held(slot).expect("read after its owner's end")
}

const TYPED: &str = "the type it was made with";

impl<T: Send + Sync + 'static> State<T> {
    /// A new value under the current owner.
    pub fn new(value: T) -> Self {
        Self::from(SharedState::new(value))
    }

    fn try_shared(self) -> Option<SharedState<T>> {
        held(self.slot).map(SharedState::of)
    }

    fn shared(self) -> SharedState<T> {
        SharedState::of(certain(self.slot))
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
        if let Some(cell) = held(self.slot) {
            cell.follow();
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
        Self::of(Cell::new(Box::new(value)))
    }

    fn of(cell: Cell) -> Self {
        Self {
            cell,
            of: PhantomData,
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
        self.cell.follow();
        self.with_untracked(read)
    }

    /// Reads the value as it is now.
    #[expect(
        clippy::expect_used,
        reason = "a state is only ever made with a T in it"
    )]
    pub fn with_untracked<R>(&self, read: impl FnOnce(&T) -> R) -> R {
        let (mut read, mut result) = (Some(read), None);
        self.cell.read(&mut |value| {
            result = value
                .downcast_ref()
                .and_then(|value| Some(read.take()?(value)));
        });
        result.expect(TYPED)
    }

    /// Follows the value without reading it.
    pub fn track(&self) {
        self.cell.follow();
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
        self.cell.tell();
        result
    }

    #[expect(
        clippy::expect_used,
        reason = "a state is only ever made with a T in it"
    )]
    fn change_untold<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let (mut change, mut result) = (Some(change), None);
        self.cell.write(&mut |value| {
            result = value
                .downcast_mut()
                .and_then(|value| Some(change.take()?(value)));
        });
        result.expect(TYPED)
    }
}

impl<T: Send + Sync + 'static> From<SharedState<T>> for State<T> {
    fn from(shared: SharedState<T>) -> Self {
        Self {
            slot: stored(shared.cell),
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
            cell: self.cell.clone(),
            of: PhantomData,
        }
    }
}

/// Equal is the same value in memory, as with Leptos's signals.
impl<T> PartialEq for SharedState<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.cell.value, &other.cell.value)
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
