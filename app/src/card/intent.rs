//! What a message is for: to ask, to act, or to keep as a note. Note is no mode of an agent's run: it sets a flag.

use crate::model::Model;
use crate::reactive::{Derived, State, on_mouse};
use leptos::prelude::*;

/// Why Act cannot be chosen.
pub(super) const ACT_IS_OFF: &str = "Act is not here yet: it will change a private copy of your files and propose the \
     difference. Until then an agent only answers.";

/// Why Note cannot be chosen.
const NOTE_IS_OFF: &str = "This comment was sent to an agent, so it is no note any more.";

/// What the composer does with its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Intent {
    /// Sends it to an agent that cannot change files.
    Ask,
    /// Keeps it for oneself.
    Note,
}

impl Intent {
    /// The next one that can be chosen.
    pub(super) fn next(self, can_be_note: bool) -> Self {
        match self {
            Self::Ask if can_be_note => Self::Note,
            Self::Ask | Self::Note => Self::Ask,
        }
    }
}

/// Three radios. The one that cannot be chosen stays reachable, and says why when it is pressed.
#[component]
pub(super) fn IntentChoice(
    intent: State<Intent>,
    model: Model,
    on_act: impl Fn() + 'static,
) -> impl IntoView {
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
            <label class="seg__opt" data-off="" title=ACT_IS_OFF>
                <input
                    type="radio"
                    name="intent"
                    aria-disabled="true"
                    aria-description=ACT_IS_OFF
                    on:click=on_mouse(move |event| {
                        event.prevent_default();
                        on_act();
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
        assert_eq!(Intent::Ask.next(false), Intent::Ask);
        assert_eq!(Intent::Ask.next(true), Intent::Note);
        assert_eq!(Intent::Note.next(true), Intent::Ask);
    }
}
