//! The machine of one turn.

use super::outcome::{self, Asked};
use crate::agents::seam::{Dialogue, Event, Input, SessionStart, Step, Turn};
use crate::processes::Exit;
use rex_shared::wire::message::{Context, Tokens};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Our requests, by the ids they are answered under.
const STATE: &str = "state";
const PROMPT: &str = "prompt";
const ABORT: &str = "abort";
/// How it stands after a failure: a retry is announced before this is answered.
const SETTLED: &str = "settled";

/// Lines that say nothing a conversation keeps.
const PASSING: [&str; 12] = [
    "agent_start",
    "turn_start",
    "turn_end",
    "message_update",
    "message_end",
    "tool_execution_update",
    "queue_update",
    "compaction_start",
    "compaction_end",
    "auto_retry_end",
    "session_info_changed",
    "thinking_level_changed",
];

/// One turn. It is over at the first end it told, and says nothing after that.
pub(super) struct PiDialogue {
    asked: Asked,
    prompt: Value,
    /// Whether the program knows what a token costs; of a gateway's models it does not.
    is_priced: bool,
    session_id: Option<String>,
    context_size: Option<u64>,
    /// Counts the model's messages, for naming blocks.
    message: u64,
    /// The texts and thoughts streamed of the message that goes on, by their place in it.
    streamed: BTreeSet<(u64, Voice)>,
    tokens: Tokens,
    cost_usd: f64,
    /// Why the last attempt failed, until it is tried again.
    failure: Option<String>,
    interrupted: bool,
    over: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Voice {
    Text,
    Thinking,
}

impl PiDialogue {
    pub(super) fn new(turn: &Turn) -> Self {
        let resumes = matches!(turn.session, SessionStart::Resume { .. });
        // What begins with a slash would be taken as a command of the program; with a space before it, it is a text.
        let text = if turn.prompt.starts_with('/') {
            format!(" {}", turn.prompt)
        } else {
            turn.prompt.clone()
        };
        let mut prompt = json!({"id": PROMPT, "type": "prompt", "message": text});
        if !turn.images.is_empty() {
            let images = turn.images.iter().map(|image| {
                json!({"type": "image", "mimeType": image.media_type, "data": image.data_base64})
            });
            prompt["images"] = images.collect();
        }
        Self {
            asked: Asked::of(turn, resumes),
            prompt,
            is_priced: turn.gateway.base_url.is_none(),
            session_id: None,
            context_size: None,
            message: 0,
            streamed: BTreeSet::new(),
            tokens: Tokens::default(),
            cost_usd: 0.0,
            failure: None,
            interrupted: false,
            over: false,
        }
    }

    fn answered(&mut self, answer: &Value) -> Step {
        let words = answer["error"].as_str().unwrap_or("it did not say why");
        let succeeded = answer["success"] == true;
        match answer["id"].as_str().unwrap_or_default() {
            STATE if self.session_id.is_none() && succeeded => self.ready(&answer["data"]),
            STATE if self.session_id.is_none() => {
                self.over(outcome::failed(&format!("did not begin: {words}")))
            }
            PROMPT if !succeeded => {
                let end = self.asked.of_words(words);
                self.over(end)
            }
            // Whatever it was doing, it has ended with this.
            ABORT => self.over(Event::Interrupted),
            SETTLED => match self.failure.take() {
                Some(words) => {
                    let end = self.asked.of_words(&words);
                    self.over(end)
                }
                None => Step::default(),
            },
            _ => Step::default(),
        }
    }

    /// The program says who it is; then it is asked.
    fn ready(&mut self, state: &Value) -> Step {
        let Some(id) = state["sessionId"].as_str().map(str::to_owned) else {
            return self.over(outcome::failed("began a session without an id"));
        };
        self.session_id = Some(id.clone());
        let model = &state["model"];
        if self.is_priced {
            self.context_size = model["contextWindow"].as_u64().filter(|size| *size > 0);
        }
        let mut step = Step::say(self.prompt.to_string());
        step.events.push(Event::Session { id });
        let name = model["id"].as_str().filter(|name| *name != "unknown");
        step.events
            .extend(name.map(|name| Event::Model(name.to_owned())));
        step
    }

    fn update(&mut self, update: &Value) -> Step {
        let part = update["contentIndex"].as_u64().unwrap_or_default();
        let kind = update["type"].as_str().unwrap_or_default();
        let voice = match kind.split_once('_') {
            Some(("text", _)) => Voice::Text,
            Some(("thinking", _)) => Voice::Thinking,
            _ => return Step::default(),
        };
        self.streamed.insert((part, voice));
        let word = |name: &str| update[name].as_str().unwrap_or_default().to_owned();
        if kind.ends_with("_delta") {
            Step::event(self.grown(part, voice, word("delta")))
        } else if kind.ends_with("_end") {
            Step::event(self.whole(part, voice, word("content")))
        } else {
            Step::default()
        }
    }

    fn grown(&self, part: u64, voice: Voice, delta: String) -> Event {
        let key = self.key(part);
        match voice {
            Voice::Text => Event::Text { key, delta },
            Voice::Thinking => Event::Thinking { key, delta },
        }
    }

    fn whole(&self, part: u64, voice: Voice, text: String) -> Event {
        let key = self.key(part);
        match voice {
            Voice::Text => Event::TextWhole { key, text },
            Voice::Thinking => Event::ThinkingWhole { key, text },
        }
    }

    fn key(&self, part: u64) -> String {
        format!("{}/{part}", self.message)
    }

    /// A message of the model is complete: what it used counts for the turn.
    fn message_ended(&mut self, message: &Value) -> Step {
        let usage = &message["usage"];
        let count = |name: &str| usage[name].as_u64().unwrap_or_default();
        let add = |to: &mut u64, name: &str| *to = to.saturating_add(count(name));
        add(&mut self.tokens.input, "input");
        add(&mut self.tokens.output, "output");
        add(&mut self.tokens.cache_read, "cacheRead");
        add(&mut self.tokens.cache_write, "cacheWrite");
        self.cost_usd += usage["cost"]["total"].as_f64().unwrap_or_default();
        let used = count("totalTokens");
        if used == 0 {
            return Step::default();
        }
        Step::event(Event::Usage {
            tokens: Some(self.tokens),
            cost_usd: self.is_priced.then_some(self.cost_usd),
            context: self.context_size.map(|size| Context { used, size }),
        })
    }

    /// The program has stopped working; after a failure it may begin anew by itself.
    fn ended(&mut self, messages: &Value) -> Step {
        let last = messages.as_array().and_then(|all| all.last());
        let last = last.unwrap_or(&Value::Null);
        match last["stopReason"].as_str() {
            _ if self.interrupted => self.over(Event::Interrupted),
            Some("aborted") => self.over(Event::Interrupted),
            Some("error") => {
                let words = last["errorMessage"].as_str();
                self.failure = Some(words.unwrap_or("it did not say why").to_owned());
                Step::say(json!({"id": SETTLED, "type": "get_state"}).to_string())
            }
            _ => self.over(Event::Finished),
        }
    }

    /// A failed attempt is tried again, and what it had said does not count.
    fn retrying(&mut self, line: &Value) -> Step {
        let words = self.failure.take();
        let attempt = line["attempt"].as_u64().unwrap_or(1);
        let mut events: Vec<Event> = self
            .streamed
            .iter()
            .map(|(part, voice)| self.whole(*part, *voice, String::new()))
            .collect();
        events.push(Event::Retrying {
            attempt: u32::try_from(attempt).unwrap_or(u32::MAX),
            reason: words.unwrap_or_else(|| "the provider did not answer".to_owned()),
        });
        Step {
            events,
            ..Step::default()
        }
    }

    /// The turn's one end.
    fn over(&mut self, end: Event) -> Step {
        self.over = true;
        Step {
            close: true,
            ..Step::event(end)
        }
    }
}

impl Dialogue for PiDialogue {
    fn open(&mut self) -> Step {
        Step::say(json!({"id": STATE, "type": "get_state"}).to_string())
    }

    fn heard(&mut self, line: &str) -> Step {
        if self.over {
            return Step::default();
        }
        let Ok(line @ Value::Object(_)) = serde_json::from_str::<Value>(line) else {
            return Step::event(Event::Diagnostic(line.to_owned()));
        };
        let by_the_model = line["message"]["role"] == "assistant";
        match line["type"].as_str().unwrap_or_default() {
            "response" => self.answered(&line),
            "message_start" => {
                if by_the_model {
                    self.message += 1;
                    self.streamed.clear();
                }
                Step::default()
            }
            "message_update" => self.update(&line["assistantMessageEvent"]),
            "message_end" if by_the_model => self.message_ended(&line["message"]),
            "tool_execution_start" => Step::event(Event::ToolStarted {
                call_id: text(&line["toolCallId"]),
                name: text(&line["toolName"]),
                input: line["args"].clone(),
            }),
            "tool_execution_end" => Step::event(Event::ToolDone {
                call_id: text(&line["toolCallId"]),
                text: texts(&line["result"]["content"]),
                is_error: line["isError"] == true,
            }),
            "agent_end" => self.ended(&line["messages"]),
            "auto_retry_start" => self.retrying(&line),
            "extension_ui_request" => Step::say(dismissed(&line)),
            known if PASSING.contains(&known) => Step::default(),
            unknown => Step::event(Event::Other {
                original_type: unknown.to_owned(),
                payload: line.clone(),
            }),
        }
    }

    fn told(&mut self, input: Input) -> Step {
        match input {
            Input::Interrupt if !self.over && !self.interrupted => {
                self.interrupted = true;
                if self.session_id.is_none() {
                    // Nothing was asked yet; the program goes when its stdin does.
                    return Step {
                        close: true,
                        ..Step::default()
                    };
                }
                Step::say(json!({"id": ABORT, "type": "abort"}).to_string())
            }
            // Nothing is ever asked.
            Input::Interrupt | Input::Answer { .. } => Step::default(),
        }
    }

    fn ended(&mut self, exit: &Exit) -> Step {
        if self.over {
            return Step::default();
        }
        let end = if self.interrupted {
            Event::Interrupted
        } else {
            self.asked.of_exit(exit)
        };
        self.over(end)
    }
}

/// The answer to an extension that wants to show something; there is nobody to show it to.
fn dismissed(request: &Value) -> String {
    json!({"type": "extension_ui_response", "id": request["id"], "cancelled": true}).to_string()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn texts(content: &Value) -> String {
    let texts: Vec<&str> = content
        .as_array()
        .into_iter()
        .flatten()
        .map(|block| block["text"].as_str().unwrap_or("(not text)"))
        .collect();
    texts.join("\n")
}
