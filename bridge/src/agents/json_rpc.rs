//! The envelope of the agents that speak JSON-RPC 2.0, one object a line.

use serde_json::{Value, json};

const UNKNOWN_METHOD: i64 = -32601;

/// One message, sorted by what it wants.
pub(super) enum Message {
    /// It wants an answer under this id, as it was written.
    Request(Value, String, Value),
    Notice(String, Value),
    /// To our request of this number.
    Answer(u64, Result<Value, Failure>),
}

/// The error half of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Failure {
    pub(super) code: i64,
    /// The message, and what `data` says in words.
    pub(super) words: String,
    /// An HTTP status, if `data` or the code names one.
    pub(super) status: Option<u16>,
}

pub(super) fn request(id: u64, method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

pub(super) fn notice(method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string()
}

pub(super) fn result(id: &Value, result: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string()
}

pub(super) fn unknown_method(id: &Value) -> String {
    let error = json!({"code": UNKNOWN_METHOD, "message": "Method not found"});
    json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string()
}

/// `None` when the line is no message of the protocol.
pub(super) fn read(line: &str) -> Option<Message> {
    sorted(&serde_json::from_str(line).ok()?)
}

/// The same of what was read as JSON already.
pub(super) fn sorted(message: &Value) -> Option<Message> {
    let id = message.get("id").filter(|id| !id.is_null());
    if let Some(method) = message.get("method").and_then(Value::as_str) {
        let params = message.get("params").cloned().unwrap_or_default();
        return Some(match id {
            Some(id) => Message::Request(id.clone(), method.to_owned(), params),
            None => Message::Notice(method.to_owned(), params),
        });
    }
    let number = id?.as_u64()?;
    if let Some(error) = message.get("error") {
        return Some(Message::Answer(number, Err(failure(error))));
    }
    let result = message.get("result")?.clone();
    Some(Message::Answer(number, Ok(result)))
}

fn failure(error: &Value) -> Failure {
    let code = error["code"].as_i64().unwrap_or_default();
    let message = error["message"].as_str().unwrap_or("failed");
    let data = &error["data"];
    let detail = ["details", "message", "reason"]
        .iter()
        .find_map(|name| data[*name].as_str())
        .or_else(|| data.as_str());
    let words = match detail {
        Some(detail) if !message.contains(detail) => format!("{message}: {detail}"),
        _ => message.to_owned(),
    };
    let status = ["status", "statusCode", "httpStatus"]
        .iter()
        .find_map(|name| data[*name].as_i64())
        .or(Some(code))
        .and_then(|status| u16::try_from(status).ok())
        .filter(|status| (400..600).contains(status));
    Failure {
        code,
        words,
        status,
    }
}
