//! The dialogue with Claude Code, line by line, and how the program is started.

use super::Claude;
use crate::agents::found::Found;
use crate::agents::seam::{Agent as _, BadTurn, Event, Input, Secret, SessionStart, Step, Turn};
use crate::processes::{Environment, Exit};
use proptest::prelude::*;
use rex_shared::ids::{GatewayId, Sdk};
use rex_shared::wire::agent::Gateway;
use rex_shared::wire::message::{Context, Mode, Refusal, RefusalClass, Tokens};
use rex_shared::wire::prompt::{Answer, PromptImage};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const ID: &str = "5a0d7e0e-33aa-5f0f-9a0c-1d6d1a2b3c4d";

fn turn(session: SessionStart) -> Turn {
    Turn {
        folder: PathBuf::from("/work/space"),
        scratch: PathBuf::from("/tmp/run"),
        prompt: "why?".to_owned(),
        images: Vec::new(),
        session,
        mode: Mode::Ask,
        model: Some("claude-opus-5-5".to_owned()),
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
    turn(SessionStart::New {
        id: Some(ID.to_owned()),
    })
}

fn resumed() -> Turn {
    turn(SessionStart::Resume { id: ID.to_owned() })
}

fn claude() -> Claude {
    Claude::new(
        Sdk::parse("claude").unwrap(),
        &Environment::of([("HOME", "/home/a")]),
    )
}

/// What a turn told after these lines.
fn heard(turn: &Turn, lines: &[Value]) -> Vec<Event> {
    let mut dialogue = claude().dialogue(turn);
    dialogue.open();
    lines
        .iter()
        .flat_map(|line| dialogue.heard(&line.to_string()).events)
        .collect()
}

fn init() -> Value {
    json!({"type": "system", "subtype": "init", "session_id": ID, "model": "claude-opus-5-5", "tools": ["Read"]})
}

fn stream(event: &Value) -> Value {
    json!({"type": "stream_event", "event": event, "session_id": ID, "parent_tool_use_id": null})
}

fn block(index: u64, kind: &str) -> Value {
    stream(&json!({"type": "content_block_start", "index": index, "content_block": {"type": kind}}))
}

fn text_delta(index: u64, text: &str) -> Value {
    stream(
        &json!({"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": text}}),
    )
}

fn whole(id: &str, content: &Value) -> Value {
    json!({"type": "assistant", "message": {"id": id, "model": "claude-opus-5-5", "content": [content]}, "parent_tool_use_id": null})
}

fn begin(id: &str) -> Value {
    let usage = json!({"input_tokens": 100, "output_tokens": 1, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 3});
    stream(&json!({"type": "message_start", "message": {"id": id, "usage": usage}}))
}

fn done() -> Value {
    json!({
        "total_cost_usd": 9.9, "usage": {"input_tokens": 1}, "subtype": "success", "is_error": false,
        "terminal_reason": "completed", "type": "result", "session_id": ID,
        "modelUsage": {"claude-opus-5-5": {"inputTokens": 999, "costUSD": 9.9, "contextWindow": 200_000}},
        "model_usage_since_last_result": {"claude-opus-5-5": {
            "inputTokens": 100, "outputTokens": 7, "cacheReadInputTokens": 20, "cacheCreationInputTokens": 3,
            "costUSD": 0.25, "contextWindow": 200_000,
        }},
    })
}

fn failed_result(status: &Value, words: &str) -> Value {
    json!({
        "type": "result", "subtype": "success", "is_error": true, "terminal_reason": "api_error",
        "api_error_status": status, "result": words, "modelUsage": {}, "model_usage_since_last_result": {},
    })
}

fn end(events: &[Event]) -> &Event {
    let ends: Vec<&Event> = events.iter().filter(|event| event.is_end()).collect();
    assert_eq!(ends.len(), 1, "one end: {events:?}");
    ends[0]
}

#[test]
fn an_answer_is_streamed_and_then_replaced_by_what_was_said_as_a_whole() {
    let events = heard(
        &fresh(),
        &[
            init(),
            json!({"type": "system", "subtype": "status", "status": "requesting"}),
            begin("m1"),
            block(0, "thinking"),
            stream(
                &json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}}),
            ),
            whole(
                "m1",
                &json!({"type": "thinking", "thinking": "hm, so", "signature": "x"}),
            ),
            stream(&json!({"type": "content_block_stop", "index": 0})),
            block(1, "text"),
            text_delta(1, "be"),
            text_delta(1, "cause"),
            whole("m1", &json!({"type": "text", "text": "because."})),
            stream(&json!({"type": "content_block_stop", "index": 1})),
            stream(&json!({"type": "message_stop"})),
            done(),
        ],
    );
    let key = |index: u64| format!("m1/{index}");
    let text = |delta: &str| Event::Text {
        key: key(1),
        delta: delta.to_owned(),
    };
    assert_eq!(
        events,
        [
            Event::Session { id: ID.to_owned() },
            Event::Model("claude-opus-5-5".to_owned()),
            Event::Thinking {
                key: key(0),
                delta: "hm".to_owned()
            },
            Event::ThinkingWhole {
                key: key(0),
                text: "hm, so".to_owned()
            },
            text("be"),
            text("cause"),
            Event::TextWhole {
                key: key(1),
                text: "because.".to_owned()
            },
            Event::Usage {
                tokens: Some(Tokens {
                    input: 100,
                    output: 7,
                    cache_read: 20,
                    cache_write: 3
                }),
                cost_usd: Some(0.25),
                context: Some(Context {
                    used: 124,
                    size: 200_000
                }),
            },
            Event::Finished,
        ]
    );
}

#[test]
fn a_guessed_price_is_no_price_and_an_older_program_counts_the_process_alone() {
    let mut guessed = done();
    guessed["model_usage_since_last_result"]["claude-opus-5-5"]["costBasis"] = json!("unknown");
    let Some(Event::Usage {
        cost_usd, tokens, ..
    }) = heard(&resumed(), &[guessed]).into_iter().next()
    else {
        panic!("usage first");
    };
    assert_eq!((cost_usd, tokens.unwrap().input), (None, 100));

    let mut older = done();
    older
        .as_object_mut()
        .unwrap()
        .remove("model_usage_since_last_result");
    let Some(Event::Usage {
        cost_usd, tokens, ..
    }) = heard(&resumed(), &[older]).into_iter().next()
    else {
        panic!("usage first");
    };
    assert_eq!((cost_usd, tokens.unwrap().input), (Some(9.9), 999));
}

#[test]
fn a_tool_call_is_told_with_its_input_and_then_with_its_answer() {
    let events = heard(
        &fresh(),
        &[
            begin("m1"),
            block(0, "tool_use"),
            whole(
                "m1",
                &json!({"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "a.md"}}),
            ),
            json!({"type": "user", "message": {"content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "one"}, {"type": "image"}]},
                {"type": "tool_result", "tool_use_id": "t2", "content": "no such file", "is_error": true},
            ]}}),
        ],
    );
    assert_eq!(
        events[1..],
        [
            Event::ToolStarted {
                call_id: "t1".to_owned(),
                name: "Read".to_owned(),
                input: json!({"file_path": "a.md"})
            },
            Event::ToolDone {
                call_id: "t1".to_owned(),
                text: "one\n(not text)".to_owned(),
                is_error: false
            },
            Event::ToolDone {
                call_id: "t2".to_owned(),
                text: "no such file".to_owned(),
                is_error: true
            },
        ]
    );
}

#[test]
fn what_a_broken_stream_had_said_is_taken_back_when_it_is_tried_anew() {
    let mut stopped = stream(&json!({"type": "message_stop"}));
    stopped["abandoned_blocks"] = json!({"from_block_index": 0});
    let retry = json!({"type": "system", "subtype": "api_retry", "attempt": 2, "error_status": null, "error": "unknown"});
    let events = heard(
        &fresh(),
        &[
            begin("m1"),
            block(0, "text"),
            text_delta(0, "half a sen"),
            stopped,
            retry,
            whole("m2", &json!({"type": "text", "text": "the whole sentence"})),
            done(),
        ],
    );
    assert_eq!(
        events[1..4],
        [
            Event::TextWhole {
                key: "m1/0".to_owned(),
                text: String::new()
            },
            Event::Retrying {
                attempt: 2,
                reason: "unknown".to_owned()
            },
            Event::Model("claude-opus-5-5".to_owned()),
        ]
    );
    assert_eq!(
        events[4],
        Event::TextWhole {
            key: "m2/0".to_owned(),
            text: "the whole sentence".to_owned()
        }
    );
    assert_eq!(end(&events), &Event::Finished);
}

#[test]
fn a_refusal_is_told_with_its_kind_and_never_as_an_answer() {
    let cases = [
        (json!(529), "API Error: 529 busy", RefusalClass::Overloaded),
        (
            json!(429),
            "API Error: 429 slow down",
            RefusalClass::RateLimit,
        ),
        (json!(401), "Failed to authenticate", RefusalClass::Auth),
        (json!(400), "API Error: 400 bad", RefusalClass::BadRequest),
        (
            json!(404),
            "There's an issue with the selected model",
            RefusalClass::NotFound,
        ),
        (
            json!(null),
            "API Error: Connection refused",
            RefusalClass::Network,
        ),
    ];
    for (status, words, class) in cases {
        let synthetic = json!({
            "type": "assistant", "is_api_error_message": true, "parent_tool_use_id": null,
            "message": {"id": "x", "model": "<synthetic>", "content": [{"type": "text", "text": words}]},
        });
        let events = heard(
            &fresh(),
            &[init(), synthetic, failed_result(&status, words)],
        );
        assert!(
            !events
                .iter()
                .any(|event| matches!(event, Event::TextWhole { .. }))
        );
        assert_eq!(
            end(&events),
            &Event::Refused(Refusal {
                provider: "Claude".to_owned(),
                model: Some("claude-opus-5-5".to_owned()),
                class,
                status: status
                    .as_u64()
                    .and_then(|status| u16::try_from(status).ok()),
                reason: words.to_owned(),
            })
        );
    }
}

#[test]
fn who_is_not_signed_in_is_told_how_to() {
    let events = heard(
        &fresh(),
        &[failed_result(
            &Value::Null,
            "Not logged in · Please run /login",
        )],
    );
    let Event::Refused(refusal) = end(&events) else {
        panic!("a refusal");
    };
    assert_eq!(refusal.class, RefusalClass::Auth);
    assert!(
        refusal.reason.contains("name a key in a gateway"),
        "{}",
        refusal.reason
    );
}

/// S30: a resume that the program refuses is told as a lost session, by its result or by its last words.
#[test]
fn an_unknown_session_is_lost_and_not_failed() {
    let words = format!("No conversation found with session ID: {ID}");
    let result = json!({
        "type": "result", "subtype": "error_during_execution", "is_error": true, "num_turns": 0, "errors": [words],
        "modelUsage": {},
    });
    let lost = Event::SessionLost {
        reason: words.clone(),
    };
    assert_eq!(end(&heard(&resumed(), &[result])), &lost);

    let mut dialogue = claude().dialogue(&resumed());
    let exit = Exit {
        code: Some(1),
        signal: None,
        stderr: words,
    };
    assert_eq!(dialogue.ended(&exit).events, [lost]);
}

#[test]
fn an_id_that_is_used_already_has_its_own_end() {
    let mut dialogue = claude().dialogue(&fresh());
    let exit = Exit {
        code: Some(1),
        signal: None,
        stderr: format!("Error: Session ID {ID} is already in use."),
    };
    assert_eq!(
        dialogue.ended(&exit).events,
        [Event::SessionTaken { id: ID.to_owned() }]
    );
}

#[test]
fn a_process_that_goes_without_an_end_is_a_failure_that_says_why() {
    let ended = |code, signal, stderr: &str| {
        let exit = Exit {
            code,
            signal,
            stderr: stderr.to_owned(),
        };
        claude().dialogue(&fresh()).ended(&exit).events
    };
    let failed = |what: &str| [Event::Failed(format!("Claude {what}"))];
    assert_eq!(
        ended(None, Some(9), ""),
        failed("was killed (signal 9) before it finished")
    );
    assert_eq!(
        ended(Some(0), None, ""),
        failed("ended with exit code 0 before it finished")
    );
    assert_eq!(
        ended(Some(1), None, "boom\n\n[claude-code:unrecognized_model] {}"),
        failed("ended with exit code 1 before it finished: boom")
    );
}

#[test]
fn a_stop_is_said_in_the_protocol_and_ends_the_turn_as_interrupted() {
    let mut dialogue = claude().dialogue(&fresh());
    let step = dialogue.told(Input::Interrupt);
    let said: Value = serde_json::from_str(&step.say[0]).unwrap();
    assert_eq!(said["request"]["subtype"], "interrupt");
    assert_eq!(
        dialogue.told(Input::Interrupt),
        Step::default(),
        "said once"
    );
    let result = json!({
        "type": "result", "subtype": "error_during_execution", "is_error": true, "terminal_reason": "aborted_streaming",
        "errors": ["[ede_diagnostic]"], "modelUsage": {},
    });
    let step = dialogue.heard(&result.to_string());
    assert_eq!(end(&step.events), &Event::Interrupted);
    assert!(step.close);
    assert_eq!(
        dialogue.heard(&done().to_string()),
        Step::default(),
        "nothing comes after the end"
    );
    assert_eq!(dialogue.ended(&Exit::default()), Step::default());

    let mut killed = claude().dialogue(&fresh());
    killed.told(Input::Interrupt);
    assert_eq!(killed.ended(&Exit::default()).events, [Event::Interrupted]);
}

fn may_read(id: &str, tool: &str) -> String {
    json!({"type": "control_request", "request_id": id, "request": {
        "subtype": "can_use_tool", "tool_name": tool, "input": {"file_path": "/etc/hosts"}, "tool_use_id": "t1",
        "permission_suggestions": [
            {"type": "addRules", "rules": [{"toolName": "Read", "ruleContent": "//etc/**"}], "behavior": "allow", "destination": "session"},
            {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
            {"type": "addRules", "rules": [{"toolName": "Bash"}], "behavior": "allow", "destination": "userSettings"},
        ],
    }})
    .to_string()
}

fn answered(answer: Answer, text: Option<&str>) -> Value {
    let mut dialogue = claude().dialogue(&fresh());
    let step = dialogue.heard(&may_read("q1", "Read"));
    let [Event::Asked(asked)] = step.events.as_slice() else {
        panic!("a question: {step:?}");
    };
    assert_eq!(asked.ask_id, "q1");
    assert_eq!(asked.path.as_deref(), Some("/etc/hosts"));
    let input = || Input::Answer {
        ask_id: "q1".to_owned(),
        answer,
        text: text.map(str::to_owned),
    };
    let step = dialogue.told(input());
    assert_eq!(dialogue.told(input()), Step::default(), "answered once");
    let said: Value = serde_json::from_str(&step.say[0]).unwrap();
    assert_eq!(said["response"]["request_id"], "q1");
    said["response"]["response"].clone()
}

#[test]
fn a_read_outside_is_asked_and_answered_as_the_person_says() {
    let input = json!({"file_path": "/etc/hosts"});
    assert_eq!(
        answered(Answer::AllowOnce, None),
        json!({"behavior": "allow", "updatedInput": input})
    );
    assert_eq!(
        answered(Answer::Deny, Some("not that"))["message"],
        "not that"
    );
    assert_eq!(answered(Answer::Deny, None)["behavior"], "deny");
    let thread = answered(Answer::AllowThread, None);
    let taken = thread["updatedPermissions"].as_array().unwrap();
    assert_eq!(
        taken.len(),
        1,
        "only reading, only for the life of the process: {thread}"
    );
    assert_eq!(taken[0]["rules"][0]["toolName"], "Read");
}

#[test]
fn a_writing_tool_is_refused_without_asking_anybody() {
    for tool in ["Write", "Edit", "Bash", "mcp__x__y"] {
        let step = claude().dialogue(&fresh()).heard(&may_read("q1", tool));
        assert_eq!(step.events, [], "{tool}");
        let said: Value = serde_json::from_str(&step.say[0]).unwrap();
        assert_eq!(said["response"]["response"]["behavior"], "deny", "{tool}");
    }
}

#[test]
fn a_question_that_is_withdrawn_or_outlived_is_void() {
    let withdrawn = Event::AskWithdrawn {
        ask_id: "q1".to_owned(),
    };
    let mut dialogue = claude().dialogue(&fresh());
    dialogue.heard(&may_read("q1", "Read"));
    let cancel = json!({"type": "control_cancel_request", "request_id": "q1"}).to_string();
    assert_eq!(
        dialogue.heard(&cancel).events,
        std::slice::from_ref(&withdrawn)
    );
    assert_eq!(dialogue.heard(&cancel).events, []);

    let mut dialogue = claude().dialogue(&fresh());
    dialogue.heard(&may_read("q1", "Read"));
    assert_eq!(dialogue.ended(&Exit::default()).events[0], withdrawn);
}

#[test]
fn a_request_of_an_unknown_kind_is_answered_so_that_nothing_waits() {
    let line =
        json!({"type": "control_request", "request_id": "r", "request": {"subtype": "new_in_3"}});
    let step = claude().dialogue(&fresh()).heard(&line.to_string());
    assert!(step.say[0].contains("\"error\""));
    assert!(matches!(&step.events[0], Event::Other { .. }));
}

#[test]
fn what_is_new_in_the_protocol_is_kept_and_what_is_no_message_is_a_diagnostic() {
    let line = json!({"type": "system", "subtype": "new_in_3", "x": 1});
    assert_eq!(
        heard(&fresh(), std::slice::from_ref(&line)),
        [Event::Other {
            original_type: "system/new_in_3".to_owned(),
            payload: line
        }]
    );
    for text in [
        "Warning: deprecated",
        "{\"half\":",
        "7",
        "null",
        "[1]",
        "\"x\"",
    ] {
        let step = claude().dialogue(&fresh()).heard(text);
        assert_eq!(step.events, [Event::Diagnostic(text.to_owned())], "{text}");
    }
}

/// Lines no program should print; each is also heard cut at every byte.
#[test]
fn bad_lines_do_not_end_a_turn_wherever_they_are_cut() {
    let bad = [
        "{\"type\":\"result\"",
        "{\"type\":null}",
        "{\"type\":\"stream_event\"}",
        "{\"type\":\"stream_event\",\"event\":{\"type\":\"content_block_delta\",\"index\":-1,\"delta\":7}}",
        "{\"type\":\"stream_event\",\"event\":{\"type\":\"content_block_start\",\"index\":18446744073709551615}}",
        "{\"type\":\"assistant\"}",
        "{\"type\":\"assistant\",\"message\":{\"content\":\"text\"}}",
        "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"tool_use\"},7,{\"type\":\"text\",\"text\":7}]}}",
        "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\"}]}}",
        "{\"type\":\"control_request\"}",
        "{\"type\":\"control_request\",\"request\":{\"subtype\":\"can_use_tool\"}}",
        "{\"type\":\"control_cancel_request\",\"request_id\":7}",
        "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":7,\"model\":[]}",
        "{\"type\":\"system\",\"subtype\":\"api_retry\",\"attempt\":1e400}",
        "{\"type\":\"system\",\"subtype\":\"api_retry\",\"attempt\":99999999999}",
        "{\"type\":\"system\",\"subtype\":\"\u{0}\"}",
    ];
    for line in bad {
        let mut dialogue = claude().dialogue(&fresh());
        for end in (0..=line.len()).filter(|end| line.is_char_boundary(*end)) {
            let step = dialogue.heard(&line[..end]);
            assert!(!step.events.iter().any(Event::is_end), "{line}");
        }
        let events = dialogue.heard(&done().to_string()).events;
        assert_eq!(end(&events), &Event::Finished, "after {line}");
    }
}

proptest! {
    #[test]
    fn no_line_whatever_makes_it_panic(lines in proptest::collection::vec(any_line(), 0..20)) {
        let mut dialogue = claude().dialogue(&resumed());
        dialogue.open();
        let mut ends = 0;
        for line in lines {
            ends += dialogue.heard(&line).events.iter().filter(|event| event.is_end()).count();
        }
        ends += dialogue.ended(&Exit::default()).events.iter().filter(|event| event.is_end()).count();
        prop_assert_eq!(ends, 1);
    }
}

/// Noise, or an object whose members have the right names and any values.
fn any_line() -> impl Strategy<Value = String> {
    let names = [
        "type",
        "subtype",
        "event",
        "message",
        "content",
        "index",
        "delta",
        "text",
        "id",
        "request",
        "request_id",
        "tool_name",
        "is_error",
        "errors",
        "usage",
        "model",
        "abandoned_blocks",
        "from_block_index",
    ];
    let words = [
        "system",
        "init",
        "stream_event",
        "assistant",
        "user",
        "control_request",
        "can_use_tool",
        "result",
        "text",
        "content_block_delta",
        "text_delta",
        "message_start",
        "tool_use",
        "tool_result",
        "Read",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
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

fn found(options: &[&str]) -> Found {
    Found {
        program: PathBuf::from("/usr/bin/claude"),
        version: "2.1.332".to_owned(),
        options: options
            .iter()
            .map(|option| (*option).to_owned())
            .collect::<BTreeSet<_>>(),
    }
}

#[test]
fn in_ask_the_program_has_no_writing_tool_and_none_of_its_own_settings() {
    let launch = claude().launch(&found(&[]), &fresh()).unwrap();
    let arguments = launch.arguments.join(" ");
    assert!(arguments.contains("--tools=Read,Grep,Glob"), "{arguments}");
    assert!(
        arguments.contains("--strict-mcp-config --setting-sources  "),
        "{arguments}"
    );
    assert!(
        arguments.contains(&format!("--session-id={ID}")),
        "{arguments}"
    );
    assert!(
        !arguments.contains("snapshot"),
        "an option this version does not list: {arguments}"
    );
    assert_eq!(launch.folder, Path::new("/work/space"));

    let newer = claude()
        .launch(&found(&["--system-prompt-snapshot"]), &resumed())
        .unwrap();
    let arguments = newer.arguments.join(" ");
    assert!(arguments.contains(&format!("--resume={ID}")), "{arguments}");
    assert!(
        arguments.contains("--system-prompt-snapshot=off"),
        "{arguments}"
    );
    assert!(
        !arguments.contains("--session-id"),
        "the two exclude each other: {arguments}"
    );

    let act = Turn {
        mode: Mode::Act,
        ..fresh()
    };
    assert!(matches!(
        claude().launch(&found(&[]), &act),
        Err(BadTurn::Mode(_))
    ));
}

#[test]
fn nothing_that_could_be_an_option_reaches_the_command_line() {
    let model = Turn {
        model: Some("--dangerously-skip-permissions".to_owned()),
        ..fresh()
    };
    assert!(matches!(
        claude().launch(&found(&[]), &model),
        Err(BadTurn::Model(_))
    ));
    for id in [
        "",
        "--continue",
        "../../x",
        "11111111-1111-4111-8111-11111111111Z",
    ] {
        let turn = turn(SessionStart::Resume { id: id.to_owned() });
        assert!(
            matches!(
                claude().launch(&found(&[]), &turn),
                Err(BadTurn::SessionId(..))
            ),
            "{id}"
        );
        assert_eq!(claude().record(id), None, "{id}");
    }
}

#[test]
fn a_gateway_gets_its_own_key_and_never_the_sign_in_of_the_person() {
    let names = |turn: &Turn| {
        let launch = claude().launch(&found(&[]), turn).unwrap();
        launch
            .environment
            .into_iter()
            .filter(|(name, _)| name.starts_with("ANTHROPIC"))
            .map(|(name, value)| format!("{name}={}", value.to_string_lossy()))
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&fresh()), [""; 0]);
    let mut at_gateway = fresh();
    at_gateway.gateway.base_url = Some("http://127.0.0.1:9".to_owned());
    assert_eq!(
        names(&at_gateway),
        [
            "ANTHROPIC_API_KEY=none",
            "ANTHROPIC_BASE_URL=http://127.0.0.1:9"
        ]
    );
    at_gateway.key = Some(Secret::new("k".to_owned()));
    at_gateway.gateway.key_ref = Some("env:MY_KEY".to_owned());
    assert_eq!(names(&at_gateway)[0], "ANTHROPIC_API_KEY=k");
    at_gateway.gateway.key_ref = Some("env:MY_AUTH_TOKEN".to_owned());
    assert_eq!(names(&at_gateway)[0], "ANTHROPIC_AUTH_TOKEN=k");
}

/// S53: the override of the config folder is where records are looked for, and what the program gets.
#[test]
fn the_override_of_the_config_folder_counts_in_every_look_up() {
    let sdk = Sdk::parse("claude").unwrap();
    let with = Environment::of([("HOME", "/home/a"), ("CLAUDE_CONFIG_DIR", "/elsewhere")]);
    let claude = Claude::new(sdk.clone(), &with);
    assert_eq!(
        claude.record(ID).unwrap().config_folder,
        Path::new("/elsewhere")
    );
    let launch = claude.launch(&found(&[]), &fresh()).unwrap();
    assert_eq!(
        launch.environment.get("CLAUDE_CONFIG_DIR"),
        Some(&"/elsewhere".into())
    );

    for empty in [
        vec![("HOME", "/home/a")],
        vec![("HOME", "/home/a"), ("CLAUDE_CONFIG_DIR", "")],
    ] {
        let claude = Claude::new(sdk.clone(), &Environment::of(empty));
        assert_eq!(
            claude.record(ID).unwrap().config_folder,
            Path::new("/home/a/.claude")
        );
        let launch = claude.launch(&found(&[]), &fresh()).unwrap();
        assert_eq!(launch.environment.get("CLAUDE_CONFIG_DIR"), None);
    }
}

#[test]
fn the_prompt_is_said_on_stdin_and_is_never_a_command_of_the_program() {
    let said = |prompt: &str, images| -> Value {
        let turn = Turn {
            prompt: prompt.to_owned(),
            images,
            ..fresh()
        };
        let step = claude().dialogue(&turn).open();
        serde_json::from_str(&step.say[0]).unwrap()
    };
    assert_eq!(
        said("/compact", Vec::new())["message"]["content"][0]["text"],
        " /compact"
    );
    let image = PromptImage {
        media_type: "image/png".to_owned(),
        data_base64: "AA==".to_owned(),
    };
    let line = said("look", vec![image]);
    assert_eq!(
        line["message"]["content"][0]["source"]["media_type"],
        "image/png"
    );
    assert_eq!(line["message"]["content"][1]["text"], "look");
}
