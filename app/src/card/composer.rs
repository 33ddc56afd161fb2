//! The composer: what is written, to whom, and what a send will do. Enter is a new line, Ctrl or Command with Enter
//! sends, and nothing is ever sent while an input method composes. What goes wrong is said here, with the text kept.

use super::composing::{Composing, Saved};
use super::forecast::ForecastLine;
use super::pickers::{AGENT_ID, Pickers};
use super::places::Pending;
use super::{acts, intent};
use crate::browser::keys::{KeyPress, pressed};
use crate::browser::{focus, ids, page};
use crate::icon::Icon;
use crate::model::{Model, use_model};
use crate::send::send;
use intent::{ACT_IS_OFF, Intent, IntentChoice};
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::ids::{MessageId, ThreadId};
use rex_shared::wire::prompt::Prompt;
use rex_shared::wire::thread::{ThreadPatch, ThreadRow, ThreadStatus};

/// What the composer says beside its text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Said {
    /// Why nothing was sent.
    Problem(String),
    /// Why Act cannot be chosen.
    ActIsOff,
    /// Esc was pressed with nothing written: end the answer?
    AskStop,
}

#[component]
pub(super) fn Composer(thread: ThreadId, row: Memo<Option<ThreadRow>>) -> impl IntoView {
    let model = use_model();
    let composing = Composing::new(model, thread.clone());
    let intent = RwSignal::new(Intent::Ask);
    let said = RwSignal::new(None::<Said>);
    let is_note = Memo::new(move |_| row.with(|row| row.as_ref().is_some_and(|row| row.is_note)));
    Effect::new(move |_| {
        if is_note.get() {
            intent.set(Intent::Note);
        }
    });
    let sender = Sender {
        model,
        thread: thread.clone(),
        composing: composing.clone(),
        intent,
        is_note,
        said,
        sending: RwSignal::new(false),
        unsent: StoredValue::new(None),
    };
    let resolved = Memo::new(move |_| {
        row.with(|row| {
            row.as_ref()
                .is_some_and(|row| row.status == ThreadStatus::Resolved)
        })
    });
    let text = composing.text.clone();
    let typed = {
        let composing = composing.clone();
        move |value: String| {
            composing.text.set(value);
            said.set(None);
            composing.changed();
        }
    };
    let keys = Keys {
        sender: sender.clone(),
        text: composing.text.clone(),
    };
    let submits = sender.clone();
    let forecast = {
        let (thread, composing) = (thread.clone(), composing.clone());
        move || match (resolved.get(), intent.get()) {
            (true, _) => {
                view! { <Line words="This comment is resolved. Reopen it to go on." /> }.into_any()
            }
            (false, Intent::Note) => {
                view! { <Line words="A note is kept for yourself. Nothing is sent." /> }.into_any()
            }
            (false, Intent::Ask) => {
                view! { <ForecastLine thread=thread.clone() composing=composing.clone() /> }
                    .into_any()
            }
        }
    };
    view! {
        <form
            class="composer"
            aria-label="Reply"
            on:submit=move |event| {
                event.prevent_default();
                submits.send();
            }
            on:keydown=move |event| {
                if keys.press(&pressed(&event)) {
                    event.prevent_default();
                    event.stop_propagation();
                }
            }
        >
            {forecast}
            <SaidLine said thread=thread.clone() />
            <div class="composer__box">
                <Pending thread />
                <textarea
                    aria-label="Your message"
                    placeholder="Reply, or select another passage and point"
                    rows="2"
                    prop:value=move || text.get()
                    on:input=move |event| typed(event_target_value(&event))
                ></textarea>
                <div class="composer__tools">
                    <IntentChoice intent model on_act=move || said.set(Some(Said::ActIsOff)) />
                    <SendButton intent resolved sending=sender.sending />
                </div>
            </div>
            <div class="composer__line">
                <Pickers composing=composing.clone() />
                <SavedWord saved=composing.saved />
            </div>
        </form>
    }
}

#[component]
fn Line(words: &'static str) -> impl IntoView {
    view! { <p class="composer__forecast"><Icon name="clock" /><span>{words}</span></p> }
}

#[component]
fn SaidLine(said: RwSignal<Option<Said>>, thread: ThreadId) -> impl IntoView {
    let model = use_model();
    move || {
        let thread = thread.clone();
        match said.get()? {
            Said::Problem(words) => Some(view! { <p class="composer__problem" role="alert"><Icon name="alert" /><span>{words}</span></p> }.into_any()),
            Said::ActIsOff => Some(view! { <p class="composer__problem composer__problem--mild" role="status"><Icon name="alert" /><span>{ACT_IS_OFF}</span></p> }.into_any()),
            Said::AskStop => Some(view! {
                <p class="composer__problem composer__problem--mild" role="alert">
                    <Icon name="stop" />
                    <span>"Stop this answer?"</span>
                    <button type="button" class="btn btn--sm" on:click=move |_| said.set(None)>"Go on"</button>
                    <button
                        type="button"
                        class="btn btn--sm btn--bad"
                        on:click=move |_| {
                            said.set(None);
                            acts::stop(model, thread.clone());
                        }
                    >
                        "Stop"
                    </button>
                </p>
            }
            .into_any()),
        }
    }
}

#[component]
fn SendButton(
    intent: RwSignal<Intent>,
    resolved: Memo<bool>,
    sending: RwSignal<bool>,
) -> impl IntoView {
    let model = use_model();
    let word = move || match (intent.get(), model.pane.busy.get()) {
        (Intent::Note, _) => "Keep note",
        (Intent::Ask, true) => "Send next",
        (Intent::Ask, false) => "Send",
    };
    let modifier = if page::is_mac() { "⌘" } else { "Ctrl" };
    view! {
        <button
            type="submit"
            class="btn btn--primary"
            disabled=move || resolved.get()
            aria-disabled=move || sending.get().to_string()
        >
            {word}
            <span class="kbds" aria-hidden="true"><kbd class="kbd">{modifier}</kbd><kbd class="kbd">"↵"</kbd></span>
        </button>
    }
}

#[component]
fn SavedWord(saved: ArcRwSignal<Saved>) -> impl IntoView {
    move || match saved.get() {
        Saved::Nothing => view! { <span></span> }.into_any(),
        Saved::UnderWay => view! { <span>"Saving"</span> }.into_any(),
        Saved::Kept => view! { <span>"Saved"</span> }.into_any(),
        Saved::Failed(why) => {
            view! { <span class="composer__unsaved" title=why>"Not saved yet"</span> }.into_any()
        }
    }
}

/// What the keys of the composer do.
struct Keys {
    sender: Sender,
    text: ArcRwSignal<String>,
}

impl Keys {
    /// Whether the key was taken.
    fn press(&self, key: &KeyPress) -> bool {
        if key.composing {
            return false;
        }
        match key.key.as_str() {
            "Enter" if key.modifier => {
                self.sender.send();
                true
            }
            "Escape" => self.escape(),
            "m" | "M" | "µ" if key.alt => {
                self.sender.next_intent();
                true
            }
            "." if key.modifier => {
                focus::to_id(AGENT_ID);
                true
            }
            _ => false,
        }
    }

    fn escape(&self) -> bool {
        let said = self.sender.said;
        if said.with_untracked(|said| *said == Some(Said::AskStop)) {
            said.set(None);
            return true;
        }
        let asks = self.text.with_untracked(|text| text.trim().is_empty())
            && self.sender.model.pane.busy.get_untracked();
        if asks {
            said.set(Some(Said::AskStop));
        }
        asks
    }
}

/// Sends what stands in the composer, or keeps it as a note.
#[derive(Clone)]
struct Sender {
    model: Model,
    thread: ThreadId,
    composing: Composing,
    intent: RwSignal<Intent>,
    is_note: Memo<bool>,
    said: RwSignal<Option<Said>>,
    sending: RwSignal<bool>,
    /// The id and text of a send that did not arrive: the same text keeps its id, so that it is stored once.
    unsent: StoredValue<Option<(MessageId, String)>>,
}

impl Sender {
    fn next_intent(&self) {
        let can_be_note = self.model.pane.messages.with_untracked(Vec::is_empty);
        self.intent
            .update(|intent| *intent = intent.next(can_be_note));
    }

    fn send(&self) {
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
                Intent::Ask => sender.ask(text).await,
            };
            sender.sending.try_set(false);
            if let Err(words) = problem {
                sender.said.try_set(Some(Said::Problem(words)));
            }
        });
    }

    async fn ask(&self, text: String) -> Result<(), String> {
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
            mode: choice.mode,
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
        match crate::api::patch_thread(&self.thread, &change).await {
            Ok(thread) => {
                acts::take(self.model, thread);
                Ok(())
            }
            Err(failed) => Err(failed.to_string()),
        }
    }
}
