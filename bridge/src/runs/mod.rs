//! Runs: how a conversation goes on.
//!
//! One task for each live thread owns everything that happens in it, so that prompts, stops and answers of several tabs
//! are serialised. What an event means is decided by the pure [`machine`]; rows are written before anybody is shown them.
//! Every send takes the same path, the first as the tenth and the first after a restart. Deliberately absent: a queue of
//! events to replay, a cursor, and any reading of an agent's own log.

mod asking;
mod debug;
mod followers;
mod going;
pub mod machine;
mod memory;
mod places;
mod prepare;
pub mod receipt;
mod record;
mod recover;
mod refusals;
mod session_state;
#[cfg(test)]
mod tests;
mod thread;

use crate::agents::Registry;
use crate::documents::Documents;
use crate::follow::{Hub, LiveTable};
use crate::fresh;
use crate::processes::{Environment, Runner};
use crate::proposals::Proposals;
use crate::store::{CheckedPlace, NewRun, Store, StoreError, WorkspaceRecord};
use rex_shared::ids::{BootId, DialogId, GatewayId, MessageId, Millis, Sdk, ThreadId};
use rex_shared::wire::agent::Sandbox;
use rex_shared::wire::message::{Forecast, Mode};
use rex_shared::wire::problem::Problem;
use rex_shared::wire::prompt::{Accepted, DialogAnswer, Prompt};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use thread::{Command, Thread};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long the bridge holds a thread after its last run, unless the setting says otherwise.
pub const HOLD: Duration = Duration::from_secs(10 * 60);

/// What runs need of the rest of the bridge.
#[derive(Clone)]
pub struct Means {
    /// The record.
    pub store: Store,
    /// Where places are found.
    pub documents: Documents,
    /// What act runs want changed.
    pub proposals: Proposals,
    /// Which agents there are.
    pub agents: Registry,
    /// Starts their programs.
    pub runner: Runner,
    /// Where a gateway's key is looked up.
    pub environment: Environment,
    /// Who is told.
    pub hub: Hub,
    /// What is going on right now.
    pub live: LiveTable,
    /// This start.
    pub boot_id: BootId,
    /// The folder for runs' temp folders; nothing else lies in it.
    pub scratch: PathBuf,
    /// How long a thread is held after its last run.
    pub hold: Duration,
    /// The time of day.
    pub clock: fn() -> Millis,
}

impl Means {
    /// Where this start's temp folders lie, apart from those that an earlier one may have left.
    fn scratch_of_this_start(&self) -> PathBuf {
        self.scratch.join(self.boot_id.as_str())
    }
}

/// All runs of this bridge. Clones share them.
#[derive(Clone)]
pub struct Runs {
    inner: Arc<Inner>,
}

struct Inner {
    means: Means,
    threads: Mutex<HashMap<ThreadId, mpsc::UnboundedSender<Command>>>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Runs {
    /// No run yet.
    pub fn new(means: Means) -> Self {
        Self {
            inner: Arc::new(Inner {
                means,
                threads: Mutex::default(),
                tasks: TaskTracker::new(),
                stop: CancellationToken::new(),
            }),
        }
    }

    /// Stores a prompt and starts its run, or queues it behind the one that is going on. The same prompt again is
    /// answered the same and does nothing.
    pub async fn prompt(
        &self,
        thread: &ThreadId,
        workspace: &WorkspaceRecord,
        prompt: Prompt,
        places: Vec<CheckedPlace>,
    ) -> Result<Accepted, Problem> {
        if prompt.text.trim().is_empty() && prompt.images.is_empty() {
            return Err(refusals::nothing_to_send());
        }
        self.check_choices(prompt.mode, &prompt.sdk, &prompt.gateway)
            .await?;
        if prompt.accept_unenforced {
            self.store()
                .accept_unenforced(&workspace.workspace_id)
                .await?;
        } else if !workspace.unenforced_accepted && !self.sandbox(workspace).await.is_enforced() {
            return Err(refusals::sandbox_unenforced());
        }
        let new = NewRun {
            thread_id: thread.clone(),
            workspace_id: workspace.workspace_id.clone(),
            run_id: fresh::id(),
            reply_id: fresh::id(),
            prompt,
            places,
            forecast: None,
        };
        self.ask(thread, |done| Command::Prompt(Box::new(new), done))
            .await
    }

    /// Sends the prompt of the newest run again when that did not end well. No second message of the person.
    pub async fn retry(&self, thread: &ThreadId) -> Result<Accepted, Problem> {
        self.known(thread).await?;
        self.ask(thread, Command::Retry).await
    }

    /// Ends the run that is going on, if one is. It has ended when the answer comes, or will within 5 s.
    pub async fn stop(&self, thread: &ThreadId) -> Result<(), Problem> {
        self.known(thread).await?;
        self.ask(thread, Command::Stop).await
    }

    /// Passes the person's answer on to the agent.
    pub async fn answer(
        &self,
        thread: &ThreadId,
        dialog: &DialogId,
        answer: DialogAnswer,
    ) -> Result<(), Problem> {
        self.known(thread).await?;
        self.ask(thread, |done| Command::Answer(dialog.clone(), answer, done))
            .await
    }

    /// Changes the text of a prompt that waits. A blank one is refused: taking it away is another act.
    pub async fn edit_queued(
        &self,
        thread: &ThreadId,
        message: &MessageId,
        text: String,
    ) -> Result<(), Problem> {
        if text.trim().is_empty() {
            return Err(refusals::nothing_to_send());
        }
        self.known(thread).await?;
        self.ask(thread, |done| {
            Command::EditQueued(message.clone(), text, done)
        })
        .await
    }

    /// Takes a prompt that waits away.
    pub async fn drop_queued(&self, thread: &ThreadId, message: &MessageId) -> Result<(), Problem> {
        self.known(thread).await?;
        self.ask(thread, |done| Command::DropQueued(message.clone(), done))
            .await
    }

    /// What the next send will do. Looks at rows and files, starts nothing.
    pub async fn forecast(
        &self,
        thread: &ThreadId,
        sdk: &Sdk,
        gateway: &GatewayId,
        mode: Mode,
    ) -> Result<Forecast, Problem> {
        memory::next_send(&self.inner.means, thread, sdk, gateway, mode).await
    }

    /// What REX knows of a thread and of its agents' logs, as text for a bug report. Starts nothing.
    pub async fn report(&self, thread: &ThreadId) -> Result<String, Problem> {
        debug::report(&self.inner.means, thread, &[]).await
    }

    /// The same after the thread's agents were asked for its sessions, for which their programs are started.
    pub async fn asked_report(&self, thread: &ThreadId) -> Result<String, Problem> {
        self.known(thread).await?;
        let unanswered = asking::ask_for_sessions(&self.inner.means, thread).await?;
        debug::report(&self.inner.means, thread, &unanswered).await
    }

    /// Asks an agent which models it offers through its own sign-in, for which its program is started in `folder`.
    pub async fn ask_for_models(&self, sdk: &Sdk, folder: &Path) -> Result<Vec<String>, Problem> {
        let means = &self.inner.means;
        let found = means.agents.found(sdk).await;
        found.map_err(|missing| refusals::unknown_agent(&missing))?;
        let default = means.store.gateway(&GatewayId::default_gateway()).await?;
        let default = default.ok_or(StoreError::UnknownGateway)?;
        let models = asking::ask_for_models(means, sdk, &default, folder)
            .await
            .map_err(|why| refusals::no_models(&why))?;
        means.agents.offers(sdk, models.clone());
        Ok(models)
    }

    /// What will keep the runs of a workspace from writing; tried where nothing is known to hold yet.
    pub async fn sandbox(&self, workspace: &WorkspaceRecord) -> Sandbox {
        let runner = &self.inner.means.runner;
        runner.sandbox(Path::new(&workspace.root)).await
    }

    /// The same as far as it is known: starts nothing.
    pub fn known_sandbox(&self, workspace: &WorkspaceRecord) -> Sandbox {
        let runner = &self.inner.means.runner;
        let known = runner.known_sandbox(Path::new(&workspace.root));
        known.unwrap_or_default()
    }

    /// Puts right what an earlier bridge left. Its runs are interrupted when this returns; what is left of their
    /// processes is killed, and what waits is started, in the background.
    pub async fn recover(&self) -> Result<(), StoreError> {
        recover::recover(self).await
    }

    /// Ends every run as interrupted, with all its text stored; gives up waiting after `deadline`.
    pub async fn shutdown(&self, deadline: Duration) {
        self.inner.stop.cancel();
        self.inner.tasks.close();
        let ended = async {
            self.inner.tasks.wait().await;
            self.inner.means.runner.end_servers().await;
        };
        if tokio::time::timeout(deadline, ended).await.is_err() {
            tracing::warn!(
                "some runs did not end in time; they are marked interrupted at the next start"
            );
        }
    }

    fn store(&self) -> &Store {
        &self.inner.means.store
    }

    async fn known(&self, thread: &ThreadId) -> Result<(), Problem> {
        match self.store().workspace_of(thread).await? {
            Some(_) => Ok(()),
            None => Err(StoreError::UnknownThread.into()),
        }
    }

    async fn check_choices(
        &self,
        mode: Mode,
        sdk: &Sdk,
        gateway: &GatewayId,
    ) -> Result<(), Problem> {
        if let Some(agent) = self.inner.means.agents.get(sdk)
            && mode == Mode::Act
            && !agent.capabilities().act
        {
            return Err(refusals::mode_unavailable(agent.label()));
        }
        self.inner
            .means
            .agents
            .found(sdk)
            .await
            .map_err(|missing| refusals::unknown_agent(&missing))?;
        let gateway = self
            .store()
            .gateway(gateway)
            .await?
            .ok_or(StoreError::UnknownGateway)?;
        if !gateway.sdks.is_empty() && !gateway.sdks.contains(sdk) {
            return Err(refusals::gateway_does_not_serve(&gateway.name));
        }
        Ok(())
    }

    /// Gives a command to the thread's task and waits for its answer.
    async fn ask<T>(
        &self,
        thread: &ThreadId,
        command: impl FnOnce(oneshot::Sender<Result<T, Problem>>) -> Command,
    ) -> Result<T, Problem> {
        if self.inner.stop.is_cancelled() {
            return Err(StoreError::Closed.into());
        }
        let (done, answer) = oneshot::channel();
        self.send(thread, command(done));
        answer
            .await
            .unwrap_or_else(|_| Err(StoreError::Closed.into()))
    }

    /// Gives a command to the thread's task, which is made when there is none.
    fn send(&self, thread: &ThreadId, command: Command) {
        let mut threads = self
            .inner
            .threads
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let refused = match threads.get(thread) {
            Some(commands) => match commands.send(command) {
                Ok(()) => return,
                Err(mpsc::error::SendError(command)) => command,
            },
            None => command,
        };
        let (commands, received) = mpsc::unbounded_channel();
        // The receiver is in hand, so this cannot be refused.
        drop(commands.send(refused));
        threads.insert(thread.clone(), commands);
        let task = Thread::new(self.clone(), thread.clone(), received);
        self.inner.tasks.spawn(task.live());
    }
}
