//! Where a place of one version of a document stands in another version.
//!
//! Both versions are cut into units (sentences; lines of code) and laid side by side once, in an [`Alignment`], which
//! then answers for every place: no place is searched for on its own. Each unit of the new version has at most one
//! ancestor, so a look-alike that was there before is never taken for one that was deleted. What is compared is what
//! a reader reads, what is answered are bytes of the source. A wrong place is worse than none: where two would do as
//! well, the answer is `gone`, and [`Alignment::candidates`] names them.
//!
//! Deliberately absent: IO, and any memory of earlier answers. The page does not call this module; the bridge does.

mod aligned;
mod alignment;
mod approximate;
mod candidates;
mod drift;
mod elsewhere;
mod equal;
mod extent;
mod fit;
mod lexicon;
mod likeness;
mod links;
mod mapping;
mod market;
pub mod panes;
mod pieces;
mod rare;
mod selector;
pub(crate) mod sequence;
mod similar;
mod structure;
mod tokens;
mod units;
mod unread;
mod walk;
mod widen;

pub use alignment::Alignment;
pub use candidates::Candidate;
pub use drift::through_drift;
pub use elsewhere::{Elsewhere, OtherFile, elsewhere, renamed};
pub use selector::Selector;

use crate::wire::place::PlaceState;
use std::ops::Range;

/// Part of the key of every stored resolution: counted up when the answers of this module change.
pub const RESOLVER_VERSION: u32 = 6;

/// Where a place was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// How sure the place is the same; never `Unknown`.
    pub state: PlaceState,
    /// Bytes of the new text; `None` when the place is gone.
    pub range: Option<Range<usize>>,
}

impl Located {
    const GONE: Self = Self {
        state: PlaceState::Gone,
        range: None,
    };

    fn at(state: PlaceState, range: Range<usize>) -> Self {
        Self {
            state,
            range: Some(range),
        }
    }
}

#[cfg(test)]
mod tests;
