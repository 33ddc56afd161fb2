//! Answers in the form of Anthropic's Messages interface, streamed and whole.

use super::request::Asked;
use super::script::Script;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

static NUMBER: AtomicU64 = AtomicU64::new(1);

/// Some bytes of a streamed answer, and how long before they are sent.
pub(super) struct Piece {
    pub(super) after: Duration,
    pub(super) text: String,
}

/// One answer of the model.
pub(super) struct Answer {
    id: String,
    model: String,
    input_tokens: usize,
    thinking: Option<String>,
    content: Content,
    pause: Duration,
    /// Whether it ends without an end.
    pub(super) broken_off: bool,
}

enum Content {
    Chunks(Vec<String>),
    Tool {
        id: String,
        name: String,
        input: Value,
    },
}

impl Answer {
    pub(super) fn new(asked: &Asked, script: &Script) -> Self {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let words = words(asked);
        let (thinking, content, pause) = match script {
            Script::Tool { name, input } => {
                let tool = Content::Tool {
                    id: format!("toolu_scripted{number:06}"),
                    name: name.clone(),
                    input: input.clone(),
                };
                (None, tool, Duration::ZERO)
            }
            Script::Slow(count) => {
                let chunks = (1..=*count).map(|at| format!("chunk-{at} ")).collect();
                (None, Content::Chunks(chunks), Duration::from_millis(100))
            }
            Script::Long(count) => {
                let chunks = (1..=*count).map(|at| format!("word-{at} ")).collect();
                (None, Content::Chunks(chunks), Duration::ZERO)
            }
            Script::Think(thought) => (
                Some(thought.clone()),
                Content::Chunks(in_words(&words)),
                Duration::ZERO,
            ),
            Script::Words | Script::Drop | Script::Fail { .. } => {
                (None, Content::Chunks(in_words(&words)), Duration::ZERO)
            }
        };
        Self {
            id: format!("msg_scripted{number:06}"),
            model: asked.model.clone(),
            input_tokens: asked.length / 4,
            thinking,
            content,
            pause,
            broken_off: *script == Script::Drop,
        }
    }

    /// The events of the streamed form.
    pub(super) fn pieces(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut say = |after, event: Value| {
            let name = event["type"].as_str().unwrap_or_default();
            pieces.push(Piece {
                after,
                text: format!("event: {name}\ndata: {event}\n\n"),
            });
        };
        let now = Duration::ZERO;
        say(
            now,
            json!({"type": "message_start", "message": self.message(json!([]), Value::Null, 1)}),
        );
        let mut index = 0;
        if let Some(thought) = &self.thinking {
            say(
                now,
                start(
                    index,
                    &json!({"type": "thinking", "thinking": "", "signature": ""}),
                ),
            );
            say(
                now,
                delta(
                    index,
                    &json!({"type": "thinking_delta", "thinking": thought}),
                ),
            );
            say(
                now,
                delta(
                    index,
                    &json!({"type": "signature_delta", "signature": "scripted"}),
                ),
            );
            say(now, json!({"type": "content_block_stop", "index": index}));
            index += 1;
        }
        match &self.content {
            Content::Chunks(chunks) => {
                say(now, start(index, &json!({"type": "text", "text": ""})));
                let told = if self.broken_off {
                    chunks.len() / 2
                } else {
                    chunks.len()
                };
                for chunk in chunks.iter().take(told) {
                    say(
                        self.pause,
                        delta(index, &json!({"type": "text_delta", "text": chunk})),
                    );
                }
            }
            Content::Tool { id, name, input } => {
                say(
                    now,
                    start(
                        index,
                        &json!({"type": "tool_use", "id": id, "name": name, "input": {}}),
                    ),
                );
                say(
                    now,
                    delta(
                        index,
                        &json!({"type": "input_json_delta", "partial_json": input.to_string()}),
                    ),
                );
            }
        }
        if self.broken_off {
            return pieces;
        }
        say(now, json!({"type": "content_block_stop", "index": index}));
        say(
            now,
            json!({
                "type": "message_delta",
                "delta": {"stop_reason": self.stop_reason(), "stop_sequence": null},
                "usage": {"output_tokens": self.output_tokens()},
            }),
        );
        say(now, json!({"type": "message_stop"}));
        pieces
    }

    /// The whole answer at once.
    pub(super) fn whole(&self) -> String {
        let block = match &self.content {
            Content::Chunks(chunks) => json!({"type": "text", "text": chunks.concat()}),
            Content::Tool { id, name, input } => {
                json!({"type": "tool_use", "id": id, "name": name, "input": input})
            }
        };
        let reason = json!(self.stop_reason());
        self.message(json!([block]), reason, self.output_tokens())
            .to_string()
    }

    fn message(&self, content: Value, stop_reason: Value, output_tokens: usize) -> Value {
        json!({
            "id": self.id, "type": "message", "role": "assistant", "model": self.model, "content": content,
            "stop_reason": stop_reason, "stop_sequence": null,
            "usage": {
                "input_tokens": self.input_tokens, "output_tokens": output_tokens,
                "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
            },
        })
    }

    fn stop_reason(&self) -> &'static str {
        match self.content {
            Content::Chunks(_) => "end_turn",
            Content::Tool { .. } => "tool_use",
        }
    }

    fn output_tokens(&self) -> usize {
        match &self.content {
            Content::Chunks(chunks) => chunks.len().max(1),
            Content::Tool { .. } => 8,
        }
    }
}

/// The body of a failed request.
pub(super) fn error(status: u16, reason: &str) -> String {
    let kind = match status {
        401 => "authentication_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        400..=499 => "invalid_request_error",
        _ => "api_error",
    };
    json!({"type": "error", "error": {"type": kind, "message": reason}}).to_string()
}

pub(super) fn token_count(asked: &Asked) -> String {
    json!({"input_tokens": asked.length / 4}).to_string()
}

fn words(asked: &Asked) -> String {
    let turns = asked.turns;
    if asked.results.is_empty() {
        return format!("turns={turns} last={:?}", asked.last);
    }
    let result = asked.results.join(" ");
    format!(
        "turns={turns} tools={} result={result:?}",
        asked.results.len()
    )
}

fn in_words(text: &str) -> Vec<String> {
    text.split_inclusive(' ').map(str::to_owned).collect()
}

fn start(index: usize, block: &Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn delta(index: usize, delta: &Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}
