//! An agent's work beside its words: tool calls and thinking, one line each, opened on demand. Errors are never folded.

use super::tool_line::tool_line;
use crate::icon::Icon;
use crate::model::use_model;
use crate::reactive::{Derived, SharedState, State, redrawn};
use leptos::html;
use leptos::prelude::*;
use rex_shared::wire::message::{Part, ToolResult, ToolStatus};
use serde_json::Value;

/// Thinking, folded.
#[component]
pub(super) fn Thinking(part: SharedState<Part>) -> impl IntoView {
    let text = move || {
        part.with(|part| match part {
            Part::Thinking { text, .. } => text.clone(),
            _ => String::new(),
        })
    };
    let body = move || view! { <p class="fold__text">{text.clone()}</p> }.into_any();
    view! { <Fold icon="think" line=|| "Thought".into_any() body /> }
}

/// A tool call: folded, unless it failed.
#[component]
pub(super) fn Tool(part: SharedState<Part>) -> impl IntoView {
    let failed = {
        let part = part.clone();
        Derived::new(move || {
            part.with(|part| {
                matches!(
                    part,
                    Part::Tool {
                        status: ToolStatus::Failed,
                        ..
                    }
                )
            })
        })
    };
    move || {
        let part = part.clone();
        if failed.get() {
            view! { <FailedTool part /> }.into_any()
        } else {
            let line = {
                let part = part.clone();
                move || view! { <ToolLine part=part.clone() /> }.into_any()
            };
            let icon = tool_icon(&part);
            let body = move || view! { <ToolBody part=part.clone() /> }.into_any();
            view! { <Fold icon line body /> }.into_any()
        }
    }
}

/// One line that opens. What is inside is drawn only while it is open.
#[component]
fn Fold(
    icon: &'static str,
    line: impl Fn() -> AnyView + Send + Sync + 'static,
    body: impl Fn() -> AnyView + Send + Sync + 'static,
) -> impl IntoView {
    let open = State::new(false);
    let details = NodeRef::<html::Details>::new();
    view! {
        <div class="folds">
            <details
                class="fold"
                node_ref=details
                on:toggle=move |_| open.set(details.get_untracked().is_some_and(|details| details.open()))
            >
                <summary>
                    <Icon name=icon />
                    <span class="truncate">{line()}</span>
                    <Icon name="right" />
                </summary>
                {move || open.get().then(|| view! { <div class="fold__body">{body()}</div> })}
            </details>
        </div>
    }
}

#[component]
fn ToolLine(part: SharedState<Part>) -> impl IntoView {
    let model = use_model();
    move || {
        let root = model.workspace.with(|workspace| {
            workspace
                .as_ref()
                .map(|workspace| workspace.workspace.root.clone())
                .unwrap_or_default()
        });
        part.with(|part| {
            let Part::Tool {
                name,
                input,
                status,
                ..
            } = part
            else {
                return None;
            };
            let line = tool_line(name, input, &root);
            let state = match status {
                ToolStatus::Running => "running",
                ToolStatus::Done => "ok",
                ToolStatus::Failed => "failed",
            };
            let about = line.about.map(|about| view! { " " <code>{about}</code> });
            Some(view! { {line.name} {about} " · " {state} })
        })
    }
}

#[component]
fn ToolBody(part: SharedState<Part>) -> impl IntoView {
    move || {
        part.with(|part| {
            let Part::Tool { input, result, .. } = part else {
                return None;
            };
            Some(view! {
                <pre tabindex="0"><code>{pretty(input)}</code></pre>
                {result.as_ref().map(said)}
            })
        })
    }
}

#[component]
fn FailedTool(part: SharedState<Part>) -> impl IntoView {
    let result = {
        let part = part.clone();
        move || {
            part.with(|part| match part {
                Part::Tool { result, .. } => result.as_ref().map(said),
                _ => None,
            })
        }
    };
    view! {
        <div class="failed" role="group" aria-label="Failed tool call">
            <p class="failed__line">
                <Icon name="alert" />
                <span class="truncate"><ToolLine part /></span>
            </p>
            {redrawn(result)}
        </div>
    }
}

fn said(result: &ToolResult) -> impl IntoView + use<> {
    view! { <pre tabindex="0"><code>{result.text.clone()}</code></pre> }
}

fn pretty(input: &Value) -> String {
    match input {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    }
}

/// The icon by what the call is about; no agent's name for a tool decides anything else.
fn tool_icon(part: &SharedState<Part>) -> &'static str {
    part.with_untracked(|part| match part {
        Part::Tool { input, .. }
            if input.get("command").is_some() || input.get("cmd").is_some() =>
        {
            "terminal"
        }
        Part::Tool { input, .. }
            if input.get("pattern").is_some() || input.get("query").is_some() =>
        {
            "search"
        }
        _ => "read",
    })
}
