//! How a turn ended: refused, failed or cut off, with the way to try again; and what it cost and did to the disk.

use super::{names, words};
use crate::api;
use crate::icon::Icon;
use crate::model::use_model;
use crate::reactive::{Derived, SharedState, State, on_mouse, redrawn};
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::ids::ThreadId;
use rex_shared::wire::message::Message;

/// What stands where the rest of the reply would have been.
#[component]
pub(super) fn Outcome(
    thread: ThreadId,
    header: SharedState<Message>,
    live: Derived<bool>,
    last: Derived<bool>,
) -> impl IntoView {
    let model = use_model();
    // Only the newest attempt can be made again, and not while a run goes on.
    let can_retry = Derived::new(move || last.get() && !model.pane.busy.get());
    move || {
        let ending = header.with(|message| ending(message, live.get()))?;
        let thread = thread.clone();
        Some(view! { <EndingBox ending thread can_retry /> })
    }
}

/// An ending that is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Ending {
    /// The box's name.
    label: &'static str,
    /// Who failed, and how.
    strong: String,
    /// Why, in the words of who failed.
    reason: String,
    /// What is safe.
    kept: String,
    /// The word of the next step.
    again: &'static str,
    /// The answer was only cut off.
    is_cut_off: bool,
}

/// How a turn ended, if not with an answer.
fn ending(message: &Message, live: bool) -> Option<Ending> {
    if let Some(refusal) = &message.refusal {
        return Some(Ending {
            label: "Refused attempt",
            strong: words::refused(refusal),
            reason: reason(&refusal.reason),
            kept: words::refused_kept(message.cost_usd),
            again: "Retry",
            is_cut_off: false,
        });
    }
    if let Some(failure) = &message.failure {
        return Some(Ending {
            label: "Failed attempt",
            strong: "The run failed".to_owned(),
            reason: reason(failure),
            kept: "Your message is kept.".to_owned(),
            again: "Retry",
            is_cut_off: false,
        });
    }
    (message.interrupted && !live).then(|| Ending {
        label: "Interrupted answer",
        strong: "Cut off.".to_owned(),
        reason: " This is not a finished answer.".to_owned(),
        kept: "What was said so far is kept.".to_owned(),
        again: "Send again",
        is_cut_off: true,
    })
}

fn reason(reason: &str) -> String {
    if reason.is_empty() {
        String::new()
    } else {
        format!(" — {reason}")
    }
}

#[component]
fn EndingBox(ending: Ending, thread: ThreadId, can_retry: Derived<bool>) -> impl IntoView {
    let again = move || {
        can_retry
            .get()
            .then(|| view! { <Again word=ending.again thread=thread.clone() /> })
    };
    view! {
        <div class="refused" class=("refused--cut", ending.is_cut_off) role="group" aria-label=ending.label>
            <p class="refused__line">
                <Icon name="alert" />
                <span><b>{ending.strong}</b> {ending.reason}</span>
            </p>
            <div class="refused__act"><span>{ending.kept}</span> {redrawn(again)}</div>
        </div>
    }
}

/// Sends the same prompt again. What goes wrong is said beside the button.
#[component]
fn Again(word: &'static str, thread: ThreadId) -> impl IntoView {
    let sending = State::new(false);
    let said = State::new(None::<String>);
    let press = move |_| {
        if sending.get_untracked() {
            return;
        }
        sending.set(true);
        said.set(None);
        let thread = thread.clone();
        spawn_local(async move {
            let answer = api::retry(&thread).await;
            sending.try_set(false);
            if let Err(failed) = answer {
                said.try_set(Some(failed.to_string()));
            }
        });
    };
    view! {
        {move || said.get().map(|said| view! { <span role="alert">{said}</span> })}
        <button type="button" class="btn btn--sm" aria-disabled=move || sending.get().to_string() on:click=on_mouse(press)>
            <Icon name="retry" small=true />
            {word}
        </button>
    }
}

/// Model, gateway, cost, time and receipt, once the run ended.
#[component]
pub(super) fn Meta(header: SharedState<Message>, live: Derived<bool>) -> impl IntoView {
    let model = use_model();
    move || {
        if live.get() {
            return None;
        }
        let facts: Vec<AnyView> = model.workspace.with(|known| {
            header.with(|message| {
                let gateway = names::gateway(known.as_ref(), &message.gateway);
                let said = [
                    message.model.clone(),
                    gateway,
                    message.cost_usd.map(words::money),
                    message.duration_ms.map(words::duration),
                ];
                let receipt = message.receipt.as_ref().map(|receipt| {
                    let files = receipt.changed.join("\n");
                    let line = words::receipt(receipt);
                    if receipt.enforced {
                        view! { <span title=files><Icon name="shield" />{line}</span> }.into_any()
                    } else {
                        let alarm = !receipt.changed.is_empty();
                        view! {
                            <span class="turn__unsafe" class=("turn__alarm", alarm) title=files>
                                <b>"not enforced"</b>
                                {format!(" · {line}")}
                            </span>
                        }
                        .into_any()
                    }
                });
                said.into_iter()
                    .flatten()
                    .map(|fact| view! { <span>{fact}</span> }.into_any())
                    .chain(receipt)
                    .collect()
            })
        });
        (!facts.is_empty()).then(|| view! { <div class="turn__meta">{facts}</div> })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{message, refusal};
    use super::*;
    use rex_shared::wire::message::Role;

    /// S135: where the reply would be stands who refused, the class, the status and the reason.
    #[test]
    fn a_refused_attempt_is_said_in_full_and_is_no_answer() {
        let refused = Message {
            refusal: Some(refusal()),
            ..message(1, Role::Assistant)
        };
        let ending = ending(&refused, false).unwrap();
        assert_eq!(
            format!("{}{}", ending.strong, ending.reason),
            "LiteLLM/claude-sonnet refused: overloaded (529) — the upstream has no capacity right now"
        );
        assert_eq!(ending.kept, "Your message is kept. No cost was reported.");
        assert_eq!(ending.again, "Retry");
    }

    /// S148: an answer that was cut off says so at its turn and can be sent again; a running one is not cut off yet.
    #[test]
    fn an_interrupted_answer_is_not_shown_as_a_finished_one() {
        let cut = Message {
            interrupted: true,
            ..message(1, Role::Assistant)
        };
        let ended = ending(&cut, false).unwrap();
        assert!(ended.is_cut_off);
        assert_eq!(ended.again, "Send again");
        assert_eq!(ending(&cut, true), None);
        assert_eq!(ending(&message(1, Role::Assistant), false), None);
    }
}
