//! The gateways there are.

use super::acts;
use super::dialog::{ADD_ID, Editing};
use crate::model::use_model;
use crate::reactive::{State, on_mouse};
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::ids::GatewayId;
use rex_shared::wire::agent::{AgentInfo, Gateway};

#[component]
pub(super) fn List(editing: State<Option<Editing>>) -> impl IntoView {
    let model = use_model();
    let deleting = State::new(None::<GatewayId>);
    let rows = move || {
        model.workspace.with(|known| {
            let Some(known) = known else {
                return Vec::new();
            };
            let own = known.gateways.iter();
            own.filter(|gateway| !gateway.gateway_id.is_default())
                .map(|gateway| {
                    let serves = agents(gateway, &known.agents);
                    view! { <Row gateway=gateway.clone() serves editing deleting /> }
                })
                .collect()
        })
    };
    let is_empty = move || {
        model.workspace.with(|known| {
            let own = known.iter().flat_map(|known| &known.gateways);
            own.filter(|gateway| !gateway.gateway_id.is_default())
                .count()
                == 0
        })
    };
    view! {
        <p class="gateways__hint">
            "A gateway is an address at which agents ask their models, such as LiteLLM or a model on this machine. Without one an agent uses its own sign-in."
        </p>
        <ul class="gateways__list">{move || rows()}</ul>
        {move || is_empty().then(|| view! { <p class="gateways__none">"No gateway yet."</p> })}
        <p class="gateways__acts">
            <button
                type="button"
                class="btn btn--primary"
                id=ADD_ID
                on:click=on_mouse(move |_| editing.set(Some(Editing::New)))
            >
                "Add a gateway"
            </button>
        </p>
    }
}

#[component]
fn Row(
    gateway: Gateway,
    serves: String,
    editing: State<Option<Editing>>,
    deleting: State<Option<GatewayId>>,
) -> impl IntoView {
    let model = use_model();
    let id = gateway.gateway_id.clone();
    let asked = {
        let id = id.clone();
        move || deleting.with(|deleting| deleting.as_ref() == Some(&id))
    };
    let name = gateway.name.clone();
    let address = gateway
        .base_url
        .clone()
        .unwrap_or_else(|| "the program's own address".to_owned());
    let acts = move || {
        if asked() {
            let id = id.clone();
            let delete = move |_| {
                let id = id.clone();
                deleting.set(None);
                spawn_local(async move {
                    if let Err(failed) = acts::delete(model, &id).await {
                        model.failed(&failed);
                    }
                });
            };
            return view! {
                <span class="gateway__ask" role="status">"What was said through it stays."</span>
                <button type="button" class="btn btn--sm" on:click=on_mouse(move |_| deleting.set(None))>
                    "Keep it"
                </button>
                <button type="button" class="btn btn--sm btn--bad" on:click=on_mouse(delete)>
                    "Delete it"
                </button>
            }
            .into_any();
        }
        let (known, id) = (gateway.clone(), id.clone());
        let (edit_name, delete_name) = (
            format!("Edit {}", known.name),
            format!("Delete {}", known.name),
        );
        view! {
            <button
                type="button"
                class="btn btn--sm"
                aria-label=edit_name
                on:click=on_mouse(move |_| editing.set(Some(Editing::Known(known.clone()))))
            >
                "Edit"
            </button>
            <button
                type="button"
                class="btn btn--sm btn--quiet"
                aria-label=delete_name
                on:click=on_mouse(move |_| deleting.set(Some(id.clone())))
            >
                "Delete"
            </button>
        }
        .into_any()
    };
    view! {
        <li class="gateway">
            <span class="gateway__what">
                <strong>{name}</strong>
                <code class="gateway__address">{address}</code>
                <small>{serves}</small>
            </span>
            <span class="gateway__acts">{acts}</span>
        </li>
    }
}

/// The agents a gateway serves, by the words a person reads.
fn agents(gateway: &Gateway, agents: &[AgentInfo]) -> String {
    if gateway.sdks.is_empty() {
        return "for every agent".to_owned();
    }
    let label = |sdk: &rex_shared::ids::Sdk| {
        let known = agents.iter().find(|agent| agent.sdk == *sdk);
        known.map_or_else(|| sdk.to_string(), |agent| agent.label.clone())
    };
    let labels: Vec<String> = gateway.sdks.iter().map(label).collect();
    format!("for {}", labels.join(", "))
}
