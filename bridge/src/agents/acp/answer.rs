//! The agent's `session/request_permission` and what it is answered.

use crate::agents::seam::Asked;
use rex_shared::wire::message::Mode;
use rex_shared::wire::prompt::{Answer, DialogKind};
use serde_json::{Value, json};

/// An open question, as far as the answer needs it.
pub(super) struct Open {
    /// The request's id, as it was written.
    id: Value,
    options: Value,
}

/// What is to be done about a request.
pub(super) enum Request {
    /// The person is asked.
    Person(Box<Asked>, Open),
    /// It would change files in a conversation that cannot: refused, and nobody is asked.
    Refused(Value),
}

/// Reads a request for permission.
pub(super) fn read(label: &str, mode: Mode, id: &Value, params: &Value) -> Request {
    let call = &params["toolCall"];
    let kind = call["kind"].as_str().unwrap_or("other");
    let open = Open {
        id: id.clone(),
        options: params["options"].clone(),
    };
    if mode == Mode::Ask && matches!(kind, "edit" | "delete" | "move") {
        return Request::Refused(outcome(&open, Answer::Deny));
    }
    let input = &call["rawInput"];
    let command = text(&input["command"]);
    let path = text(&call["locations"][0]["path"]).or_else(|| {
        ["path", "filePath", "file_path"]
            .iter()
            .find_map(|name| text(&input[*name]))
    });
    let what = match kind {
        "read" | "search" => "read something",
        "execute" => "run a command",
        "edit" | "delete" | "move" => "change files",
        "fetch" => "fetch something",
        _ => "do something",
    };
    let asked = Asked {
        ask_id: id.to_string(),
        kind: DialogKind::Permission,
        title: format!("{label} asks to {what}"),
        action: text(&call["title"]).or_else(|| Some(kind.to_owned())),
        command,
        path,
        diff: diff(&call["content"]),
        options: Vec::new(),
    };
    Request::Person(Box::new(asked), open)
}

/// The answer to an open question: the option that says what the person said, else that it is cancelled.
pub(super) fn outcome(open: &Open, answer: Answer) -> Value {
    let wanted: &[&str] = match answer {
        Answer::AllowOnce => &["allow_once"],
        Answer::AllowThread => &["allow_always", "allow_once"],
        Answer::Deny => &["reject_once", "reject_always"],
    };
    let option = wanted
        .iter()
        .find_map(|kind| {
            let options = open.options.as_array()?;
            options.iter().find(|option| option["kind"] == **kind)
        })
        .and_then(|option| option["optionId"].as_str());
    match option {
        Some(option) => json!({"outcome": {"outcome": "selected", "optionId": option}}),
        None => cancelled(),
    }
}

/// The answer to a question that is void.
pub(super) fn cancelled() -> Value {
    json!({"outcome": {"outcome": "cancelled"}})
}

impl Open {
    pub(super) fn id(&self) -> &Value {
        &self.id
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// Old and new text as the protocol gives them: whole, so they are shown as removed and added lines.
fn diff(content: &Value) -> Option<String> {
    let change = content
        .as_array()?
        .iter()
        .find(|part| part["type"] == "diff")?;
    let old = change["oldText"].as_str().unwrap_or_default();
    let new = change["newText"].as_str().unwrap_or_default();
    let mut lines: Vec<String> = old.lines().map(|line| format!("-{line}")).collect();
    lines.extend(new.lines().map(|line| format!("+{line}")));
    Some(lines.join("\n"))
}
