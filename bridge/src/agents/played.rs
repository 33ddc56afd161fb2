//! Recorded transcripts of real programs, played through their adapters, and lines that no program should print.
//!
//! A transcript holds what the program printed in one process, line by line, with the paths of the machine it was
//! recorded on replaced.

use super::noise;
use super::seam::{Dialogue, Event, Input, Step};
use crate::processes::Exit;
use proptest::prelude::*;
use serde_json::Value;
use std::fmt::Write as _;

/// Everything a dialogue says and tells over a transcript and the end of its process, as a text. The person interrupts
/// at the first text when `is_stopped`.
pub(super) fn played(
    mut dialogue: Box<dyn Dialogue>,
    transcript: &str,
    is_stopped: bool,
) -> String {
    let mut told = String::new();
    let mut interrupt = is_stopped;
    tell(&mut told, dialogue.open());
    for line in transcript.lines() {
        let step = dialogue.heard(line);
        let now = interrupt
            && step
                .events
                .iter()
                .any(|event| matches!(event, Event::Text { .. }));
        tell(&mut told, step);
        if now {
            interrupt = false;
            tell(&mut told, dialogue.told(Input::Interrupt));
        }
    }
    tell(&mut told, dialogue.ended(&Exit::default()));
    told
}

/// Writing to a text cannot fail.
fn tell(told: &mut String, step: Step) {
    for line in step.say {
        _ = writeln!(told, "> {line}");
    }
    for event in step.events {
        _ = writeln!(told, "{event:?}");
    }
    if step.close {
        _ = writeln!(told, "(stdin closed)");
    }
}

/// The ends a dialogue tells when it hears so much of a transcript, then noise, then no more.
pub(super) fn ends(
    mut dialogue: Box<dyn Dialogue>,
    transcript: &str,
    heard: usize,
    noise: &[String],
) -> usize {
    let mut steps = vec![dialogue.open()];
    let lines = transcript.lines().take(heard);
    steps.extend(
        lines
            .chain(noise.iter().map(String::as_str))
            .map(|line| dialogue.heard(line)),
    );
    steps.push(dialogue.told(Input::Interrupt));
    steps.push(dialogue.ended(&Exit::default()));
    let events = steps.iter().flat_map(|step| &step.events);
    events.filter(|event| event.is_end()).count()
}

/// Any bytes, or a message whose members have names and words of `transcript` in any places.
pub(super) fn any_line(transcript: &'static str) -> impl Strategy<Value = String> {
    let (names, words) = vocabulary(transcript);
    noise::any_line(names, words)
}

/// Every name of a member, and every text, that a transcript has.
fn vocabulary(transcript: &str) -> (Vec<String>, Vec<String>) {
    let (mut names, mut words) = (Vec::new(), Vec::new());
    let mut open: Vec<Value> = transcript
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    names.push(name);
                    open.push(value);
                }
            }
            Value::Array(values) => open.extend(values),
            Value::String(word) => words.push(word),
            _ => {}
        }
    }
    (names, words)
}
