//! Lines no program should print.

use super::*;
use crate::agents::noise::any_line;
use crate::agents::played::ends;

/// Names of members and their words in this protocol.
const NAMES: [&str; 18] = [
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
const WORDS: [&str; 15] = [
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
    fn no_line_whatever_makes_it_panic(lines in proptest::collection::vec(any_line(NAMES, WORDS), 0..20)) {
        prop_assert_eq!(ends(claude().dialogue(&resumed()), "", 0, &lines), 1);
    }
}
