//! One process at a time in an agent's session.
//!
//! Most agents let two processes go on with the same session, and the history of one of them is lost without a word. So
//! whoever starts one holds the session's lock until that process is gone: a run, a question without a turn, and the
//! sweep of what a crashed bridge left.

use rex_shared::ids::Sdk;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// Held as long as a process may write to the session.
pub type SessionLock = OwnedMutexGuard<()>;

type Locks = HashMap<(Sdk, String), Arc<tokio::sync::Mutex<()>>>;

/// The locks of this bridge. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct SessionLocks(Arc<Mutex<Locks>>);

impl SessionLocks {
    /// Waits until no other process is in the session.
    pub async fn hold(&self, sdk: &Sdk, session_id: &str) -> SessionLock {
        self.lock_of(sdk, session_id).lock_owned().await
    }

    /// The lock, unless another process is in the session.
    pub fn try_hold(&self, sdk: &Sdk, session_id: &str) -> Option<SessionLock> {
        self.lock_of(sdk, session_id).try_lock_owned().ok()
    }

    fn lock_of(&self, sdk: &Sdk, session_id: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Those that nobody holds or waits for.
        locks.retain(|_, lock| Arc::strong_count(lock) > 1);
        let key = (sdk.clone(), session_id.to_owned());
        Arc::clone(locks.entry(key).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::task::Poll;

    #[tokio::test]
    async fn the_second_waits_for_the_first_and_another_session_does_not() {
        let [claude, codex] = ["claude", "codex"].map(|name| Sdk::parse(name).unwrap());
        let locks = SessionLocks::default();
        let first = locks.hold(&claude, "a").await;
        assert!(locks.try_hold(&claude, "a").is_none());
        assert!(locks.try_hold(&claude, "b").is_some());
        assert!(locks.try_hold(&codex, "a").is_some());
        let mut second = Box::pin(locks.hold(&claude, "a"));
        assert!(matches!(futures_util::poll!(&mut second), Poll::Pending));
        drop(first);
        let second = second.await;
        assert_eq!(
            locks.0.lock().unwrap().len(),
            1,
            "what nobody holds is forgotten"
        );
        drop(second);
    }
}
