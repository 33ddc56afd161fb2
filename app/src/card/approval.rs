//! An agent's question, in the thread where it arose. Focus never moves to it, and for half a second no press counts:
//! a key or click that was on its way to something else must not allow anything.

use crate::api;
use crate::browser::{clock, focus};
use crate::icon::Icon;
use crate::model::use_model;
use crate::reactive::{Each, State, on_mouse, redrawn};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::ids::ThreadId;
use rex_shared::wire::problem::ProblemType;
use rex_shared::wire::prompt::{Answer, Dialog, DialogAnswer, DialogKind, DialogState};
use std::time::Duration;

/// How long a new question takes no answer.
const DEAF: Duration = Duration::from_millis(500);

/// The open questions of the thread, oldest first.
#[component]
pub(super) fn Approvals(thread: ThreadId) -> impl IntoView {
    let model = use_model();
    view! {
        <Each
            each=move || model.pane.dialogs.get()
            key=|dialog| (dialog.dialog_id.clone(), dialog.state)
            children=move |dialog| view! { <li><Approval thread=thread.clone() dialog /></li> }
        />
    }
}

#[component]
fn Approval(thread: ThreadId, dialog: Dialog) -> impl IntoView {
    let hears = State::new(false);
    let sending = State::new(false);
    let outcome = State::new(state_word(dialog.state).map(str::to_owned));
    if let Ok(timer) = set_timeout_with_handle(
        move || {
            hears.try_set(true);
        },
        DEAF,
    ) {
        on_cleanup(move || timer.clear());
    }
    let answer = {
        let id = dialog.dialog_id.clone();
        move |answer: Answer, text: Option<String>| {
            if !hears.get_untracked() || sending.get_untracked() {
                return;
            }
            sending.set(true);
            // The pressed button goes away; the reader stays in the conversation.
            focus::to_first(".card__turns");
            let (thread, id) = (thread.clone(), id.clone());
            spawn_local(async move {
                let said = api::answer(&thread, &id, &DialogAnswer { answer, text }).await;
                sending.try_set(false);
                match said {
                    Ok(()) => outcome.try_set(Some(answer_word(answer).to_owned())),
                    Err(failed) if failed.kind() == Some(ProblemType::DialogClosed) => {
                        outcome.try_set(state_word(DialogState::Expired).map(str::to_owned))
                    }
                    Err(failed) => outcome.try_set(Some(failed.to_string())),
                };
            });
        }
    };
    let heading = format!("dialog-{}", dialog.dialog_id);
    let labelled = heading.clone();
    let acts = match dialog.kind {
        DialogKind::Permission => view! { <Permission answer /> }.into_any(),
        DialogKind::Question => {
            view! { <Question options=dialog.options.clone() answer /> }.into_any()
        }
    };
    view! {
        <div
            class="approval"
            role="group"
            aria-labelledby=labelled
            data-deaf=move || (!hears.get()).then_some("")
        >
            <p class="approval__head" id=heading>
                <Icon name="ask" />
                {dialog.title.clone()}
                <Waiting dialog=dialog.clone() />
            </p>
            <Facts dialog=dialog.clone() />
            {move || outcome.get().map(|said| view! { <p class="approval__said" role="status">{said}</p> })}
            <div class="approval__act" hidden=move || outcome.with(Option::is_some)>{acts}</div>
        </div>
    }
}

fn state_word(state: DialogState) -> Option<&'static str> {
    match state {
        DialogState::Open => None,
        DialogState::Answered => Some("Answered."),
        DialogState::Expired => {
            Some("Expired: the agent no longer waits for this. Nothing was allowed.")
        }
    }
}

fn answer_word(answer: Answer) -> &'static str {
    match answer {
        Answer::AllowOnce => "Allowed once.",
        Answer::AllowThread => "Allowed for this thread.",
        Answer::Deny => "Denied.",
    }
}

#[component]
fn Waiting(dialog: Dialog) -> impl IntoView {
    let now = State::new(clock::now());
    if let Ok(ticking) =
        set_interval_with_handle(move || now.set(clock::now()), Duration::from_secs(1))
    {
        on_cleanup(move || ticking.clear());
    }
    let is_open = dialog.state == DialogState::Open;
    let waited = move || {
        format!(
            "waiting {}",
            super::words::elapsed(now.get().0 - dialog.opened_at.0)
        )
    };
    is_open.then(|| view! { <span class="turn__time">{redrawn(waited)}</span> })
}

#[component]
fn Facts(dialog: Dialog) -> impl IntoView {
    let fact = |name: &'static str, value: Option<String>| {
        value.map(|value| view! { <dt>{name}</dt> <dd><code>{value}</code></dd> })
    };
    view! {
        <dl class="approval__facts">
            {dialog.action.map(|action| view! { <dt>"Action"</dt> <dd>{action}</dd> })}
            {fact("Command", dialog.command)}
            {fact("Path", dialog.path)}
            {dialog
                .diff
                .map(|diff| {
                    view! {
                        <dt>"Change"</dt>
                        <dd>
                            <pre tabindex="0"><code>{diff}</code></pre>
                        </dd>
                    }
                })}
        </dl>
    }
}

#[component]
fn Permission(
    answer: impl Fn(Answer, Option<String>) + Clone + Send + Sync + 'static,
) -> impl IntoView {
    let button = |word: &'static str, class: &'static str, what: Answer| {
        let answer = answer.clone();
        view! { <button type="button" class=class on:click=on_mouse(move |_| answer(what, None))>{word}</button> }
    };
    view! {
        {button("Allow once", "btn btn--sm", Answer::AllowOnce)}
        {button("Allow for this thread", "btn btn--sm", Answer::AllowThread)}
        {button("Deny", "btn btn--sm btn--bad", Answer::Deny)}
    }
}

#[component]
fn Question(
    options: Vec<String>,
    answer: impl Fn(Answer, Option<String>) + Clone + Send + Sync + 'static,
) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    let offered: Vec<_> = options
        .into_iter()
        .map(|option| {
            let answer = answer.clone();
            let said = option.clone();
            let press = move |_| answer(Answer::AllowOnce, Some(said.clone()));
            view! { <button type="button" class="btn btn--sm" on:click=on_mouse(press)>{option}</button> }
        })
        .collect();
    let free = offered.is_empty().then(|| {
        let answer = answer.clone();
        let say = move || {
            if let Some(field) = field.get_untracked() {
                answer(Answer::AllowOnce, Some(field.value()));
            }
        };
        view! {
            <input class="approval__words" aria-label="Your answer" node_ref=field />
            <button type="button" class="btn btn--sm" on:click=on_mouse(move |_| say())>"Answer"</button>
        }
    });
    view! {
        {offered}
        {free}
        <button type="button" class="btn btn--sm btn--bad" on:click=on_mouse(move |_| answer(Answer::Deny, None))>
            "Decline"
        </button>
    }
}
