//! Lanes: every thread is in exactly one, derived and never stored.

use crate::wire::place::PlaceState;
use crate::wire::thread::ThreadStatus;
use serde::{Deserialize, Serialize};

/// Where a thread stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Lane {
    /// Has places, was never sent, is meant to be.
    Draft,
    /// Kept for oneself.
    Note,
    /// Sent, waiting on the person.
    Open,
    /// A passage it was written on no longer exists.
    Gone,
    /// Dealt with.
    Resolved,
}

/// The lane of a thread, the first that fits. `places` are the states of its places without replaced ones.
pub fn lane_of(
    status: ThreadStatus,
    is_note: bool,
    was_sent: bool,
    places: impl IntoIterator<Item = PlaceState>,
) -> Lane {
    if status == ThreadStatus::Resolved {
        Lane::Resolved
    } else if places.into_iter().any(|state| state == PlaceState::Gone) {
        Lane::Gone
    } else if is_note {
        Lane::Note
    } else if !was_sent {
        Lane::Draft
    } else {
        Lane::Open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S70: a thread with places that was never sent and is meant to be is a draft.
    #[test]
    fn a_thread_that_was_never_sent_is_a_draft() {
        assert_eq!(
            lane_of(ThreadStatus::Open, false, false, [PlaceState::Exact]),
            Lane::Draft
        );
    }

    /// S71: a note is text on a place for oneself, whatever else is true of it but that its place is lost.
    #[test]
    fn a_note_stays_a_note() {
        for was_sent in [false, true] {
            let lane = lane_of(ThreadStatus::Open, true, was_sent, [PlaceState::Changed]);
            assert_eq!(lane, Lane::Note);
        }
        assert_eq!(lane_of(ThreadStatus::Open, true, false, []), Lane::Note);
    }

    /// S72: what was sent and is not resolved waits on the person, also without any place.
    #[test]
    fn a_thread_that_was_sent_is_open() {
        for state in [PlaceState::Exact, PlaceState::Moved, PlaceState::Changed] {
            assert_eq!(
                lane_of(ThreadStatus::Open, false, true, [state]),
                Lane::Open
            );
        }
        assert_eq!(lane_of(ThreadStatus::Open, false, true, []), Lane::Open);
    }

    #[test]
    fn a_resolved_thread_never_moves_to_gone() {
        assert_eq!(
            lane_of(ThreadStatus::Resolved, false, true, [PlaceState::Gone]),
            Lane::Resolved
        );
    }

    #[test]
    fn an_unreadable_file_is_not_gone() {
        assert_eq!(
            lane_of(
                ThreadStatus::Open,
                false,
                true,
                [PlaceState::Unknown, PlaceState::Exact]
            ),
            Lane::Open
        );
    }
}
