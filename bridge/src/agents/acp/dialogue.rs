//! The machine of one turn over the protocol.

use super::answer::{self, Open, Request};
use super::update::Updates;
use crate::agents::json_rpc::{self, Failure, Message};
use crate::agents::refusal;
use crate::agents::seam::{Dialogue, Event, Input, SessionStart, Step, Turn};
use crate::processes::Exit;
use rex_shared::wire::message::{Mode, Refusal, RefusalClass, Tokens};
use rex_shared::wire::prompt::PromptImage;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::PathBuf;

/// The agent was asked for something that is not there.
const NOT_FOUND: i64 = -32002;
/// The agent wants the person to sign in first.
const AUTH_REQUIRED: i64 = -32000;

/// How far the turn is; each stage waits for the answer to its own request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Hello,
    /// A new session is being made.
    Making,
    /// An old one is being taken up. What is told meanwhile is its past, which is ours to tell.
    TakingUp,
    /// The model is being chosen.
    Choosing,
    Prompting,
    Over,
}

/// One turn. It is over at the first end it told, and says nothing after that.
pub(super) struct AcpDialogue {
    label: String,
    provider: String,
    folder: PathBuf,
    prompt: String,
    images: Vec<PromptImage>,
    start: SessionStart,
    mode: Mode,
    model: Option<String>,
    /// Whether the model is chosen over the protocol.
    chooses_model: bool,
    stage: Stage,
    /// The number of the request whose answer is waited for.
    waits_for: u64,
    session_id: Option<String>,
    updates: Updates,
    /// What the session had cost before this turn; unknown for one that is gone on with, until it is told.
    cost_before: Option<f64>,
    open: HashMap<String, Open>,
    interrupted: bool,
}

impl AcpDialogue {
    pub(super) fn new(label: &str, turn: &Turn) -> Self {
        let is_new = matches!(turn.session, SessionStart::New { .. });
        Self {
            label: label.to_owned(),
            provider: turn.provider(label),
            folder: turn.folder.clone(),
            prompt: turn.prompt.clone(),
            images: turn.images.clone(),
            start: turn.session.clone(),
            mode: turn.mode,
            model: turn.model.clone(),
            chooses_model: true,
            stage: Stage::Hello,
            waits_for: 0,
            session_id: None,
            updates: Updates::default(),
            cost_before: is_new.then_some(0.0),
            open: HashMap::new(),
            interrupted: false,
        }
    }

    /// The program knows the model already; it is still named in a refusal.
    pub(super) fn leave_model(&mut self) {
        self.chooses_model = false;
    }

    fn request(&mut self, stage: Stage, method: &str, params: &Value) -> Step {
        self.stage = stage;
        self.waits_for += 1;
        Step::say(json_rpc::request(self.waits_for, method, params))
    }

    fn answered(&mut self, result: &Value) -> Step {
        match self.stage {
            Stage::Hello => self.begin(&result["agentCapabilities"]),
            Stage::Making => match result["sessionId"].as_str() {
                Some(id) => self.have_session(id.to_owned(), result),
                None => self.failed("made a session without an id"),
            },
            Stage::TakingUp => {
                self.cost_before = self.updates.session_cost;
                self.updates = Updates::default();
                self.updates.session_cost = self.cost_before;
                let SessionStart::Resume { id } = self.start.clone() else {
                    return self.failed("took up a session nobody named");
                };
                self.have_session(id, result)
            }
            Stage::Choosing => {
                let model = self.model.clone().map(Event::Model);
                let mut step = self.ask();
                step.events.extend(model);
                step
            }
            Stage::Prompting => self.prompted(result),
            Stage::Over => Step::default(),
        }
    }

    /// Makes a session or takes one up, as the agent says it can.
    fn begin(&mut self, can: &Value) -> Step {
        let folder = self.folder.to_string_lossy().into_owned();
        let SessionStart::Resume { id } = self.start.clone() else {
            let params = json!({"cwd": folder, "mcpServers": []});
            return self.request(Stage::Making, "session/new", &params);
        };
        let params = json!({"sessionId": id, "cwd": folder, "mcpServers": []});
        if !can["sessionCapabilities"]["resume"].is_null() {
            self.request(Stage::TakingUp, "session/resume", &params)
        } else if can["loadSession"] == true {
            self.request(Stage::TakingUp, "session/load", &params)
        } else {
            let reason = format!(
                "{} cannot take up a session of an earlier process",
                self.label
            );
            self.end(Event::SessionLost { reason })
        }
    }

    fn have_session(&mut self, id: String, result: &Value) -> Step {
        self.session_id = Some(id.clone());
        let model = self.model.clone().filter(|_| self.chooses_model);
        let mut step = match (model, model_option(result)) {
            (Some(model), Some(option)) => {
                let params = json!({"sessionId": id, "configId": option, "value": model});
                self.request(Stage::Choosing, "session/set_config_option", &params)
            }
            (Some(_), None) => {
                let mut step = self.failed("does not let a model be chosen; leave the model open");
                step.events.insert(0, Event::Session { id });
                return step;
            }
            (None, _) => self.ask(),
        };
        step.events.insert(0, Event::Session { id });
        step
    }

    fn ask(&mut self) -> Step {
        let images = self.images.iter().map(|image| {
            json!({"type": "image", "mimeType": image.media_type, "data": image.data_base64})
        });
        let text = json!({"type": "text", "text": self.prompt});
        let prompt: Vec<Value> = images.chain([text]).collect();
        let params = json!({"sessionId": self.session_id, "prompt": prompt});
        self.request(Stage::Prompting, "session/prompt", &params)
    }

    fn prompted(&mut self, result: &Value) -> Step {
        let usage = self.usage(&result["usage"]);
        let end = match result["stopReason"].as_str().unwrap_or_default() {
            "cancelled" => Event::Interrupted,
            "max_tokens" => self.failure("stopped: the answer got longer than it may"),
            "max_turn_requests" => self.failure("stopped: it took more steps than it may"),
            "refusal" => self.failure("will not go on with this conversation"),
            _ => Event::Finished,
        };
        let mut step = self.end(end);
        step.events.insert(0, usage);
        step
    }

    fn usage(&self, usage: &Value) -> Event {
        let count = |name: &str| usage[name].as_u64();
        let tokens = count("inputTokens")
            .or(count("outputTokens"))
            .map(|_| Tokens {
                input: count("inputTokens").unwrap_or_default(),
                output: count("outputTokens").unwrap_or_default(),
                cache_read: count("cachedReadTokens").unwrap_or_default(),
                cache_write: count("cachedWriteTokens").unwrap_or_default(),
            });
        let cost = self.updates.session_cost.zip(self.cost_before);
        Event::Usage {
            tokens,
            cost_usd: cost.map(|(now, before)| (now - before).max(0.0)),
            context: None,
        }
    }

    fn refused(&mut self, failure: Failure) -> Step {
        let taking_up = self.stage == Stage::TakingUp;
        let status = failure
            .status
            .or_else(|| refusal::status_in(&failure.words));
        let end = if failure.code == AUTH_REQUIRED {
            self.refusal(RefusalClass::Auth, status, failure.words)
        } else if taking_up || (failure.code == NOT_FOUND && self.stage == Stage::Prompting) {
            // Agents word this differently, and some not at all. A session that cannot be taken up is told again.
            Event::SessionLost {
                reason: failure.words,
            }
        } else if status.is_some() {
            let class = refusal::class(status, &failure.words);
            self.refusal(class, status, failure.words)
        } else {
            self.failure(&format!("failed: {}", failure.words))
        };
        let end = if self.interrupted {
            Event::Interrupted
        } else {
            end
        };
        self.end(end)
    }

    fn refusal(&self, class: RefusalClass, status: Option<u16>, reason: String) -> Event {
        Event::Refused(Refusal {
            provider: self.provider.clone(),
            model: self.model.clone(),
            class,
            status,
            reason,
        })
    }

    fn asked(&mut self, id: &Value, method: &str, params: &Value) -> Step {
        if method != "session/request_permission" {
            return Step::say(json_rpc::unknown_method(id));
        }
        match answer::read(&self.label, self.mode, id, params) {
            Request::Refused(answer) => Step::say(json_rpc::result(id, &answer)),
            Request::Person(..) if self.interrupted => {
                Step::say(json_rpc::result(id, &answer::cancelled()))
            }
            Request::Person(asked, open) => {
                let mut events = self.updates.call(&params["toolCall"]);
                self.open.insert(asked.ask_id.clone(), open);
                events.push(Event::Asked(asked));
                Step {
                    events,
                    ..Step::default()
                }
            }
        }
    }

    fn interrupt(&mut self) -> Step {
        self.interrupted = true;
        let Some(id) = &self.session_id else {
            // Nothing is being asked of the agent yet; it goes when its stdin does.
            return Step {
                close: true,
                ..Step::default()
            };
        };
        let mut step = Step::say(json_rpc::notice(
            "session/cancel",
            &json!({"sessionId": id}),
        ));
        for (ask_id, open) in self.open.drain() {
            step.say
                .push(json_rpc::result(open.id(), &answer::cancelled()));
            step.events.push(Event::AskWithdrawn { ask_id });
        }
        step
    }

    fn failure(&self, what: &str) -> Event {
        Event::Failed(format!("{} {what}", self.label))
    }

    fn failed(&mut self, what: &str) -> Step {
        let end = self.failure(what);
        self.end(end)
    }

    /// The turn's one end. Questions still open are void with it.
    fn end(&mut self, end: Event) -> Step {
        self.stage = Stage::Over;
        let mut events: Vec<Event> = self
            .open
            .drain()
            .map(|(ask_id, _)| Event::AskWithdrawn { ask_id })
            .collect();
        events.push(end);
        Step {
            say: Vec::new(),
            close: true,
            events,
        }
    }
}

impl Dialogue for AcpDialogue {
    fn open(&mut self) -> Step {
        self.request(Stage::Hello, "initialize", &hello())
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
            Some(Message::Request(id, method, params)) => self.asked(&id, &method, &params),
            Some(Message::Notice(method, params)) if method == "session/update" => {
                let events = self.updates.heard(&params["update"]);
                let told = self.stage == Stage::Prompting;
                Step {
                    events: if told { events } else { Vec::new() },
                    ..Step::default()
                }
            }
            Some(Message::Notice(method, params)) => Step::event(Event::Other {
                original_type: method,
                payload: params,
            }),
        }
    }

    fn told(&mut self, input: Input) -> Step {
        match input {
            _ if self.stage == Stage::Over => Step::default(),
            Input::Interrupt if self.interrupted => Step::default(),
            Input::Interrupt => self.interrupt(),
            Input::Answer { ask_id, answer, .. } => match self.open.remove(&ask_id) {
                Some(open) => {
                    let outcome = answer::outcome(&open, answer);
                    Step::say(json_rpc::result(open.id(), &outcome))
                }
                None => Step::default(),
            },
        }
    }

    fn ended(&mut self, exit: &Exit) -> Step {
        if self.stage == Stage::Over {
            return Step::default();
        }
        let end = if self.interrupted {
            Event::Interrupted
        } else {
            match exit.stderr.lines().rfind(|line| !line.trim().is_empty()) {
                Some(words) => {
                    let words: String = words.trim().chars().take(500).collect();
                    self.failure(&format!("{exit} before it finished: {words}"))
                }
                None => self.failure(&format!("{exit} before it finished")),
            }
        };
        self.end(end)
    }
}

/// What REX says of itself.
pub(super) fn hello() -> Value {
    json!({
        "protocolVersion": 1,
        "clientCapabilities": {"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false},
        "clientInfo": {"name": "rex", "title": "REX", "version": env!("CARGO_PKG_VERSION")},
    })
}

/// The name of the option that chooses the model.
pub(super) fn model_option(result: &Value) -> Option<String> {
    let options = result["configOptions"].as_array()?;
    let option = options
        .iter()
        .find(|option| option["category"] == "model" || option["id"] == "model")?;
    Some(option["id"].as_str()?.to_owned())
}
