//! What the real program printed, turn by turn, and how it is started.

use super::Pi;
use crate::agents::examples::{first, found, later, starts_nothing_else, through_gateway};
use crate::agents::played::{any_line, ends, played};
use crate::agents::seam::{Agent as _, BadTurn, Event, Secret, Turn};
use crate::agents::session_log::SessionLog;
use crate::processes::{Environment, Exit, Launch};
use proptest::prelude::*;
use rex_shared::ids::Sdk;
use serde_json::json;

const ID: &str = "01a22d70-ab74-76c8-aa1c-bbebc8121c7b";
const TOOL: &str = include_str!("transcripts/tool.jsonl");

fn pi(environment: &[(&str, &str)]) -> Pi {
    let environment = Environment::of(environment.iter().copied());
    Pi::new(Sdk::parse("pi").unwrap(), &environment)
}

fn said(turn: &Turn, transcript: &str) -> String {
    played(pi(&[]).dialogue(turn), transcript, false)
}

fn launch(turn: &Turn) -> Result<Launch, BadTurn> {
    let found = found("/bin/pi", "0.73.1");
    pi(&[("HOME", "/home/a"), ("PI_CODING_AGENT_DIR", "/a/pi")]).launch(&found, turn)
}

/// S45: the id the program gives is told before anything else.
#[test]
fn a_first_turn_thinks_and_answers() {
    insta::assert_snapshot!(said(&first(), include_str!("transcripts/first.jsonl")));
}

#[test]
fn a_later_turn_takes_the_session_up() {
    insta::assert_snapshot!(said(&later(ID), include_str!("transcripts/resumed.jsonl")));
}

#[test]
fn a_tool_is_told_with_what_it_read() {
    insta::assert_snapshot!(said(&through_gateway(later(ID)), TOOL));
}

#[test]
fn a_stopped_turn_is_aborted() {
    let transcript = include_str!("transcripts/stopped.jsonl");
    insta::assert_snapshot!(played(pi(&[]).dialogue(&later(ID)), transcript, true));
}

#[test]
fn a_refused_request_is_a_refusal_once_it_is_settled() {
    let turn = through_gateway(later(ID));
    insta::assert_snapshot!(said(&turn, include_str!("transcripts/refused.jsonl")));
}

#[test]
fn retries_are_told_and_then_the_refusal() {
    let turn = through_gateway(later(ID));
    insta::assert_snapshot!(said(&turn, include_str!("transcripts/overloaded.jsonl")));
}

/// S30: the program goes when a session is not there, with an exit code that says so or not.
#[test]
fn a_session_that_is_gone_is_lost() {
    for (code, stderr) in [
        (1, "No session found matching 'x'"),
        (
            0,
            "Session found in different project: /b\nFork this session into current directory? [y/N] Aborted.",
        ),
    ] {
        let exit = Exit {
            code: Some(code),
            signal: None,
            stderr: stderr.to_owned(),
        };
        let reason = stderr.lines().next().unwrap_or_default().to_owned();
        let lost = Event::SessionLost { reason };
        assert_eq!(pi(&[]).dialogue(&later(ID)).ended(&exit).events, [lost]);
        let end = pi(&[]).dialogue(&first()).ended(&exit).events;
        assert!(matches!(end.as_slice(), [Event::Failed(_)]), "{end:?}");
    }
}

#[test]
fn what_was_said_before_a_retry_is_taken_back() {
    let mut dialogue = pi(&[]).dialogue(&first());
    dialogue.open();
    let update = |event: serde_json::Value| json!({"type": "message_update", "assistantMessageEvent": event});
    for line in [
        json!({"type": "message_start", "message": {"role": "assistant"}}),
        update(json!({"type": "text_delta", "contentIndex": 0, "delta": "half"})),
        json!({"type": "agent_end", "messages": [{"stopReason": "error", "errorMessage": "terminated"}]}),
    ] {
        dialogue.heard(&line.to_string());
    }
    let retry = json!({"type": "auto_retry_start", "attempt": 1}).to_string();
    assert_eq!(
        dialogue.heard(&retry).events,
        [
            Event::TextWhole {
                key: "1/0".to_owned(),
                text: String::new()
            },
            Event::Retrying {
                attempt: 1,
                reason: "terminated".to_owned()
            }
        ]
    );
}

#[test]
fn a_gateway_is_told_in_a_file_of_the_run_that_holds_no_key() {
    let mut turn = through_gateway(first());
    turn.key = Some(Secret::new("a-key".to_owned()));
    turn.gateway.models = vec!["fake-small".to_owned(), "fake-large".to_owned()];
    let launch = launch(&turn).unwrap();
    let files = launch.files.values().cloned().collect::<String>();
    insta::assert_snapshot!(format!("{}\n{files}", launch.arguments.join(" ")));
    assert!(launch.environment.contains_key("PI_CODING_AGENT_DIR"));
    assert_eq!(launch.environment["GATEWAY_KEY"], "a-key");
}

/// G-S24: no text of others is ever an option.
#[test]
fn what_is_not_what_it_should_be_starts_nothing() {
    starts_nothing_else(launch, &["/a.jsonl"]);
    let mut nothing = through_gateway(first());
    nothing.model = None;
    assert!(matches!(launch(&nothing), Err(BadTurn::NoModel(_))));
}

/// S53: the folder the program was told to use is where its record is looked for.
#[test]
fn the_record_is_looked_for_where_the_program_writes_it() {
    let folder = tempfile::tempdir().unwrap();
    let sessions = folder.path().join("sessions/--a-workspace--");
    std::fs::create_dir_all(&sessions).unwrap();
    let log = sessions.join(format!("2026-11-30T17-11-28-373Z_{ID}.jsonl"));
    let line = "{\"type\":\"message\",\"message\":{\"role\":\"user\"}}\n";
    std::fs::write(&log, line).unwrap();
    for (variable, place) in [
        ("PI_CODING_AGENT_DIR", folder.path()),
        ("PI_CODING_AGENT_SESSION_DIR", &sessions),
    ] {
        let pi = pi(&[("HOME", "/nobody"), (variable, place.to_str().unwrap())]);
        let seen = SessionLog::look(&pi.record(ID).unwrap());
        assert_eq!(seen.log.as_ref(), Some(&log), "{variable}");
        assert!(seen.usable_bytes > 0);
    }
    let elsewhere = pi(&[("HOME", "/nobody")]);
    assert_eq!(SessionLog::look(&elsewhere.record(ID).unwrap()).log, None);
}

proptest! {
    #[test]
    fn no_line_whatever_makes_it_panic(
        heard in 0..40_usize,
        noise in proptest::collection::vec(any_line(TOOL), 0..20),
    ) {
        let dialogue = pi(&[]).dialogue(&later(ID));
        prop_assert_eq!(ends(dialogue, TOOL, heard, &noise), 1);
    }
}
