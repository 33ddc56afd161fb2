//! What the script printed, turn by turn, and how it is started.

use super::*;
use crate::agents::examples::{first, found, through_gateway};
use crate::agents::played::{any_line, ends, played};
use proptest::prelude::*;
use std::path::PathBuf;

const TOOL: &str = include_str!("transcripts/tool.jsonl");

fn agent() -> DeepAgents {
    let python = PathBuf::from("/a/bin/python");
    DeepAgents::new(Sdk::parse("deepagents").unwrap(), Some(&python))
}

fn launch(turn: &Turn) -> Result<Launch, BadTurn> {
    agent().launch(&found("/a/bin/python", "3.11.7"), turn)
}

fn said(transcript: &str, is_stopped: bool) -> String {
    let dialogue = agent().dialogue(&through_gateway(first()));
    played(dialogue, transcript, is_stopped)
}

/// S41: each turn makes a session; none is ever asked for again.
#[test]
fn a_turn_answers_in_a_session_of_its_own() {
    insta::assert_snapshot!(said(include_str!("transcripts/first.jsonl"), false));
    assert!(!agent().capabilities().resume);
}

#[test]
fn a_tool_is_told_with_what_it_read() {
    insta::assert_snapshot!(said(TOOL, false));
}

#[test]
fn a_tool_that_would_write_is_told_no() {
    insta::assert_snapshot!(said(include_str!("transcripts/writes.jsonl"), false));
}

#[test]
fn a_stopped_turn_is_cancelled() {
    insta::assert_snapshot!(said(include_str!("transcripts/stopped.jsonl"), true));
}

#[test]
fn a_refused_request_is_a_refusal() {
    insta::assert_snapshot!(said(include_str!("transcripts/refused.jsonl"), false));
}

#[test]
fn the_script_is_put_into_the_folder_of_the_run_and_told_about_the_gateway() {
    let launch = launch(&through_gateway(first())).unwrap();
    assert_eq!(launch.program, Path::new("/a/bin/python"));
    assert_eq!(launch.arguments, ["/a/scratch/agent.py"]);
    assert_eq!(launch.files["agent.py"], SCRIPT);
    assert_eq!(launch.environment["DEEPAGENTS_MODEL"], "fake-large");
}

#[test]
fn without_a_gateway_there_is_nobody_to_ask() {
    assert_eq!(
        launch(&first()),
        Err(BadTurn::NeedsGateway(LABEL.to_owned()))
    );
}

proptest! {
    #[test]
    fn no_line_whatever_makes_it_panic(
        heard in 0..20_usize,
        noise in proptest::collection::vec(any_line(TOOL), 0..20),
    ) {
        let dialogue = agent().dialogue(&through_gateway(first()));
        prop_assert_eq!(ends(dialogue, TOOL, heard, &noise), 1);
    }
}
