//! What stands where the paper will be while no document is open: documents to open, agents to ask.

use crate::icon::Icon;
use crate::model::use_model;
use crate::navigate;
use crate::rail::row::is_plain_click;
use crate::rail::tree::paths;
use crate::reactive::{Derived, Only, on_mouse, redrawn};
use leptos::prelude::*;
use rex_shared::wire::agent::AgentInfo;

/// Documents offered here; the rest is in the rail.
const OFFERED: usize = 12;

#[component]
pub(super) fn FirstRun() -> impl IntoView {
    let model = use_model();
    let name = move || {
        model.workspace.with(|workspace| {
            workspace
                .as_ref()
                .map(|workspace| workspace.workspace.name.clone())
        })
    };
    let cannot_read = move || {
        model.workspace.with(|workspace| {
            workspace
                .as_ref()
                .is_some_and(|workspace| !workspace.workspace.available)
        })
    };
    let all = Derived::new(move || model.files.with(|files| files.as_ref().map(paths)));
    let agents = move || {
        model
            .workspace
            .with(|workspace| workspace.as_ref().map(|workspace| workspace.agents.clone()))
            .unwrap_or_default()
    };
    let has_demo = move || agents().iter().any(|agent| agent.built_in);
    let documents = move || {
        all.get()
            .unwrap_or_default()
            .into_iter()
            .take(OFFERED)
            .map(|path| view! { <DocumentLink path /> })
            .collect_view()
    };
    let found = move || all.with(|all| all.as_ref().map(|all| format!("{} found", all.len())));
    view! {
        <main class="centre" id="paper">
        <div class="centre__scroll" tabindex="0" role="group" aria-label="Documents and agents">
            <div class="welcome">
                <header class="welcome__hi">
                    <h1>"Open a document, select a passage, ask."</h1>
                    <p>
                        "Each comment is a conversation with an agent. It stays on its passage, and it waits for you: next week it is where you left it."
                    </p>
                </header>
                <Only when=move || cannot_read()>
                    <p class="welcome__alert" role="alert">
                        "The folder of this workspace cannot be read now. Its comments are kept and can be read in the rail."
                    </p>
                </Only>
                <Only when=move || has_demo()>
                    <section class="welcome__demo" aria-labelledby="demo-title">
                        <strong id="demo-title">"Try it without an account"</strong>
                        <p>
                            "The demo agent is built in. It answers by rules, costs nothing and sends nothing anywhere. Pick it where you write a comment."
                        </p>
                    </section>
                </Only>
                <section aria-labelledby="documents-title">
                    <h2 class="section__h" id="documents-title">
                        "Documents in " {redrawn(name)}
                        <span>{redrawn(found)}</span>
                    </h2>
                    <div class="docs">{redrawn(documents)}</div>
                </section>
                <section aria-labelledby="agents-title">
                    <h2 class="section__h" id="agents-title">"Agents on this machine"</h2>
                    <table class="agents">
                        <thead class="vh">
                            <tr>
                                <th scope="col">"Agent"</th>
                                <th scope="col">"Version"</th>
                                <th scope="col">"Remembers by"</th>
                                <th scope="col">"State"</th>
                            </tr>
                        </thead>
                        <tbody>
                            {move || agents().into_iter().map(|agent| view! { <AgentRow agent /> }).collect_view()}
                        </tbody>
                    </table>
                    <p class="welcome__more">
                        <button type="button" class="btn" on:click=on_mouse(move |_| model.gateways_shown.set(true))>
                            "Gateways"
                        </button>
                        "Other addresses at which an agent may ask its models."
                    </p>
                </section>
            </div>
        </div>
        </main>
    }
}

#[component]
fn DocumentLink(path: String) -> impl IntoView {
    let model = use_model();
    let href = {
        let path = path.clone();
        move || navigate::url_of_document(model, path.clone())
    };
    let text = path.clone();
    view! {
        <a
            href=redrawn(href)
            on:click=on_mouse(move |event| {
                if is_plain_click(&event) {
                    event.prevent_default();
                    navigate::to_document(model, path.clone());
                }
            })
        >
            <Icon name="file" />
            <span class="truncate">{text}</span>
        </a>
    }
}

#[component]
fn AgentRow(agent: AgentInfo) -> impl IntoView {
    let remembers = if agent.capabilities.resume {
        "goes on with its own record, else is given the conversation"
    } else {
        "is given the conversation on every send"
    };
    let state = match &agent.version {
        Some(_) => view! {
            <span class="state" data-s="ok">
                <Icon name="check" />
                "found"
            </span>
        }
        .into_any(),
        None => view! {
            <span class="state" data-s="off">
                <Icon name="close" />
                "not found"
            </span>
            {agent.hint.map(|hint| view! { <small class="sub">{hint}</small> })}
        }
        .into_any(),
    };
    view! {
        <tr>
            <th scope="row">{agent.label}</th>
            <td class="sub">{agent.version}</td>
            <td>{remembers}</td>
            <td>{state}</td>
        </tr>
    }
}
