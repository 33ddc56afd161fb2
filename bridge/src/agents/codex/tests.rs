//! What the real program printed, turn by turn, and how it is started.

use super::Codex;
use crate::agents::examples::{first, found, later, starts_nothing_else, through_gateway};
use crate::agents::played::{any_line, ends, played};
use crate::agents::seam::{Agent as _, BadTurn, Secret, Turn};
use crate::agents::session_log::SessionLog;
use crate::processes::{Environment, Launch};
use proptest::prelude::*;
use rex_shared::ids::Sdk;
use std::path::Path;

const ID: &str = "01a22d5d-6b71-71d0-a1a3-89657f8d2b0b";
const TOOL: &str = include_str!("transcripts/tool.jsonl");

fn codex(environment: &[(&str, &str)]) -> Codex {
    let environment = Environment::of(environment.iter().copied());
    Codex::new(Sdk::parse("codex").unwrap(), &environment)
}

fn said(turn: &Turn, transcript: &str) -> String {
    let dialogue = codex(&[]).dialogue(turn);
    played(dialogue, transcript, false)
}

fn launch(turn: &Turn) -> Result<Launch, BadTurn> {
    let found = found("/bin/codex", "0.171.0");
    codex(&[("HOME", "/home/a"), ("CODEX_HOME", "/a/codex")]).launch(&found, turn)
}

/// S39 S45: the id the program gives is told before anything else.
#[test]
fn a_first_turn_thinks_and_answers() {
    insta::assert_snapshot!(said(&first(), include_str!("transcripts/first.jsonl")));
}

/// S39: and it is the one that the next process takes up.
#[test]
fn a_later_turn_takes_the_conversation_up() {
    insta::assert_snapshot!(said(&later(ID), include_str!("transcripts/resumed.jsonl")));
}

#[test]
fn a_command_is_told_with_what_it_printed() {
    insta::assert_snapshot!(said(&later(ID), TOOL));
}

#[test]
fn a_stopped_turn_is_interrupted_by_its_id() {
    let dialogue = codex(&[]).dialogue(&later(ID));
    let transcript = include_str!("transcripts/stopped.jsonl");
    insta::assert_snapshot!(played(dialogue, transcript, true));
}

#[test]
fn a_body_that_is_passed_on_is_a_refusal_of_the_request() {
    let turn = through_gateway(later(ID));
    insta::assert_snapshot!(said(&turn, include_str!("transcripts/refused.jsonl")));
}

#[test]
fn retries_are_told_and_then_the_refusal() {
    let turn = through_gateway(later(ID));
    insta::assert_snapshot!(said(&turn, include_str!("transcripts/overloaded.jsonl")));
}

/// S30: a conversation that is not there is lost, so that it can be told again.
#[test]
fn a_conversation_that_is_gone_is_lost() {
    insta::assert_snapshot!(said(&later(ID), include_str!("transcripts/lost.jsonl")));
}

#[test]
fn a_process_that_goes_early_ends_the_turn() {
    let begun: String = TOOL
        .lines()
        .take(9)
        .map(|line| format!("{line}\n"))
        .collect();
    let told = said(&later(ID), &begun);
    let end = told.lines().rfind(|line| line.starts_with("Failed"));
    assert_eq!(end, Some("Failed(\"Codex ended before it finished\")"));
}

#[test]
fn a_gateway_is_a_provider_of_this_run_alone_and_its_key_is_no_argument() {
    let mut turn = through_gateway(first());
    turn.key = Some(Secret::new("a-key".to_owned()));
    let launch = launch(&turn).unwrap();
    insta::assert_snapshot!(launch.arguments.join("\n"));
    assert_eq!(
        launch.environment.into_iter().collect::<Vec<_>>(),
        [
            ("CODEX_HOME".to_owned(), "/a/codex".into()),
            ("GATEWAY_KEY".to_owned(), "a-key".into()),
        ]
    );
}

/// G-S24: no text of others is ever an option.
#[test]
fn what_is_not_what_it_should_be_starts_nothing() {
    starts_nothing_else(launch, &["not-a-uuid"]);
}

/// S53: the folder the program was told to use is where its record is looked for.
#[test]
fn the_record_is_looked_for_where_the_program_writes_it() {
    let folder = tempfile::tempdir().unwrap();
    let day = folder.path().join("sessions/2026/11/30");
    std::fs::create_dir_all(&day).unwrap();
    let log = day.join(format!("rollout-2026-11-30T16-50-26-{ID}.jsonl"));
    let look = |folder: &Path| {
        let codex = codex(&[("CODEX_HOME", folder.to_str().unwrap())]);
        SessionLog::look(&codex.record(ID).unwrap())
    };
    std::fs::write(&log, "{\"type\":\"session_meta\"}\n").unwrap();
    assert_eq!(look(folder.path()).usable_bytes, 0, "no turn yet");
    let line =
        "{\"type\":\"response_item\",\"payload\":{\"type\":\"message\",\"role\":\"user\"}}\n";
    std::fs::write(&log, line).unwrap();
    assert_eq!(look(folder.path()).log, Some(log));
    assert!(look(folder.path()).usable_bytes > 0);
    assert_eq!(look(&day).log, None, "another folder");
    assert_eq!(codex(&[]).record("../x"), None);
}

proptest! {
    #[test]
    fn no_line_whatever_makes_it_panic(
        heard in 0..40_usize,
        noise in proptest::collection::vec(any_line(TOOL), 0..20),
    ) {
        let dialogue = codex(&[]).dialogue(&later(ID));
        prop_assert_eq!(ends(dialogue, TOOL, heard, &noise), 1);
    }
}
