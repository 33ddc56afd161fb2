//! The dialogue over the protocol, message by message.

mod answering;
mod ending;
mod noise;

use super::Acp;
use crate::agents::examples::{first, found, later, starts_nothing_else};
use crate::agents::found::Program;
use crate::agents::seam::{Agent as _, Dialogue, Event, Input, Step, Turn};
use crate::processes::{Exit, RecordFolders};
use proptest::prelude::*;
use rex_shared::ids::Sdk;
use rex_shared::wire::agent::Capabilities;
use rex_shared::wire::message::{Context, RefusalClass, Tokens};
use rex_shared::wire::prompt::Answer;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

fn acp() -> Acp {
    Acp {
        sdk: Sdk::parse("acp:mine").unwrap(),
        label: "Mine".to_owned(),
        program: Program::in_path("mine"),
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
        writes: RecordFolders::default(),
    }
}

fn fresh() -> Turn {
    Turn {
        model: None,
        ..first()
    }
}

fn resumed() -> Turn {
    Turn {
        model: None,
        ..later("s1")
    }
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
