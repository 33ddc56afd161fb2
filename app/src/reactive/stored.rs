//! Values that nothing follows.

use super::State;

/// A value that lives as long as the owner it was made under, and whose changes wake nobody.
#[derive(Debug)]
pub struct Stored<T>(State<T>);

impl<T: Send + Sync + 'static> Stored<T> {
    /// A new value under the current owner.
    pub fn new(value: T) -> Self {
        Self(State::new(value))
    }

    /// The value.
    pub fn get_value(self) -> T
    where
        T: Clone,
    {
        self.0.get_untracked()
    }

    /// The value; `None` after the owner's end.
    pub fn try_get_value(self) -> Option<T>
    where
        T: Clone,
    {
        self.0.try_get_untracked()
    }

    /// Reads the value.
    pub fn with_value<R>(self, read: impl FnOnce(&T) -> R) -> R {
        self.0.with_untracked(read)
    }

    /// Replaces the value. After the owner's end nothing happens.
    pub fn set_value(self, value: T) {
        drop(self.try_set_value(value));
    }

    /// Replaces the value; gives it back after the owner's end.
    pub fn try_set_value(self, value: T) -> Option<T> {
        let mut value = Some(value);
        self.update_value(|old| {
            if let Some(value) = value.take() {
                *old = value;
            }
        });
        value
    }

    /// Changes the value in place. After the owner's end nothing happens.
    pub fn update_value(self, change: impl FnOnce(&mut T)) {
        self.try_update_value(change);
    }

    /// Changes the value in place; `None` after the owner's end.
    pub fn try_update_value<R>(self, change: impl FnOnce(&mut T) -> R) -> Option<R> {
        self.0.try_update_untracked(change)
    }
}

impl<T> Clone for Stored<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Stored<T> {}

impl<T: Default + Send + Sync + 'static> Default for Stored<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}
