//! By whom a message is answered: agent, gateway and model, as native lists. A missing agent is listed with what to do.

use super::composing::Composing;
use super::names;
use crate::api;
use crate::icon::Icon;
use crate::model::use_model;
use crate::reactive::{Derived, State, on_mouse, redrawn};
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::ids::{GatewayId, Sdk};
use rex_shared::wire::agent::AgentInfo;
use rex_shared::wire::workspace::Workspace;

/// The element that Ctrl . focuses.
pub(super) const AGENT_ID: &str = "composer-agent";

#[component]
pub(super) fn Pickers(composing: Composing) -> impl IntoView {
    let page = use_model();
    let agent = {
        let composing = composing.clone();
        move |value: String| {
            if let Ok(sdk) = Sdk::parse(&value) {
                composing.pick_agent(sdk);
            }
        }
    };
    let gateway = {
        let composing = composing.clone();
        move |value: String| {
            if let Ok(gateway) = GatewayId::parse(&value) {
                composing.pick_gateway(gateway);
            }
        }
    };
    let model = {
        let composing = composing.clone();
        move |value: String| composing.pick_model(Some(value).filter(|value| !value.is_empty()))
    };
    view! {
        <span class="pickers">
            <Picker id=AGENT_ID name="Agent" options=options(&composing, agents) pick=agent strong=true />
            <Picker id="composer-gateway" name="Gateway" options=options(&composing, gateways) pick=gateway />
            <Picker id="composer-model" name="Model" options=options(&composing, models) pick=model />
            <AskForModels composing />
            <button
                type="button"
                class="picker"
                title="Make and change gateways"
                on:click=on_mouse(move |_| page.gateways_shown.set(true))
            >
                "Gateways"
            </button>
        </span>
    }
}

/// One entry of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Offer {
    value: String,
    words: String,
    chosen: bool,
    missing: bool,
}

fn options(
    composing: &Composing,
    of: fn(&Workspace, &crate::send::Choice) -> Vec<Offer>,
) -> Derived<Vec<Offer>> {
    let model = use_model();
    let choice = composing.choice.clone();
    Derived::new(move || {
        model.workspace.with(|known| {
            choice.with(|choice| match (known, choice) {
                (Some(known), Some(choice)) => of(known, choice),
                _ => Vec::new(),
            })
        })
    })
}

fn agents(known: &Workspace, choice: &crate::send::Choice) -> Vec<Offer> {
    known
        .agents
        .iter()
        .map(|agent| Offer {
            value: agent.sdk.to_string(),
            words: agent_words(agent),
            chosen: agent.sdk == choice.sdk,
            missing: agent.version.is_none(),
        })
        .collect()
}

fn agent_words(agent: &AgentInfo) -> String {
    match (&agent.version, &agent.hint) {
        (Some(_), _) if agent.sandbox.is_enforced() => agent.label.clone(),
        (Some(_), _) => format!("{}, not enforced", agent.label),
        (None, Some(hint)) => format!("{} is missing: {hint}", agent.label),
        (None, None) => format!("{} is missing", agent.label),
    }
}

fn gateways(known: &Workspace, choice: &crate::send::Choice) -> Vec<Offer> {
    names::gateways_of(known, &choice.sdk)
        .map(|gateway| Offer {
            value: gateway.gateway_id.to_string(),
            words: if gateway.gateway_id.is_default() {
                "own sign-in".to_owned()
            } else {
                gateway.name.clone()
            },
            chosen: gateway.gateway_id == choice.gateway,
            missing: false,
        })
        .collect()
}

fn models(known: &Workspace, choice: &crate::send::Choice) -> Vec<Offer> {
    let own = Offer {
        value: String::new(),
        words: "its own model".to_owned(),
        chosen: choice.model.is_none(),
        missing: false,
    };
    let gateway =
        names::gateways_of(known, &choice.sdk).find(|gateway| gateway.gateway_id == choice.gateway);
    let agent = known.agents.iter().find(|agent| agent.sdk == choice.sdk);
    let offered = agent
        .and_then(|agent| agent.models.as_ref())
        .filter(|_| choice.gateway.is_default());
    let named = gateway
        .into_iter()
        .flat_map(|gateway| &gateway.models)
        .chain(offered.into_iter().flatten())
        .map(|model| Offer {
            value: model.clone(),
            words: model.clone(),
            chosen: choice.model.as_ref() == Some(model),
            missing: false,
        });
    std::iter::once(own).chain(named).collect()
}

/// Where an agent's own models are not known yet: asks its program, which is started for it.
#[component]
fn AskForModels(composing: Composing) -> impl IntoView {
    let model = use_model();
    let asking = State::new(false);
    let choice = composing.choice;
    let agent = Derived::new(move || {
        model.workspace.with(|known| {
            choice.with(|choice| {
                let choice = choice.as_ref()?;
                let agents = &known.as_ref()?.agents;
                let agent = agents.iter().find(|agent| agent.sdk == choice.sdk)?;
                let is_unknown = choice.gateway.is_default() && agent.models.is_none();
                is_unknown.then(|| (agent.sdk.clone(), agent.label.clone()))
            })
        })
    });
    let ask = move |_| {
        let Some((sdk, label)) = agent.get_untracked().filter(|_| !asking.get_untracked()) else {
            return;
        };
        asking.set(true);
        spawn_local(async move {
            match api::agent_models(&sdk, model.ws().as_ref()).await {
                Ok(models) => {
                    if models.is_empty() {
                        model.notices.say(format!("{label} names no models."));
                    }
                    model.workspace.update(|known| {
                        let agents = known.iter_mut().flat_map(|known| &mut known.agents);
                        for agent in agents.filter(|agent| agent.sdk == sdk) {
                            agent.models = Some(models.clone());
                        }
                    });
                }
                Err(failed) => model.failed(&failed),
            }
            asking.try_set(false);
        });
    };
    move || {
        let (_, label) = agent.get()?;
        let words = if asking.get() { "Asking" } else { "Models" };
        let title = format!("Start {label} and ask which models it has. No model is asked.");
        Some(view! {
            <button type="button" class="picker" title=title on:click=on_mouse(ask)>
                {words}
            </button>
        })
    }
}

/// A list of one is no choice and is not shown, unless `strong`.
#[component]
fn Picker(
    id: &'static str,
    name: &'static str,
    options: Derived<Vec<Offer>>,
    pick: impl Fn(String) + Clone + Send + Sync + 'static,
    #[prop(optional)] strong: bool,
) -> impl IntoView {
    let shows = Derived::new(move || options.with(|options| options.len() > usize::from(!strong)));
    let offers = move || {
        options
            .get()
            .into_iter()
            .map(|offer| {
                view! {
                    <option value=offer.value disabled=offer.missing prop:selected=offer.chosen>
                        {offer.words}
                    </option>
                }
            })
            .collect::<Vec<_>>()
    };
    move || {
        let pick = pick.clone();
        shows.get().then(|| {
            view! {
                <span class="pick-list">
                    <select
                        class="picker"
                        class=("picker--strong", strong)
                        id=id
                        aria-label=name
                        on:change=move |event| pick(event_target_value(&event))
                    >
                        {redrawn(offers)}
                    </select>
                    <Icon name="down" />
                </span>
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rex_shared::wire::agent::{Capabilities, Sandbox};

    #[test]
    fn a_missing_agent_is_listed_with_what_to_do_and_one_that_nothing_keeps_from_writing_is_marked()
    {
        let agent = AgentInfo {
            sdk: Sdk::parse("codex").unwrap(),
            label: "Codex".to_owned(),
            version: None,
            capabilities: Capabilities {
                resume: true,
                chosen_id: false,
                permissions: true,
                images: false,
                act: false,
                cost: false,
            },
            sandbox: Sandbox::None,
            built_in: false,
            hint: Some("install it with npm".to_owned()),
            models: None,
        };
        assert_eq!(agent_words(&agent), "Codex is missing: install it with npm");
        let found = AgentInfo {
            version: Some("1.0".to_owned()),
            ..agent
        };
        assert_eq!(agent_words(&found), "Codex, not enforced");
        let kept = AgentInfo {
            sandbox: Sandbox::Landlock,
            built_in: false,
            ..found
        };
        assert_eq!(agent_words(&kept), "Codex");
    }
}
