//! The end of a run: its text, its receipt and its state stored, then shown.

use super::Thread;
use crate::agents::SessionLock;
use crate::processes::{Connection, Place};
use crate::proposals::PrivateCopy;
use crate::runs::machine::End;
use crate::runs::receipt::{self, DiskState};
use crate::store::{RunEnd, StoreError};
use rex_shared::ids::{MessageId, RunId};
use rex_shared::transcript::{RunRecord, RunState};
use rex_shared::wire::message::{Mode, Receipt};
use tokio::time::Instant;

impl Thread {
    /// Ends the run when it is over, or when it can no longer be written down; then the next one may start.
    pub(super) async fn ended(&mut self, applied: Result<Option<End>, StoreError>) {
        let end = match applied {
            Ok(None) => return,
            Ok(Some(end)) => end,
            Err(error) => {
                tracing::error!(thread = %self.id, %error, "a run is ended: it cannot be stored");
                let why = format!("The answer could not be stored: {error}. What you see is kept.");
                failed(why)
            }
        };
        self.finish(end).await;
        self.start_next().await;
    }

    async fn finish(&mut self, mut end: End) {
        let Some(mut going) = self.going.take() else {
            return;
        };
        if let Err(error) = going.flush().await {
            tracing::error!(thread = %self.id, %error, "the last words of an answer could not be stored");
        }
        if let Some(process) = going.process.take() {
            // A turn that ended by itself may still write its own record; any other has nothing left to do.
            if end.state == RunState::Done {
                process.finish();
            } else {
                process.stop();
            }
            self.leaving = Some(tokio::spawn(see_out(
                process,
                going.lock.take(),
                going.place.take(),
            )));
        }
        let (root, before) = (going.root.clone(), std::mem::take(&mut going.before));
        let sandbox = going.sandbox;
        let receipt = tokio::task::spawn_blocking(move || {
            receipt::between(&before, &DiskState::of(&root), sandbox)
        });
        let run = &going.run;
        if let Some(copy) = going.copy.take() {
            end = self.propose(run, copy, end).await;
        }
        if end.state == RunState::Done
            && run.mode == Mode::Ask
            && let Err(error) = self
                .means
                .store
                .finish_session_turn(&self.id, &run.sdk, &run.gateway, (self.means.clock)())
                .await
        {
            tracing::warn!(thread = %self.id, %error, "the session is not marked as finished; it will be told again");
        }
        let took = u64::try_from(going.started.elapsed().as_millis()).ok();
        self.store_end(run, stored(end, receipt.await.ok(), took))
            .await;
    }

    /// Makes a proposal of what an act run changed, however it ended but by the bridge's own end.
    async fn propose(&mut self, run: &RunRecord, copy: PrivateCopy, end: End) -> End {
        if end.state == RunState::Interrupted {
            drop(tokio::task::spawn_blocking(move || drop(copy)));
            return end;
        }
        if let Some(leaving) = self.leaving.take() {
            // Nothing may write into the copy any more; the process ends within its grace.
            drop(leaving.await);
        }
        let proposals = &self.means.proposals;
        match proposals.propose(&self.id, &run.run_id, copy).await {
            Ok(_) => end,
            Err(why) => {
                let why = format!(
                    "What this run changed could not become a proposal: {why}. Your files are as they were."
                );
                match end.state {
                    RunState::Done => failed(why),
                    _ => end,
                }
            }
        }
    }

    /// A run that could not even begin.
    pub(super) async fn give_up(&mut self, run: &RunRecord, why: &str) {
        tracing::error!(thread = %self.id, %why, "a run could not begin");
        let why = format!("The run could not begin: {why}. Your message is kept; try again.");
        self.store_end(run, stored(failed(why), None, None)).await;
    }

    async fn store_end(&mut self, run: &RunRecord, end: RunEnd) {
        self.owed = Some((run.run_id.clone(), run.reply_id.clone(), end));
        self.means.live.update(&self.id, |live| {
            live.busy = false;
            live.stage = None;
            live.started_at = None;
            live.open_dialogs.clear();
        });
        self.held_until = Some(Instant::now() + self.means.hold);
        // What is still owed is tried again before anything else starts.
        drop(self.settle().await);
        self.followers.status();
        self.followers.rail_changed().await;
    }

    /// Stores the end that is owed, if one is: the disk may have been full when the run ended.
    pub(super) async fn settle(&mut self) -> Result<(), StoreError> {
        let Some((run, reply, end)) = &self.owed else {
            return Ok(());
        };
        let stored = self
            .means
            .store
            .finish_run(run, end.clone(), (self.means.clock)())
            .await;
        if let Err(error) = stored {
            tracing::error!(thread = %self.id, %error, "the end of a run could not be stored yet");
            return Err(error);
        }
        self.followers.message(reply, false).await;
        self.owed = None;
        Ok(())
    }
}

/// An end that is not in the database yet: the run, its reply, and how it ended.
pub(super) type Owed = (RunId, MessageId, RunEnd);

fn failed(why: String) -> End {
    End {
        state: RunState::Failed,
        refusal: None,
        failure: Some(why),
        tokens: None,
        cost_usd: None,
    }
}

fn stored(end: End, receipt: Option<Receipt>, duration_ms: Option<u64>) -> RunEnd {
    RunEnd {
        state: end.state,
        refusal: end.refusal,
        failure: end.failure,
        receipt,
        cost_usd: end.cost_usd,
        tokens: end.tokens,
        duration_ms,
    }
}

/// Listens until the process is gone, so that its pipes do not hold it up; then its session and its place are free.
async fn see_out(mut process: Connection, lock: Option<SessionLock>, place: Option<Place>) {
    while process.next().await.is_some() {}
    drop((lock, place));
}
