//! The snapshot: everything a screen needs of one thread, read from the same rows whether it is live or cold.

use super::LiveTable;
use crate::store::{Store, StoreError};
use rex_shared::assembly::assemble;
use rex_shared::ids::{BootId, ThreadId};
use rex_shared::wire::follow::Snapshot;

/// Reads a thread as it stands. An unknown one is empty and not live, for watching may come before the first prompt.
pub async fn snapshot(
    store: &Store,
    live: &LiveTable,
    boot_id: &BootId,
    thread: &ThreadId,
) -> Result<Snapshot, StoreError> {
    let stored = store.conversation(thread, None).await?;
    let status = live.status(thread);
    let mut snapshot = Snapshot {
        thread_id: thread.clone(),
        boot_id: boot_id.clone(),
        live: status.live,
        busy: status.busy,
        generation: status.generation,
        messages: Vec::new(),
        has_earlier: false,
        permission_mode: Default::default(),
        usage: Default::default(),
        open_dialogs: Vec::new(),
        queued: Vec::new(),
        draft: Default::default(),
        stage: status.stage,
        started_at: status.started_at,
    };
    if let Some(stored) = stored {
        snapshot.messages = assemble(&stored.entries, &stored.runs, &stored.places);
        snapshot.has_earlier = stored.has_earlier;
        snapshot.permission_mode = stored.permission_mode;
        snapshot.usage = stored.usage;
        snapshot.open_dialogs = stored.open_dialogs;
        snapshot.queued = stored.queued;
        snapshot.draft = stored.draft;
    }
    // Only a live run knows how full its agent is.
    snapshot.usage.context = live.peek(thread).and_then(|live| live.context);
    Ok(snapshot)
}
