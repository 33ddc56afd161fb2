//! Asking a program something without a turn: whether it has a session, which models it offers.
//!
//! The program is started as for a turn and is told no prompt, so no model is asked and nothing is spent. As in a turn
//! the machine is pure: what it hears goes in, what is to be said and the answer come out.

use crate::processes::Exit;
use rex_shared::endpoint::is_model;
use serde_json::Value;

/// What a program is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// Whether it can go on with the session of this id.
    Session(String),
    /// Which models it offers.
    Models,
}

/// What it said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It has the session.
    Has,
    /// It has not, in its own words.
    HasNot(String),
    /// The models, in its order. None is an answer too.
    Models(Vec<String>),
    /// It did not answer, and why.
    Unclear(String),
}

/// What comes of something heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// It was not the answer.
    Nothing,
    /// This is to be said next, without a line end.
    Say(Vec<String>),
    /// This was it.
    Answer(Answer),
}

/// The machine of one question.
pub trait Inquiry: Send {
    /// The first lines to say.
    fn open(&mut self) -> Vec<String>;
    /// A line of the program's, which was JSON.
    fn heard(&mut self, line: &Value) -> Heard;
    /// The process is gone without an answer.
    fn ended(&mut self, exit: &Exit) -> Answer {
        unanswered(exit)
    }
}

/// A process that went without an answer.
pub(super) fn unanswered(exit: &Exit) -> Answer {
    let last = exit.stderr.lines().rfind(|line| !line.trim().is_empty());
    let last: String = last
        .unwrap_or("it said nothing")
        .chars()
        .take(300)
        .collect();
    Answer::Unclear(format!("the program {exit}: {last}"))
}

/// The models of a list that can be chosen: REX passes no name on that could be read as anything else.
pub(super) fn models<'a>(names: impl IntoIterator<Item = &'a str>) -> Answer {
    let mut models: Vec<String> = Vec::new();
    for name in names.into_iter().filter(|name| is_model(name)) {
        if !models.iter().any(|known| known == name) {
            models.push(name.to_owned());
        }
    }
    Answer::Models(models)
}

/// The members of a list that are texts, each at `path` below its entry.
pub(super) fn texts<'a>(list: &'a Value, path: &'a str) -> impl Iterator<Item = &'a str> {
    let entries = list.as_array().map(Vec::as_slice).unwrap_or_default();
    entries.iter().filter_map(move |entry| entry[path].as_str())
}

#[cfg(test)]
mod tests;
