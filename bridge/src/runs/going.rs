//! One run that is going on: its machine, its agent's dialogue and process, and what waits to be written.

use super::Means;
use super::machine::{Effect, End, Input, Machine};
use super::prepare::{Attempt, NotReady, Prepared, copied, prepare};
use super::receipt::DiskState;
use super::record::Batch;
use crate::agents::SessionLock;
use crate::agents::seam::{Dialogue, Event, Step};
use crate::processes::{self, Connection, Heard};
use crate::proposals::PrivateCopy;
use crate::store::{ProcessMark, RunUpdate, StoreError};
use rex_shared::ids::ThreadId;
use rex_shared::transcript::RunRecord;
use rex_shared::wire::agent::Sandbox;
use rex_shared::wire::follow::{Frame, Stage};
use rex_shared::wire::message::Usage;
use std::path::PathBuf;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};
use tokio_util::task::AbortOnDropHandle;

mod effects;

/// What a run waits for.
pub(super) enum Happened {
    /// The next process is ready to start, or cannot.
    Ready(Result<Box<Prepared>, NotReady>),
    /// The process was heard.
    Heard(Heard),
    /// It is time to write.
    Flush,
}

/// The next process, and the run's place when it had to wait for one. Nobody waits for it once the run has ended.
type Preparing = AbortOnDropHandle<(Result<Prepared, NotReady>, Option<processes::Place>)>;

/// A run between its first row and its end.
pub(super) struct Going {
    means: Means,
    thread: ThreadId,
    generation: u64,
    pub(super) run: RunRecord,
    pub(super) root: PathBuf,
    pub(super) before: DiskState,
    /// What keeps it from writing.
    pub(super) sandbox: Sandbox,
    /// What the thread had used before.
    used: Usage,
    pub(super) started: Instant,
    /// When the process was started.
    spawned: Instant,
    spoke: bool,
    machine: Machine,
    preparing: Option<Preparing>,
    dialogue: Option<Box<dyn Dialogue>>,
    pub(super) process: Option<Connection>,
    /// Held until the process is gone.
    pub(super) lock: Option<SessionLock>,
    /// Kept from before the first process until the last is gone.
    pub(super) place: Option<processes::Place>,
    scratch: TempDir,
    /// What an act run works in instead of the workspace.
    pub(super) copy: Option<PrivateCopy>,
    batch: Batch,
    flush_at: Option<Instant>,
}

impl Going {
    /// A run that begins. `leaving` is the thread's last process, which may still be writing its session's record.
    pub(super) async fn begin(
        means: &Means,
        thread: &ThreadId,
        generation: u64,
        run: RunRecord,
        root: PathBuf,
        used: Usage,
        leaving: Option<JoinHandle<()>>,
    ) -> std::io::Result<Self> {
        let of_this_start = means.scratch_of_this_start();
        tokio::fs::create_dir_all(&of_this_start).await?;
        let scratch = tempfile::Builder::new()
            .prefix("run-")
            .tempdir_in(of_this_start)?;
        let sandbox = means.runner.sandbox(&root).await;
        let looked_at = root.clone();
        let before = tokio::task::spawn_blocking(move || DiskState::of(&looked_at)).await?;
        let mut going = Self {
            machine: Machine::new(&run),
            batch: Batch::new(
                thread.clone(),
                run.run_id.clone(),
                run.reply_id.clone(),
                generation,
            ),
            means: means.clone(),
            thread: thread.clone(),
            generation,
            run,
            root,
            before,
            sandbox,
            used,
            started: Instant::now(),
            spawned: Instant::now(),
            spoke: false,
            preparing: None,
            dialogue: None,
            process: None,
            lock: None,
            place: None,
            scratch,
            copy: None,
            flush_at: None,
        };
        going.prepare(Attempt::First, leaving);
        Ok(going)
    }

    fn prepare(&mut self, attempt: Attempt, leaving: Option<JoinHandle<()>>) {
        let means = self.means.clone();
        let thread = self.thread.clone();
        let run = self.run.clone();
        let scratch = self.scratch.path().to_owned();
        let (root, had) = (self.root.clone(), self.copy.take());
        if self.place.is_none() {
            self.place = means.runner.try_place();
        }
        let waits = self.place.is_none();
        if waits {
            means
                .live
                .update(&thread, |live| live.stage = Some(Stage::Queued));
            self.batch.show(Frame::Status(means.live.status(&thread)));
            self.flush_at = Some(Instant::now());
        }
        self.preparing = Some(AbortOnDropHandle::new(tokio::spawn(async move {
            if let Some(leaving) = leaving {
                // It ends by itself within its grace, whatever becomes of it.
                let _gone = leaving.await;
            }
            let place = if waits {
                Some(means.runner.place().await)
            } else {
                None
            };
            let prepared = async {
                let copy = copied(&means, &thread, run.mode, &root, had).await?;
                prepare(&means, &thread, &run, attempt, scratch, copy).await
            };
            let prepared = prepared.await;
            (prepared, place)
        })));
    }

    /// Waits for what happens next. Nothing is lost when the future is dropped.
    pub(super) async fn next(&mut self) -> Happened {
        let ready = async {
            match &mut self.preparing {
                Some(preparing) => preparing.await,
                None => std::future::pending().await,
            }
        };
        let heard = async {
            match &mut self.process {
                Some(process) => process.next().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = sleep_until(self.flush_at.unwrap_or_else(Instant::now)), if self.flush_at.is_some() => Happened::Flush,
            ready = ready => {
                self.preparing = None;
                match ready {
                    Ok((ready, place)) => {
                        self.place = place.or(self.place.take());
                        Happened::Ready(ready.map(Box::new))
                    }
                    Err(_) => Happened::Ready(Err(NotReady::Store(StoreError::Closed))),
                }
            }
            heard = heard => match heard {
                Some(heard) => Happened::Heard(heard),
                None => {
                    self.process = None;
                    Happened::Flush
                }
            },
        }
    }

    /// Takes what happened; gives the run's end when this was it.
    pub(super) async fn take(&mut self, happened: Happened) -> Result<Option<End>, StoreError> {
        match happened {
            Happened::Flush => {
                self.flush().await?;
                Ok(None)
            }
            Happened::Ready(Ok(prepared)) => self.start(*prepared).await,
            Happened::Ready(Err(why)) => self.input(Input::NotStarted(why.to_string())).await,
            Happened::Heard(Heard::Line(line)) => {
                let line = self.as_in_workspace(line);
                let step = self.dialogue.as_mut().map(|dialogue| dialogue.heard(&line));
                self.step(step.unwrap_or_default()).await
            }
            Happened::Heard(Heard::Cut { start, bytes }) => {
                let cut = format!("a line of {bytes} bytes was cut: {start}");
                self.step(Step {
                    events: vec![Event::Diagnostic(cut)],
                    ..Step::default()
                })
                .await
            }
            // Agents think; the page counts the time itself.
            Happened::Heard(Heard::Quiet(_)) => Ok(None),
            Happened::Heard(Heard::Exited(exit)) => {
                self.process = None;
                let step = self.dialogue.as_mut().map(|dialogue| dialogue.ended(&exit));
                self.step(step.unwrap_or_default()).await
            }
        }
    }

    /// Something the person or the bridge wants of the run.
    pub(super) async fn input(&mut self, input: Input) -> Result<Option<End>, StoreError> {
        let effects = self.machine.on(input);
        self.apply(effects).await
    }

    /// The machine, for answers.
    pub(super) fn machine(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// What a run in a private copy says, with the workspace's own path in the place of the copy's.
    fn as_in_workspace(&self, line: String) -> String {
        let (Some(copy), Some(root)) = (&self.copy, self.root.to_str()) else {
            return line;
        };
        match copy.path().to_str() {
            Some(copy) if line.contains(copy) => line.replace(copy, root),
            _ => line,
        }
    }

    async fn start(&mut self, prepared: Prepared) -> Result<Option<End>, StoreError> {
        self.copy = prepared.copy;
        let (run, boot) = (&self.run.run_id, &self.means.boot_id);
        let process = match self.means.runner.connect(&prepared.launch, run, boot) {
            Ok(process) => process,
            Err(why) => return self.input(Input::NotStarted(format!("{why}."))).await,
        };
        let identity = process.identity();
        let update = RunUpdate {
            memory: Some(prepared.memory),
            forecast: self.run.forecast.is_none().then_some(prepared.forecast),
            process: Some(ProcessMark {
                pid: identity.pid,
                started: identity.started,
            }),
            session_id: prepared.resumes.clone(),
            ..RunUpdate::default()
        };
        self.know(update).await?;
        self.process = Some(process);
        self.lock = prepared.lock;
        self.spawned = Instant::now();
        let mut dialogue = prepared.dialogue;
        let opening = dialogue.open();
        self.dialogue = Some(dialogue);
        let started = self.machine.on(Input::Started {
            resumes: prepared.resumes,
        });
        // A machine that goes on has no end to tell.
        let end = self.apply(started).await?;
        if end.is_some() {
            Ok(end)
        } else {
            self.step(opening).await
        }
    }

    /// Says what the dialogue wants said and takes what it understood.
    async fn step(&mut self, step: Step) -> Result<Option<End>, StoreError> {
        let effects = self.say(step);
        self.apply(effects).await
    }

    fn say(&mut self, step: Step) -> Vec<Effect> {
        if let Some(process) = &self.process {
            for line in step.say {
                process.say(line);
            }
            if step.close {
                process.close();
            }
        }
        let now = (self.means.clock)();
        step.events
            .into_iter()
            .flat_map(|event| self.machine.on(Input::Event(event, now)))
            .collect()
    }

    /// Writes what waits, then shows it.
    pub(super) async fn flush(&mut self) -> Result<(), StoreError> {
        self.flush_at = None;
        self.batch
            .flush(&self.means.store, &self.means.hub, (self.means.clock)())
            .await
    }
}
