//! Sending what stands in a composer. What goes wrong is said where it was written, with the text kept.

use super::acts;
use super::composing::Composing;
use super::intent::Intent;
use crate::api;
use crate::browser::ids;
use crate::model::Model;
use crate::reactive::{Derived, State, Stored};
use crate::send::send;
use leptos::task::spawn_local;
use rex_shared::ids::{MessageId, ThreadId};
use rex_shared::wire::message::Mode;
use rex_shared::wire::prompt::Prompt;
use rex_shared::wire::thread::ThreadPatch;

/// What the composer says beside its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// Why nothing was sent.
    Problem(String),
    /// Why Act cannot be chosen.
    ActIsOff,
    /// Esc was pressed with nothing written: end the answer?
    AskStop,
}

/// Sends what stands in the composer, or keeps it as a note.
#[derive(Clone)]
pub(super) struct Sender {
    pub(super) model: Model,
    pub(super) thread: ThreadId,
    pub(super) composing: Composing,
    pub(super) intent: State<Intent>,
    pub(super) is_note: Derived<bool>,
    pub(super) said: State<Option<Said>>,
    pub(super) sending: State<bool>,
    /// Whether the chosen agent can propose changes.
    pub(super) can_act: Derived<bool>,
    /// The id and text of a send that did not arrive: the same text keeps its id, so that it is stored once.
    unsent: Stored<Option<(MessageId, String)>>,
}

impl Sender {
    /// The sender of a composer that says `said`.
    pub(super) fn new(
        model: Model,
        thread: ThreadId,
        composing: Composing,
        is_note: Derived<bool>,
    ) -> Self {
        let choice = composing.choice.clone();
        let can_act = Derived::new(move || {
            let sdk = choice.with(|choice| choice.as_ref().map(|choice| choice.sdk.clone()));
            model.workspace.with(|known| {
                let agents = known.as_ref().map(|known| known.agents.as_slice());
                let mut agents = agents.unwrap_or_default().iter();
                agents.any(|agent| Some(&agent.sdk) == sdk.as_ref() && agent.capabilities.act)
            })
        });
        Self {
            model,
            thread,
            composing,
            can_act,
            intent: State::new(Intent::Ask),
            is_note,
            said: State::new(None),
            sending: State::new(false),
            unsent: Stored::new(None),
        }
    }

    /// Goes on to the next thing a message can be for.
    pub(super) fn next_intent(&self) {
        let can_act = self.can_act.get_untracked();
        let can_be_note = self.model.pane.messages.with_untracked(Vec::is_empty);
        self.intent
            .update(|intent| *intent = intent.next(can_act, can_be_note));
    }

    /// Sends, or keeps. Nothing is sent twice at a time, and nothing blank at all.
    pub(super) fn send(&self) {
        let text = self.composing.text.get_untracked();
        if self.sending.get_untracked() || text.trim().is_empty() {
            return;
        }
        self.sending.set(true);
        self.said.set(None);
        let sender = self.clone();
        spawn_local(async move {
            let problem = match sender.intent.get_untracked() {
                Intent::Note => sender.keep_note(&text).await,
                intent => sender.ask(text, intent.mode()).await,
            };
            sender.sending.try_set(false);
            if let Err(words) = problem {
                sender.said.try_set(Some(Said::Problem(words)));
            }
        });
    }

    async fn ask(&self, text: String, mode: Mode) -> Result<(), String> {
        let Some(choice) = self.composing.choice.get_untracked() else {
            return Err(
                "No agent was found on this machine. The list below says how to get one."
                    .to_owned(),
            );
        };
        if self.is_note.get_untracked() {
            self.patch(ThreadPatch {
                is_note: Some(false),
                ..ThreadPatch::default()
            })
            .await?;
        }
        let message_id = self.message_id(&text);
        let prompt = Prompt {
            message_id,
            ws: self.model.ws(),
            text: text.clone(),
            places: Vec::new(),
            mode,
            sdk: choice.sdk,
            gateway: choice.gateway,
            model: choice.model,
            images: Vec::new(),
            accept_unenforced: false,
        };
        match send(self.model, &self.thread, prompt).await {
            Ok(Some(_)) => {
                self.unsent.try_update_value(|unsent| *unsent = None);
                self.composing.sent(&text);
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(failed) => Err(failed.to_string()),
        }
    }

    fn message_id(&self, text: &str) -> MessageId {
        let known = self.unsent.with_value(|unsent| {
            unsent
                .as_ref()
                .filter(|(_, unsent)| unsent == text)
                .map(|(id, _)| id.clone())
        });
        known.unwrap_or_else(|| {
            let id = ids::message_id();
            self.unsent.set_value(Some((id.clone(), text.to_owned())));
            id
        })
    }

    async fn keep_note(&self, text: &str) -> Result<(), String> {
        self.patch(ThreadPatch {
            note: Some(text.to_owned()),
            is_note: Some(true),
            ..ThreadPatch::default()
        })
        .await
    }

    async fn patch(&self, change: ThreadPatch) -> Result<(), String> {
        match api::patch_thread(&self.thread, &change).await {
            Ok(thread) => {
                acts::take(self.model, thread);
                Ok(())
            }
            Err(failed) => Err(failed.to_string()),
        }
    }
}
