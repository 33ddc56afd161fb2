//! How many programs run for turns at the same time: each is some hundred megabytes. Who comes later waits, in order.

use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Programs at the same time.
const AT_ONCE: usize = 8;

/// A place for one program, as long as it is kept.
#[derive(Debug)]
pub struct Place(
    #[expect(dead_code, reason = "it is kept, and that is all")] Option<OwnedSemaphorePermit>,
);

/// The places there are. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct Room(Arc<Semaphore>);

impl Default for Room {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl Room {
    /// A place, if one is free and nobody waits for it.
    pub(super) fn try_take(&self) -> Option<Place> {
        let permit = Arc::clone(&self.0).try_acquire_owned().ok()?;
        Some(Place(Some(permit)))
    }

    /// A place, as soon as it is one's turn.
    pub(super) async fn take(&self) -> Place {
        // Fails only when it is closed, and nobody closes it.
        Place(Arc::clone(&self.0).acquire_owned().await.ok())
    }
}
