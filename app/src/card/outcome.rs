//! How a turn ended: refused, failed or cut off, with the way to try again; and what it cost and did to the disk.

use super::{names, words};
use crate::api;
use crate::icon::Icon;
use crate::model::use_model;
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::ids::ThreadId;
use rex_shared::wire::message::Message;

/// What stands where the rest of the reply would have been.
#[component]
pub(super) fn Outcome(
    thread: ThreadId,
    header: ArcRwSignal<Message>,
    live: Signal<bool>,
    last: Signal<bool>,
) -> impl IntoView {
    let model = use_model();
    // Only the newest attempt can be made again, and not while a run goes on.
    let can_retry = Signal::derive(move || last.get() && !model.pane.busy.get());
    move || {
        let thread = thread.clone();
        header.with(|message| {
            if let Some(refusal) = &message.refusal {
                let line = view! { <b>{words::refused(refusal)}</b> {reason(&refusal.reason)} }.into_any();
                let kept = words::refused_kept(message.cost_usd);
                Some(view! { <Refused label="Refused attempt" line kept again="Retry" thread can_retry /> }.into_any())
            } else if let Some(failure) = &message.failure {
                let line = view! { <b>"The run failed"</b> {reason(failure)} }.into_any();
                let kept = "Your message is kept.".to_owned();
                Some(view! { <Refused label="Failed attempt" line kept again="Retry" thread can_retry /> }.into_any())
            } else if message.interrupted && !live.get() {
                let line = view! { "Cut off. This is not a finished answer." }.into_any();
                let kept = "What was said so far is kept.".to_owned();
                Some(view! { <Refused label="Interrupted answer" line kept again="Send again" thread can_retry cut_off=true /> }.into_any())
            } else {
                None
            }
        })
    }
}

fn reason(reason: &str) -> Option<String> {
    (!reason.is_empty()).then(|| format!(" — {reason}"))
}

#[component]
fn Refused(
    label: &'static str,
    line: AnyView,
    kept: String,
    again: &'static str,
    thread: ThreadId,
    can_retry: Signal<bool>,
    #[prop(optional)] cut_off: bool,
) -> impl IntoView {
    view! {
        <div class="refused" class=("refused--cut", cut_off) role="group" aria-label=label>
            <p class="refused__line"><Icon name="alert" /><span>{line}</span></p>
            <div class="refused__act">
                <span>{kept}</span>
                {move || can_retry.get().then(|| view! { <Again word=again thread=thread.clone() /> })}
            </div>
        </div>
    }
}

/// Sends the same prompt again. What goes wrong is said beside the button.
#[component]
fn Again(word: &'static str, thread: ThreadId) -> impl IntoView {
    let sending = RwSignal::new(false);
    let said = RwSignal::new(None::<String>);
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
        <button type="button" class="btn btn--sm" aria-disabled=move || sending.get().to_string() on:click=press>
            <Icon name="retry" small=true />
            {word}
        </button>
    }
}

/// Model, gateway, cost, time and receipt, once the run ended.
#[component]
pub(super) fn Meta(header: ArcRwSignal<Message>, live: Signal<bool>) -> impl IntoView {
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
