//! Values computed from others.

use super::Erased;
use leptos::prelude::{Get as _, GetUntracked as _, Memo, Track as _};
use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// A value computed from others, anew only when one of them changed; its followers wake only when it differs.
pub struct Derived<T> {
    memo: Memo<Computed>,
    of: PhantomData<fn() -> T>,
}

#[derive(Clone)]
struct Computed {
    value: Erased,
    same: fn(&dyn Any, &dyn Any) -> bool,
}

impl PartialEq for Computed {
    fn eq(&self, other: &Self) -> bool {
        (self.same)(&*self.value, &*other.value)
    }
}

type Compute = Box<dyn Fn(Option<&Computed>) -> Computed + Send + Sync>;

#[inline(never)]
fn memo(compute: Compute) -> Memo<Computed> {
    Memo::new(compute)
}

#[inline(never)]
fn read(memo: Memo<Computed>) -> Erased {
    memo.get().value
}

#[inline(never)]
fn read_untracked(memo: Memo<Computed>) -> Erased {
    memo.get_untracked().value
}

fn same<T: PartialEq + 'static>(one: &dyn Any, other: &dyn Any) -> bool {
    one.downcast_ref::<T>() == other.downcast_ref::<T>()
}

#[expect(
    clippy::expect_used,
    reason = "the only way to make a memo stores a T in it"
)]
fn typed<T: 'static>(value: &Erased) -> &T {
    value.downcast_ref().expect("the type it was computed as")
}

impl<T: PartialEq + Send + Sync + 'static> Derived<T> {
    /// Computes from whatever states it reads.
    pub fn new(compute: impl Fn() -> T + Send + Sync + 'static) -> Self {
        Self::since(move |_| compute())
    }

    /// Computes with what it was before.
    pub fn since(compute: impl Fn(Option<&T>) -> T + Send + Sync + 'static) -> Self {
        let memo = memo(Box::new(move |before| Computed {
            value: Arc::new(compute(before.map(|before| typed(&before.value)))),
            same: same::<T>,
        }));
        Self {
            memo,
            of: PhantomData,
        }
    }
}

impl<T: Send + Sync + 'static> Derived<T> {
    /// The value; follows it.
    pub fn get(self) -> T
    where
        T: Clone,
    {
        self.with(T::clone)
    }

    /// The value as it is now.
    pub fn get_untracked(self) -> T
    where
        T: Clone,
    {
        self.with_untracked(T::clone)
    }

    /// Reads the value; follows it.
    pub fn with<R>(self, reader: impl FnOnce(&T) -> R) -> R {
        reader(typed(&read(self.memo)))
    }

    /// Reads the value as it is now.
    pub fn with_untracked<R>(self, reader: impl FnOnce(&T) -> R) -> R {
        reader(typed(&read_untracked(self.memo)))
    }

    /// Follows the value without reading it.
    pub fn track(self) {
        self.memo.track();
    }
}

impl<T> Clone for Derived<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Derived<T> {}

impl<T> fmt::Debug for Derived<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Derived")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reactive::State;
    use leptos::prelude::Owner;

    #[test]
    fn followers_wake_only_when_the_value_differs() {
        let owner = Owner::new();
        owner.with(|| {
            let number = State::new(1);
            let is_even = Derived::new(move || number.get() % 2 == 0);
            let computed = Derived::since(move |before: Option<&u32>| {
                is_even.get();
                before.map_or(1, |before| before + 1)
            });
            assert_eq!(computed.get_untracked(), 1);
            number.set(3);
            assert_eq!(computed.get_untracked(), 1);
            number.set(4);
            assert_eq!(computed.get_untracked(), 2);
        });
    }
}
