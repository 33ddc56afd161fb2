//! The task of one live thread: everything that happens in it happens here, one after another.

use super::followers::Followers;
use super::going::{Going, Happened};
use super::machine::{End, Input};
use super::memory::root_of_thread;
use super::receipt::DiskState;
use super::{Means, Runs, refusals};
use crate::fresh;
use crate::processes::Process;
use crate::store::{NewRun, RunEnd, StoreError};
use rex_shared::ids::{DialogId, MessageId, ThreadId};
use rex_shared::transcript::{RunRecord, RunState};
use rex_shared::wire::follow::Stage;
use rex_shared::wire::message::{Receipt, Usage};
use rex_shared::wire::problem::Problem;
use rex_shared::wire::prompt::{Accepted, DialogAnswer};
use std::sync::PoisonError;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

type Done<T> = oneshot::Sender<Result<T, Problem>>;

/// What a thread is asked to do.
pub(super) enum Command {
    Prompt(Box<NewRun>, Done<Accepted>),
    Retry(Done<Accepted>),
    Stop(Done<()>),
    Answer(DialogId, DialogAnswer, Done<()>),
    EditQueued(MessageId, String, Done<()>),
    DropQueued(MessageId, Done<()>),
    /// Start what waits, if nothing is going on.
    Next,
}

/// The task's state.
pub(super) struct Thread {
    runs: Runs,
    means: Means,
    followers: Followers,
    id: ThreadId,
    commands: mpsc::UnboundedReceiver<Command>,
    going: Option<Going>,
    /// The last run's process on its way out.
    leaving: Option<JoinHandle<()>>,
    /// Until when the thread is held; `None` when no run made it live.
    held_until: Option<Instant>,
}

impl Thread {
    pub(super) fn new(
        runs: Runs,
        id: ThreadId,
        commands: mpsc::UnboundedReceiver<Command>,
    ) -> Self {
        let means = runs.inner.means.clone();
        let followers = Followers::new(means.clone(), id.clone());
        Self {
            runs,
            means,
            followers,
            id,
            commands,
            going: None,
            leaving: None,
            held_until: None,
        }
    }

    /// Lives until the hold is over or the bridge stops.
    pub(super) async fn live(mut self) {
        let stop = self.runs.inner.stop.clone();
        loop {
            let idle = self.going.is_none();
            let until = self.held_until.unwrap_or_else(Instant::now);
            tokio::select! {
                biased;
                () = stop.cancelled() => return self.shut_down().await,
                command = self.commands.recv() => match command {
                    Some(command) => self.command(command).await,
                    None => return,
                },
                happened = next(&mut self.going) => self.happened(happened).await,
                () = sleep_until(until), if idle => if self.leave() { return },
            }
        }
    }

    async fn command(&mut self, command: Command) {
        // Whoever asked may have gone; what was done stays done.
        match command {
            Command::Prompt(new, done) => drop(done.send(self.prompt(*new).await)),
            Command::Retry(done) => drop(done.send(self.retry().await)),
            Command::Stop(done) => {
                if self.going.is_some() {
                    self.input(Input::Stop).await;
                }
                drop(done.send(Ok(())));
            }
            Command::Answer(dialog, answer, done) => {
                drop(done.send(self.answer(&dialog, answer).await));
            }
            Command::EditQueued(message, text, done) => {
                let edited = self.means.store.edit_queued(&self.id, &message, text).await;
                drop(done.send(self.queue_changed(edited).await));
            }
            Command::DropQueued(message, done) => {
                let dropped = self.means.store.drop_queued(&self.id, &message).await;
                drop(done.send(self.queue_changed(dropped).await));
            }
            Command::Next => self.start_next().await,
        }
    }

    async fn prompt(&mut self, new: NewRun) -> Result<Accepted, Problem> {
        let begun = self
            .means
            .store
            .begin_run(new, (self.means.clock)())
            .await?;
        let queued = begun.run.state == RunState::Queued;
        let run_id = (!queued).then(|| begun.run.run_id.clone());
        if begun.again {
            // Nothing to do: the first one did it.
        } else if queued {
            self.retell().await;
        } else {
            self.start(begun.run).await;
        }
        Ok(Accepted {
            run_id,
            generation: self.means.live.generation(&self.id),
            queued,
        })
    }

    async fn retry(&mut self) -> Result<Accepted, Problem> {
        let newest = self.means.store.newest_run(&self.id).await?;
        let failed = newest.filter(|run| {
            !matches!(
                run.state,
                RunState::Queued | RunState::Running | RunState::Done
            )
        });
        let Some(failed) = failed.filter(|_| self.going.is_none()) else {
            return Err(refusals::nothing_to_retry());
        };
        let run = self
            .means
            .store
            .retry_run(
                &self.id,
                &failed.message_id,
                fresh::id(),
                fresh::id(),
                (self.means.clock)(),
            )
            .await?;
        let run_id = Some(run.run_id.clone());
        self.start(run).await;
        Ok(Accepted {
            run_id,
            generation: self.means.live.generation(&self.id),
            queued: false,
        })
    }

    async fn answer(&mut self, dialog: &DialogId, answer: DialogAnswer) -> Result<(), Problem> {
        let DialogAnswer { answer, text } = answer;
        self.means
            .store
            .answer_dialog(&self.id, dialog, answer, text.clone(), (self.means.clock)())
            .await?;
        let Some(going) = &mut self.going else {
            return Err(refusals::dialog_closed());
        };
        let Ok(effects) = going.machine().answer(dialog, answer, text) else {
            return Err(refusals::dialog_closed());
        };
        let applied = going.apply(effects).await;
        self.ended(applied).await;
        Ok(())
    }

    async fn queue_changed(&mut self, changed: Result<(), StoreError>) -> Result<(), Problem> {
        changed?;
        self.retell().await;
        Ok(())
    }

    /// A snapshot between frames: what changed has no frame of its own.
    async fn retell(&mut self) {
        if let Some(going) = &mut self.going {
            let flushed = going.flush().await.map(|()| None);
            self.ended(flushed).await;
        }
        self.followers.snapshot().await;
        self.followers.rail_changed().await;
    }

    async fn happened(&mut self, happened: Happened) {
        let Some(going) = &mut self.going else { return };
        let applied = going.take(happened).await;
        self.ended(applied).await;
    }

    async fn input(&mut self, input: Input) {
        let Some(going) = &mut self.going else { return };
        let applied = going.input(input).await;
        self.ended(applied).await;
    }

    /// Ends the run when it is over, or when it can no longer be written down.
    async fn ended(&mut self, applied: Result<Option<End>, StoreError>) {
        let end = match applied {
            Ok(None) => return,
            Ok(Some(end)) => end,
            Err(error) => {
                tracing::error!(thread = %self.id, %error, "a run was ended: it cannot be stored");
                End {
                    state: RunState::Failed,
                    refusal: None,
                    failure: Some(format!(
                        "The answer could not be stored: {error}. What you see is kept."
                    )),
                    tokens: None,
                    cost_usd: None,
                }
            }
        };
        self.finish(end).await;
        self.start_next().await;
    }

    async fn finish(&mut self, end: End) {
        let Some(mut going) = self.going.take() else {
            return;
        };
        if let Err(error) = going.flush().await {
            tracing::error!(thread = %self.id, %error, "the end of an answer could not be stored");
        }
        if let Some(process) = going.process.take() {
            process.finish();
            self.leaving = Some(tokio::spawn(see_out(process)));
        }
        let (root, before) = (going.root.clone(), std::mem::take(&mut going.before));
        let receipt = tokio::task::spawn_blocking(move || Receipt {
            enforced: false,
            changed: before.changed(&DiskState::of(&root)),
        })
        .await
        .ok();
        let now = (self.means.clock)();
        let run = &going.run;
        let stored = async {
            if end.state == RunState::Done {
                self.means
                    .store
                    .finish_session_turn(&self.id, &run.sdk, &run.gateway, now)
                    .await?;
            }
            let end = RunEnd {
                state: end.state,
                refusal: end.refusal,
                failure: end.failure,
                receipt,
                cost_usd: end.cost_usd,
                tokens: end.tokens,
                duration_ms: u64::try_from(going.started.elapsed().as_millis()).ok(),
            };
            self.means.store.finish_run(&run.run_id, end, now).await
        };
        if let Err(error) = stored.await {
            tracing::error!(thread = %self.id, %error, "the end of a run could not be stored; the next start will");
        }
        self.means.live.update(&self.id, |live| {
            live.busy = false;
            live.stage = None;
            live.started_at = None;
            live.open_dialogs.clear();
        });
        self.held_until = Some(Instant::now() + self.means.hold);
        self.followers.message(&run.reply_id, false).await;
        self.followers.status();
        self.followers.rail_changed().await;
    }

    async fn start_next(&mut self) {
        if self.going.is_some() || self.runs.inner.stop.is_cancelled() {
            return;
        }
        match self
            .means
            .store
            .start_queued(&self.id, (self.means.clock)())
            .await
        {
            Ok(Some(run)) => self.start(run).await,
            Ok(None) => {}
            Err(error) => tracing::error!(thread = %self.id, %error, "what waits was not started"),
        }
    }

    /// Starts a stored run: the same path for the first send, the tenth and the first after a restart.
    async fn start(&mut self, run: RunRecord) {
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
            Err(why) => {
                tracing::error!(thread = %self.id, %why, "a run could not begin");
                self.give_up(&run, why).await;
            }
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

    /// A run that could not even begin.
    async fn give_up(&mut self, run: &RunRecord, why: String) {
        let end = RunEnd {
            state: RunState::Failed,
            refusal: None,
            failure: Some(format!(
                "The run could not begin: {why}. Your message is kept; try again."
            )),
            receipt: None,
            cost_usd: None,
            tokens: None,
            duration_ms: None,
        };
        if let Err(error) = self
            .means
            .store
            .finish_run(&run.run_id, end, (self.means.clock)())
            .await
        {
            tracing::error!(thread = %self.id, %error, "the end of a run could not be stored; the next start will");
        }
        self.means.live.update(&self.id, |live| {
            live.busy = false;
            live.stage = None;
            live.started_at = None;
        });
        self.held_until = Some(Instant::now() + self.means.hold);
        self.followers.message(&run.reply_id, false).await;
        self.followers.status();
        self.followers.rail_changed().await;
    }

    /// The hold is over: the thread is cold again, unless somebody has just asked for something.
    fn leave(&mut self) -> bool {
        let mut threads = self
            .runs
            .inner
            .threads
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if !self.commands.is_empty() {
            return false;
        }
        threads.remove(&self.id);
        if self.held_until.is_some() {
            self.means.live.forget(&self.id);
            self.followers.status();
        }
        true
    }

    async fn shut_down(mut self) {
        self.input(Input::Shutdown).await;
        if let Some(leaving) = self.leaving.take() {
            // Dropping the process kills it and all it started.
            leaving.abort();
        }
    }
}

async fn next(going: &mut Option<Going>) -> Happened {
    match going {
        Some(going) => going.next().await,
        None => std::future::pending().await,
    }
}

/// Listens until the process is gone, so that its pipes do not hold it up.
async fn see_out(mut process: Process) {
    while process.next().await.is_some() {}
}
