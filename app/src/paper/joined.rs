//! Whether what is picked can join the open comment.

use crate::model::{Model, Tray};
use rex_shared::lane::Lane;
use rex_shared::wire::thread::ThreadRow;

/// The number of the open comment, if passages can be added to it.
pub(super) fn open_number(model: Model) -> Option<u32> {
    let open = model.open_thread.get()?;
    let row = model.rail.row(&open)?.get();
    model
        .tray
        .with(|tray| takes_passages(&row, tray.as_ref()))
        .then_some(row.number)
}

/// Whether picked passages can be added to a thread: not to a note, which is never sent, nor to a resolved one, nor to
/// the very draft that the tray is.
fn takes_passages(row: &ThreadRow, tray: Option<&Tray>) -> bool {
    matches!(row.lane, Lane::Draft | Lane::Open | Lane::Gone)
        && !row.is_note
        && tray.is_none_or(|tray| tray.thread_id != row.thread_id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture::row;

    /// S57: passages go to the open comment first, whichever document they are in.
    #[test]
    fn an_open_comment_takes_further_passages() {
        for (lane, takes) in [
            (Lane::Open, true),
            (Lane::Draft, true),
            (Lane::Gone, true),
            (Lane::Note, false),
            (Lane::Resolved, false),
        ] {
            let row = ThreadRow {
                lane,
                is_note: lane == Lane::Note,
                ..row(1, 1)
            };
            assert_eq!(takes_passages(&row, None), takes, "{lane:?}");
        }
        let itself = Tray {
            thread_id: row(1, 1).thread_id,
            picks: Vec::new(),
        };
        assert!(!takes_passages(&row(1, 1), Some(&itself)));
    }
}
