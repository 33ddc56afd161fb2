//! The hub: who listens to a thread, who to a workspace.

use rex_shared::ids::{ThreadId, WorkspaceId};
use rex_shared::wire::follow::Frame;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::broadcast;

/// Frames a slow follower may lag behind before its stream ends and it starts over with a snapshot.
const QUEUE: usize = 256;

/// Where frames are published, after the rows they tell of were committed.
#[derive(Debug, Clone, Default)]
pub struct Hub {
    threads: Arc<Mutex<HashMap<ThreadId, broadcast::Sender<Arc<Frame>>>>>,
    workspaces: Arc<Mutex<HashMap<WorkspaceId, broadcast::Sender<Arc<Frame>>>>>,
}

/// One follower's end. A lagging one gets an error and must begin with a new snapshot: never a hole.
pub type Subscription = broadcast::Receiver<Arc<Frame>>;

impl Hub {
    /// Frames of one thread. Subscribe first, read the snapshot second: frames that the snapshot already holds are
    /// harmless, a missed one is not.
    pub fn follow_thread(&self, thread: &ThreadId) -> Subscription {
        subscribe(&self.threads, thread)
    }

    /// Rail and document frames of one workspace.
    pub fn follow_workspace(&self, workspace: &WorkspaceId) -> Subscription {
        subscribe(&self.workspaces, workspace)
    }

    /// Tells the followers of a thread.
    pub fn tell_thread(&self, thread: &ThreadId, frame: Frame) {
        tell(&self.threads, thread, frame);
    }

    /// Tells the followers of a workspace.
    pub fn tell_workspace(&self, workspace: &WorkspaceId, frame: Frame) {
        tell(&self.workspaces, workspace, frame);
    }
}

type Topics<K> = Mutex<HashMap<K, broadcast::Sender<Arc<Frame>>>>;

fn subscribe<K: Clone + Eq + Hash>(topics: &Topics<K>, key: &K) -> Subscription {
    let mut topics = topics.lock().unwrap_or_else(PoisonError::into_inner);
    topics.retain(|_, sender| sender.receiver_count() > 0);
    topics
        .entry(key.clone())
        .or_insert_with(|| broadcast::channel(QUEUE).0)
        .subscribe()
}

fn tell<K: Eq + Hash>(topics: &Topics<K>, key: &K, frame: Frame) {
    let topics = topics.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(sender) = topics.get(key) {
        // Nobody listening is no error.
        drop(sender.send(Arc::new(frame)));
    }
}
