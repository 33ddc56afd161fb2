//! The program's items (texts, thoughts, commands, …) as events of the turn.

use crate::agents::seam::{Event, Step};
use serde_json::{Value, json};

/// What an item that has begun says.
pub(super) fn started(item: &Value) -> Step {
    match tool(item) {
        Some((name, input)) => Step::event(Event::ToolStarted {
            call_id: id(item),
            name,
            input,
        }),
        None => Step::default(),
    }
}

/// What a finished item says: all of it, replacing what was streamed.
pub(super) fn completed(item: &Value) -> Step {
    match item["type"].as_str().unwrap_or_default() {
        "agentMessage" | "plan" => Step::event(Event::TextWhole {
            key: id(item),
            text: text(&item["text"]),
        }),
        "reasoning" => Step {
            events: thoughts(item),
            ..Step::default()
        },
        // The person's own words, and marks of the program's housekeeping.
        "userMessage" | "hookPrompt" | "contextCompaction" | "sleep" => Step::default(),
        _ if tool(item).is_some() => Step::event(Event::ToolDone {
            call_id: id(item),
            text: result(item),
            is_error: has_failed(item),
        }),
        unknown => Step::event(Event::Other {
            original_type: format!("item/{unknown}"),
            payload: item.clone(),
        }),
    }
}

/// The key of a thought: it is told in parts.
pub(super) fn thought_key(item_id: &str, part: u64) -> String {
    format!("{item_id}/{part}")
}

/// A summary where the provider gives one, else the thoughts themselves.
fn thoughts(item: &Value) -> Vec<Event> {
    let parts = ["summary", "content"]
        .iter()
        .filter_map(|name| item[*name].as_array())
        .find(|parts| !parts.is_empty());
    let whole = |(part, text): (u64, &Value)| Event::ThinkingWhole {
        key: thought_key(&id(item), part),
        text: text.as_str().unwrap_or_default().to_owned(),
    };
    (0..).zip(parts.into_iter().flatten()).map(whole).collect()
}

/// The tool's name and input, if the item is the use of one.
fn tool(item: &Value) -> Option<(String, Value)> {
    let named = |name: &str, input: Value| Some((name.to_owned(), input));
    match item["type"].as_str()? {
        "commandExecution" => named(
            "Shell",
            json!({"command": item["command"], "folder": item["cwd"]}),
        ),
        "fileChange" => named("Edit", json!({"changes": item["changes"]})),
        "webSearch" => named("WebSearch", json!({"query": item["query"]})),
        "imageView" => named("ViewImage", json!({"path": item["path"]})),
        "mcpToolCall" => {
            let name = format!("{}.{}", text(&item["server"]), text(&item["tool"]));
            named(&name, item["arguments"].clone())
        }
        "dynamicToolCall" => named(&text(&item["tool"]), item["arguments"].clone()),
        _ => None,
    }
}

fn result(item: &Value) -> String {
    for name in ["aggregatedOutput", "result", "error", "contentItems"] {
        match &item[name] {
            Value::Null => {}
            Value::String(text) => return text.clone(),
            other => return texts_in(other).unwrap_or_else(|| other.to_string()),
        }
    }
    String::new()
}

/// The texts of a tool's content blocks.
fn texts_in(value: &Value) -> Option<String> {
    let blocks = value["content"].as_array().or_else(|| value.as_array())?;
    let texts: Vec<&str> = blocks
        .iter()
        .filter_map(|block| block["text"].as_str())
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

fn has_failed(item: &Value) -> bool {
    matches!(item["status"].as_str(), Some("failed" | "declined"))
        || item["exitCode"].as_i64().is_some_and(|code| code != 0)
        || item["success"] == false
}

fn id(item: &Value) -> String {
    text(&item["id"])
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
