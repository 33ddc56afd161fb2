//! Text, thinking, tools and what they cost.

use super::*;

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
