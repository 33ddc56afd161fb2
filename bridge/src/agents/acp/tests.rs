//! The dialogue over the protocol, message by message.

mod answering;
mod ending;
mod noise;

use super::Acp;
use crate::agents::found::{Found, Program};
use crate::agents::seam::{Agent as _, BadTurn, Dialogue, Event, Input, SessionStart, Step, Turn};
use crate::processes::Exit;
use proptest::prelude::*;
use rex_shared::ids::{GatewayId, Sdk};
use rex_shared::wire::agent::{Capabilities, Gateway};
use rex_shared::wire::message::{Context, Mode, RefusalClass, Tokens};
use rex_shared::wire::prompt::Answer;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

fn acp() -> Acp {
    Acp {
        sdk: Sdk::parse("acp:mine").unwrap(),
        label: "Mine".to_owned(),
        program: Program::InPath {
            name: "mine".to_owned(),
            options: Vec::new(),
        },
        arguments: vec!["--acp".to_owned()],
        environment: BTreeMap::new(),
        gateway: None,
        hint: "Install it.".to_owned(),
        capabilities: Capabilities {
            resume: true,
            chosen_id: false,
            permissions: true,
            images: true,
            act: false,
            cost: true,
        },
        records: None,
    }
}

fn turn(session: SessionStart) -> Turn {
    Turn {
        folder: PathBuf::from("/a/folder"),
        scratch: PathBuf::from("/tmp/run"),
        prompt: "why?".to_owned(),
        images: Vec::new(),
        session,
        mode: Mode::Ask,
        model: None,
        gateway: Gateway {
            gateway_id: GatewayId::default_gateway(),
            name: "default".to_owned(),
            sdks: Vec::new(),
            base_url: None,
            key_ref: None,
            models: Vec::new(),
        },
        key: None,
    }
}

fn fresh() -> Turn {
    turn(SessionStart::New { id: None })
}

fn resumed() -> Turn {
    turn(SessionStart::Resume {
        id: "s1".to_owned(),
    })
}

/// A dialogue and the number of the request it waits on.
struct Talk(Box<dyn Dialogue>, Value);

impl Talk {
    fn open(turn: &Turn) -> Self {
        let mut dialogue = acp().dialogue(turn);
        let said = said(&dialogue.open());
        assert_eq!(said["method"], "initialize");
        Self(dialogue, said["id"].clone())
    }

    /// Answers the open request.
    fn answer(&mut self, result: &Value) -> Step {
        let line = json!({"jsonrpc": "2.0", "id": self.1, "result": result}).to_string();
        self.take(&line)
    }

    fn refuse(&mut self, error: &Value) -> Step {
        let line = json!({"jsonrpc": "2.0", "id": self.1, "error": error}).to_string();
        self.take(&line)
    }

    fn take(&mut self, line: &str) -> Step {
        let step = self.0.heard(line);
        if let Some(id) = step
            .say
            .first()
            .map(|_| said(&step)["id"].clone())
            .filter(|id| !id.is_null())
        {
            self.1 = id;
        }
        step
    }

    fn update(&mut self, update: &Value) -> Vec<Event> {
        let line = json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s1", "update": update}});
        self.0.heard(&line.to_string()).events
    }

    /// A dialogue whose prompt has been said.
    fn prompting() -> Self {
        let mut talk = Self::open(&fresh());
        talk.answer(&json!({"agentCapabilities": {}}));
        let step = talk.answer(&json!({"sessionId": "s1"}));
        assert_eq!(said(&step)["method"], "session/prompt");
        assert_eq!(
            step.events,
            [Event::Session {
                id: "s1".to_owned()
            }]
        );
        talk
    }
}

fn said(step: &Step) -> Value {
    serde_json::from_str(&step.say[0]).unwrap()
}
