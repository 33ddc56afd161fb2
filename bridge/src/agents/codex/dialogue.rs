//! The machine of one turn.

use super::items::{self, thought_key};
use super::outcome::{self, Asked};
use crate::agents::json_rpc::{self, Failure, Message};
use crate::agents::seam::{Dialogue, Event, Input, SessionStart, Step, Turn};
use crate::processes::Exit;
use rex_shared::wire::message::{Context, Tokens};
use serde_json::{Value, json};

/// How far the turn is; each stage waits for the answer to its own request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Hello,
    /// The conversation is begun or taken up.
    Opening,
    /// The turn goes on until it is told to be over.
    Turning,
    Over,
}

/// One turn. It is over at the first end it told, and says nothing after that.
pub(super) struct CodexDialogue {
    asked: Asked,
    /// What the conversation is opened with.
    opening: Value,
    resumes: Option<String>,
    input: Vec<Value>,
    stage: Stage,
    /// The number of the request whose answer is waited for.
    waits_for: u64,
    /// The program's id of the conversation.
    thread_id: Option<String>,
    codex_turn: Option<String>,
    /// All the conversation had used before this turn; unknown for one that is gone on with, until it is told.
    used_before: Option<Tokens>,
    interrupted: bool,
}

impl CodexDialogue {
    pub(super) fn new(turn: &Turn) -> Self {
        let resumes = match &turn.session {
            SessionStart::New { .. } => None,
            SessionStart::Resume { id } => Some(id.clone()),
        };
        let mut opening = json!({
            "cwd": turn.folder.to_string_lossy(), "approvalPolicy": "never", "sandbox": "read-only",
        });
        if let Some(model) = &turn.model {
            opening["model"] = json!(model);
        }
        if let Some(id) = &resumes {
            opening["threadId"] = json!(id);
            // Its past is ours to tell.
            opening["excludeTurns"] = json!(true);
        }
        let images = turn.images.iter().map(|image| {
            let data = format!("data:{};base64,{}", image.media_type, image.data_base64);
            json!({"type": "image", "url": data})
        });
        let text = json!({"type": "text", "text": turn.prompt});
        Self {
            asked: Asked::of(turn),
            opening,
            used_before: resumes.is_none().then(Tokens::default),
            resumes,
            input: images.chain([text]).collect(),
            stage: Stage::Hello,
            waits_for: 0,
            thread_id: None,
            codex_turn: None,
            interrupted: false,
        }
    }

    fn request(&mut self, stage: Stage, method: &str, params: &Value) -> Step {
        self.stage = stage;
        self.waits_for += 1;
        Step::say(json_rpc::request(self.waits_for, method, params))
    }

    fn answered(&mut self, result: &Value) -> Step {
        match self.stage {
            Stage::Hello => {
                let method = match self.resumes {
                    Some(_) => "thread/resume",
                    None => "thread/start",
                };
                let opening = self.opening.clone();
                let mut step = self.request(Stage::Opening, method, &opening);
                let ready = json_rpc::notice("initialized", &json!({}));
                step.say.insert(0, ready);
                step
            }
            Stage::Opening => match result["thread"]["id"].as_str() {
                Some(id) => self.opened(id.to_owned(), result),
                None => self.over(outcome::failed("began a conversation without an id")),
            },
            Stage::Turning => self.began(&result["turn"]),
            Stage::Over => Step::default(),
        }
    }

    fn opened(&mut self, id: String, result: &Value) -> Step {
        self.thread_id = Some(id.clone());
        let params = json!({"threadId": id, "input": self.input});
        let mut step = self.request(Stage::Turning, "turn/start", &params);
        step.events.push(Event::Session { id });
        let model = result["model"].as_str().map(str::to_owned);
        step.events.extend(model.map(Event::Model));
        step
    }

    /// The turn has an id from here on, by which it can be interrupted.
    fn began(&mut self, turn: &Value) -> Step {
        if self.codex_turn.is_some() {
            return Step::default();
        }
        self.codex_turn = turn["id"].as_str().map(str::to_owned);
        if self.interrupted {
            self.interrupt()
        } else {
            Step::default()
        }
    }

    fn refused(&mut self, failure: Failure) -> Step {
        let end = match self.stage {
            _ if self.interrupted => Event::Interrupted,
            Stage::Opening if self.resumes.is_some() => Event::SessionLost {
                reason: failure.words,
            },
            _ => outcome::failed(&format!("failed: {}", failure.words)),
        };
        self.over(end)
    }

    fn told_by_notice(&mut self, method: &str, params: &Value) -> Step {
        let of_ours = params["threadId"].as_str() == self.thread_id.as_deref();
        if !of_ours || self.stage != Stage::Turning {
            // What the conversation had used is told while it is taken up.
            return match method {
                "thread/tokenUsage/updated" => self.usage(params),
                _ => Step::default(),
            };
        }
        let key = params["itemId"].as_str().unwrap_or_default();
        let delta = || params["delta"].as_str().unwrap_or_default().to_owned();
        let part = |name: &str| params[name].as_u64().unwrap_or_default();
        match method {
            "turn/started" => self.began(&params["turn"]),
            "turn/completed" => self.completed(&params["turn"]),
            "item/started" => items::started(&params["item"]),
            "item/completed" => items::completed(&params["item"]),
            "item/agentMessage/delta" | "item/plan/delta" => Step::event(Event::Text {
                key: key.to_owned(),
                delta: delta(),
            }),
            "item/reasoning/summaryTextDelta" => Step::event(Event::Thinking {
                key: thought_key(key, part("summaryIndex")),
                delta: delta(),
            }),
            "item/reasoning/textDelta" => Step::event(Event::Thinking {
                key: thought_key(key, part("contentIndex")),
                delta: delta(),
            }),
            "thread/tokenUsage/updated" => self.usage(params),
            "error" if params["willRetry"] == true => {
                Step::event(outcome::retrying(&params["error"]))
            }
            // The rest tells of the program's own state; the end of a failed turn repeats its error.
            _ => Step::default(),
        }
    }

    /// Totals count the whole conversation, so this turn's part is what was added since it began.
    fn usage(&mut self, params: &Value) -> Step {
        let usage = &params["tokenUsage"];
        let total = tokens(&usage["total"]);
        let of_this_turn =
            self.codex_turn.is_some() && params["turnId"].as_str() == self.codex_turn.as_deref();
        if !of_this_turn {
            self.used_before = Some(total);
            return Step::default();
        }
        let context = usage["last"]["totalTokens"]
            .as_u64()
            .zip(usage["modelContextWindow"].as_u64())
            .map(|(used, size)| Context { used, size });
        Step::event(Event::Usage {
            // An interrupted request is not counted, and what is not counted is not known.
            tokens: self
                .used_before
                .filter(|before| *before != total)
                .map(|before| difference(total, before)),
            cost_usd: None,
            context,
        })
    }

    fn completed(&mut self, turn: &Value) -> Step {
        if turn["id"].as_str() != self.codex_turn.as_deref() {
            return Step::default();
        }
        let end = match self.asked.end(turn) {
            Event::Finished => Event::Finished,
            _ if self.interrupted => Event::Interrupted,
            end => end,
        };
        self.over(end)
    }

    fn interrupt(&mut self) -> Step {
        self.interrupted = true;
        let Some((thread, turn)) = self.thread_id.as_ref().zip(self.codex_turn.as_ref()) else {
            // Said again when the turn has its id; before there is one the process just goes.
            return Step {
                close: self.stage != Stage::Turning,
                ..Step::default()
            };
        };
        let params = json!({"threadId": thread, "turnId": turn});
        // Nobody waits for the answer: the turn itself tells that it is over.
        Step::say(json_rpc::request(
            u64::from(u32::MAX),
            "turn/interrupt",
            &params,
        ))
    }

    /// The turn's one end.
    fn over(&mut self, end: Event) -> Step {
        self.stage = Stage::Over;
        Step {
            close: true,
            ..Step::event(end)
        }
    }
}

impl Dialogue for CodexDialogue {
    fn open(&mut self) -> Step {
        self.request(Stage::Hello, "initialize", &super::hello())
    }

    fn heard(&mut self, line: &str) -> Step {
        if self.stage == Stage::Over {
            return Step::default();
        }
        match json_rpc::read(line) {
            None => Step::event(Event::Diagnostic(line.to_owned())),
            Some(Message::Answer(number, answer)) if number == self.waits_for => match answer {
                Ok(result) => self.answered(&result),
                Err(failure) => self.refused(failure),
            },
            Some(Message::Answer(..)) => Step::default(),
            Some(Message::Request(id, method, _)) => Step::say(declined(&id, &method)),
            Some(Message::Notice(method, params)) => self.told_by_notice(&method, &params),
        }
    }

    fn told(&mut self, input: Input) -> Step {
        match input {
            Input::Interrupt if self.stage != Stage::Over && !self.interrupted => self.interrupt(),
            // Nothing is ever asked.
            Input::Interrupt | Input::Answer { .. } => Step::default(),
        }
    }

    fn ended(&mut self, exit: &Exit) -> Step {
        if self.stage == Stage::Over {
            return Step::default();
        }
        let end = if self.interrupted {
            Event::Interrupted
        } else {
            outcome::of_exit(exit)
        };
        self.over(end)
    }
}

/// What would need the person's leave is not done in a conversation that reads; what else is wanted is not known here.
fn declined(id: &Value, method: &str) -> String {
    if method.ends_with("/requestApproval") {
        json_rpc::result(id, &json!({"decision": "decline"}))
    } else {
        json_rpc::unknown_method(id)
    }
}

/// The program counts cached tokens among the input.
fn tokens(usage: &Value) -> Tokens {
    let count = |name: &str| usage[name].as_u64().unwrap_or_default();
    let cached = count("cachedInputTokens");
    Tokens {
        input: count("inputTokens").saturating_sub(cached),
        output: count("outputTokens"),
        cache_read: cached,
        cache_write: count("cacheWriteInputTokens"),
    }
}

fn difference(now: Tokens, before: Tokens) -> Tokens {
    Tokens {
        input: now.input.saturating_sub(before.input),
        output: now.output.saturating_sub(before.output),
        cache_read: now.cache_read.saturating_sub(before.cache_read),
        cache_write: now.cache_write.saturating_sub(before.cache_write),
    }
}
