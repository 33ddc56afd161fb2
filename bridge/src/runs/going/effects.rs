//! Doing what the machine says, in its order: gathered for the record, stored as a fact, told to the agent.

use super::Going;
use crate::runs::machine::{Effect, End};
use crate::runs::prepare::Attempt;
use crate::store::{RunUpdate, StoreError};
use rex_shared::assembly::reply_header;
use rex_shared::wire::follow::{DialogFrame, Frame, MessageFrame, UsageFrame};
use rex_shared::wire::message::{Memory, Mode, Usage};
use rex_shared::wire::prompt::{Dialog, DialogState};
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::Instant;

/// How long a change waits for others before they are written together.
const GATHER: Duration = Duration::from_millis(40);

impl Going {
    /// Does what the machine says; gives the run's end when that is among it.
    pub(in crate::runs) async fn apply(
        &mut self,
        effects: Vec<Effect>,
    ) -> Result<Option<End>, StoreError> {
        let mut todo = VecDeque::from(effects);
        while let Some(effect) = todo.pop_front() {
            match effect {
                Effect::Change(change) => {
                    if change.show.is_some() {
                        self.spoke().await?;
                    }
                    self.batch.add(change);
                }
                Effect::Stage(stage) => {
                    self.means
                        .live
                        .update(&self.thread, |live| live.stage = Some(stage));
                    self.batch
                        .show(Frame::Status(self.means.live.status(&self.thread)));
                }
                Effect::Session(id) => {
                    if self.run.mode == Mode::Ask {
                        if self.lock.is_none() {
                            // A name nobody else can know yet.
                            self.lock = self.means.agents.sessions().try_hold(&self.run.sdk, &id);
                        }
                        self.means
                            .store
                            .name_session(&self.thread, &self.run.sdk, &self.run.gateway, &id)
                            .await?;
                    }
                    self.know(RunUpdate {
                        session_id: Some(id),
                        ..RunUpdate::default()
                    })
                    .await?;
                }
                Effect::Model(model) => {
                    self.know(RunUpdate {
                        model: Some(model),
                        ..RunUpdate::default()
                    })
                    .await?;
                }
                Effect::Context(context) => {
                    self.means
                        .live
                        .update(&self.thread, |live| live.context = Some(context));
                    self.batch.show(Frame::Usage(UsageFrame {
                        thread_id: self.thread.clone(),
                        usage: Usage {
                            context: Some(context),
                            ..self.used.clone()
                        },
                    }));
                }
                Effect::Dialog(dialog) => self.dialog(dialog).await?,
                Effect::Tell(said) => {
                    let step = self.dialogue.as_mut().map(|dialogue| dialogue.told(said));
                    todo.extend(self.say(step.unwrap_or_default()));
                }
                Effect::Halt => {
                    if let Some(process) = &self.process {
                        process.stop();
                    }
                }
                Effect::Replay => self.again(Attempt::Replay),
                Effect::NextId => {
                    self.again(Attempt::NextId(self.run.memory.unwrap_or(Memory::New)));
                }
                Effect::End(end) => return Ok(Some(end)),
            }
        }
        if self.flush_at.is_none() && !self.batch.is_empty() {
            self.flush_at = Some(Instant::now() + GATHER);
        }
        Ok(None)
    }

    /// Lets the process go, which kills it, and prepares another.
    fn again(&mut self, attempt: Attempt) {
        self.process = None;
        self.lock = None;
        self.dialogue = None;
        self.prepare(attempt, None);
    }

    /// The first word: from here on the waiting is over.
    async fn spoke(&mut self) -> Result<(), StoreError> {
        if self.spoke {
            return Ok(());
        }
        self.spoke = true;
        let waited = u64::try_from(self.spawned.elapsed().as_millis()).ok();
        let update = RunUpdate {
            first_word_ms: waited,
            ..RunUpdate::default()
        };
        self.run = self
            .means
            .store
            .update_run(&self.run.run_id, update)
            .await?;
        Ok(())
    }

    /// Facts of the run that followers see in the reply's header.
    pub(super) async fn know(&mut self, update: RunUpdate) -> Result<(), StoreError> {
        self.run = self
            .means
            .store
            .update_run(&self.run.run_id, update)
            .await?;
        self.batch.show(Frame::Message(Box::new(MessageFrame {
            thread_id: self.thread.clone(),
            generation: self.generation,
            message: reply_header(&self.run),
        })));
        Ok(())
    }

    async fn dialog(&mut self, dialog: Dialog) -> Result<(), StoreError> {
        // What led to the question is shown before it.
        self.flush().await?;
        match dialog.state {
            DialogState::Open => {
                self.means
                    .store
                    .open_dialog(&self.run.run_id, dialog.clone())
                    .await?;
            }
            // The answer was stored before the machine heard of it.
            DialogState::Answered => {}
            DialogState::Expired => {
                self.means
                    .store
                    .expire_dialog(&dialog.dialog_id, (self.means.clock)())
                    .await?;
            }
        }
        self.means.live.update(&self.thread, |live| {
            live.open_dialogs
                .retain(|open| open.dialog_id != dialog.dialog_id);
            if dialog.state == DialogState::Open {
                live.open_dialogs.push(dialog.clone());
            }
        });
        self.batch.show(Frame::Dialog(Box::new(DialogFrame {
            thread_id: self.thread.clone(),
            generation: self.generation,
            dialog,
        })));
        self.flush().await?;
        crate::follow::rail_changed(
            &self.means.store,
            &self.means.hub,
            &self.means.live,
            &self.thread,
        )
        .await;
        Ok(())
    }
}
