//! An agent for tests: a shell script that speaks one word and one text a line.

use crate::agents::inquiry::{Answer, Heard, Inquiry, Question};
use crate::agents::seam::{
    Agent, Asked, BadTurn, Dialogue, Event, Input, SessionStart, Step, Turn,
};
use crate::agents::{FileName, Found, Program, RecordPlace};
use crate::processes::{self, Exit, Launch, RecordFolders};
use rex_shared::ids::Sdk;
use rex_shared::wire::agent::Capabilities;
use rex_shared::wire::message::{Context, Refusal, RefusalClass, Tokens};
use rex_shared::wire::prompt::{Answer as Said, DialogKind};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The agent. Clones share the script and what was told.
#[derive(Clone)]
pub(super) struct Scripted {
    sdk: Sdk,
    program: Program,
    records: PathBuf,
    capabilities: Capabilities,
    script: Arc<Mutex<String>>,
    turns: Arc<Mutex<Vec<Turn>>>,
}

/// Remembers its session and answers; what every script begins with. `$session` is the id it goes by, `$prompt` the
/// first line of what it was told.
const BEGIN: &str = r#"
read -r how; session="${how#* }"; read -r prompt
if [ "$session" = "-" ]; then session="own-$$"; fi
remember() { mkdir -p "$RECORDS"; echo "turn" >> "$RECORDS/$session.log"; }
echo "session $session"
"#;

impl Scripted {
    pub(super) fn new(records: &Path) -> Self {
        Self {
            sdk: Sdk::parse("acp:scripted").unwrap(),
            program: Program::Inside(PathBuf::from("/bin/sh")),
            records: records.to_owned(),
            capabilities: Capabilities {
                resume: true,
                chosen_id: true,
                permissions: true,
                images: false,
                act: true,
                cost: true,
            },
            script: Arc::default(),
            turns: Arc::default(),
        }
    }

    /// What it does from the next turn on.
    pub(super) fn plays(&self, script: &str) {
        *self.script.lock().unwrap() = script.to_owned();
    }

    /// Every turn it was given.
    pub(super) fn turns(&self) -> Vec<Turn> {
        self.turns.lock().unwrap().clone()
    }
}

impl Agent for Scripted {
    fn sdk(&self) -> &Sdk {
        &self.sdk
    }

    fn label(&self) -> &str {
        "Scripted"
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn program(&self) -> &Program {
        &self.program
    }

    fn hint(&self) -> &str {
        "It is always here."
    }

    fn launch(&self, found: &Found, turn: &Turn) -> Result<Launch, BadTurn> {
        let script = format!("{BEGIN}\n{}", self.script.lock().unwrap());
        Ok(Launch {
            program: found.program.clone(),
            arguments: vec!["-c".to_owned(), script],
            environment: BTreeMap::from([("RECORDS".to_owned(), self.records.clone().into())]),
            folder: turn.folder.clone(),
            scratch: turn.scratch.clone(),
            talk: processes::Talk::Pipes,
            files: BTreeMap::new(),
            records: RecordFolders::of([self.records.clone()]),
            copy: None,
        })
    }

    fn dialogue(&self, turn: &Turn) -> Box<dyn Dialogue> {
        self.turns.lock().unwrap().push(turn.clone());
        Box::new(Talk {
            turn: turn.clone(),
            interrupted: false,
            ended: false,
        })
    }

    fn inquiry(&self, _turn: &Turn, question: Question) -> Option<Box<dyn Inquiry>> {
        Some(Box::new(Asking(question)))
    }

    fn record(&self, session_id: &str) -> Option<RecordPlace> {
        Some(RecordPlace {
            config_folder: self.records.clone(),
            below: self.records.clone(),
            folders_between: 0,
            file_name: FileName::Is(format!("{session_id}.log")),
            must_contain: "turn",
        })
    }
}

/// Answers come as JSON: `"has"`, `"none"`, or a list of models.
struct Asking(Question);

impl Inquiry for Asking {
    fn open(&mut self) -> Vec<String> {
        let how = match &self.0 {
            Question::Session(id) => format!("has {id}"),
            Question::Models => "models -".to_owned(),
        };
        vec![how, String::new()]
    }

    fn heard(&mut self, line: &Value) -> Heard {
        match line {
            Value::String(word) if word == "has" => Heard::Answer(Answer::Has),
            Value::String(word) if word == "none" => {
                Heard::Answer(Answer::HasNot("no such conversation".to_owned()))
            }
            Value::Array(_) => Heard::Answer(Answer::Models(
                serde_json::from_value(line.clone()).unwrap(),
            )),
            _ => Heard::Nothing,
        }
    }
}

struct Talk {
    turn: Turn,
    interrupted: bool,
    ended: bool,
}

impl Dialogue for Talk {
    fn open(&mut self) -> Step {
        let how = match &self.turn.session {
            SessionStart::New { id } => format!("new {}", id.as_deref().unwrap_or("-")),
            SessionStart::Resume { id } => format!("resume {id}"),
        };
        let first_line = self
            .turn
            .prompt
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned();
        Step {
            say: vec![how, first_line],
            ..Step::default()
        }
    }

    fn heard(&mut self, line: &str) -> Step {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.to_owned();
        let event = match word {
            "session" => Event::Session { id: rest },
            "model" => Event::Model(rest),
            "text" => Event::Text {
                key: "t".to_owned(),
                delta: rest,
            },
            "think" => Event::Thinking {
                key: "h".to_owned(),
                delta: rest,
            },
            "tool" => Event::ToolStarted {
                call_id: rest,
                name: "Read".to_owned(),
                input: json!({}),
            },
            "result" => Event::ToolDone {
                call_id: rest,
                text: "read".to_owned(),
                is_error: false,
            },
            "ask" => Event::Asked(Box::new(Asked {
                ask_id: rest,
                kind: DialogKind::Permission,
                title: "Scripted asks to run a command".to_owned(),
                action: Some("Bash".to_owned()),
                command: Some("ls".to_owned()),
                path: None,
                diff: None,
                options: Vec::new(),
            })),
            "used" => Event::Usage {
                tokens: Some(Tokens {
                    input: 10,
                    output: 5,
                    ..Tokens::default()
                }),
                cost_usd: Some(0.25),
                context: Some(Context {
                    used: 15,
                    size: 100,
                }),
            },
            "lost" => Event::SessionLost { reason: rest },
            "taken" => Event::SessionTaken { id: rest },
            "refused" => Event::Refused(Refusal {
                provider: "Scripted".to_owned(),
                model: None,
                class: RefusalClass::Overloaded,
                status: Some(529),
                reason: rest,
            }),
            "done" => Event::Finished,
            _ => Event::Diagnostic(line.to_owned()),
        };
        self.ended |= event.is_end();
        Step {
            events: vec![event],
            ..Step::default()
        }
    }

    fn told(&mut self, input: Input) -> Step {
        let line = match input {
            Input::Answer {
                answer: Said::Deny, ..
            } => "deny".to_owned(),
            Input::Answer { .. } => "allow".to_owned(),
            Input::Interrupt => {
                self.interrupted = true;
                "interrupt".to_owned()
            }
        };
        Step {
            say: vec![line],
            ..Step::default()
        }
    }

    fn ended(&mut self, exit: &Exit) -> Step {
        if self.ended {
            return Step::default();
        }
        let event = if self.interrupted {
            Event::Interrupted
        } else {
            Event::Failed(format!("Scripted {exit}."))
        };
        Step {
            events: vec![event],
            ..Step::default()
        }
    }
}
