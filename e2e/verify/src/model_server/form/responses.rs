//! OpenAI's Responses.

use super::{Piece, named, texts};
use crate::model_server::answer::{Answer, Content};
use crate::model_server::request::Said;
use serde_json::{Value, json};
use std::time::Duration;

pub(super) fn said(request: &Value) -> Option<Vec<Said>> {
    let input = request.get("input")?.as_array()?;
    Some(input.iter().filter_map(item_said).collect())
}

fn item_said(item: &Value) -> Option<Said> {
    let kind = item["type"].as_str().unwrap_or("message");
    if kind.ends_with("_call_output") {
        let output = texts(&item["output"], "input_text").join(" ");
        return Some(Said::ByTool(output));
    }
    (item["role"] == "user").then(|| Said::ByUser(texts(&item["content"], "input_text")))
}

pub(super) fn pieces(answer: &Answer) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut say = |after, event: Value| pieces.push(named(after, &event));
    let now = Duration::ZERO;
    let begun = json!({"id": answer.id, "object": "response", "status": "in_progress", "model": answer.model, "output": []});
    say(now, json!({"type": "response.created", "response": begun}));
    let items = items(answer);
    let last = items.len() - 1;
    for (index, item) in items.iter().enumerate() {
        let id = &item["id"];
        say(
            now,
            json!({"type": "response.output_item.added", "output_index": index, "item": opened(item)}),
        );
        if item["type"] == "reasoning" {
            let part = json!({"type": "summary_text", "text": ""});
            say(
                now,
                json!({"type": "response.reasoning_summary_part.added", "item_id": id, "output_index": index, "summary_index": 0, "part": part}),
            );
            say(
                now,
                json!({"type": "response.reasoning_summary_text.delta", "item_id": id, "output_index": index, "summary_index": 0, "delta": answer.thinking}),
            );
        } else {
            for chunk in answer.streamed() {
                say(
                    answer.pause,
                    json!({"type": "response.output_text.delta", "item_id": id, "output_index": index, "content_index": 0, "delta": chunk}),
                );
            }
        }
        if answer.broken_off && index == last {
            return pieces;
        }
        say(
            now,
            json!({"type": "response.output_item.done", "output_index": index, "item": item}),
        );
    }
    say(
        now,
        json!({"type": "response.completed", "response": whole(answer)}),
    );
    pieces
}

pub(super) fn whole(answer: &Answer) -> Value {
    json!({
        "id": answer.id, "object": "response", "status": "completed", "model": answer.model, "output": items(answer),
        "usage": {
            "input_tokens": answer.input_tokens, "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": answer.output_tokens(), "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": answer.input_tokens + answer.output_tokens(),
        },
    })
}

/// An item before anything of it is known.
fn opened(item: &Value) -> Value {
    let mut opened = item.clone();
    for (key, empty) in [
        ("content", json!([])),
        ("summary", json!([])),
        ("arguments", json!("")),
    ] {
        if let Some(value) = opened.get_mut(key) {
            *value = empty;
        }
    }
    opened
}

fn items(answer: &Answer) -> Vec<Value> {
    let thought = answer.thinking.as_ref().map(|thought| {
        let summary = [json!({"type": "summary_text", "text": thought})];
        json!({"type": "reasoning", "id": format!("rs_{}", answer.id), "summary": summary})
    });
    let item = match &answer.content {
        Content::Chunks(chunks) => {
            let text = json!({"type": "output_text", "text": chunks.concat(), "annotations": []});
            json!({"type": "message", "id": format!("item_{}", answer.id), "role": "assistant", "status": "completed", "content": [text]})
        }
        Content::Tool { id, name, input } => {
            json!({"type": "function_call", "id": format!("item_{}", answer.id), "call_id": id, "name": name, "arguments": input.to_string()})
        }
    };
    thought.into_iter().chain([item]).collect()
}
