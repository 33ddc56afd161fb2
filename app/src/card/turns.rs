//! The turns: the only part of the card that scrolls. It follows a stream only while the end is in view; someone who
//! reads above it is left alone and offered the way down. Screen readers hear that an answer began and ended, no words.

use super::approval::Approvals;
use super::at_end::AtEnd;
use super::queue::Queue;
use super::turn::{Running, Turn};
use super::{names, turn_facts};
use crate::api;
use crate::browser::{clock, scroll};
use crate::icon::Icon;
use crate::model::{MessageRow, Model, use_model};
use crate::reactive::{Derived, Each, Only, State, on_change_since, on_key, on_mouse, on_pointer};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::ids::{MessageId, ThreadId};
use rex_shared::wire::message::{Message, Role};

/// A message and what its neighbours say about it.
#[derive(Clone)]
struct Shown {
    row: MessageRow,
    /// The day, where it is another than the message's before.
    day: Option<String>,
    attempt: usize,
}

#[component]
pub(super) fn Turns(thread: ThreadId) -> impl IntoView {
    let model = use_model();
    let pane = NodeRef::<html::Div>::new();
    let list = NodeRef::<html::Ol>::new();
    let end = AtEnd::new(model, pane, list);
    let newest = Derived::new(move || {
        model
            .pane
            .messages
            .with(|rows| rows.last().map(|row| row.message_id.clone()))
    });
    let turn = {
        let thread = thread.clone();
        move |shown: Shown| {
            let id = shown.row.message_id.clone();
            let last = Derived::new(move || newest.with(|newest| newest.as_ref() == Some(&id)));
            let live = Derived::new(move || last.get() && model.pane.busy.get());
            let day = shown
                .day
                .map(|day| view! { <li class="card__day">{day}</li> });
            view! { {day} <Turn thread=thread.clone() row=shown.row live last attempt=shown.attempt /> }
        }
    };
    view! {
        <div
            class="card__turns"
            tabindex="0"
            role="region"
            aria-label="Conversation"
            node_ref=pane
            on:scroll=move |_| end.scrolled()
            on:wheel=move |_| end.taken()
            on:pointerdown=on_pointer(move |_| end.taken())
            on:keydown=on_key(move |_| end.taken())
        >
            <Earlier thread=thread.clone() pane />
            <ol node_ref=list>
                <Each each=move || shown(model) key=key children=turn />
                <BeforeReply thread=thread.clone() />
                <Approvals thread=thread.clone() />
                <Queue thread />
            </ol>
            <Missing />
            <Only when=move || end.offers_newest()>
                <button type="button" class="btn btn--sm card__newest" on:click=on_mouse(move |_| end.go_newest())>
                    <Icon name="down" small=true />
                    "Jump to newest"
                </button>
            </Only>
        </div>
        <Announcer />
    }
}

fn shown(model: Model) -> Vec<Shown> {
    model.pane.messages.with(|rows| {
        let mut before: Option<String> = None;
        let roles: Vec<Role> = rows.iter().map(|row| row.role).collect();
        rows.iter()
            .enumerate()
            .map(|(at, row)| {
                let day = clock::whole_day(row.header.with_untracked(|message| message.created_at));
                let other = before.as_ref() != Some(&day);
                before = Some(day.clone());
                Shown {
                    row: row.clone(),
                    day: other.then_some(day),
                    attempt: turn_facts::attempt(&roles, at),
                }
            })
            .collect()
    })
}

fn key(shown: &Shown) -> (MessageId, Option<String>, usize) {
    (
        shown.row.message_id.clone(),
        shown.day.clone(),
        shown.attempt,
    )
}

/// A run whose reply has no row yet still says what it is doing.
#[component]
fn BeforeReply(thread: ThreadId) -> impl IntoView {
    let model = use_model();
    let waits = Derived::new(move || {
        model.pane.busy.get()
            && model
                .pane
                .messages
                .with(|rows| rows.last().is_none_or(|row| row.role == Role::User))
    });
    move || {
        waits.get().then(|| {
            view! {
                <li class="turn turn--live">
                    <h3 class="turn__head">
                        <span class="turn__who">{answering(model)}</span>
                        <Running thread=thread.clone() />
                    </h3>
                </li>
            }
        })
    }
}

/// Who answers the newest message.
fn answering(model: Model) -> String {
    model.workspace.with_untracked(|known| {
        model.pane.messages.with_untracked(|rows| {
            rows.last().map_or_else(
                || "The agent".to_owned(),
                |row| {
                    row.header
                        .with_untracked(|message| names::agent(known.as_ref(), &message.sdk))
                },
            )
        })
    })
}

#[component]
fn Missing() -> impl IntoView {
    let model = use_model();
    move || {
        model.pane.unknown.get().then(|| {
            view! {
                <p class="card__empty">
                    "Nothing is stored under this address. The next message begins a comment here."
                </p>
            }
        })
    }
}

/// Older messages, a page at a time. What is in view stays in view.
#[component]
fn Earlier(thread: ThreadId, pane: NodeRef<html::Div>) -> impl IntoView {
    let model = use_model();
    let asking = State::new(false);
    let ask = move |_| {
        let first = model
            .pane
            .messages
            .with_untracked(|rows| rows.first().map(|row| row.message_id.clone()));
        if asking.get_untracked() || first.is_none() {
            return;
        }
        asking.set(true);
        let thread = thread.clone();
        let asked = model.now();
        spawn_local(async move {
            let answer = api::history(&thread, first.as_ref()).await;
            asking.try_set(false);
            match answer {
                Ok(history) if model.still(asked) => {
                    let kept = pane.get_untracked().map(|pane| scroll::from_end(&pane));
                    model.pane.take_earlier(history);
                    request_animation_frame(move || {
                        if let (Some(pane), Some(kept)) = (pane.try_get_untracked().flatten(), kept)
                        {
                            scroll::restore_from_end(&pane, kept);
                        }
                    });
                }
                Ok(_) => {}
                Err(failed) => model.failed(&failed),
            }
        });
    };
    view! {
        <Only when=move || model.pane.has_earlier.get()>
            <button type="button" class="btn btn--sm btn--quiet card__earlier" on:click=on_mouse(ask.clone())>
                {move || if asking.get() { "Asking for earlier messages" } else { "Earlier messages" }}
            </button>
        </Only>
    }
}

/// Says once that an answer began, and once how it ended.
#[component]
fn Announcer() -> impl IntoView {
    let model = use_model();
    let said = State::new(String::new());
    on_change_since(move |before: Option<bool>| {
        let busy = model.pane.busy.get();
        match before {
            Some(false) if busy => said.set(format!("{} is answering", answering(model))),
            Some(true) if !busy => {
                let end = model.pane.messages.with_untracked(|rows| {
                    rows.last()
                        .map_or("answered", |row| row.header.with_untracked(ended))
                });
                said.set(format!("{} {end}", answering(model)));
            }
            _ => {}
        }
        busy
    });
    view! { <p class="vh" role="status">{move || said.get()}</p> }
}

/// How the run of an agent's message ended.
fn ended(message: &Message) -> &'static str {
    if message.refusal.is_some() {
        "refused"
    } else if message.failure.is_some() {
        "failed"
    } else if message.interrupted {
        "was cut off"
    } else {
        "answered"
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{message, refusal};
    use super::*;

    #[test]
    fn an_end_is_announced_by_what_it_was() {
        let answered = message(1, Role::Assistant);
        assert_eq!(ended(&answered), "answered");
        let cut = Message {
            interrupted: true,
            ..answered
        };
        assert_eq!(ended(&cut), "was cut off");
        let refused = Message {
            refusal: Some(refusal()),
            ..cut
        };
        assert_eq!(ended(&refused), "refused");
    }
}
