//! One turn: what the person wrote with the places it brought, or what an agent did with it.

use super::answer::Answer;
use super::fold::{Thinking, Tool};
use super::outcome::{Meta, Outcome};
use super::places::Chips;
use super::proposed::Proposed;
use super::{acts, names, words};
use crate::browser::clock;
use crate::icon::Icon;
use crate::model::{MessageRow, PartRow, use_model};
use crate::reactive::{Derived, Each, SharedState, State, on_mouse, redrawn};
use leptos::prelude::*;
use rex_shared::ids::{Millis, ThreadId};
use rex_shared::wire::message::{Memory, Message, Mode, Part, Role};
use std::time::Duration;

/// The turn of one message. `live` while its run goes on, `attempt` counts answers to the same prompt, `last` is true
/// for the newest message.
#[component]
pub(super) fn Turn(
    thread: ThreadId,
    row: MessageRow,
    #[prop(into)] live: Derived<bool>,
    #[prop(into)] last: Derived<bool>,
    attempt: usize,
) -> impl IntoView {
    match row.role {
        Role::User => view! { <YourTurn row /> }.into_any(),
        Role::Assistant => view! { <AgentTurn thread row live last attempt /> }.into_any(),
    }
}

#[component]
fn YourTurn(row: MessageRow) -> impl IntoView {
    let header = row.header.clone();
    let places = row.header.clone();
    let at = row.header.with_untracked(|message| message.created_at);
    let chips = move || {
        let places = places.with(|message| message.places.clone());
        view! { <Chips places label="Places this message brought" /> }
    };
    view! {
        <li class="turn turn--you" id=anchor(&row)>
            <h3 class="turn__head">
                <span class="turn__who">"You"</span>
                <span class="tag">{move || header.with(|message| mode_word(message.mode))}</span>
                <Time at />
            </h3>
            <Parts parts=row.parts.clone() growing=Derived::new(|| false) yours=true />
            {redrawn(chips)}
        </li>
    }
}

#[component]
fn AgentTurn(
    thread: ThreadId,
    row: MessageRow,
    live: Derived<bool>,
    last: Derived<bool>,
    attempt: usize,
) -> impl IntoView {
    let model = use_model();
    let header = row.header.clone();
    let facts = row.header.clone();
    let name = move || {
        model
            .workspace
            .with(|known| header.with(|message| names::agent(known.as_ref(), &message.sdk)))
    };
    let tag = move || {
        facts.with(|message| {
            let attempt =
                failed(message).then(|| view! { <span>{format!("attempt {attempt}")}</span> });
            let memory = (!failed(message))
                .then_some(message.memory)
                .flatten()
                .map(|memory| view! { <MemoryTag memory /> });
            (attempt, memory)
        })
    };
    let at = row.header.with_untracked(|message| message.created_at);
    let ending = {
        let thread = thread.clone();
        move || {
            if live.get() {
                view! { <Running thread=thread.clone() /> }.into_any()
            } else {
                view! { <Time at /> }.into_any()
            }
        }
    };
    let waiting = {
        let header = row.header.clone();
        let parts = row.parts.clone();
        move || {
            (live.get() && parts.with(Vec::is_empty)).then(|| {
                header.with(|message| message.forecast.as_ref().and_then(words::waiting_for))
            })?
        }
    };
    let id = anchor(&row);
    let run = row.header.with_untracked(|message| message.run_id.clone());
    view! {
        <li class="turn" class=("turn--live", move || live.get()) id=id>
            <h3 class="turn__head">
                <span class="turn__who">{redrawn(name)}</span>
                {redrawn(tag)}
                {redrawn(ending)}
            </h3>
            {move || waiting().map(|words| view! { <p class="turn__waiting">{words}</p> })}
            <Parts parts=row.parts.clone() growing=live yours=false />
            {run.map(|run| view! { <Proposed run /> })}
            <Outcome thread header=row.header.clone() live last />
            <Meta header=row.header live />
        </li>
    }
}

/// Whether the attempt brought no answer.
fn failed(message: &Message) -> bool {
    message.refusal.is_some() || message.failure.is_some()
}

#[component]
fn MemoryTag(memory: Memory) -> impl IntoView {
    let icon = match memory {
        Memory::New => "plus",
        Memory::Resumed | Memory::Replayed | Memory::Seeded => "retry",
    };
    view! { <span class="tag"><Icon name=icon />{words::memory(memory)}</span> }
}

/// What a run is doing, for how long, and how to end it.
#[component]
pub(super) fn Running(thread: ThreadId) -> impl IntoView {
    let model = use_model();
    let now = State::new(clock::now());
    if let Ok(ticking) =
        set_interval_with_handle(move || now.set(clock::now()), Duration::from_secs(1))
    {
        on_cleanup(move || ticking.clear());
    }
    let stage = move || {
        let word = words::stage(model.pane.stage.get());
        match model.pane.started_at.get() {
            Some(started) => format!("{word}, {}", words::elapsed(now.get().0 - started.0)),
            None => word.to_owned(),
        }
    };
    view! {
        <span class="turn__stage"><span class="pulse" aria-hidden="true"><i></i></span>{redrawn(stage)}</span>
        <button
            type="button"
            class="btn btn--sm btn--bad"
            aria-label="Stop this answer"
            on:click=on_mouse(move |_| acts::stop(model, thread.clone()))
        >
            <Icon name="stop" small=true />
            "Stop"
        </button>
    }
}

#[component]
fn Parts(parts: SharedState<Vec<PartRow>>, growing: Derived<bool>, yours: bool) -> impl IntoView {
    let each = {
        let parts = parts.clone();
        move || parts.get()
    };
    view! {
        <Each
            each
            key=|row| row.entry_id.clone()
            children=move |row| {
                let id = row.entry_id.clone();
                let parts = parts.clone();
                // Only the last part of a live turn can still grow.
                let grows = Derived::new(move || {
                    growing.get() && parts.with(|parts| parts.last().is_some_and(|last| last.entry_id == id))
                });
                part_view(row.part, grows, yours)
            }
        />
    }
}

fn part_view(part: SharedState<Part>, growing: Derived<bool>, yours: bool) -> AnyView {
    match part.get_untracked() {
        Part::Text { text, .. } if yours => {
            view! { <p class="turn__body turn__own">{text}</p> }.into_any()
        }
        Part::Text { .. } => view! { <Answer part growing /> }.into_any(),
        Part::Thinking { .. } => view! { <Thinking part /> }.into_any(),
        Part::Tool { .. } => view! { <Tool part /> }.into_any(),
        Part::Image { data_url, .. } => {
            view! { <img class="turn__image" src=data_url alt="Image of this message" /> }
                .into_any()
        }
        Part::Unknown { original_type, .. } => view! {
            <p class="turn__unknown">{words::unknown_part(&original_type)}</p>
        }
        .into_any(),
    }
}

#[component]
fn Time(at: Millis) -> impl IntoView {
    view! { <time class="turn__time" datetime=clock::iso(at) title=clock::full(at)>{clock::hour(at)}</time> }
}

fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Ask => "Ask",
        Mode::Act => "Act",
    }
}

/// The element's id, so that an address can name a message.
pub(super) fn anchor(row: &MessageRow) -> String {
    format!("message-{}", row.message_id)
}
