//! Anthropic's Messages.

use super::{Piece, named, texts};
use crate::model_server::answer::{Answer, Content};
use crate::model_server::request::Said;
use serde_json::{Value, json};
use std::time::Duration;

pub(super) fn said(request: &Value) -> Option<Vec<Said>> {
    let messages = request.get("messages")?.as_array()?;
    let of_user = messages.iter().filter(|message| message["role"] == "user");
    Some(
        of_user
            .flat_map(|message| in_message(&message["content"]))
            .collect(),
    )
}

fn in_message(content: &Value) -> Vec<Said> {
    let mut said = vec![Said::ByUser(texts(content, "text"))];
    let results = content.as_array().into_iter().flatten();
    said.extend(
        results
            .filter(|block| block["type"] == "tool_result")
            .map(|block| Said::ByTool(texts(&block["content"], "text").join(" "))),
    );
    said
}

pub(super) fn pieces(answer: &Answer) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut say = |after, event: Value| pieces.push(named(after, &event));
    let now = Duration::ZERO;
    say(
        now,
        json!({"type": "message_start", "message": message(answer, &json!([]), &Value::Null, 1)}),
    );
    let mut index = 0;
    if let Some(thought) = &answer.thinking {
        let block = json!({"type": "thinking", "thinking": "", "signature": ""});
        say(now, start(index, &block));
        let thinking = json!({"type": "thinking_delta", "thinking": thought});
        say(now, delta(index, &thinking));
        let signature = json!({"type": "signature_delta", "signature": "scripted"});
        say(now, delta(index, &signature));
        say(now, json!({"type": "content_block_stop", "index": index}));
        index += 1;
    }
    match &answer.content {
        Content::Chunks(_) => {
            say(now, start(index, &json!({"type": "text", "text": ""})));
            for chunk in answer.streamed() {
                let text = json!({"type": "text_delta", "text": chunk});
                say(answer.pause, delta(index, &text));
            }
        }
        Content::Tool { id, name, input } => {
            let call = json!({"type": "tool_use", "id": id, "name": name, "input": {}});
            say(now, start(index, &call));
            let input = json!({"type": "input_json_delta", "partial_json": input.to_string()});
            say(now, delta(index, &input));
        }
    }
    if answer.broken_off {
        return pieces;
    }
    say(now, json!({"type": "content_block_stop", "index": index}));
    say(
        now,
        json!({
            "type": "message_delta",
            "delta": {"stop_reason": stop_reason(answer), "stop_sequence": null},
            "usage": {"output_tokens": answer.output_tokens()},
        }),
    );
    say(now, json!({"type": "message_stop"}));
    pieces
}

pub(super) fn whole(answer: &Answer) -> Value {
    let block = match &answer.content {
        Content::Chunks(chunks) => json!({"type": "text", "text": chunks.concat()}),
        Content::Tool { id, name, input } => {
            json!({"type": "tool_use", "id": id, "name": name, "input": input})
        }
    };
    let reason = json!(stop_reason(answer));
    message(answer, &json!([block]), &reason, answer.output_tokens())
}

pub(super) fn error(status: u16, reason: &str) -> Value {
    let kind = match status {
        401 => "authentication_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        400..=499 => "invalid_request_error",
        _ => "api_error",
    };
    json!({"type": "error", "error": {"type": kind, "message": reason}})
}

fn message(answer: &Answer, content: &Value, stop_reason: &Value, output_tokens: usize) -> Value {
    json!({
        "id": answer.id, "type": "message", "role": "assistant", "model": answer.model, "content": content,
        "stop_reason": stop_reason, "stop_sequence": null,
        "usage": {
            "input_tokens": answer.input_tokens, "output_tokens": output_tokens,
            "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
        },
    })
}

fn stop_reason(answer: &Answer) -> &'static str {
    match answer.content {
        Content::Chunks(_) => "end_turn",
        Content::Tool { .. } => "tool_use",
    }
}

fn start(index: usize, block: &Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn delta(index: usize, delta: &Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}
