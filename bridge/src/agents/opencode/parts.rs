//! The parts of the model's messages (texts, thoughts, calls), as events of the turn.

use crate::agents::seam::Event;
use rex_shared::wire::message::Tokens;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The program's word for a call of a tool that it does not offer.
const NOT_OFFERED: &str = "invalid";

/// What was told of the turn so far.
#[derive(Default)]
pub(super) struct Parts {
    /// The model's messages, with what each used; the person's own come as messages too.
    messages: BTreeMap<String, (Tokens, f64)>,
    voices: HashMap<String, Voice>,
    started: HashSet<String>,
    done: HashSet<String>,
}

#[derive(Clone, Copy)]
enum Voice {
    Text,
    Thinking,
}

impl Parts {
    /// A message was made or has changed: the sum of what the turn's messages used, when there is something.
    pub(super) fn message(&mut self, info: &Value) -> Option<(Tokens, f64)> {
        if info["role"] != "assistant" {
            return None;
        }
        let used = &info["tokens"];
        let count = |value: &Value| value.as_u64().unwrap_or_default();
        let tokens = Tokens {
            input: count(&used["input"]),
            output: count(&used["output"]).saturating_add(count(&used["reasoning"])),
            cache_read: count(&used["cache"]["read"]),
            cache_write: count(&used["cache"]["write"]),
        };
        let cost = info["cost"].as_f64().unwrap_or_default();
        let id = info["id"].as_str()?.to_owned();
        self.messages.insert(id, (tokens, cost));
        let mut sum = (Tokens::default(), 0.0);
        for (tokens, cost) in self.messages.values() {
            let Tokens {
                input,
                output,
                cache_read,
                cache_write,
            } = &mut sum.0;
            *input = input.saturating_add(tokens.input);
            *output = output.saturating_add(tokens.output);
            *cache_read = cache_read.saturating_add(tokens.cache_read);
            *cache_write = cache_write.saturating_add(tokens.cache_write);
            sum.1 += cost;
        }
        (sum.0 != Tokens::default()).then_some(sum)
    }

    /// A part was made, or has changed.
    pub(super) fn updated(&mut self, part: &Value) -> Vec<Event> {
        let of_the_model = part["messageID"]
            .as_str()
            .is_some_and(|id| self.messages.contains_key(id));
        let Some(id) = part["id"].as_str().filter(|_| of_the_model) else {
            return Vec::new();
        };
        match part["type"].as_str().unwrap_or_default() {
            "text" => self.whole(id, Voice::Text, part),
            "reasoning" => self.whole(id, Voice::Thinking, part),
            "tool" => self.call(part),
            // Marks of steps, snapshots and patches.
            _ => Vec::new(),
        }
    }

    /// A part that was made before has grown.
    pub(super) fn grown(&self, properties: &Value) -> Option<Event> {
        let key = properties["partID"].as_str()?.to_owned();
        let voice = self.voices.get(&key)?;
        if properties["field"] != "text" {
            return None;
        }
        let delta = text(&properties["delta"]);
        Some(match voice {
            Voice::Text => Event::Text { key, delta },
            Voice::Thinking => Event::Thinking { key, delta },
        })
    }

    /// A part without an end of its own has only begun.
    fn whole(&mut self, id: &str, voice: Voice, part: &Value) -> Vec<Event> {
        self.voices.insert(id.to_owned(), voice);
        if part["time"]["end"].is_null() {
            return Vec::new();
        }
        let (key, text) = (id.to_owned(), text(&part["text"]));
        vec![match voice {
            Voice::Text => Event::TextWhole { key, text },
            Voice::Thinking => Event::ThinkingWhole { key, text },
        }]
    }

    fn call(&mut self, part: &Value) -> Vec<Event> {
        let (call_id, name) = (text(&part["callID"]), text(&part["tool"]));
        let state = &part["state"];
        let status = state["status"].as_str().unwrap_or_default();
        let is_over = matches!(status, "completed" | "error");
        let mut events = Vec::new();
        if (is_over || status == "running") && self.started.insert(call_id.clone()) {
            events.push(Event::ToolStarted {
                call_id: call_id.clone(),
                name: name.clone(),
                input: state["input"].clone(),
            });
        }
        if is_over && self.done.insert(call_id.clone()) {
            let said = if status == "error" { "error" } else { "output" };
            events.push(Event::ToolDone {
                call_id,
                text: text(&state[said]),
                is_error: status == "error" || name == NOT_OFFERED,
            });
        }
        events
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
