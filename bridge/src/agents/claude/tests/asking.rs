//! Questions to the person.

use super::*;

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
