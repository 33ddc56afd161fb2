//! Questions to the person, and how a turn ends.

use super::*;

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
