//! The tray: passages picked and not yet sent. It is a draft in the database from the first pick on.

use rex_shared::ids::ThreadId;
use rex_shared::wire::place::{NewPlace, PlaceKind};
use std::ops::Range;

/// One picked passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pick {
    /// The place as the bridge was or will be told it.
    pub place: NewPlace,
    /// What was selected first: its kind, and bytes of the place's version. The path bar begins there.
    pub made: (PlaceKind, Range<u32>),
    /// Whether the bridge has it.
    pub stored: bool,
}

impl Pick {
    /// A place as it was selected, of which the bridge has not heard.
    pub fn new(place: NewPlace) -> Self {
        Self {
            made: (place.kind, place.start..place.end),
            place,
            stored: false,
        }
    }
}

/// A passage that was picked on the paper and that the tray has yet to take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Picked {
    /// To be commented on: the hand goes on to write.
    Comment(Pick),
    /// One more, selected while the tray is open.
    Further(Pick),
    /// To go with the next prompt of the open comment.
    ForOpen(Pick),
}

/// The open tray. It belongs to the person, not to a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tray {
    /// The draft that holds the picks.
    pub thread_id: ThreadId,
    /// The picks in the order they were made.
    pub picks: Vec<Pick>,
}
