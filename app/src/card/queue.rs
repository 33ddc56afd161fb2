//! Prompts that wait behind a run: shown as queued, editable, removable.

use crate::api;
use crate::icon::Icon;
use crate::model::use_model;
use crate::reactive::{Each, State, on_mouse, redrawn};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::ids::ThreadId;
use rex_shared::wire::prompt::Queued;

/// The queued prompts, in the order they will be sent.
#[component]
pub(super) fn Queue(thread: ThreadId) -> impl IntoView {
    let model = use_model();
    view! {
        <Each
            each=move || model.pane.queued.get()
            key=|queued| (queued.message_id.clone(), queued.text.clone())
            children=move |queued| view! { <QueuedTurn thread=thread.clone() queued /> }
        />
    }
}

#[component]
fn QueuedTurn(thread: ThreadId, queued: Queued) -> impl IntoView {
    let model = use_model();
    let editing = State::new(false);
    let field = NodeRef::<html::Textarea>::new();
    let text = queued.text.clone();
    let keep = {
        let (thread, id) = (thread.clone(), queued.message_id.clone());
        move |_| {
            let Some(field) = field.get_untracked() else {
                return;
            };
            let (thread, id, text) = (thread.clone(), id.clone(), field.value());
            spawn_local(async move {
                match api::edit_queued(&thread, &id, text.clone()).await {
                    Ok(()) => model.pane.queued.update(|queue| {
                        if let Some(queued) =
                            queue.iter_mut().find(|queued| queued.message_id == id)
                        {
                            queued.text = text;
                        }
                    }),
                    Err(failed) => model.failed(&failed),
                }
                editing.try_set(false);
            });
        }
    };
    let remove = {
        let id = queued.message_id.clone();
        move |_| {
            let (thread, id) = (thread.clone(), id.clone());
            spawn_local(async move {
                match api::drop_queued(&thread, &id).await {
                    Ok(()) => model
                        .pane
                        .queued
                        .update(|queue| queue.retain(|queued| queued.message_id != id)),
                    Err(failed) => model.failed(&failed),
                }
            });
        }
    };
    let body = move || {
        if editing.get() {
            view! {
                <textarea
                    class="turn__edit"
                    aria-label="Queued message"
                    rows="3"
                    node_ref=field
                    prop:value=queued.text.clone()
                ></textarea>
                <div class="turn__acts">
                    <button type="button" class="btn btn--sm" on:click=on_mouse(keep.clone())>"Keep"</button>
                    <button
                        type="button"
                        class="btn btn--sm btn--quiet"
                        on:click=on_mouse(move |_| editing.set(false))
                    >
                        "Cancel"
                    </button>
                </div>
            }
            .into_any()
        } else {
            view! { <p class="turn__body turn__own">{text.clone()}</p> }.into_any()
        }
    };
    view! {
        <li class="turn turn--you turn--queued">
            <h3 class="turn__head">
                <span class="turn__who">"You"</span>
                <span class="tag"><Icon name="clock" />"queued"</span>
                <span class="turn__acts push">
                    <button
                        type="button"
                        class="icon-btn icon-btn--sm"
                        aria-label="Edit this queued message"
                        on:click=on_mouse(move |_| editing.set(true))
                    >
                        <Icon name="pencil" small=true />
                    </button>
                    <button
                        type="button"
                        class="icon-btn icon-btn--sm"
                        aria-label="Remove this queued message"
                        on:click=on_mouse(remove)
                    >
                        <Icon name="close" small=true />
                    </button>
                </span>
            </h3>
            {redrawn(body)}
        </li>
    }
}
