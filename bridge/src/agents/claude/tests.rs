//! The dialogue with Claude Code, line by line, and how the program is started.

mod answering;
mod asking;
mod ending;
mod noise;
mod starting;

use super::Claude;
use crate::agents::examples::{self, later, starts_nothing_else};
use crate::agents::found::Found;
use crate::agents::seam::{Agent as _, Event, Input, Secret, SessionStart, Step, Turn};
use crate::processes::{Environment, Exit};
use proptest::prelude::*;
use rex_shared::ids::Sdk;
use rex_shared::wire::message::{Context, Refusal, RefusalClass, Tokens};
use rex_shared::wire::prompt::{Answer, PromptImage};
use serde_json::{Value, json};
use std::path::Path;

const ID: &str = "5a0d7e0e-33aa-5f0f-9a0c-1d6d1a2b3c4d";

fn fresh() -> Turn {
    Turn {
        model: Some("claude-opus-5-5".to_owned()),
        ..examples::turn(SessionStart::New {
            id: Some(ID.to_owned()),
        })
    }
}

fn resumed() -> Turn {
    later(ID)
}

fn claude() -> Claude {
    Claude::new(
        Sdk::parse("claude").unwrap(),
        &Environment::of([("HOME", "/home/a")]),
    )
}

/// What a turn told after these lines.
fn heard(turn: &Turn, lines: &[Value]) -> Vec<Event> {
    let mut dialogue = claude().dialogue(turn);
    dialogue.open();
    lines
        .iter()
        .flat_map(|line| dialogue.heard(&line.to_string()).events)
        .collect()
}

fn init() -> Value {
    json!({"type": "system", "subtype": "init", "session_id": ID, "model": "claude-opus-5-5", "tools": ["Read"]})
}

fn stream(event: &Value) -> Value {
    json!({"type": "stream_event", "event": event, "session_id": ID, "parent_tool_use_id": null})
}

fn block(index: u64, kind: &str) -> Value {
    stream(&json!({"type": "content_block_start", "index": index, "content_block": {"type": kind}}))
}

fn text_delta(index: u64, text: &str) -> Value {
    stream(
        &json!({"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": text}}),
    )
}

fn whole(id: &str, content: &Value) -> Value {
    json!({"type": "assistant", "message": {"id": id, "model": "claude-opus-5-5", "content": [content]}, "parent_tool_use_id": null})
}

fn begin(id: &str) -> Value {
    let usage = json!({"input_tokens": 100, "output_tokens": 1, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 3});
    stream(&json!({"type": "message_start", "message": {"id": id, "usage": usage}}))
}

fn done() -> Value {
    json!({
        "total_cost_usd": 9.9, "usage": {"input_tokens": 1}, "subtype": "success", "is_error": false,
        "terminal_reason": "completed", "type": "result", "session_id": ID,
        "modelUsage": {"claude-opus-5-5": {"inputTokens": 999, "costUSD": 9.9, "contextWindow": 200_000}},
        "model_usage_since_last_result": {"claude-opus-5-5": {
            "inputTokens": 100, "outputTokens": 7, "cacheReadInputTokens": 20, "cacheCreationInputTokens": 3,
            "costUSD": 0.25, "contextWindow": 200_000,
        }},
    })
}

fn end(events: &[Event]) -> &Event {
    let ends: Vec<&Event> = events.iter().filter(|event| event.is_end()).collect();
    assert_eq!(ends.len(), 1, "one end: {events:?}");
    ends[0]
}
