//! The tray: passages picked and not yet sent. It is a draft in the database from the first pick on.

use rex_shared::ids::ThreadId;
use rex_shared::wire::place::NewPlace;

/// One picked passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pick {
    /// The place as the bridge was or will be told it.
    pub place: NewPlace,
    /// Whether the bridge has it.
    pub stored: bool,
}

/// A passage that was picked on the paper and that the tray has yet to take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Picked {
    /// To be commented on: the hand goes on to write.
    Comment(NewPlace),
    /// One more, selected while the tray is open.
    Further(NewPlace),
    /// To go with the next prompt of the open comment.
    ForOpen(NewPlace),
}

/// The open tray. It belongs to the person, not to a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tray {
    /// The draft that holds the picks.
    pub thread_id: ThreadId,
    /// The picks in the order they were made.
    pub picks: Vec<Pick>,
}
