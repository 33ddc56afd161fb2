use super::*;
use crate::ids::{EntryId, GatewayId, Millis, Sdk};
use crate::wire::message::{Mode, Refusal, RefusalClass};
use proptest::prelude::*;
use serde_json::json;

fn id(n: u32) -> String {
    format!("00000000-0000-7000-8000-{n:012}")
}

fn entry(seq: u32, message: u32, role: Role, run: Option<u32>, body: EntryKind) -> Entry {
    Entry {
        entry_id: EntryId::parse(&id(1_000 + seq)).unwrap(),
        message_id: MessageId::parse(&id(message)).unwrap(),
        seq: u64::from(seq),
        role,
        body,
        run_id: run.map(|run| RunId::parse(&id(run)).unwrap()),
        mode: Mode::Ask,
        sdk: Sdk::parse("demo").unwrap(),
        gateway: GatewayId::default_gateway(),
        model: None,
        cost_usd: None,
        tokens: None,
        duration_ms: None,
        version: None,
        created_at: Millis(i64::from(seq)),
    }
}

fn run(n: u32, message: u32, reply: u32, state: RunState) -> RunRecord {
    RunRecord {
        run_id: RunId::parse(&id(n)).unwrap(),
        message_id: MessageId::parse(&id(message)).unwrap(),
        reply_id: MessageId::parse(&id(reply)).unwrap(),
        state,
        mode: Mode::Ask,
        sdk: Sdk::parse("demo").unwrap(),
        gateway: GatewayId::default_gateway(),
        model: None,
        memory: None,
        forecast: None,
        receipt: None,
        refusal: None,
        failure: None,
        first_word_ms: None,
        started_at: Millis(0),
        ended_at: None,
    }
}

fn text(text: &str) -> EntryKind {
    EntryKind::Text {
        text: text.to_owned(),
    }
}

fn call(call_id: &str) -> EntryKind {
    EntryKind::ToolCall {
        call_id: call_id.to_owned(),
        name: "Read".to_owned(),
        input: json!({"path": "a.md"}),
    }
}

fn result(call_id: &str, text: &str) -> EntryKind {
    EntryKind::ToolResult {
        call_id: call_id.to_owned(),
        text: text.to_owned(),
        is_error: false,
    }
}

fn asked(seq: u32, message: u32, run: u32) -> Entry {
    entry(seq, message, Role::User, Some(run), text("Why?"))
}

fn answered(seq: u32, message: u32, run: u32, body: EntryKind) -> Entry {
    entry(seq, message, Role::Assistant, Some(run), body)
}

/// S129 S130: a result stands in the message that holds its call.
#[test]
fn a_tool_result_is_put_into_the_message_that_holds_its_call() {
    let entries = [
        asked(0, 1, 9),
        answered(1, 2, 9, call("c1")),
        answered(2, 2, 9, text("I looked.")),
        answered(3, 2, 9, result("c1", "ten lines")),
    ];
    let messages = assemble(&entries, &[run(9, 1, 2, RunState::Done)], &[]);
    let [_, reply] = &messages[..] else {
        panic!("{messages:?}")
    };
    let [Part::Tool { status, result, .. }, Part::Text { .. }] = &reply.parts[..] else {
        panic!("{:?}", reply.parts)
    };
    assert_eq!(*status, ToolStatus::Done);
    assert_eq!(
        result.as_ref().map(|result| result.text.as_str()),
        Some("ten lines")
    );
}

#[test]
fn a_call_id_that_comes_again_in_a_later_run_is_another_call() {
    let entries = [
        asked(0, 1, 8),
        answered(1, 2, 8, call("c1")),
        answered(2, 2, 8, result("c1", "first")),
        asked(3, 3, 9),
        answered(4, 4, 9, call("c1")),
        answered(5, 4, 9, result("c1", "second")),
    ];
    let runs = [run(8, 1, 2, RunState::Done), run(9, 3, 4, RunState::Done)];
    let results: Vec<String> = assemble(&entries, &runs, &[])
        .into_iter()
        .flat_map(|message| message.parts)
        .filter_map(|part| match part {
            Part::Tool { result, .. } => result.map(|result| result.text),
            _ => None,
        })
        .collect();
    assert_eq!(results, ["first", "second"]);
}

/// S131: a result whose call is not there is left out.
#[test]
fn a_result_without_its_call_is_left_out() {
    let entries = [asked(0, 1, 9), answered(1, 2, 9, result("c7", "lost"))];
    let messages = assemble(&entries, &[run(9, 1, 2, RunState::Done)], &[]);
    assert_eq!(messages[1].parts, []);
}

/// S132: notices and unknown entries are kept in the transcript and not shown in messages.
#[test]
fn notices_and_unknown_entries_are_not_shown() {
    let notice = EntryKind::Notice {
        name: "mode".to_owned(),
        detail: json!("ask"),
    };
    let other = EntryKind::Other {
        original_type: "rate_limit_event".to_owned(),
        payload: json!({}),
    };
    let entries = [
        asked(0, 1, 9),
        answered(1, 2, 9, notice),
        answered(2, 2, 9, other),
        answered(3, 2, 9, text("Because.")),
    ];
    let messages = assemble(&entries, &[run(9, 1, 2, RunState::Done)], &[]);
    assert!(matches!(&messages[1].parts[..], [Part::Text { .. }]));
}

/// S133: a part of a message that this version does not know is a marker.
#[test]
fn an_unknown_part_is_a_marker() {
    let other = EntryKind::Other {
        original_type: "part:audio".to_owned(),
        payload: json!({}),
    };
    let entries = [asked(0, 1, 9), answered(1, 2, 9, other)];
    let messages = assemble(&entries, &[run(9, 1, 2, RunState::Done)], &[]);
    assert!(matches!(
        &messages[1].parts[..],
        [Part::Unknown { original_type, .. }] if original_type == "audio"
    ));
}

/// S134: a stored image carries its bytes, so showing it asks for nothing.
#[test]
fn an_image_becomes_a_data_url() {
    let image = EntryKind::Image {
        media_type: "image/png".to_owned(),
        data_base64: "aGk=".to_owned(),
    };
    let entries = [asked(0, 1, 9), entry(1, 1, Role::User, Some(9), image)];
    let messages = assemble(&entries, &[run(9, 1, 2, RunState::Done)], &[]);
    assert!(matches!(
        &messages[0].parts[1],
        Part::Image { data_url, .. } if data_url == "data:image/png;base64,aGk="
    ));
}

/// S135: a refused attempt says so where the reply would be, without an empty bubble; the later reply carries none.
#[test]
fn a_refusal_is_on_the_attempt_and_not_on_the_reply_that_came_later() {
    let refused = RunRecord {
        refusal: Some(Refusal {
            provider: "LiteLLM".to_owned(),
            model: Some("sonnet".to_owned()),
            class: RefusalClass::Overloaded,
            status: Some(529),
            reason: "try later".to_owned(),
        }),
        ..run(8, 1, 2, RunState::Refused)
    };
    let entries = [asked(0, 1, 8), answered(1, 3, 9, text("Because."))];
    let messages = assemble(&entries, &[refused, run(9, 1, 3, RunState::Done)], &[]);
    let [_, attempt, reply] = &messages[..] else {
        panic!("{messages:?}")
    };
    assert!(attempt.refusal.is_some() && attempt.parts.is_empty());
    assert!(reply.refusal.is_none() && reply.parts.len() == 1);
}

/// S148: an answer that was cut off says so, with the text it had.
#[test]
fn a_run_that_was_cut_off_keeps_its_text_and_says_so() {
    let entries = [
        asked(0, 1, 9),
        answered(1, 2, 9, text("Becau")),
        answered(2, 2, 9, call("c1")),
    ];
    let messages = assemble(&entries, &[run(9, 1, 2, RunState::Interrupted)], &[]);
    assert!(messages[1].interrupted);
    assert!(matches!(
        &messages[1].parts[..],
        [
            Part::Text { .. },
            Part::Tool {
                status: ToolStatus::Failed,
                ..
            }
        ]
    ));
}

/// S59 S60: each place stands with the message that brought it.
#[test]
fn a_message_carries_the_places_it_brought() {
    let place = |n: u32, message: u32| Place {
        place_id: crate::ids::PlaceId::parse(&id(n)).unwrap(),
        document: "a.md".to_owned(),
        kind: crate::wire::place::PlaceKind::Text,
        start: 0,
        end: 3,
        version: crate::ids::Version::parse(&"0".repeat(64)).unwrap(),
        quote: "abc".to_owned(),
        state: crate::wire::place::PlaceState::Exact,
        message_id: Some(MessageId::parse(&id(message)).unwrap()),
        replaces: None,
        vanished: None,
    };
    let entries = [asked(0, 1, 8), asked(1, 3, 9)];
    let runs = [run(8, 1, 2, RunState::Done), run(9, 3, 4, RunState::Done)];
    let messages = assemble(&entries, &runs, &[place(50, 1), place(51, 3), place(52, 3)]);
    let brought: Vec<usize> = messages
        .iter()
        .map(|message| message.places.len())
        .collect();
    assert_eq!(brought, [1, 0, 2, 0]);
}

#[test]
fn a_prompt_that_waits_is_not_a_message_yet_and_later_follows_the_answer_before_it() {
    let mut entries = vec![
        asked(0, 1, 8),
        entry(1, 3, Role::User, None, text("And?")),
        answered(2, 2, 8, text("Because.")),
    ];
    let mut runs = vec![
        run(8, 1, 2, RunState::Running),
        run(9, 3, 4, RunState::Queued),
    ];
    assert_eq!(assemble(&entries, &runs, &[]).len(), 2);

    runs[0].state = RunState::Done;
    runs[1].state = RunState::Running;
    entries.push(answered(3, 4, 9, text("Also.")));
    let order: Vec<String> = assemble(&entries, &runs, &[])
        .into_iter()
        .map(|message| message.message_id.to_string())
        .collect();
    assert_eq!(order, [id(1), id(2), id(3), id(4)]);
}

proptest! {
    /// S127 S128: every entry that is a part is shown once, in stored order, whatever else stands between.
    #[test]
    fn every_part_is_shown_once_and_in_order(kinds in prop::collection::vec(0_u8..6, 0..40)) {
        let mut entries = vec![asked(0, 1, 9)];
        for (seq, kind) in (1_u32..).zip(&kinds) {
            let body = match kind {
                0 => text("t"),
                1 => EntryKind::Thinking { text: "h".to_owned() },
                2 => call("c"),
                3 => result("c", "r"),
                4 => EntryKind::Notice { name: "n".to_owned(), detail: json!(null) },
                _ => EntryKind::Other { original_type: "part:x".to_owned(), payload: json!(null) },
            };
            entries.push(answered(seq, 2, 9, body));
        }
        let shown: Vec<EntryId> = assemble(&entries, &[run(9, 1, 2, RunState::Done)], &[])
            .iter()
            .flat_map(|message| &message.parts)
            .map(|part| part.entry_id().clone())
            .collect();
        let stored: Vec<EntryId> = entries
            .iter()
            .filter(|entry| part_of(entry).is_some())
            .map(|entry| entry.entry_id.clone())
            .collect();
        prop_assert_eq!(shown, stored);
    }
}
