//! The dialog: the list of gateways, or the form of one.

use super::form::Form;
use super::list::List;
use crate::browser::focus;
use crate::icon::Icon;
use crate::model::use_model;
use crate::reactive::{State, on_change, on_key, on_mouse};
use leptos::html;
use leptos::prelude::*;
use rex_shared::wire::agent::Gateway;

/// What has focus when a form was left.
pub(super) const ADD_ID: &str = "gateways-add";

/// Back from a form to the list. What is focused must not go with the form.
pub(super) fn leave(editing: State<Option<Editing>>) {
    editing.try_set(None);
    request_animation_frame(|| focus::to_id(ADD_ID));
}

/// The gateway whose form is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Editing {
    /// One that is being made.
    New,
    /// One that exists.
    Known(Gateway),
}

#[component]
pub(super) fn Gateways() -> impl IntoView {
    let model = use_model();
    let dialog = NodeRef::<html::Dialog>::new();
    let editing = State::new(None::<Editing>);
    on_change(move || {
        let Some(dialog) = dialog.get() else { return };
        match (model.gateways_shown.get(), dialog.open()) {
            // Fails only outside a document.
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    let close = move || {
        model.gateways_shown.set(false);
        editing.set(None);
    };
    // One step back is out of the form first, with nothing kept.
    let back = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "Escape" && editing.with_untracked(Option::is_some) {
            event.prevent_default();
            event.stop_propagation();
            leave(editing);
        }
    };
    let title = move || match editing.get() {
        None => "Gateways".to_owned(),
        Some(Editing::New) => "A new gateway".to_owned(),
        Some(Editing::Known(gateway)) => gateway.name,
    };
    let shown = move || match editing.get() {
        None => view! { <List editing /> }.into_any(),
        Some(which) => view! { <Form which editing /> }.into_any(),
    };
    view! {
        <dialog
            class="gateways"
            node_ref=dialog
            aria-labelledby="gateways-title"
            on:close=move |_| close()
            on:keydown=on_key(back)
        >
            <header class="gateways__head">
                <h2 id="gateways-title">{title}</h2>
                <button type="button" class="icon-btn" aria-label="Close" on:click=on_mouse(move |_| close())>
                    <Icon name="close" />
                </button>
            </header>
            {shown}
        </dialog>
    }
}
