//! The task of one live thread: everything that happens in it happens here, one after another.

use super::followers::Followers;
use super::going::{Going, Happened};
use super::machine::Input;
use super::{Means, Runs, refusals};
use crate::fresh;
use crate::store::{NewRun, StoreError};
use rex_shared::ids::{DialogId, MessageId, ThreadId};
use rex_shared::transcript::RunState;
use rex_shared::wire::problem::Problem;
use rex_shared::wire::prompt::{Accepted, DialogAnswer};
use std::sync::PoisonError;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until};

mod end;
mod start;

use end::Owed;

/// How long after a failure the end of a run is stored again.
const OWED: Duration = Duration::from_secs(1);

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
    /// Until when the thread is held; `None` when it is cold or its first run goes on.
    held_until: Option<Instant>,
    /// A run's end that could not be stored yet.
    owed: Option<Owed>,
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
            owed: None,
        }
    }

    /// Lives until nothing of the thread is left: no run, no hold, no process on its way out.
    pub(super) async fn live(mut self) {
        let stop = self.runs.inner.stop.clone();
        loop {
            let idle = self.going.is_none();
            let held = self.held_until.is_some();
            let until = self.held_until.unwrap_or_else(Instant::now);
            tokio::select! {
                biased;
                () = stop.cancelled() => return self.shut_down().await,
                command = self.commands.recv() => match command {
                    Some(command) => self.command(command).await,
                    None => return,
                },
                happened = next(&mut self.going) => self.happened(happened).await,
                () = sleep(OWED), if self.owed.is_some() => self.start_next().await,
                () = sleep_until(until), if idle && held => self.go_cold(),
                () = gone(&mut self.leaving), if idle && !held => if self.leave() { return },
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
        self.settle().await?;
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
        self.settle().await?;
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
        let queued = run.state == RunState::Queued;
        let run_id = (!queued).then(|| run.run_id.clone());
        if queued {
            self.retell().await;
        } else {
            self.start(run).await;
        }
        Ok(Accepted {
            run_id,
            generation: self.means.live.generation(&self.id),
            queued,
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

    /// The hold is over: the thread is cold.
    fn go_cold(&mut self) {
        self.held_until = None;
        self.means.live.forget(&self.id);
        self.followers.status();
    }

    /// Takes the task off the table, unless somebody has just asked for something or an end is still to be stored.
    fn leave(&mut self) -> bool {
        let mut threads = self
            .runs
            .inner
            .threads
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let leaves = self.commands.is_empty() && self.owed.is_none();
        if leaves {
            threads.remove(&self.id);
        }
        leaves
    }

    async fn shut_down(mut self) {
        self.input(Input::Shutdown).await;
        if let Some(leaving) = self.leaving.take() {
            // Dropping the process kills it and all it started.
            leaving.abort();
            drop(leaving.await);
        }
    }
}

async fn next(going: &mut Option<Going>) -> Happened {
    match going {
        Some(going) => going.next().await,
        None => std::future::pending().await,
    }
}

/// Waits until the last run's process is gone.
async fn gone(leaving: &mut Option<JoinHandle<()>>) {
    if let Some(process) = leaving {
        // However it ended.
        drop(process.await);
    }
    *leaving = None;
}
