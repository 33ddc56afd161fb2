//! The agent's `session/update` notices, as events.

use crate::agents::seam::Event;
use rex_shared::wire::message::Context;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Notices that say nothing a conversation keeps.
const PASSING: [&str; 6] = [
    "user_message_chunk",
    "plan",
    "available_commands_update",
    "current_mode_update",
    "config_option_update",
    "session_info_update",
];

/// What was told of the turn so far.
#[derive(Default)]
pub(super) struct Updates {
    /// Chunks without an id of their own belong together until something else comes between.
    block: u64,
    speaking: Option<Speaking>,
    calls: HashMap<String, Call>,
    /// The cost of the whole session as told last, in US dollars.
    pub(super) session_cost: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Speaking {
    Text,
    Thinking,
}

/// A tool call: its input often comes after its name.
#[derive(Default)]
struct Call {
    name: String,
    input: Value,
    locations: Value,
    started: bool,
    done: bool,
}

impl Updates {
    /// What a notice says.
    pub(super) fn heard(&mut self, update: &Value) -> Vec<Event> {
        let kind = update["sessionUpdate"].as_str().unwrap_or_default();
        match kind {
            "agent_message_chunk" => self.chunk(Speaking::Text, update),
            "agent_thought_chunk" => self.chunk(Speaking::Thinking, update),
            "tool_call" | "tool_call_update" => self.call(update),
            "usage_update" => self.usage(update).into_iter().collect(),
            known if PASSING.contains(&known) => Vec::new(),
            unknown => vec![Event::Other {
                original_type: unknown.to_owned(),
                payload: update.clone(),
            }],
        }
    }

    /// A tool the person is asked about has started, whatever is known of it.
    pub(super) fn call(&mut self, update: &Value) -> Vec<Event> {
        self.speaking = None;
        let Some(call_id) = update["toolCallId"].as_str() else {
            return Vec::new();
        };
        let call = self.calls.entry(call_id.to_owned()).or_default();
        call.learn(update);
        let status = update["status"].as_str().unwrap_or_default();
        let over = matches!(status, "completed" | "failed");
        let mut events = Vec::new();
        if !call.started && (over || call.input_is_known()) {
            call.started = true;
            events.push(Event::ToolStarted {
                call_id: call_id.to_owned(),
                name: call.name.clone(),
                input: call.input(),
            });
        }
        if over && !call.done {
            call.done = true;
            events.push(Event::ToolDone {
                call_id: call_id.to_owned(),
                text: result(update),
                is_error: status == "failed",
            });
        }
        events
    }

    fn chunk(&mut self, speaking: Speaking, update: &Value) -> Vec<Event> {
        let content = &update["content"];
        let Some(delta) = content["text"].as_str().map(str::to_owned) else {
            return vec![Event::Other {
                original_type: "content".to_owned(),
                payload: content.clone(),
            }];
        };
        if self.speaking != Some(speaking) {
            self.block += 1;
            self.speaking = Some(speaking);
        }
        // The same id may stand on both sides of a tool call, and a thought may share it with a text.
        let id = update["messageId"].as_str().unwrap_or_default();
        let key = format!("{}/{id}", self.block);
        vec![match speaking {
            Speaking::Text => Event::Text { key, delta },
            Speaking::Thinking => Event::Thinking { key, delta },
        }]
    }

    fn usage(&mut self, update: &Value) -> Option<Event> {
        let cost = &update["cost"];
        if cost["currency"] == "USD" {
            self.session_cost = cost["amount"].as_f64();
        }
        let used = update["used"].as_u64()?;
        let size = update["size"].as_u64().filter(|size| *size > 0)?;
        Some(Event::Usage {
            tokens: None,
            cost_usd: None,
            context: Some(Context { used, size }),
        })
    }
}

impl Call {
    fn learn(&mut self, update: &Value) {
        if let Some(title) = update["title"].as_str().or_else(|| update["kind"].as_str())
            && (self.name.is_empty() || !self.started)
        {
            title.clone_into(&mut self.name);
        }
        let input = &update["rawInput"];
        if input.as_object().is_some_and(|input| !input.is_empty()) || input.is_string() {
            self.input = input.clone();
        }
        if update["locations"]
            .as_array()
            .is_some_and(|all| !all.is_empty())
        {
            self.locations = update["locations"].clone();
        }
    }

    fn input_is_known(&self) -> bool {
        !self.input.is_null() || !self.locations.is_null()
    }

    fn input(&self) -> Value {
        match (&self.input, &self.locations) {
            (Value::Null, Value::Null) => json!({}),
            (Value::Null, locations) => json!({"locations": locations}),
            (input, _) => input.clone(),
        }
    }
}

/// The texts of a finished call, or what the agent passes through from its tool.
fn result(update: &Value) -> String {
    let texts: Vec<&str> = update["content"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|part| part["content"]["text"].as_str())
        .collect();
    if !texts.is_empty() {
        return texts.join("\n");
    }
    match &update["rawOutput"] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => ["output", "error", "message"]
            .iter()
            .find_map(|name| other[*name].as_str())
            .map_or_else(|| other.to_string(), str::to_owned),
    }
}
