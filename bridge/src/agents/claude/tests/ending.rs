//! How a turn ends.

use super::*;

fn failed_result(status: &Value, words: &str) -> Value {
    json!({
        "type": "result", "subtype": "success", "is_error": true, "terminal_reason": "api_error",
        "api_error_status": status, "result": words, "modelUsage": {}, "model_usage_since_last_result": {},
    })
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
