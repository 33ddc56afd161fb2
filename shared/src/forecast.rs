//! How a run will come to know its conversation: one decision, used before a send and at it.
//!
//! Pure: the facts are gathered by whoever may look, so that a GET can decide from the file and the last answer alone.

use crate::wire::message::{Forecast, Memory, Mode};

/// What the agent's own record says of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SdkStore {
    /// It knows the session.
    Has,
    /// It has no record of it.
    None,
    /// Nobody asked: that would start something.
    #[default]
    NotAsked,
}

/// What the disk says of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SdkLog {
    /// A usable record file is there.
    Present,
    /// None is.
    Missing,
    /// This agent's records cannot be seen from outside: the resume itself is the question.
    Unseen,
}

/// A stored session of (thread, sdk, gateway) beside what is true now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionFacts {
    /// A turn in it ended by itself.
    pub finished: bool,
    /// The gateway's address is the one it was opened at.
    pub same_base_url: bool,
    /// The folder is the one it was opened in.
    pub same_folder: bool,
    /// The agent's own word.
    pub sdk_store: SdkStore,
    /// The disk's word.
    pub sdk_log: SdkLog,
}

/// Everything the decision rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts<'a> {
    /// The agent's word for a person, such as "Claude".
    pub agent: &'a str,
    /// The gateway's name; `None` for the agent's own sign-in.
    pub gateway: Option<&'a str>,
    /// What the run may do.
    pub mode: Mode,
    /// Whether the agent goes on with sessions of earlier processes at all.
    pub resumes: bool,
    /// The stored session, if there is one.
    pub session: Option<SessionFacts>,
    /// Whether anything was said in the thread before.
    pub anything_said: bool,
    /// Characters of the conversation that would be given again.
    pub weight: usize,
    /// Whether a place that will be told is no longer found.
    pub place_lost: bool,
    /// How long this agent and gateway last took to the first word.
    pub last_wait_ms: Option<u64>,
}

/// Decides, and says why in one sentence.
pub fn forecast(facts: &Facts<'_>) -> Forecast {
    let (memory, mut reason) = decide(facts);
    let told_again = matches!(memory, Memory::Replayed | Memory::Seeded);
    if facts.place_lost {
        // The sentence of what is told gives way: a resumed agent is told only what is new, and that is the quote.
        let lost = "The place is lost; it will be given the stored quote.";
        if memory == Memory::Resumed {
            reason = format!("{} remembers this comment. {lost}", whom(facts));
        } else {
            reason.push(' ');
            reason.push_str(lost);
        }
    }
    let both_say_so = facts.session.is_some_and(|session| {
        session.sdk_store == SdkStore::Has && session.sdk_log == SdkLog::Present
    });
    Forecast {
        memory,
        reason,
        tokens: if told_again {
            rough_tokens(facts.weight)
        } else {
            0
        },
        last_wait_ms: facts.last_wait_ms,
        certain: memory != Memory::Resumed || both_say_so,
    }
}

/// Tokens of that many characters, about.
pub fn rough_tokens(characters: usize) -> u64 {
    u64::try_from(characters.div_ceil(4)).unwrap_or(u64::MAX)
}

fn decide(facts: &Facts<'_>) -> (Memory, String) {
    let agent = facts.agent;
    let about = spelled(rough_tokens(facts.weight));
    let again = format!("It will be given the conversation again (≈ {about} tokens).");
    let so_far = format!("It will be given the conversation so far (≈ {about} tokens).");
    if !facts.anything_said {
        let who = whom(facts);
        return (
            Memory::New,
            format!("{who} will be given your message and the passages."),
        );
    }
    if facts.mode == Mode::Act {
        return (
            Memory::Seeded,
            format!("Act is a fresh run on a private copy. {so_far}"),
        );
    }
    if !facts.resumes {
        return (
            Memory::Replayed,
            format!(
                "{agent} keeps nothing between sends. It will be given the conversation so far."
            ),
        );
    }
    let Some(session) = facts.session else {
        let name = facts.gateway.unwrap_or(agent);
        return (
            Memory::Seeded,
            format!("{name} has not seen this comment yet. {so_far}"),
        );
    };
    let lost = if !session.finished {
        Some(format!("{agent}'s last turn here did not finish."))
    } else if !session.same_base_url {
        let name = facts.gateway.unwrap_or(agent);
        Some(format!("The address of {name} has changed."))
    } else if !session.same_folder {
        Some("The folder has moved since.".to_owned())
    } else if session.sdk_log == SdkLog::Missing || session.sdk_store == SdkStore::None {
        Some(format!("{agent}'s own record is gone."))
    } else {
        None
    };
    match lost {
        Some(why) => (Memory::Replayed, format!("{why} {again}")),
        None => (
            Memory::Resumed,
            format!(
                "{} remembers this comment. It will be told only what is new.",
                whom(facts)
            ),
        ),
    }
}

/// "Claude on Anthropic", or "Claude" when it is its own sign-in.
fn whom(facts: &Facts<'_>) -> String {
    match facts.gateway {
        Some(gateway) => format!("{} on {gateway}", facts.agent),
        None => facts.agent.to_owned(),
    }
}

/// About, as a person writes it: two leading digits from a hundred up, thousands apart.
fn spelled(tokens: u64) -> String {
    let mut unit = 1;
    while tokens / unit >= 100 {
        unit *= 10;
    }
    let digits = ((tokens + unit / 2) / unit * unit).to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests;
