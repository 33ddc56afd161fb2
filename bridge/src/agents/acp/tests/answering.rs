//! Sessions, text, tools and what they cost.

use super::*;

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
fn it_is_started_as_configured_and_only_for_what_it_can_do() {
    let mine = found("/bin/mine", "");
    let launch = acp().launch(&mine, &fresh()).unwrap();
    assert_eq!(launch.arguments, ["--acp"]);
    assert_eq!(launch.folder, Path::new("/a/workspace"));
    starts_nothing_else(|turn| acp().launch(&mine, turn), &[]);
    assert_eq!(
        acp().record("s1"),
        None,
        "nobody knows where its records lie"
    );
}
