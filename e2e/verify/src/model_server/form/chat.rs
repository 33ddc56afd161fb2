//! OpenAI's Chat Completions.

use super::{Piece, texts};
use crate::model_server::answer::{Answer, Content};
use crate::model_server::request::Said;
use serde_json::{Value, json};
use std::time::Duration;

pub(super) fn said(request: &Value) -> Option<Vec<Said>> {
    let messages = request.get("messages")?.as_array()?;
    Some(messages.iter().filter_map(message_said).collect())
}

fn message_said(message: &Value) -> Option<Said> {
    let words = texts(&message["content"], "text");
    match message["role"].as_str()? {
        "user" => Some(Said::ByUser(words)),
        "tool" => Some(Said::ByTool(words.join(" "))),
        _ => None,
    }
}

pub(super) fn pieces(answer: &Answer) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut say = |after, delta: Value, finish: Value| {
        pieces.push(piece(after, answer, &delta, &finish, &Value::Null));
    };
    let now = Duration::ZERO;
    say(
        now,
        json!({"role": "assistant", "content": ""}),
        Value::Null,
    );
    if let Some(thought) = &answer.thinking {
        say(now, json!({"reasoning_content": thought}), Value::Null);
    }
    match &answer.content {
        Content::Chunks(_) => {
            for chunk in answer.streamed() {
                say(answer.pause, json!({"content": chunk}), Value::Null);
            }
        }
        Content::Tool { .. } => {
            let mut call = call(answer);
            call["index"] = json!(0);
            say(now, json!({"tool_calls": [call]}), Value::Null);
        }
    }
    if answer.broken_off {
        return pieces;
    }
    say(now, json!({}), json!(finish(answer)));
    pieces.push(piece(
        now,
        answer,
        &Value::Null,
        &Value::Null,
        &usage(answer),
    ));
    pieces.push(Piece {
        after: now,
        text: "data: [DONE]\n\n".to_owned(),
    });
    pieces
}

pub(super) fn whole(answer: &Answer) -> Value {
    let message = match &answer.content {
        Content::Chunks(chunks) => json!({"role": "assistant", "content": chunks.concat()}),
        Content::Tool { .. } => {
            json!({"role": "assistant", "content": null, "tool_calls": [call(answer)]})
        }
    };
    json!({
        "id": answer.id, "object": "chat.completion", "created": 0, "model": answer.model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish(answer)}],
        "usage": usage(answer),
    })
}

/// The two interfaces of this vendor fail in the same form.
pub(super) fn error(status: u16, reason: &str) -> Value {
    let kind = match status {
        400..=499 => "invalid_request_error",
        _ => "server_error",
    };
    json!({"error": {"message": reason, "type": kind, "param": null, "code": null}})
}

/// The last chunk has no choice and says the usage.
fn piece(after: Duration, answer: &Answer, delta: &Value, finish: &Value, usage: &Value) -> Piece {
    let choices = if delta.is_null() {
        json!([])
    } else {
        json!([{"index": 0, "delta": delta, "finish_reason": finish}])
    };
    let chunk = json!({
        "id": answer.id, "object": "chat.completion.chunk", "created": 0, "model": answer.model,
        "choices": choices, "usage": usage,
    });
    Piece {
        after,
        text: format!("data: {chunk}\n\n"),
    }
}

fn call(answer: &Answer) -> Value {
    match &answer.content {
        Content::Chunks(_) => Value::Null,
        Content::Tool { id, name, input } => {
            json!({"id": id, "type": "function", "function": {"name": name, "arguments": input.to_string()}})
        }
    }
}

fn finish(answer: &Answer) -> &'static str {
    match answer.content {
        Content::Chunks(_) => "stop",
        Content::Tool { .. } => "tool_calls",
    }
}

fn usage(answer: &Answer) -> Value {
    let (input, output) = (answer.input_tokens, answer.output_tokens());
    json!({"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output})
}
