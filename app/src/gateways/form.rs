//! The form of one gateway.

use super::acts;
use super::dialog::{Editing, leave};
use super::draft::{Draft, Field, KeyKind, Unfit};
use crate::browser::{focus, ids};
use crate::model::use_model;
use crate::reactive::{Derived, State, on_change, on_mouse, redrawn};
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::ids::Sdk;

#[component]
pub(super) fn Form(which: Editing, editing: State<Option<Editing>>) -> impl IntoView {
    let model = use_model();
    let (id, is_new, known) = match which {
        Editing::New => (ids::gateway_id(), true, Draft::default()),
        Editing::Known(gateway) => (gateway.gateway_id.clone(), false, Draft::of(&gateway)),
    };
    let draft = State::new(known);
    let unfit = State::new(None::<Unfit>);
    let problem = State::new(None::<String>);
    let saving = State::new(false);
    on_change(move || {
        if let Some(unfit) = unfit.get() {
            focus::to_id(input_id(unfit.field));
        }
    });
    let save = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if saving.get_untracked() {
            return;
        }
        problem.set(None);
        let gateway = match draft.with_untracked(|draft| draft.gateway(id.clone())) {
            Ok(gateway) => gateway,
            Err(words) => return unfit.set(Some(words)),
        };
        unfit.set(None);
        saving.set(true);
        spawn_local(async move {
            let answer = acts::save(model, gateway, is_new).await;
            saving.try_set(false);
            match answer {
                Ok(()) => leave(editing),
                Err(failed) => {
                    problem.try_set(Some(failed.to_string()));
                }
            }
        });
    };
    view! {
        <form class="gateways__form" novalidate on:submit=save>
            <Line field=Field::Name label="Name" hint="" unfit draft get=|draft| &mut draft.name />
            <Line
                field=Field::Address
                label="Address"
                hint="Such as http://localhost:4000. Left empty: the program's own."
                unfit
                draft
                get=|draft| &mut draft.address
            />
            <Agents draft unfit />
            <Key draft unfit />
            <Models draft unfit />
            {move || problem.get().map(|words| view! { <p class="gateways__problem" role="alert">{words}</p> })}
            <p class="gateways__acts">
                <button type="button" class="btn" on:click=on_mouse(move |_| leave(editing))>
                    "Cancel"
                </button>
                <button type="submit" class="btn btn--primary" aria-disabled=move || saving.get().to_string()>
                    "Save"
                </button>
            </p>
        </form>
    }
}

/// The element of a field that takes focus when the field does not fit.
fn input_id(field: Field) -> &'static str {
    match field {
        Field::Name => "gateway-name",
        Field::Address => "gateway-address",
        Field::Agents => "gateway-agents",
        Field::Key => "gateway-key",
        Field::Models => "gateway-models",
    }
}

/// What a field says of itself: its hint, or what would fit.
#[component]
fn Says(field: Field, hint: &'static str, unfit: State<Option<Unfit>>) -> impl IntoView {
    let words = move || {
        let unfit = unfit.get().filter(|unfit| unfit.field == field);
        unfit.map(|unfit| unfit.words)
    };
    view! {
        <small id=format!("{}-says", input_id(field)) class:gateways__unfit=move || words().is_some()>
            {move || words().unwrap_or_else(|| hint.to_owned())}
        </small>
    }
}

fn is_unfit(unfit: State<Option<Unfit>>, field: Field) -> impl Fn() -> String {
    move || {
        let unfit = unfit.with(|unfit| unfit.as_ref().is_some_and(|unfit| unfit.field == field));
        unfit.to_string()
    }
}

/// A field of one line.
#[component]
fn Line(
    field: Field,
    label: &'static str,
    hint: &'static str,
    unfit: State<Option<Unfit>>,
    draft: State<Draft>,
    get: fn(&mut Draft) -> &mut String,
) -> impl IntoView {
    let id = input_id(field);
    let mut before = draft.get_untracked();
    let before = std::mem::take(get(&mut before));
    view! {
        <p class="gateways__field">
            <label for=id>{label}</label>
            <input
                id=id
                type="text"
                autocomplete="off"
                spellcheck="false"
                prop:value=before
                aria-describedby=format!("{id}-says")
                aria-invalid=is_unfit(unfit, field)
                on:input=move |event| draft.update(|draft| *get(draft) = event_target_value(&event))
            />
            <Says field hint unfit />
        </p>
    }
}

#[component]
fn Agents(draft: State<Draft>, unfit: State<Option<Unfit>>) -> impl IntoView {
    let model = use_model();
    let agents = model.workspace.with_untracked(|known| {
        let known = known.as_ref().map(|known| known.agents.clone());
        known.unwrap_or_default()
    });
    let boxes = agents.into_iter().enumerate().map(|(at, agent)| {
        let sdk = agent.sdk;
        let is_chosen = draft.with_untracked(|draft| draft.sdks.contains(&sdk));
        let id = (at == 0).then(|| input_id(Field::Agents));
        view! {
            <label>
                <input
                    type="checkbox"
                    id=id
                    prop:checked=is_chosen
                    on:change:target=move |event| choose(draft, &sdk, event.target().checked())
                />
                {agent.label}
            </label>
        }
    });
    view! {
        <fieldset class="gateways__field" aria-describedby="gateway-agents-says">
            <legend>"Agents it serves"</legend>
            <span class="gateways__boxes">{boxes.collect_view()}</span>
            <Says field=Field::Agents hint="" unfit />
        </fieldset>
    }
}

fn choose(draft: State<Draft>, sdk: &Sdk, chosen: bool) {
    draft.update(|draft| {
        draft.sdks.retain(|known| known != sdk);
        if chosen {
            draft.sdks.push(sdk.clone());
        }
    });
}

#[component]
fn Key(draft: State<Draft>, unfit: State<Option<Unfit>>) -> impl IntoView {
    let kind = move || draft.with(|draft| draft.key_kind);
    let options = KeyKind::ALL.map(|offered| {
        view! {
            <option value=offered.scheme() prop:selected=move || kind() == offered>
                {offered.words()}
            </option>
        }
    });
    let field = move |kind| {
        let (name, placeholder) = match kind {
            KeyKind::None => return None,
            KeyKind::Variable => ("Name of the variable", "LITELLM_KEY"),
            KeyKind::File => ("Path of the file", "/home/me/.keys/litellm"),
        };
        let before = draft.with_untracked(|draft| draft.key.clone());
        Some(view! {
            <input
                id="gateway-key"
                type="text"
                autocomplete="off"
                spellcheck="false"
                aria-label=name
                placeholder=placeholder
                prop:value=before
                aria-describedby="gateway-key-says"
                aria-invalid=is_unfit(unfit, Field::Key)
                on:input=move |event| draft.update(|draft| draft.key = event_target_value(&event))
            />
        })
    };
    // Only another kind draws the field anew, not each letter typed into it.
    let chosen = Derived::new(kind);
    let named = redrawn(move || field(chosen.get()));
    view! {
        <p class="gateways__field">
            <label for="gateway-key-kind">"Key"</label>
            <select
                id="gateway-key-kind"
                on:change=move |event| {
                    let kind = KeyKind::of(&event_target_value(&event));
                    draft.update(|draft| draft.key_kind = kind);
                }
            >
                {options}
            </select>
            {named}
            <Says
                field=Field::Key
                hint="REX reads the key when it sends and never stores it. A variable is one that REX was started with."
                unfit
            />
        </p>
    }
}

#[component]
fn Models(draft: State<Draft>, unfit: State<Option<Unfit>>) -> impl IntoView {
    let before = draft.with_untracked(|draft| draft.models.clone());
    view! {
        <p class="gateways__field">
            <label for="gateway-models">"Models"</label>
            <textarea
                id="gateway-models"
                rows="3"
                autocomplete="off"
                spellcheck="false"
                prop:value=before
                aria-describedby="gateway-models-says"
                aria-invalid=is_unfit(unfit, Field::Models)
                on:input=move |event| draft.update(|draft| draft.models = event_target_value(&event))
            ></textarea>
            <Says field=Field::Models hint="One a line. The first is used where none is chosen." unfit />
        </p>
    }
}
