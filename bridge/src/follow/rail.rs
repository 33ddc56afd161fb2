//! Rows of the rail: what is stored, and what is going on.

use super::{Hub, LiveTable};
use crate::store::Store;
use rex_shared::ids::{ThreadId, WorkspaceId};
use rex_shared::wire::follow::{Frame, Rail};
use rex_shared::wire::prompt::DialogState;
use rex_shared::wire::thread::ThreadRow;

/// A stored row with what only memory knows. Building nothing: a cold thread stays cold.
#[must_use]
pub fn decorate(live: &LiveTable, row: ThreadRow) -> ThreadRow {
    let known = live.peek(&row.thread_id);
    ThreadRow {
        busy: known.as_ref().is_some_and(|live| live.busy),
        asks_you: known.is_some_and(|live| {
            live.open_dialogs
                .iter()
                .any(|dialog| dialog.state == DialogState::Open)
        }),
        ..row
    }
}

/// Tells a workspace that a thread's row changed; called after the change was stored.
pub async fn rail_changed(store: &Store, hub: &Hub, live: &LiveTable, thread: &ThreadId) {
    match store.row(thread).await {
        Ok(Some((workspace, row))) => {
            let row = Box::new(decorate(live, row));
            hub.tell_workspace(&workspace, Frame::Rail(Rail::Row { row }));
        }
        Ok(None) => {}
        Err(error) => tracing::warn!(%thread, %error, "the rail was not told of a change"),
    }
}

/// Tells a workspace that a thread is gone; called after it was deleted.
pub fn rail_removed(hub: &Hub, workspace: &WorkspaceId, thread: &ThreadId) {
    let removed = thread.clone();
    hub.tell_workspace(workspace, Frame::Rail(Rail::Removed { removed }));
}
