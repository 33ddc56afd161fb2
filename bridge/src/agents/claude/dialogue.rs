//! The machine of one turn with Claude Code.

use super::LABEL;
use super::ask::{self, Open, Request};
use super::blocks::Blocks;
use super::outcome::{self, Asked};
use crate::agents::seam::{Dialogue, Event, Input, SessionStart, Step, Turn};
use crate::processes::Exit;
use serde_json::{Value, json};
use std::collections::HashMap;

const INTERRUPT_ID: &str = "rex-interrupt";
/// Events that say nothing a conversation keeps.
const PASSING: [&str; 3] = ["control_response", "keep_alive", "rate_limit_event"];
const PASSING_SYSTEM: [&str; 3] = ["status", "thinking_tokens", "permission_denied"];

/// One turn. It is over at the first end it told, and says nothing after that.
pub(super) struct ClaudeDialogue {
    first_line: String,
    asked: Asked,
    blocks: Blocks,
    open: HashMap<String, Open>,
    session_told: bool,
    model_told: Option<String>,
    /// Tokens of the newest request and its answer.
    context_used: Option<u64>,
    interrupted: bool,
    over: bool,
}

impl ClaudeDialogue {
    pub(super) fn new(turn: &Turn) -> Self {
        let session_id = match &turn.session {
            SessionStart::New { id } => id.clone(),
            SessionStart::Resume { id } => Some(id.clone()),
        };
        Self {
            first_line: first_line(turn),
            asked: Asked {
                provider: turn.provider(LABEL),
                model: turn.model.clone(),
                session_id,
            },
            blocks: Blocks::default(),
            open: HashMap::new(),
            session_told: false,
            model_told: None,
            context_used: None,
            interrupted: false,
            over: false,
        }
    }

    fn system(&mut self, line: &Value) -> Step {
        match line["subtype"].as_str().unwrap_or_default() {
            "init" => self.init(line),
            "api_retry" => Step::event(retrying(line)),
            known if PASSING_SYSTEM.contains(&known) => Step::default(),
            _ => other("system", line),
        }
    }

    fn init(&mut self, line: &Value) -> Step {
        let mut step = Step::default();
        if let (false, Some(id)) = (self.session_told, line["session_id"].as_str()) {
            self.session_told = true;
            step.events.push(Event::Session { id: id.to_owned() });
        }
        step.events.extend(self.model(line["model"].as_str()));
        step
    }

    /// Tells the model that answers when it is another one than told before.
    fn model(&mut self, name: Option<&str>) -> Option<Event> {
        let name = name.filter(|name| self.model_told.as_deref() != Some(name))?;
        self.model_told = Some(name.to_owned());
        self.asked.model = Some(name.to_owned());
        Some(Event::Model(name.to_owned()))
    }

    fn stream_event(&mut self, line: &Value) -> Step {
        let event = &line["event"];
        self.note_context(&event["message"]["usage"]);
        self.note_context(&event["usage"]);
        let mut events: Vec<Event> = self.blocks.streamed(event).into_iter().collect();
        if let Some(from) = line["abandoned_blocks"]["from_block_index"].as_u64() {
            events.extend(self.blocks.taken_back(from));
        }
        Step {
            events,
            ..Step::default()
        }
    }

    fn assistant(&mut self, line: &Value) -> Step {
        let message = &line["message"];
        let synthetic = message["model"] == "<synthetic>";
        if synthetic && line["is_api_error_message"] == true {
            // The provider's refusal, told as if it were an answer; the result tells it as what it is.
            return Step::default();
        }
        let mut step = Step::default();
        if !synthetic {
            step.events.extend(self.model(message["model"].as_str()));
        }
        step.events.extend(self.blocks.whole(message));
        step
    }

    fn control_request(&mut self, line: &Value) -> Step {
        let id = line["request_id"].as_str().unwrap_or_default();
        let request = &line["request"];
        if request["subtype"] != "can_use_tool" {
            let mut step = other("control_request", line);
            step.say.push(ask::unknown(id));
            return step;
        }
        match ask::read(id, request) {
            Request::Person(asked, open) => {
                self.open.insert(id.to_owned(), open);
                Step::event(Event::Asked(asked))
            }
            Request::Refused(answer) => Step::say(answer),
        }
    }

    fn withdrawn(&mut self, line: &Value) -> Step {
        let id = line["request_id"].as_str().unwrap_or_default();
        if self.open.remove(id).is_none() {
            return Step::default();
        }
        Step::event(Event::AskWithdrawn {
            ask_id: id.to_owned(),
        })
    }

    fn result(&mut self, line: &Value) -> Step {
        let usage = outcome::usage(line, self.context_used);
        let end = outcome::of_result(line, &self.asked);
        let end = match end {
            Event::Finished => end,
            _ if self.interrupted => Event::Interrupted,
            _ => end,
        };
        let mut step = self.over(end);
        step.events.insert(0, usage);
        step.close = true;
        step
    }

    /// The turn's one end. Questions still open are void with it.
    fn over(&mut self, end: Event) -> Step {
        self.over = true;
        let mut events: Vec<Event> = self
            .open
            .drain()
            .map(|(ask_id, _)| Event::AskWithdrawn { ask_id })
            .collect();
        events.push(end);
        Step {
            events,
            ..Step::default()
        }
    }

    /// Requests count what is in the context, answers what comes into it.
    fn note_context(&mut self, usage: &Value) {
        let parts = [
            "input_tokens",
            "cache_read_input_tokens",
            "cache_creation_input_tokens",
            "output_tokens",
        ];
        let told: Vec<u64> = parts
            .iter()
            .filter_map(|name| usage[*name].as_u64())
            .collect();
        let sum = told
            .iter()
            .fold(0, |sum: u64, part| sum.saturating_add(*part));
        // An update may tell the output alone.
        if sum > 0 && (told.len() > 1 || self.context_used.is_none()) {
            self.context_used = Some(sum);
        }
    }
}

impl Dialogue for ClaudeDialogue {
    fn open(&mut self) -> Step {
        Step::say(std::mem::take(&mut self.first_line))
    }

    fn heard(&mut self, line: &str) -> Step {
        if self.over {
            return Step::default();
        }
        let Ok(line @ Value::Object(_)) = serde_json::from_str(line) else {
            return Step::event(Event::Diagnostic(line.to_owned()));
        };
        let from_a_subagent = line["parent_tool_use_id"].is_string();
        match line["type"].as_str().unwrap_or_default() {
            "stream_event" if from_a_subagent => Step::default(),
            "system" => self.system(&line),
            "stream_event" => self.stream_event(&line),
            "assistant" if !from_a_subagent => self.assistant(&line),
            "user" if !from_a_subagent => tool_results(&line),
            "control_request" => self.control_request(&line),
            "control_cancel_request" => self.withdrawn(&line),
            "result" => self.result(&line),
            known if PASSING.contains(&known) => Step::default(),
            unknown => other(unknown, &line),
        }
    }

    fn told(&mut self, input: Input) -> Step {
        if self.over {
            return Step::default();
        }
        match input {
            Input::Answer {
                ask_id,
                answer,
                text,
            } => match self.open.remove(&ask_id) {
                Some(open) => Step::say(ask::answer(&ask_id, &open, answer, text.as_deref())),
                None => Step::default(),
            },
            Input::Interrupt if self.interrupted => Step::default(),
            Input::Interrupt => {
                self.interrupted = true;
                Step::say(
                    json!({
                        "type": "control_request", "request_id": INTERRUPT_ID, "request": {"subtype": "interrupt"},
                    })
                    .to_string(),
                )
            }
        }
    }

    fn ended(&mut self, exit: &Exit) -> Step {
        if self.over {
            return Step::default();
        }
        let end = if self.interrupted {
            Event::Interrupted
        } else {
            outcome::of_exit(exit, &self.asked)
        };
        self.over(end)
    }
}

fn first_line(turn: &Turn) -> String {
    // What begins with a slash would be taken as a command of the program; with a space before it, it is a text.
    let text = if turn.prompt.starts_with('/') {
        format!(" {}", turn.prompt)
    } else {
        turn.prompt.clone()
    };
    let images = turn.images.iter().map(|image| {
        json!({
            "type": "image",
            "source": {"type": "base64", "media_type": image.media_type, "data": image.data_base64},
        })
    });
    let content: Vec<Value> = images
        .chain([json!({"type": "text", "text": text})])
        .collect();
    json!({"type": "user", "message": {"role": "user", "content": content}}).to_string()
}

fn retrying(line: &Value) -> Event {
    let attempt = line["attempt"].as_u64().unwrap_or(1);
    let word = line["error"].as_str().unwrap_or("unknown");
    let reason = match line["error_status"].as_u64() {
        Some(status) => format!("{word} ({status})"),
        None => word.to_owned(),
    };
    Event::Retrying {
        attempt: u32::try_from(attempt).unwrap_or(u32::MAX),
        reason,
    }
}

fn tool_results(line: &Value) -> Step {
    let content = line["message"]["content"].as_array();
    let events = content
        .into_iter()
        .flatten()
        .filter(|block| block["type"] == "tool_result")
        .filter_map(|block| {
            Some(Event::ToolDone {
                call_id: block["tool_use_id"].as_str()?.to_owned(),
                text: text_of(&block["content"]),
                is_error: block["is_error"] == true,
            })
        })
        .collect();
    Step {
        events,
        ..Step::default()
    }
}

/// A tool's answer is a text, or blocks of which some are texts.
fn text_of(content: &Value) -> String {
    if let Some(text) = content.as_str() {
        return text.to_owned();
    }
    let texts: Vec<&str> = content
        .as_array()
        .into_iter()
        .flatten()
        .map(|block| block["text"].as_str().unwrap_or("(not text)"))
        .collect();
    texts.join("\n")
}

fn other(original_type: &str, line: &Value) -> Step {
    let original_type = match line["subtype"].as_str() {
        Some(subtype) => format!("{original_type}/{subtype}"),
        None => original_type.to_owned(),
    };
    Step::event(Event::Other {
        original_type,
        payload: line.clone(),
    })
}
