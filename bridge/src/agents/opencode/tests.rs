//! What the real program answered and told, turn by turn, and how it is started.

use super::OpenCode;
use crate::agents::examples::{first, found, later, starts_nothing_else, through_gateway};
use crate::agents::played::{any_line, ends, played};
use crate::agents::seam::{Agent as _, BadTurn, Dialogue, Event, Input, Secret, Turn};
use crate::agents::session_log::SessionLog;
use crate::processes::{Environment, Launch, Talk};
use proptest::prelude::*;
use rex_shared::ids::Sdk;
use rex_shared::wire::prompt::Answer;
use serde_json::json;

const ID: &str = "ses_dd280e9e3ffeK6kHa5k81EiPvb";
const TOOL: &str = include_str!("transcripts/tool.jsonl");
const ASKED: &str = include_str!("transcripts/asked.jsonl");

fn opencode(environment: &[(&str, &str)]) -> OpenCode {
    let environment = Environment::of(environment.iter().copied());
    OpenCode::new(Sdk::parse("opencode").unwrap(), &environment)
}

fn said(turn: &Turn, transcript: &str) -> String {
    played(opencode(&[]).dialogue(turn), transcript, false)
}

fn launch(turn: &Turn) -> Result<Launch, BadTurn> {
    let found = found("/bin/opencode", "1.18.33");
    opencode(&[("HOME", "/home/a")]).launch(&found, turn)
}

/// S40 S45: the id comes from making a session and is told before anything else.
#[test]
fn a_first_turn_thinks_and_answers() {
    let turn = through_gateway(first());
    insta::assert_snapshot!(said(&turn, include_str!("transcripts/first.jsonl")));
}

/// S40: a later turn asks for the session before it speaks in it.
#[test]
fn a_later_turn_takes_the_session_up() {
    insta::assert_snapshot!(said(&later(ID), include_str!("transcripts/resumed.jsonl")));
}

#[test]
fn a_tool_is_told_with_what_it_read() {
    insta::assert_snapshot!(said(&through_gateway(later(ID)), TOOL));
}

#[test]
fn a_tool_that_is_not_offered_fails() {
    insta::assert_snapshot!(said(&later(ID), include_str!("transcripts/writes.jsonl")));
}

#[test]
fn a_stopped_turn_is_aborted() {
    let transcript = include_str!("transcripts/stopped.jsonl");
    insta::assert_snapshot!(played(opencode(&[]).dialogue(&later(ID)), transcript, true));
}

#[test]
fn a_refused_request_is_a_refusal() {
    let turn = through_gateway(later(ID));
    insta::assert_snapshot!(said(&turn, include_str!("transcripts/refused.jsonl")));
}

/// S30: a session that is not there is lost, so that it can be told again.
#[test]
fn a_session_that_is_gone_is_lost() {
    insta::assert_snapshot!(said(&later(ID), include_str!("transcripts/lost.jsonl")));
}

/// A turn that goes on, after what a transcript holds up to a word.
fn until(word: &str, transcript: &str) -> Box<dyn Dialogue> {
    let mut dialogue = opencode(&[]).dialogue(&later(ID));
    dialogue.open();
    for line in transcript.lines().take_while(|line| !line.contains(word)) {
        dialogue.heard(line);
    }
    dialogue
}

#[test]
fn a_provider_that_is_asked_again_and_again_is_given_up() {
    let mut dialogue = until("\"retry\"", include_str!("transcripts/overloaded.jsonl"));
    let mut retry = |attempt: u32| {
        let status =
            json!({"type": "retry", "attempt": attempt, "message": "scripted failure 529"});
        let event =
            json!({"type": "session.status", "properties": {"sessionID": ID, "status": status}});
        dialogue.heard(&json!({"event": event}).to_string())
    };
    for attempt in 1..=3 {
        let told = retry(attempt).events;
        assert!(
            matches!(told.as_slice(), [Event::Retrying { .. }]),
            "{told:?}"
        );
    }
    let step = retry(4);
    assert!(step.say[0].contains("/abort"), "{step:?}");
    let idle = json!({"event": {"type": "session.idle", "properties": {"sessionID": ID}}});
    let end = dialogue.heard(&idle.to_string()).events;
    assert!(
        matches!(end.as_slice(), [Event::Refused(refusal)] if refusal.status == Some(529)),
        "{end:?}"
    );
}

#[test]
fn the_person_is_asked_once_for_what_they_allow_for_the_turn() {
    let asked = ASKED
        .lines()
        .find(|line| line.contains("permission.asked"))
        .unwrap();
    let mut dialogue = until("permission.asked", ASKED);
    let events = dialogue.heard(asked).events;
    let [Event::Asked(question)] = events.as_slice() else {
        panic!("asked: {events:?}");
    };
    assert_eq!(
        question.title,
        "OpenCode asks to read outside the workspace"
    );
    let answer = Input::Answer {
        ask_id: question.ask_id.clone(),
        answer: Answer::AllowThread,
        text: None,
    };
    let step = dialogue.told(answer.clone());
    assert!(step.say[0].contains("\"reply\":\"once\""), "{step:?}");
    assert_eq!(dialogue.told(answer).say, [""; 0], "answered already");
    let again = dialogue.heard(&asked.replace("per_", "per_2"));
    assert!(again.say[0].contains("\"reply\":\"once\""), "{again:?}");
    assert_eq!(again.events, []);
}

#[test]
fn a_gateway_is_known_to_this_server_alone_and_its_key_stands_in_no_text() {
    let mut turn = through_gateway(first());
    turn.key = Some(Secret::new("a-key".to_owned()));
    let launch = launch(&turn).unwrap();
    let told = launch.environment["OPENCODE_CONFIG_CONTENT"]
        .to_str()
        .unwrap();
    insta::assert_snapshot!(format!("{}\n{told}", launch.arguments.join(" ")));
    assert_eq!(launch.environment["GATEWAY_KEY"], "a-key");
    assert_eq!(launch.environment["XDG_DATA_HOME"], "/home/a/.local/share");
    assert!(matches!(launch.talk, Talk::Http(_)));
}

/// G-S24: no text of others is ever an option.
#[test]
fn what_is_not_what_it_should_be_starts_nothing() {
    starts_nothing_else(launch, &["ses_/../x", "ses_1?x=1", "01a2"]);
    let mut nothing = through_gateway(first());
    nothing.model = None;
    assert!(matches!(launch(&nothing), Err(BadTurn::NoModel(_))));
}

/// S53: the folder the program was told to use is where its database is looked for.
#[test]
fn the_database_is_looked_for_where_the_program_writes_it() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("opencode/opencode.db");
    std::fs::create_dir_all(database.parent().unwrap()).unwrap();
    let there = opencode(&[("XDG_DATA_HOME", folder.path().to_str().unwrap())]);
    let look = || SessionLog::look(&there.record(ID).unwrap());
    assert_eq!(look().log, None);
    std::fs::write(&database, "SQLite format 3\0").unwrap();
    assert_eq!(look().log, Some(database));
    assert!(look().usable_bytes > 0);
}

proptest! {
    #[test]
    fn no_line_whatever_makes_it_panic(
        heard in 0..60_usize,
        noise in proptest::collection::vec(any_line(ASKED), 0..20),
    ) {
        let dialogue = opencode(&[]).dialogue(&later(ID));
        prop_assert_eq!(ends(dialogue, ASKED, heard, &noise), 1);
    }
}
