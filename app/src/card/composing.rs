//! What is being written to a thread: text and choices, kept in the bridge's draft within a second of every change.
//!
//! Saves go one after another, so that an older text never lands on a newer one.

use crate::api::{self, Answer, Failed};
use crate::model::{Model, Painted};
use crate::reactive::{SharedState, on_change};
use crate::send::Choice;
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::ids::{GatewayId, Sdk, ThreadId};
use rex_shared::wire::message::Mode;
use rex_shared::wire::problem::ProblemType;
use rex_shared::wire::thread::{Draft, NewThread, ThreadPatch};
use std::time::Duration;

/// From a change to its save. A later change does not put it off.
const PAUSE: Duration = Duration::from_millis(600);

/// From a save that failed to the next try.
const AGAIN: Duration = Duration::from_secs(3);

/// Whether the bridge has what is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum Saved {
    /// Nothing was written here yet.
    #[default]
    Nothing,
    /// A save is due or under way.
    UnderWay,
    /// It has.
    Kept,
    /// It does not, and why. It is tried again.
    Failed(String),
}

/// One composer. Everything in it outlives the view, so that what was typed last is still saved when the card closes.
#[derive(Debug, Clone)]
pub(super) struct Composing {
    model: Model,
    thread: ThreadId,
    /// What stands in the field.
    pub(super) text: SharedState<String>,
    /// By whom it shall be answered; `None` until the agents are known.
    pub(super) choice: SharedState<Option<Choice>>,
    /// Whether the bridge has it.
    pub(super) saved: SharedState<Saved>,
    /// What the bridge has.
    stored: SharedState<Draft>,
    /// A save is due or under way.
    busy: SharedState<bool>,
}

impl Composing {
    /// The composer of a thread. Shows the stored draft as soon as it is known, unless something was typed before.
    pub(super) fn new(model: Model, thread: ThreadId) -> Self {
        let composing = Self {
            model,
            thread,
            text: SharedState::default(),
            choice: SharedState::default(),
            saved: SharedState::default(),
            stored: SharedState::default(),
            busy: SharedState::default(),
        };
        let takes = composing.clone();
        on_change(move || {
            let draft = model.pane.draft.get();
            if model.pane.painted.get() != Painted::Nothing || draft != Draft::default() {
                takes.take(draft);
            }
        });
        let offers = composing.clone();
        on_change(move || {
            model.workspace.track();
            model.pane.draft.track();
            model.pane.messages.track();
            offers.offer();
        });
        let closes = composing.clone();
        on_cleanup(move || closes.save_now());
        composing
    }

    /// Takes what the bridge has, unless something newer stands here.
    fn take(&self, draft: Draft) {
        let text = self.text.get_untracked();
        let untouched = self.stored.with_untracked(|stored| stored.text == text);
        let note = self.model.pane.note.get_untracked();
        if untouched && !self.busy.get_untracked() {
            let shown = if draft.text.is_empty() {
                note.unwrap_or_default()
            } else {
                draft.text.clone()
            };
            if shown != text {
                self.text.set(shown.clone());
            }
            self.stored.set(Draft {
                text: shown,
                ..draft
            });
        }
    }

    /// Chooses an agent where none was chosen yet.
    fn offer(&self) {
        if self.choice.with_untracked(Option::is_some) {
            return;
        }
        let model = self.model;
        let last = model.pane.messages.with_untracked(|rows| {
            rows.last().map(|row| {
                row.header.with_untracked(|message| Choice {
                    mode: message.mode,
                    sdk: message.sdk.clone(),
                    gateway: message.gateway.clone(),
                    model: message.model.clone(),
                })
            })
        });
        let draft = reopened(model.pane.draft.get_untracked(), last.is_some());
        let offered = model.workspace.with_untracked(|known| {
            let agents = &known.as_ref()?.agents;
            Choice::offered(&draft, last.or_else(Choice::last), agents)
        });
        if offered.is_some() {
            self.choice.set(offered);
        }
    }

    /// What the next run may do. No choice that is kept: a reopened draft offers to ask.
    pub(super) fn set_mode(&self, mode: Mode) {
        if let Some(choice) = self.choice.get()
            && choice.mode != mode
        {
            self.choice.set(Some(Choice { mode, ..choice }));
        }
    }

    /// Chooses another agent, with its built-in gateway.
    pub(super) fn pick_agent(&self, sdk: Sdk) {
        self.pick(|mode, _| Choice {
            mode,
            sdk,
            gateway: GatewayId::default_gateway(),
            model: None,
        });
    }

    /// Chooses another gateway of the same agent.
    pub(super) fn pick_gateway(&self, gateway: GatewayId) {
        self.pick(|mode, sdk| Choice {
            mode,
            sdk,
            gateway,
            model: None,
        });
    }

    /// Chooses another model of the same gateway; `None` is the agent's own choice.
    pub(super) fn pick_model(&self, model: Option<String>) {
        if let Some(choice) = self.choice.get_untracked() {
            self.choice.set(Some(Choice { model, ..choice }));
            self.changed();
        }
    }

    fn pick(&self, choice: impl FnOnce(Mode, Sdk) -> Choice) {
        if let Some(before) = self.choice.get_untracked() {
            self.choice.set(Some(choice(before.mode, before.sdk)));
            self.changed();
        }
    }

    /// Something was written or chosen.
    pub(super) fn changed(&self) {
        self.saved.set(Saved::UnderWay);
        self.save_after(PAUSE);
    }

    /// It was sent: nothing stands here any more.
    pub(super) fn sent(&self, text: &str) {
        if self.text.with_untracked(|now| now == text) {
            self.text.set(String::new());
        }
        self.changed();
    }

    fn save_after(&self, pause: Duration) {
        if self.busy.get_untracked() {
            return;
        }
        self.busy.set(true);
        let composing = self.clone();
        set_timeout(move || composing.save(), pause);
    }

    /// Saves without waiting; what the card does when it closes.
    fn save_now(&self) {
        if !self.is_stored() {
            self.save();
        }
    }

    fn draft(&self) -> Draft {
        let choice = self.choice.get_untracked();
        Draft {
            text: self.text.get_untracked(),
            // A reopened draft offers the default mode.
            mode: None,
            sdk: choice.as_ref().map(|choice| choice.sdk.clone()),
            gateway: choice.as_ref().map(|choice| choice.gateway.clone()),
            model: choice.and_then(|choice| choice.model),
        }
    }

    /// A choice alone, made by nobody, is nothing to save.
    fn is_stored(&self) -> bool {
        let draft = self.draft();
        self.stored.with_untracked(|stored| {
            *stored == draft
                || (stored.text == draft.text && self.saved.get_untracked() == Saved::Nothing)
        })
    }

    fn save(&self) {
        let draft = self.draft();
        let composing = self.clone();
        spawn_local(async move {
            let answer = composing.store(&draft).await;
            composing.busy.set(false);
            match answer {
                Ok(()) => {
                    composing.stored.set(draft);
                    if composing.is_stored() {
                        composing.saved.set(Saved::Kept);
                    } else {
                        composing.save_after(PAUSE);
                    }
                }
                Err(failed) => {
                    composing.saved.set(Saved::Failed(failed.to_string()));
                    composing.save_after(AGAIN);
                }
            }
        });
    }

    async fn store(&self, draft: &Draft) -> Answer<()> {
        let patch = ThreadPatch {
            draft: Some(draft.clone()),
            ..ThreadPatch::default()
        };
        match api::patch_thread(&self.thread, &patch).await {
            Ok(_) => Ok(()),
            Err(failed) if failed.kind() == Some(ProblemType::UnknownThread) => {
                self.make_thread(draft).await?;
                api::patch_thread(&self.thread, &patch).await.map(drop)
            }
            Err(failed) => Err(failed),
        }
    }

    fn is_open(&self) -> bool {
        self.model
            .open_thread
            .with_untracked(|open| open.as_ref() == Some(&self.thread))
    }

    /// An address may name a thread that nothing is stored of; the first words make it. None are no reason to.
    async fn make_thread(&self, draft: &Draft) -> Result<(), Failed> {
        if draft.text.is_empty() {
            return Ok(());
        }
        let thread = NewThread {
            thread_id: self.thread.clone(),
            ws: self.model.ws(),
            note: None,
            places: Vec::new(),
            is_note: false,
        };
        api::make_thread(&thread).await?;
        if self.is_open() {
            self.model.pane.unknown.set(false);
        }
        Ok(())
    }
}

/// What a draft that is opened again offers: the default mode, and until something was sent the default model too.
fn reopened(draft: Draft, was_sent: bool) -> Draft {
    Draft {
        mode: None,
        model: draft.model.filter(|_| was_sent),
        ..draft
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S89: whatever was chosen before, a draft begins with the default mode and model.
    #[test]
    fn a_draft_that_is_opened_again_offers_the_default_mode_and_model() {
        let left = Draft {
            text: "half a".to_owned(),
            mode: Some(Mode::Act),
            sdk: Some(Sdk::parse("claude").unwrap()),
            model: Some("opus".to_owned()),
            ..Draft::default()
        };
        let offered = reopened(left.clone(), false);
        assert_eq!((offered.mode, offered.model), (None, None));
        assert_eq!((&offered.sdk, &offered.text), (&left.sdk, &left.text));
        assert_eq!(reopened(left, true).model.as_deref(), Some("opus"));
    }
}
