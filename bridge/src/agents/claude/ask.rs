//! The program's questions and what it is answered.

use super::READING_TOOLS;
use crate::agents::seam::Asked;
use rex_shared::wire::prompt::{Answer, DialogKind};
use serde_json::{Value, json};

/// An open question, as far as the answer needs it.
pub(super) struct Open {
    input: Value,
    /// What the program suggests to allow for the rest of its life.
    suggestions: Vec<Value>,
}

/// A `can_use_tool` request: a question for the person, or the answer REX gives for them.
pub(super) enum Request {
    Person(Box<Asked>, Open),
    /// A tool that is not of this mode. It is not offered, so asking for it is a mistake or worse.
    Refused(String),
}

/// Reads a `can_use_tool` request.
pub(super) fn read(ask_id: &str, request: &Value) -> Request {
    let tool = request["tool_name"].as_str().unwrap_or("an unnamed tool");
    if !READING_TOOLS.contains(&tool) {
        return Request::Refused(response(
            ask_id,
            &json!({"behavior": "deny", "message": "This conversation can read files, not change them or run commands."}),
        ));
    }
    let input = request["input"].clone();
    let path = ["file_path", "path", "pattern"]
        .iter()
        .find_map(|name| input[*name].as_str())
        .map(str::to_owned);
    let title = if tool == "Read" {
        "Claude asks to read a file outside the workspace"
    } else {
        "Claude asks to search outside the workspace"
    };
    let asked = Asked {
        ask_id: ask_id.to_owned(),
        kind: DialogKind::Permission,
        title: title.to_owned(),
        action: Some(tool.to_owned()),
        command: None,
        path,
        diff: None,
        options: Vec::new(),
    };
    let suggestions = request["permission_suggestions"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|suggestion| only_reads(suggestion))
        .cloned()
        .collect();
    Request::Person(Box::new(asked), Open { input, suggestions })
}

/// Rules for reading that die with the process. Anything that reaches further (a mode, a settings file) is not taken.
fn only_reads(suggestion: &Value) -> bool {
    suggestion["type"] == "addRules"
        && suggestion["destination"] == "session"
        && suggestion["behavior"] == "allow"
        && suggestion["rules"]
            .as_array()
            .is_some_and(|rules| rules.iter().all(|rule| rule["toolName"] == "Read"))
}

/// The line that answers an open question.
pub(super) fn answer(ask_id: &str, open: &Open, answer: Answer, text: Option<&str>) -> String {
    let response_body = match answer {
        Answer::AllowOnce => json!({"behavior": "allow", "updatedInput": open.input}),
        Answer::AllowThread => json!({
            "behavior": "allow", "updatedInput": open.input, "updatedPermissions": open.suggestions,
        }),
        Answer::Deny => json!({
            "behavior": "deny", "message": text.unwrap_or("The user said no. Go on without it."),
        }),
    };
    response(ask_id, &response_body)
}

/// The line that answers a request this adapter does not know: silence would hold the program up for ever.
pub(super) fn unknown(request_id: &str) -> String {
    json!({
        "type": "control_response",
        "response": {"subtype": "error", "request_id": request_id, "error": "not supported here"},
    })
    .to_string()
}

fn response(request_id: &str, body: &Value) -> String {
    json!({
        "type": "control_response",
        "response": {"subtype": "success", "request_id": request_id, "response": body},
    })
    .to_string()
}
