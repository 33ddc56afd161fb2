//! What a message is for: to ask, to act, or to keep as a note. Note is no mode of an agent's run: it sets a flag.

use crate::model::Model;
use crate::reactive::{Derived, State, on_mouse};
use leptos::prelude::*;
use rex_shared::wire::message::Mode;

/// What Act does.
const ACT_IS: &str = "The agent changes a private copy of your files and proposes the difference. Your files change only \
     when you accept it.";

/// Why Act cannot be chosen.
pub(super) const ACT_IS_OFF: &str = "REX does not let this agent change files, not even in a private copy. Choose another agent to act.";

/// Why Note cannot be chosen.
const NOTE_IS_OFF: &str = "This comment was sent to an agent, so it is no note any more.";

/// What the composer does with its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Intent {
    /// Sends it to an agent that cannot change files.
    Ask,
    /// Sends it to an agent that proposes changes.
    Act,
    /// Keeps it for oneself.
    Note,
}

impl Intent {
    /// The next one that can be chosen.
    pub(super) fn next(self, can_act: bool, can_be_note: bool) -> Self {
        match self {
            Self::Ask if can_act => Self::Act,
            Self::Ask | Self::Act if can_be_note => Self::Note,
            Self::Ask | Self::Act | Self::Note => Self::Ask,
        }
    }

    /// What a run for it may do.
    pub(super) fn mode(self) -> Mode {
        match self {
            Self::Act => Mode::Act,
            Self::Ask | Self::Note => Mode::Ask,
        }
    }
}

/// Three radios. The one that cannot be chosen stays reachable, and says why when it is pressed.
#[component]
pub(super) fn IntentChoice(
    intent: State<Intent>,
    model: Model,
    can_act: Derived<bool>,
    on_act: impl Fn() + 'static,
) -> impl IntoView {
    let about = move || if can_act.get() { ACT_IS } else { ACT_IS_OFF };
    let was_sent = Derived::new(move || model.pane.messages.with(|rows| !rows.is_empty()));
    view! {
        <fieldset class="seg">
            <legend class="vh">"What this is for"</legend>
            <label class="seg__opt">
                <input
                    type="radio"
                    name="intent"
                    prop:checked=move || intent.get() == Intent::Ask
                    on:change=move |_| intent.set(Intent::Ask)
                />
                "Ask"
            </label>
            <label class="seg__opt" data-off=move || (!can_act.get()).then_some("") title=about>
                <input
                    type="radio"
                    name="intent"
                    aria-disabled=move || (!can_act.get()).then_some("true")
                    aria-description=about
                    prop:checked=move || intent.get() == Intent::Act
                    on:click=on_mouse(move |event| {
                        if can_act.get_untracked() {
                            intent.set(Intent::Act);
                        } else {
                            event.prevent_default();
                            on_act();
                        }
                    })
                />
                "Act"
            </label>
            <label
                class="seg__opt"
                data-off=move || was_sent.get().then_some("")
                title=move || was_sent.get().then_some(NOTE_IS_OFF)
            >
                <input
                    type="radio"
                    name="intent"
                    disabled=move || was_sent.get()
                    prop:checked=move || intent.get() == Intent::Note
                    on:change=move |_| intent.set(Intent::Note)
                />
                "Note"
            </label>
        </fieldset>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_that_was_sent_cannot_become_a_note() {
        assert_eq!(Intent::Ask.next(false, false), Intent::Ask);
        assert_eq!(Intent::Ask.next(false, true), Intent::Note);
        assert_eq!(Intent::Note.next(true, true), Intent::Ask);
    }

    #[test]
    fn act_is_passed_over_where_the_agent_cannot() {
        assert_eq!(Intent::Ask.next(true, true), Intent::Act);
        assert_eq!(Intent::Act.next(true, true), Intent::Note);
        assert_eq!(Intent::Act.next(true, false), Intent::Ask);
        assert_eq!(Intent::Act.mode(), Mode::Act);
    }
}
