//! Lines no agent should print.

use super::*;
use crate::agents::noise::any_line;

/// Names of members and their words in this protocol.
const NAMES: [&str; 19] = [
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
const WORDS: [&str; 8] = [
    "session/update",
    "session/request_permission",
    "agent_message_chunk",
    "tool_call",
    "completed",
    "end_turn",
    "allow_once",
    "usage_update",
];

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
    fn no_line_whatever_makes_it_panic(lines in proptest::collection::vec(any_line(NAMES, WORDS), 0..20)) {
        let mut talk = Talk::prompting();
        let mut ends = 0;
        for line in lines {
            ends += talk.0.heard(&line).events.iter().filter(|event| event.is_end()).count();
        }
        ends += talk.0.ended(&Exit::default()).events.iter().filter(|event| event.is_end()).count();
        prop_assert_eq!(ends, 1);
    }
}
