//! Changes of the agent's message, and the ids they carry.

use crate::store::RecordOp;
use rex_shared::ids::{BadId, EntryId};
use rex_shared::wire::message::Part;
use uuid::Uuid;

/// One change: to the rows, to the screens, or to both.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What is written.
    pub write: Option<RecordOp>,
    /// What followers see when it is.
    pub show: Option<Show>,
}

/// What followers see of a change.
#[derive(Debug, Clone, PartialEq)]
pub enum Show {
    /// A part inserted or replaced, whole.
    Part {
        /// Its position in the message.
        index: u32,
        /// The part.
        part: Part,
    },
    /// Text appended to a part.
    Delta {
        /// The part's entry.
        entry_id: EntryId,
        /// UTF-16 units of the part's text before it.
        at: u64,
        /// The new characters.
        text: String,
    },
}

/// The answer is longer than REX keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong;

/// Which text a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Voice {
    /// Said to the person.
    Text,
    /// Said to itself.
    Thinking,
}

/// An id that follows from a run and a name within it.
pub(super) fn derived<T: TryFrom<String, Error = BadId>>(run: &Uuid, name: &str) -> T {
    T::try_from(Uuid::new_v5(run, name.as_bytes()).to_string())
        .expect("a UUID prints in its canonical form")
}
