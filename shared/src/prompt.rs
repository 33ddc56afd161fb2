//! What an agent is told, as text.
//!
//! One shape for every turn, so that a reader (the demo agent is one: [`reading`]) needs no cases:
//!
//! ```text
//! header lines                                        ┐ left out on a resumed session
//! The comment is about these passages:                │ places told before
//!                                                     │
//! - docs/pricing.md:12-14                             │ path, first and last line
//!   in "Volume discounts"                             │ the heading above it, if there is one
//!   > the quote, each line behind an angle bracket    │
//!                                                     │
//! This conversation continues …                       │ only when there is something to continue
//! <discussion> … </discussion>                        ┘ a tag that does not occur in what was said
//!
//! New with this message:                                places that came with it
//!
//! - docs/api.md:3-3
//!   > …
//!
//! The user now asks:
//!
//! the message
//! ```
//!
//! A resumed session remembers, so it is told only what is new; a replay or a seed is told everything. Only words of the
//! person and of the agent are given again: no thinking, no tool results, no markers.

pub mod reading;

use crate::wire::message::{Message, Mode, Part, Role};
use crate::wire::place::PlaceKind;
use std::fmt::Write as _;

/// The line before the person's message.
pub const NOW_ASKS: &str = "The user now asks:";
/// The line that says that the agent may change files.
const PROPOSES: &str =
    "You work on a private copy; what you change is shown to the user as a proposal.";
const ABOUT: &str = "The comment is about these passages:";
const NEW_PLACES: &str = "New with this message:";
const CONTINUES: &str = "This conversation continues one that began earlier. What was said so far:";
/// Characters of a quote before it is cut: the agent can read the file.
const LONGEST_QUOTE: usize = 4_000;

/// Characters of a conversation that are given again at most, about 30,000 tokens.
pub const BUDGET: usize = 120_000;

/// A place with what the agent needs to find it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldPlace {
    /// Workspace-relative path with `/`.
    pub document: String,
    /// What it covers.
    pub kind: PlaceKind,
    /// First and last line, counted from 1, in the file as it is now; `None` when the text is no longer found.
    pub lines: Option<(u32, u32)>,
    /// The heading above it.
    pub heading: Option<String>,
    /// The source text.
    pub quote: String,
}

/// One message given again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said<'a> {
    /// Who spoke.
    pub role: Role,
    /// What they said, raw.
    pub text: &'a str,
}

/// What a fresh session is told besides the message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Background<'a> {
    /// Lines above everything, such as [`preamble`].
    pub header: Vec<String>,
    /// Every place that earlier messages brought.
    pub places: &'a [ToldPlace],
    /// What was said, oldest first; empty at the first message.
    pub said: Vec<Said<'a>>,
}

/// What the agent should know about where it is, one sentence a line.
pub fn preamble(mode: Mode) -> Vec<String> {
    let rights = match mode {
        Mode::Ask => "You cannot change files in this conversation; read them as you need.",
        Mode::Act => PROPOSES,
    };
    vec![
        "A person reviews the documents in this folder and comments on passages of them."
            .to_owned(),
        "Answer the comment. Name what you rely on as path:line.".to_owned(),
        rights.to_owned(),
    ]
}

/// The prompt of a session that remembers the conversation.
pub fn resumed(new_places: &[ToldPlace], message: &str) -> String {
    let mut told = String::new();
    if new_places.is_empty() {
        return message.to_owned();
    }
    list_places(&mut told, NEW_PLACES, new_places);
    ask(&mut told, message);
    told
}

/// The prompt of a session that knows nothing: a first message, a seed or a replay. At most `budget` characters of
/// the conversation are given, newest first, and what was left out is said.
pub fn fresh(
    background: &Background<'_>,
    new_places: &[ToldPlace],
    message: &str,
    budget: usize,
) -> String {
    let mut told = String::new();
    for line in &background.header {
        told.push_str(line);
        told.push('\n');
    }
    if !told.is_empty() {
        told.push('\n');
    }
    if background.said.is_empty() {
        let all = [background.places, new_places].concat();
        list_places(&mut told, ABOUT, &all);
    } else {
        list_places(&mut told, ABOUT, background.places);
        told.push_str(CONTINUES);
        told.push_str("\n\n");
        tell_again(&mut told, &background.said, budget);
        list_places(&mut told, NEW_PLACES, new_places);
    }
    ask(&mut told, message);
    told
}

/// Characters of a conversation that a replay within `budget` would give again.
pub fn weight(said: &[Said<'_>], budget: usize) -> usize {
    kept(said, budget)
        .iter()
        .map(|part| part.text.chars().count())
        .sum()
}

/// The words of a message, without thinking, tools and markers; `None` when it has none.
pub fn words(message: &Message) -> Option<String> {
    let mut words = String::new();
    for part in &message.parts {
        if let Part::Text { text, .. } = part {
            if !words.is_empty() {
                words.push_str("\n\n");
            }
            words.push_str(text.trim_end());
        }
    }
    (!words.trim().is_empty()).then_some(words)
}

fn ask(told: &mut String, message: &str) {
    told.push_str(NOW_ASKS);
    told.push_str("\n\n");
    told.push_str(message);
}

fn list_places(told: &mut String, title: &str, places: &[ToldPlace]) {
    if places.is_empty() {
        return;
    }
    told.push_str(title);
    told.push_str("\n\n");
    for place in places {
        tell_place(told, place);
        told.push('\n');
    }
}

fn tell_place(told: &mut String, place: &ToldPlace) {
    let path = on_one_line(&place.document);
    // Writing to a text cannot fail.
    _ = match (place.kind, place.lines) {
        (PlaceKind::Document, _) => writeln!(told, "- {path} (the whole document)"),
        (_, Some((first, last))) => writeln!(told, "- {path}:{first}-{last}"),
        (_, None) => writeln!(told, "- {path} (not found there now; it read:)"),
    };
    if place.kind == PlaceKind::Document {
        return;
    }
    if let Some(heading) = &place.heading {
        _ = writeln!(told, "  in \"{}\"", on_one_line(heading));
    }
    let shown: String = place.quote.chars().take(LONGEST_QUOTE).collect();
    for line in shown.replace("\r\n", "\n").split(['\n', '\r']) {
        told.push_str("  > ");
        told.push_str(line);
        told.push('\n');
    }
    let left = place.quote.chars().count().saturating_sub(LONGEST_QUOTE);
    if left > 0 {
        _ = writeln!(told, "  ({left} more characters stand in the file)");
    }
}

/// A path or heading cannot begin a line of its own.
fn on_one_line(text: &str) -> String {
    text.replace(|character: char| character.is_control(), "\u{fffd}")
}

/// The newest messages that fit, oldest first. The oldest of them is cut when it does not fit whole and is alone.
fn kept<'a>(said: &[Said<'a>], budget: usize) -> Vec<Said<'a>> {
    let mut left = budget;
    let mut kept = Vec::new();
    for part in said.iter().rev() {
        let length = part.text.chars().count();
        if length <= left {
            left -= length;
            kept.push(*part);
            continue;
        }
        if kept.is_empty() {
            let end = part
                .text
                .char_indices()
                .nth(left)
                .map_or(part.text.len(), |(at, _)| at);
            kept.push(Said {
                role: part.role,
                text: &part.text[..end],
            });
        }
        break;
    }
    kept.reverse();
    kept
}

fn tell_again(told: &mut String, said: &[Said<'_>], budget: usize) {
    let tag = free_tag(said);
    let kept = kept(said, budget);
    _ = writeln!(told, "<{tag}>");
    match said.len() - kept.len() {
        0 => {}
        1 => told.push_str("(1 earlier message is left out.)\n"),
        left => _ = writeln!(told, "({left} earlier messages are left out.)"),
    }
    for (part, whole) in kept.iter().zip(&said[said.len() - kept.len()..]) {
        let speaker = match part.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        _ = writeln!(told, "<{tag}-{speaker}>\n{}", part.text);
        let left = whole.text.chars().count() - part.text.chars().count();
        if left > 0 {
            _ = writeln!(told, "({left} more characters are left out.)");
        }
        _ = writeln!(told, "</{tag}-{speaker}>");
    }
    _ = writeln!(told, "</{tag}>\n");
}

/// A word that nobody said, in any case, so that nothing said can close the block or speak for somebody else.
fn free_tag(said: &[Said<'_>]) -> String {
    let lower: Vec<String> = said.iter().map(|part| part.text.to_lowercase()).collect();
    let unsaid = |tag: &String| !lower.iter().any(|text| text.contains(tag.as_str()));
    std::iter::once("discussion".to_owned())
        .chain((2_u64..).map(|n| format!("talk{n}")))
        .find(unsaid)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
