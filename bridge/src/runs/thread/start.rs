//! The start of a run: the same path for the first send, the tenth and the first after a restart.

use super::Thread;
use crate::runs::going::Going;
use crate::runs::memory::root_of_thread;
use rex_shared::transcript::RunRecord;
use rex_shared::wire::follow::Stage;
use rex_shared::wire::message::Usage;

impl Thread {
    /// Starts what waits, if nothing is going on.
    pub(super) async fn start_next(&mut self) {
        if self.going.is_some()
            || self.runs.inner.stop.is_cancelled()
            || self.settle().await.is_err()
        {
            return;
        }
        match self
            .means
            .store
            .start_queued(&self.id, (self.means.clock)())
            .await
        {
            Ok(Some(run)) => {
                self.start(run).await;
                // It waits no more.
                self.followers.snapshot().await;
            }
            Ok(None) => {}
            Err(error) => tracing::error!(thread = %self.id, %error, "what waits was not started"),
        }
    }

    /// Starts a stored run.
    pub(super) async fn start(&mut self, run: RunRecord) {
        if self.means.live.hold(&self.id) {
            self.followers.status();
        }
        self.means.live.update(&self.id, |live| {
            live.busy = true;
            live.generation += 1;
            live.stage = Some(Stage::Starting);
            live.started_at = Some(run.started_at);
            live.context = None;
        });
        self.followers.status();
        let used = self.followers.message(&run.message_id, true).await;
        self.followers.message(&run.reply_id, false).await;
        self.followers.rail_changed().await;
        match self.begin(run.clone(), used).await {
            Ok(going) => self.going = Some(going),
            Err(why) => self.give_up(&run, &why).await,
        }
    }

    async fn begin(&mut self, run: RunRecord, used: Usage) -> Result<Going, String> {
        let root = root_of_thread(&self.means, &self.id)
            .await
            .map_err(|error| error.to_string())?;
        let generation = self.means.live.generation(&self.id);
        let leaving = self.leaving.take();
        Going::begin(&self.means, &self.id, generation, run, root, used, leaving)
            .await
            .map_err(|error| format!("its temp folder could not be made ({error})"))
    }
}
