//! The composer: what is written, to whom, and what a send will do. Enter is a new line, Ctrl or Command with Enter
//! sends, and nothing is ever sent while an input method composes. What goes wrong is said here, with the text kept.

use super::acts;
use super::composing::{Composing, Saved};
use super::forecast::ForecastLine;
use super::intent::{ACT_IS_OFF, Intent, IntentChoice};
use super::pickers::{AGENT_ID, Pickers};
use super::places::Pending;
use super::sender::{Said, Sender};
use crate::browser::keys::{KeyPress, pressed};
use crate::browser::{focus, page};
use crate::icon::Icon;
use crate::model::use_model;
use crate::reactive::{Derived, SharedState, State, on_change, on_key, on_mouse, redrawn};
use leptos::prelude::*;
use rex_shared::ids::ThreadId;
use rex_shared::wire::thread::{ThreadRow, ThreadStatus};

#[component]
pub(super) fn Composer(thread: ThreadId, row: Derived<Option<ThreadRow>>) -> impl IntoView {
    let model = use_model();
    let composing = Composing::new(model, thread.clone());
    let is_note = Derived::new(move || row.with(|row| row.as_ref().is_some_and(|row| row.is_note)));
    let sender = Sender::new(model, thread.clone(), composing.clone(), is_note);
    let (intent, said) = (sender.intent, sender.said);
    on_change(move || {
        if is_note.get() {
            intent.set(Intent::Note);
        }
    });
    let can_act = sender.can_act;
    let chooses = composing.clone();
    on_change(move || match intent.get() {
        // Another agent was chosen that cannot.
        Intent::Act if !can_act.get() => intent.set(Intent::Ask),
        intent => chooses.set_mode(intent.mode()),
    });
    let resolved = Derived::new(move || {
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
            (false, Intent::Ask | Intent::Act) => {
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
            on:keydown=on_key(move |event| {
                if keys.press(&pressed(&event)) {
                    event.prevent_default();
                    event.stop_propagation();
                }
            })
        >
            {redrawn(forecast)}
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
                    <IntentChoice intent model can_act on_act=move || said.set(Some(Said::ActIsOff)) />
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
fn SaidLine(said: State<Option<Said>>, thread: ThreadId) -> impl IntoView {
    let model = use_model();
    move || {
        let thread = thread.clone();
        match said.get()? {
            Said::Problem(words) => Some(
                view! {
                    <p class="composer__problem" role="alert">
                        <Icon name="alert" />
                        <span>{words}</span>
                    </p>
                }
                .into_any(),
            ),
            Said::ActIsOff => Some(
                view! {
                    <p class="composer__problem composer__problem--mild" role="status">
                        <Icon name="alert" />
                        <span>{ACT_IS_OFF}</span>
                    </p>
                }
                .into_any(),
            ),
            Said::AskStop => Some(
                view! {
                    <p class="composer__problem composer__problem--mild" role="alert">
                        <Icon name="stop" />
                        <span>"Stop this answer?"</span>
                        <button type="button" class="btn btn--sm" on:click=on_mouse(move |_| said.set(None))>
                            "Go on"
                        </button>
                        <button
                            type="button"
                            class="btn btn--sm btn--bad"
                            on:click=on_mouse(move |_| {
                                said.set(None);
                                acts::stop(model, thread.clone());
                            })
                        >
                            "Stop"
                        </button>
                    </p>
                }
                .into_any(),
            ),
        }
    }
}

#[component]
fn SendButton(
    intent: State<Intent>,
    resolved: Derived<bool>,
    sending: State<bool>,
) -> impl IntoView {
    let model = use_model();
    let word = move || match (intent.get(), model.pane.busy.get()) {
        (Intent::Note, _) => "Keep note",
        (Intent::Ask | Intent::Act, true) => "Send next",
        (Intent::Ask | Intent::Act, false) => "Send",
    };
    let modifier = if page::is_mac() { "⌘" } else { "Ctrl" };
    view! {
        <button
            type="submit"
            class="btn btn--primary"
            disabled=move || resolved.get()
            aria-disabled=move || sending.get().to_string()
        >
            {redrawn(word)}
            <span class="kbds" aria-hidden="true">
                <kbd class="kbd">{modifier}</kbd>
                <kbd class="kbd">"↵"</kbd>
            </span>
        </button>
    }
}

#[component]
fn SavedWord(saved: SharedState<Saved>) -> impl IntoView {
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
    text: SharedState<String>,
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
