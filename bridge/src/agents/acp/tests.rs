//! The dialogue over the protocol, message by message.

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
        folder: PathBuf::from("/work/space"),
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

fn chunk(text: &str) -> Value {
    json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}})
}

fn text(key: &str, delta: &str) -> Event {
    Event::Text {
        key: key.to_owned(),
        delta: delta.to_owned(),
    }
}

#[test]
fn a_turn_goes_from_hello_to_the_end_with_its_usage() {
    let mut talk = Talk::prompting();
    let thought =
        json!({"sessionUpdate": "agent_thought_chunk", "content": {"type": "text", "text": "hm"}});
    assert_eq!(
        talk.update(&thought),
        [Event::Thinking {
            key: "1/".to_owned(),
            delta: "hm".to_owned()
        }]
    );
    assert_eq!(talk.update(&chunk("be")), [text("2/", "be")]);
    assert_eq!(talk.update(&chunk("cause")), [text("2/", "cause")]);
    let usage = json!({"sessionUpdate": "usage_update", "used": 50, "size": 200, "cost": {"amount": 0.5, "currency": "USD"}});
    let context = Some(Context {
        used: 50,
        size: 200,
    });
    assert_eq!(
        talk.update(&usage),
        [Event::Usage {
            tokens: None,
            cost_usd: None,
            context
        }]
    );
    let step = talk.answer(
        &json!({"stopReason": "end_turn", "usage": {"inputTokens": 10, "outputTokens": 4}}),
    );
    let tokens = Some(Tokens {
        input: 10,
        output: 4,
        cache_read: 0,
        cache_write: 0,
    });
    assert_eq!(
        step.events,
        [
            Event::Usage {
                tokens,
                cost_usd: Some(0.5),
                context: None
            },
            Event::Finished
        ]
    );
    assert!(step.close);
    assert_eq!(
        talk.update(&chunk("late")),
        [],
        "nothing comes after the end"
    );
}

#[test]
fn a_tool_call_is_told_once_its_input_is_known() {
    let mut talk = Talk::prompting();
    let pending = json!({"sessionUpdate": "tool_call", "toolCallId": "c", "title": "read", "status": "pending", "rawInput": {}, "locations": []});
    assert_eq!(talk.update(&pending), []);
    let running = json!({"sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "in_progress", "rawInput": {"path": "a.md"}});
    let started = Event::ToolStarted {
        call_id: "c".to_owned(),
        name: "read".to_owned(),
        input: json!({"path": "a.md"}),
    };
    assert_eq!(talk.update(&running), [started]);
    assert_eq!(talk.update(&running), []);
    let done = json!({"sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "completed",
        "content": [{"type": "content", "content": {"type": "text", "text": "words"}}]});
    let finished = Event::ToolDone {
        call_id: "c".to_owned(),
        text: "words".to_owned(),
        is_error: false,
    };
    assert_eq!(talk.update(&done), [finished]);
    let at_once = json!({"sessionUpdate": "tool_call", "toolCallId": "d", "title": "list", "status": "failed", "rawOutput": {"error": "no"}});
    assert_eq!(talk.update(&at_once).len(), 2, "started and done");
    assert_eq!(talk.update(&chunk("then")), [text("1/", "then")]);
}

#[test]
fn an_old_session_is_taken_up_in_the_way_the_agent_can_and_its_past_is_not_told_again() {
    let mut talk = Talk::open(&resumed());
    let step = talk.answer(
        &json!({"agentCapabilities": {"loadSession": true, "sessionCapabilities": {"resume": {}}}}),
    );
    assert_eq!(said(&step)["method"], "session/resume");

    let mut talk = Talk::open(&resumed());
    let step = talk.answer(&json!({"agentCapabilities": {"loadSession": true}}));
    assert_eq!(said(&step)["method"], "session/load");
    assert_eq!(said(&step)["params"]["sessionId"], "s1");
    assert_eq!(talk.update(&chunk("an old answer")), []);
    talk.update(&json!({"sessionUpdate": "usage_update", "used": 1, "size": 9, "cost": {"amount": 2.0, "currency": "USD"}}));
    assert_eq!(said(&talk.answer(&json!({})))["method"], "session/prompt");
    talk.update(&json!({"sessionUpdate": "usage_update", "used": 2, "size": 9, "cost": {"amount": 2.25, "currency": "USD"}}));
    let step = talk.answer(&json!({"stopReason": "end_turn"}));
    assert_eq!(
        step.events[0],
        Event::Usage {
            tokens: None,
            cost_usd: Some(0.25),
            context: None
        }
    );
}

/// S30: whatever words an agent has for a session it does not know, it is lost and not failed.
#[test]
fn a_session_that_cannot_be_taken_up_is_lost() {
    for error in [
        json!({"code": -32002, "message": "Resource not found", "data": {"uri": "s1"}}),
        json!({"code": -32603, "message": "Internal error", "data": {"details": "no rollout found for thread id s1"}}),
        json!({"code": -32603, "message": "Internal error: OpenCode service failure"}),
        json!({"code": -32602, "message": "Invalid params", "data": {"cwd": "must match the working directory"}}),
    ] {
        let mut talk = Talk::open(&resumed());
        talk.answer(&json!({"agentCapabilities": {"loadSession": true}}));
        let step = talk.refuse(&error);
        assert!(
            matches!(step.events.as_slice(), [Event::SessionLost { .. }]),
            "{step:?}"
        );
        assert!(step.close);
    }
    let step = Talk::open(&resumed()).answer(&json!({"agentCapabilities": {}}));
    assert!(
        matches!(step.events.as_slice(), [Event::SessionLost { .. }]),
        "it never can: {step:?}"
    );
}

#[test]
fn a_failed_prompt_is_a_refusal_when_it_says_so_and_a_failure_otherwise() {
    let end = |error: &Value| Talk::prompting().refuse(error).events.pop().unwrap();
    let refused = |error: &Value| match end(error) {
        Event::Refused(refusal) => (refusal.class, refusal.status),
        other => panic!("a refusal: {other:?}"),
    };
    let internal =
        |message: &str, data: Value| json!({"code": -32603, "message": message, "data": data});
    assert_eq!(
        refused(&internal("x", json!({"status": 529}))),
        (RefusalClass::Overloaded, Some(529))
    );
    assert_eq!(
        refused(&internal("Internal error: API Error: 400 bad", json!({}))),
        (RefusalClass::BadRequest, Some(400))
    );
    assert_eq!(
        refused(&json!({"code": 429, "message": "slow down"})),
        (RefusalClass::RateLimit, Some(429))
    );
    assert_eq!(
        refused(&json!({"code": -32000, "message": "Authentication required"})),
        (RefusalClass::Auth, None)
    );
    assert_eq!(
        end(&internal("Internal error", json!({"message": "boom"}))),
        Event::Failed("Mine failed: Internal error: boom".to_owned())
    );
}

fn permission(kind: &str) -> String {
    json!({"jsonrpc": "2.0", "id": 7, "method": "session/request_permission", "params": {
        "sessionId": "s1",
        "toolCall": {
            "toolCallId": "c", "title": "touch x", "kind": kind, "rawInput": {"command": "touch x"},
            "content": [{"type": "diff", "path": "a", "oldText": "old", "newText": "new"}],
        },
        "options": [
            {"optionId": "o", "name": "Once", "kind": "allow_once"},
            {"optionId": "a", "name": "Always", "kind": "allow_always"},
            {"optionId": "r", "name": "No", "kind": "reject_once"},
        ],
    }})
    .to_string()
}

#[test]
fn a_permission_is_asked_and_the_option_that_fits_the_answer_is_chosen() {
    for (answer, option) in [
        (Answer::AllowOnce, "o"),
        (Answer::AllowThread, "a"),
        (Answer::Deny, "r"),
    ] {
        let mut talk = Talk::prompting();
        let step = talk.0.heard(&permission("execute"));
        let [Event::ToolStarted { .. }, Event::Asked(asked)] = step.events.as_slice() else {
            panic!("the call and the question: {step:?}");
        };
        assert_eq!(asked.title, "Mine asks to run a command");
        assert_eq!(asked.command.as_deref(), Some("touch x"));
        assert_eq!(asked.diff.as_deref(), Some("-old\n+new"));
        let input = Input::Answer {
            ask_id: asked.ask_id.clone(),
            answer,
            text: None,
        };
        let step = talk.0.told(input.clone());
        assert_eq!(said(&step)["id"], 7);
        assert_eq!(said(&step)["result"]["outcome"]["optionId"], option);
        assert_eq!(talk.0.told(input), Step::default(), "answered once");
    }
}

#[test]
fn in_ask_a_change_of_files_is_refused_without_asking_anybody() {
    for kind in ["edit", "delete", "move"] {
        let step = Talk::prompting().0.heard(&permission(kind));
        assert_eq!(step.events, [], "{kind}");
        assert_eq!(said(&step)["result"]["outcome"]["optionId"], "r", "{kind}");
    }
}

#[test]
fn a_stop_cancels_the_prompt_and_what_was_asked() {
    let mut talk = Talk::prompting();
    talk.0.heard(&permission("execute"));
    let step = talk.0.told(Input::Interrupt);
    assert_eq!(said(&step)["method"], "session/cancel");
    assert!(step.say[1].contains("\"cancelled\""));
    assert!(matches!(
        step.events.as_slice(),
        [Event::AskWithdrawn { .. }]
    ));
    let step = talk.0.heard(&permission("execute"));
    assert!(
        step.events.is_empty() && step.say[0].contains("\"cancelled\""),
        "nobody is asked any more"
    );
    let step = talk.answer(&json!({"stopReason": "cancelled"}));
    assert_eq!(step.events.last(), Some(&Event::Interrupted));

    let mut early = Talk::open(&fresh());
    assert!(
        early.0.told(Input::Interrupt).close,
        "nothing to cancel yet"
    );
    assert_eq!(early.0.ended(&Exit::default()).events, [Event::Interrupted]);
}

#[test]
fn a_model_is_chosen_before_the_prompt_or_the_turn_fails() {
    let turn = Turn {
        model: Some("big".to_owned()),
        ..fresh()
    };
    let mut talk = Talk::open(&turn);
    talk.answer(&json!({}));
    let step = talk
        .answer(&json!({"sessionId": "s1", "configOptions": [{"id": "m", "category": "model"}]}));
    assert_eq!(said(&step)["method"], "session/set_config_option");
    assert_eq!(said(&step)["params"]["configId"], "m");
    let step = talk.answer(&json!({}));
    assert_eq!(said(&step)["method"], "session/prompt");
    assert_eq!(step.events, [Event::Model("big".to_owned())]);

    let mut talk = Talk::open(&turn);
    talk.answer(&json!({}));
    let step = talk.answer(&json!({"sessionId": "s1"}));
    assert!(matches!(step.events.last(), Some(Event::Failed(_))));
}

#[test]
fn a_process_that_goes_without_an_end_is_a_failure_that_says_why() {
    let exit = Exit {
        code: Some(70),
        signal: None,
        stderr: "boom\n".to_owned(),
    };
    assert_eq!(
        Talk::prompting().0.ended(&exit).events,
        [Event::Failed(
            "Mine ended with exit code 70 before it finished: boom".to_owned()
        )]
    );
}

#[test]
fn what_is_not_asked_of_us_is_refused_and_what_is_new_is_kept() {
    let mut talk = Talk::prompting();
    let read = json!({"jsonrpc": "2.0", "id": "r", "method": "fs/read_text_file", "params": {"path": "/etc/passwd"}});
    assert_eq!(
        said(&talk.0.heard(&read.to_string()))["error"]["code"],
        -32601
    );
    let new = json!({"sessionUpdate": "new_in_2"});
    assert_eq!(
        talk.update(&new),
        [Event::Other {
            original_type: "new_in_2".to_owned(),
            payload: new
        }]
    );
    assert_eq!(
        talk.0.heard("Loading…").events,
        [Event::Diagnostic("Loading…".to_owned())]
    );
}

/// Lines no agent should print; each is also heard cut at every byte.
#[test]
fn bad_lines_do_not_end_a_turn_wherever_they_are_cut() {
    for line in [
        "{\"id\":3}",
        "{\"id\":99,\"result\":{}}",
        "{\"id\":-1,\"error\":7}",
        "{\"method\":7}",
        "{\"method\":\"session/update\"}",
        "{\"method\":\"session/update\",\"params\":{\"update\":{\"sessionUpdate\":\"tool_call\"}}}",
        "{\"method\":\"session/update\",\"params\":{\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\"content\":7}}}",
        "{\"method\":\"session/update\",\"params\":{\"update\":{\"sessionUpdate\":\"usage_update\",\"used\":-1,\"size\":0}}}",
        "{\"id\":null,\"method\":\"session/request_permission\"}",
        "[{\"id\":1}]",
    ] {
        let mut talk = Talk::prompting();
        for end in 0..=line.len() {
            let step = talk.0.heard(&line[..end]);
            assert!(!step.events.iter().any(Event::is_end), "{line}");
        }
        let step = talk.answer(&json!({"stopReason": "end_turn"}));
        assert_eq!(step.events.last(), Some(&Event::Finished), "after {line}");
    }
}

proptest! {
    #[test]
    fn no_line_whatever_makes_it_panic(lines in proptest::collection::vec(any_line(), 0..20)) {
        let mut talk = Talk::prompting();
        let mut ends = 0;
        for line in lines {
            ends += talk.0.heard(&line).events.iter().filter(|event| event.is_end()).count();
        }
        ends += talk.0.ended(&Exit::default()).events.iter().filter(|event| event.is_end()).count();
        prop_assert_eq!(ends, 1);
    }
}

/// Noise, or a message whose members have the right names and any values.
fn any_line() -> impl Strategy<Value = String> {
    let names = [
        "id",
        "method",
        "params",
        "result",
        "error",
        "update",
        "sessionUpdate",
        "content",
        "text",
        "toolCall",
        "toolCallId",
        "rawInput",
        "status",
        "options",
        "kind",
        "code",
        "data",
        "stopReason",
        "usage",
    ];
    let words = [
        "session/update",
        "session/request_permission",
        "agent_message_chunk",
        "tool_call",
        "completed",
        "end_turn",
        "allow_once",
        "usage_update",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        (0..5_i64).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        proptest::sample::select(words.to_vec()).prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(4, 32, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((proptest::sample::select(names.to_vec()), inner), 0..6)
                .prop_map(|members| {
                    Value::Object(
                        members
                            .into_iter()
                            .map(|(name, value)| (name.to_owned(), value))
                            .collect(),
                    )
                }),
        ]
    });
    prop_oneof![".{0,40}", value.prop_map(|value| value.to_string())]
}

#[test]
fn it_is_started_as_configured_and_only_for_what_it_can_do() {
    let found = Found {
        program: PathBuf::from("/bin/mine"),
        version: String::new(),
        options: BTreeSet::new(),
    };
    let launch = acp().launch(&found, &fresh()).unwrap();
    assert_eq!(
        (launch.arguments.as_slice(), launch.folder),
        (&["--acp".to_owned()][..], PathBuf::from("/work/space"))
    );
    let act = Turn {
        mode: Mode::Act,
        ..fresh()
    };
    assert!(matches!(acp().launch(&found, &act), Err(BadTurn::Mode(_))));
    let model = Turn {
        model: Some("--x".to_owned()),
        ..fresh()
    };
    assert!(matches!(
        acp().launch(&found, &model),
        Err(BadTurn::Model(_))
    ));
    assert_eq!(
        acp().record("s1"),
        None,
        "nobody knows where its records lie"
    );
}
