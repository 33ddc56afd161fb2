//! The page's signals: Leptos's own, behind types that are compiled once.
//!
//! Leptos compiles its whole signal, memo and effect machinery anew for every type of value and every closure. With the
//! page's many small values that was a third of what a browser had to load. Here one erased cell, one memo and one
//! effect carry all of them, and what is generic is only the step from the erased value to the typed one. Names and
//! rules of the methods are those of Leptos. Deliberately absent: guards that hold a value locked.

mod derived;
mod each;
mod effect;
mod handler;
mod only;
mod redrawn;
mod state;
mod stored;

pub use derived::Derived;
pub use each::Each;
pub use effect::{on_change, on_change_since};
pub use handler::{on_key, on_mouse, on_pointer};
pub use only::Only;
pub use redrawn::redrawn;
pub use state::{SharedState, State};
pub use stored::Stored;

use std::any::Any;
use std::sync::Arc;

/// A value whose type only its reader knows.
type Erased = Arc<dyn Any + Send + Sync>;
