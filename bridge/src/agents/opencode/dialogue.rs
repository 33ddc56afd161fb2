//! The machine of one turn at the server.

use super::PROVIDER;
use super::outcome::{self, Asked};
use super::parts::Parts;
use crate::agents::seam::{self, Dialogue, Event, Input, Step, Turn};
use crate::processes::Exit;
use rex_shared::wire::prompt::{Answer, DialogKind};
use serde_json::{Value, json};
use std::collections::HashMap;

/// What a session that asks may not do: change files, run commands, hand on to an agent that may, look up addresses
/// that a document could name, and wait for an answer nobody is shown. What is not offered cannot be called.
const DENIED: [&str; 6] = ["bash", "edit", "question", "task", "webfetch", "websearch"];
/// The program waits 2, 4, 8 … seconds between its tries and never gives up; at this one it is told to.
const LAST_TRY: u64 = 4;

/// How far the turn is; each stage waits for the answer to its own request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The stream of events is being opened, so that nothing is missed.
    Listening,
    /// The session is being made or looked for.
    Opening,
    Prompting,
    /// The turn goes on until the session is idle.
    Turning,
    Over,
}

/// One turn. It is over at the first end it told, and says nothing after that.
pub(super) struct OpenCodeDialogue {
    asked: Asked,
    resumes: Option<String>,
    prompt: Value,
    /// Whether the program knows what a token costs; of a gateway's models it does not.
    is_priced: bool,
    stage: Stage,
    /// The number of the last request, and of the one whose answer is waited for.
    requests: u64,
    waits_for: u64,
    session_id: Option<String>,
    parts: Parts,
    /// Whether the session has begun to work on this turn.
    began: bool,
    /// What went wrong, until the session is idle.
    failure: Option<Event>,
    /// Open questions, by the program's id for each: what would be allowed.
    open: HashMap<String, Value>,
    /// What was allowed for as long as this turn goes on. The program's own "always" may outlive it.
    allowed: Vec<Value>,
    interrupted: bool,
}

impl OpenCodeDialogue {
    pub(super) fn new(turn: &Turn) -> Self {
        let files = turn.images.iter().map(|image| {
            let data = format!("data:{};base64,{}", image.media_type, image.data_base64);
            json!({"type": "file", "mime": image.media_type, "url": data})
        });
        let text = json!({"type": "text", "text": turn.prompt});
        let parts: Vec<Value> = files.chain([text]).collect();
        let mut prompt = json!({"parts": parts});
        if let Some((provider, model)) = model(turn) {
            prompt["model"] = json!({"providerID": provider, "modelID": model});
        }
        Self {
            asked: Asked::of(turn),
            resumes: turn.session.resumed().map(str::to_owned),
            prompt,
            is_priced: turn.gateway.base_url.is_none(),
            stage: Stage::Listening,
            requests: 0,
            waits_for: 0,
            session_id: None,
            parts: Parts::default(),
            began: false,
            failure: None,
            open: HashMap::new(),
            allowed: Vec::new(),
            interrupted: false,
        }
    }

    fn request(&mut self, method: &str, path: &str, body: Option<&Value>) -> String {
        self.requests += 1;
        let mut line = json!({"id": self.requests, "method": method, "path": path});
        if let Some(body) = body {
            line["body"] = body.clone();
        }
        line.to_string()
    }

    fn go_on(&mut self, stage: Stage, method: &str, path: &str, body: Option<&Value>) -> Step {
        self.stage = stage;
        let line = self.request(method, path, body);
        self.waits_for = self.requests;
        Step::say(line)
    }

    fn answered(&mut self, answer: &Value) -> Step {
        let status = answer["status"].as_u64();
        let ok = status.is_some_and(|status| (200..300).contains(&status));
        if !ok {
            return self.refused(status, answer);
        }
        match self.stage {
            Stage::Listening => match self.resumes.clone() {
                Some(id) => self.go_on(Stage::Opening, "GET", &format!("/session/{id}"), None),
                None => {
                    let denied = DENIED
                        .map(|name| json!({"permission": name, "pattern": "*", "action": "deny"}));
                    // Without a title a model is asked for one.
                    let session = json!({"title": "REX", "permission": denied});
                    self.go_on(Stage::Opening, "POST", "/session", Some(&session))
                }
            },
            Stage::Opening => match answer["body"]["id"].as_str() {
                Some(id) => self.opened(id.to_owned()),
                None => self.over(outcome::failed("began a session without an id")),
            },
            Stage::Prompting => {
                self.stage = Stage::Turning;
                Step::default()
            }
            Stage::Turning | Stage::Over => Step::default(),
        }
    }

    fn opened(&mut self, id: String) -> Step {
        let prompt = self.prompt.clone();
        let path = format!("/session/{id}/prompt_async");
        let mut step = self.go_on(Stage::Prompting, "POST", &path, Some(&prompt));
        self.session_id = Some(id.clone());
        step.events.push(Event::Session { id });
        step
    }

    fn refused(&mut self, status: Option<u64>, answer: &Value) -> Step {
        let words = answer["error"]
            .as_str()
            .or(answer["body"]["data"]["message"].as_str())
            .unwrap_or("it did not say why");
        let end = match (self.stage, status) {
            _ if self.interrupted => Event::Interrupted,
            (Stage::Opening, Some(404)) => Event::SessionLost {
                reason: words.to_owned(),
            },
            (_, Some(status)) => outcome::failed(&format!("answered {status}: {words}")),
            (_, None) => outcome::failed(&format!("did not answer: {words}")),
        };
        self.over(end)
    }

    fn event(&mut self, event: &Value) -> Step {
        let properties = &event["properties"];
        if self.session_id.is_none()
            || properties["sessionID"].as_str() != self.session_id.as_deref()
        {
            // Of other sessions of the server, or of the server itself.
            return Step::default();
        }
        let events = match event["type"].as_str().unwrap_or_default() {
            "message.updated" => self.message(&properties["info"]),
            "message.part.updated" => self.parts.updated(&properties["part"]),
            "message.part.delta" => self.parts.grown(properties).into_iter().collect(),
            "session.status" => return self.status(&properties["status"]),
            "session.error" => {
                self.failure = Some(self.asked.of_error(&properties["error"]));
                Vec::new()
            }
            "session.idle" if self.began => return self.idle(),
            "permission.asked" => return self.permission(properties),
            "permission.replied" => {
                let id = text(&properties["requestID"]);
                let withdrawn = self.open.remove(&id);
                withdrawn
                    .map(|_| Event::AskWithdrawn { ask_id: id })
                    .into_iter()
                    .collect()
            }
            // The rest tells of the program's own state.
            _ => Vec::new(),
        };
        Step {
            events,
            ..Step::default()
        }
    }

    fn message(&mut self, info: &Value) -> Vec<Event> {
        let mut events = Vec::new();
        if !self.began && info["role"] == "assistant" {
            self.began = true;
            let name = info["modelID"].as_str().map(str::to_owned);
            events.extend(name.map(Event::Model));
        }
        if let Some((tokens, cost)) = self.parts.message(info) {
            events.push(Event::Usage {
                tokens: Some(tokens),
                cost_usd: self.is_priced.then_some(cost),
                context: None,
            });
        }
        events
    }

    fn status(&mut self, status: &Value) -> Step {
        match status["type"].as_str().unwrap_or_default() {
            "retry" => {
                let words = text(&status["message"]);
                let attempt = status["attempt"].as_u64().unwrap_or(1);
                if attempt >= LAST_TRY && self.failure.is_none() {
                    self.failure = Some(self.asked.of_retries(&words));
                    return self.abort();
                }
                Step::event(Event::Retrying {
                    attempt: u32::try_from(attempt).unwrap_or(u32::MAX),
                    reason: words,
                })
            }
            _ => Step::default(),
        }
    }

    fn idle(&mut self) -> Step {
        let end = match self.failure.take() {
            _ if self.interrupted => Event::Interrupted,
            Some(failure) => failure,
            None => Event::Finished,
        };
        self.over(end)
    }

    /// What the session may not do is not asked; if it is all the same, nobody is bothered.
    fn permission(&mut self, asked: &Value) -> Step {
        let id = text(&asked["id"]);
        let action = text(&asked["permission"]);
        if self.interrupted || DENIED.contains(&action.as_str()) {
            return self.reply(&id, &json!({"reply": "reject"}));
        }
        let wanted = json!([action, asked["patterns"]]);
        if self.allowed.contains(&wanted) {
            return self.reply(&id, &json!({"reply": "once"}));
        }
        let what = match action.as_str() {
            "external_directory" => "read outside the workspace".to_owned(),
            other => format!("use {other}"),
        };
        self.open.insert(id.clone(), wanted);
        let metadata = &asked["metadata"];
        let path = ["filepath", "path"]
            .iter()
            .find_map(|name| metadata[*name].as_str())
            .or(asked["patterns"][0].as_str());
        Step::event(Event::Asked(Box::new(seam::Asked {
            ask_id: id,
            kind: DialogKind::Permission,
            title: format!("OpenCode asks to {what}"),
            action: Some(action),
            command: None,
            path: path.map(str::to_owned),
            diff: None,
            options: Vec::new(),
        })))
    }

    fn answer(&mut self, ask_id: &str, answer: Answer, text: Option<String>) -> Step {
        let Some(wanted) = self.open.remove(ask_id) else {
            return Step::default();
        };
        if answer == Answer::AllowThread {
            self.allowed.push(wanted);
        }
        let word = if answer == Answer::Deny {
            "reject"
        } else {
            "once"
        };
        let mut reply = json!({"reply": word});
        if let Some(text) = text {
            reply["message"] = json!(text);
        }
        self.reply(ask_id, &reply)
    }

    fn reply(&mut self, id: &str, reply: &Value) -> Step {
        if !id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        {
            return Step::default();
        }
        let path = format!("/permission/{id}/reply");
        Step::say(self.request("POST", &path, Some(reply)))
    }

    fn abort(&mut self) -> Step {
        match self.session_id.clone() {
            Some(id) => Step::say(self.request("POST", &format!("/session/{id}/abort"), None)),
            None => Step::default(),
        }
    }

    /// The turn's one end. Questions still open are void with it.
    fn over(&mut self, end: Event) -> Step {
        self.stage = Stage::Over;
        let withdrawn = self.open.drain();
        let mut events: Vec<Event> = withdrawn
            .map(|(ask_id, _)| Event::AskWithdrawn { ask_id })
            .collect();
        events.push(end);
        Step {
            close: true,
            events,
            ..Step::default()
        }
    }
}

impl Dialogue for OpenCodeDialogue {
    fn open(&mut self) -> Step {
        self.go_on(Stage::Listening, "GET", "/event", None)
    }

    fn heard(&mut self, line: &str) -> Step {
        if self.stage == Stage::Over {
            return Step::default();
        }
        let Ok(line @ Value::Object(_)) = serde_json::from_str::<Value>(line) else {
            return Step::event(Event::Diagnostic(line.to_owned()));
        };
        if line.get("event").is_some() {
            return self.event(&line["event"]);
        }
        match line["id"].as_u64() {
            Some(id) if id == self.waits_for => self.answered(&line),
            // The stream of events broke off, and with it this turn's end may be missed.
            Some(1) if line.get("error").is_some() => self.refused(None, &line),
            // To an abort or a reply: what comes of it is told as an event.
            _ => Step::default(),
        }
    }

    fn told(&mut self, input: Input) -> Step {
        match input {
            _ if self.stage == Stage::Over => Step::default(),
            Input::Interrupt if self.interrupted => Step::default(),
            Input::Interrupt => {
                self.interrupted = true;
                if self.stage == Stage::Turning || self.stage == Stage::Prompting {
                    self.abort()
                } else {
                    // Nothing was asked yet.
                    self.over(Event::Interrupted)
                }
            }
            Input::Answer {
                ask_id,
                answer,
                text,
            } => self.answer(&ask_id, answer, text),
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

/// Provider and model: ours for a gateway, else as the person wrote it, `provider/model`.
fn model(turn: &Turn) -> Option<(&str, &str)> {
    let model = turn.model_or_first()?;
    if turn.gateway.base_url.is_some() {
        return Some((PROVIDER, model));
    }
    model.split_once('/')
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
