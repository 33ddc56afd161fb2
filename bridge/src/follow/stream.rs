//! One follower's stream: subscribe first, read the snapshot second, then frames as they come.

use super::{Hub, LiveTable, Subscription, snapshot};
use crate::store::{Store, StoreError};
use futures_util::stream::{Stream, unfold};
use rex_shared::ids::{BootId, ThreadId, WorkspaceId};
use rex_shared::wire::follow::Frame;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Interval, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

/// How often a quiet stream says that it is alive.
const PING: Duration = Duration::from_secs(5);

/// What a stream needs of the bridge.
#[derive(Clone)]
pub struct Follow {
    /// The record.
    pub store: Store,
    /// Where frames come from.
    pub hub: Hub,
    /// What is going on right now.
    pub live: LiveTable,
    /// This start.
    pub boot_id: BootId,
    /// Ends every stream.
    pub stop: CancellationToken,
}

impl Follow {
    /// A thread's frames, its snapshot first, and the rail and document frames of its workspace, or of `workspace` when
    /// the thread is not known yet. Ends when the follower lags behind or the bridge stops: it then begins anew.
    pub async fn thread(
        &self,
        thread: &ThreadId,
        workspace: &WorkspaceId,
    ) -> Result<impl Stream<Item = Arc<Frame>> + Send + use<>, StoreError> {
        let own = self.hub.follow_thread(thread);
        let known = self.store.workspace_of(thread).await?;
        let rail = self
            .hub
            .follow_workspace(known.as_ref().unwrap_or(workspace));
        let snapshot = snapshot(&self.store, &self.live, &self.boot_id, thread).await?;
        let first = Frame::Snapshot(Box::new(snapshot));
        Ok(self.frames(Some(first), Some(own), rail))
    }

    /// The rail and document frames of a workspace, for a tab without a thread.
    pub fn workspace(
        &self,
        workspace: &WorkspaceId,
    ) -> impl Stream<Item = Arc<Frame>> + Send + use<> {
        self.frames(None, None, self.hub.follow_workspace(workspace))
    }

    fn frames(
        &self,
        first: Option<Frame>,
        own: Option<Subscription>,
        rail: Subscription,
    ) -> impl Stream<Item = Arc<Frame>> + Send + use<> {
        let mut ping = interval(PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ping.reset();
        let follower = Follower {
            first,
            own,
            rail,
            ping,
            stop: self.stop.clone(),
        };
        unfold(follower, |mut follower| async {
            let frame = follower.next().await?;
            Some((frame, follower))
        })
    }
}

struct Follower {
    first: Option<Frame>,
    own: Option<Subscription>,
    rail: Subscription,
    ping: Interval,
    stop: CancellationToken,
}

impl Follower {
    /// The next frame. A lagging follower ends: one frame left out would be a hole in what it shows.
    async fn next(&mut self) -> Option<Arc<Frame>> {
        if let Some(first) = self.first.take() {
            return Some(Arc::new(first));
        }
        let own = async {
            match &mut self.own {
                Some(own) => own.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = self.stop.cancelled() => None,
            frame = own => frame.ok(),
            frame = self.rail.recv() => frame.ok(),
            _ = self.ping.tick() => Some(Arc::new(Frame::Ping)),
        }
    }
}
