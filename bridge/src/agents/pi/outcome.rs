//! How a turn ended: read from its last message, from a refused request, or from the end of the process.

use super::LABEL;
use crate::agents::refusal;
use crate::agents::seam::{Event, Turn};
use crate::processes::Exit;
use rex_shared::wire::message::{Refusal, RefusalClass};

const HOW_TO_SIGN_IN: &str = "Run `pi` once in a terminal and sign in with /login, or name a key in a gateway: REX passes no keys on by itself.";
/// What the program says when it has nobody to ask.
const NOT_SIGNED_IN: &str = "No API key found";
/// What it says, and goes, when a session is not there or was had in another folder.
pub(super) const SESSION_LOST: [&str; 2] =
    ["No session found", "Session found in different project"];

/// Who was asked, for a refusal.
pub(super) struct Asked {
    provider: String,
    model: Option<String>,
    resumes: bool,
}

impl Asked {
    pub(super) fn of(turn: &Turn, resumes: bool) -> Self {
        Self {
            provider: turn.provider(LABEL),
            model: turn.model.clone(),
            resumes,
        }
    }

    /// The end that words of a failure are.
    pub(super) fn of_words(&self, words: &str) -> Event {
        if words.contains(NOT_SIGNED_IN) {
            let first = words.lines().next().unwrap_or_default();
            let reason = format!("{first} {HOW_TO_SIGN_IN}");
            return self.refused(RefusalClass::Auth, None, reason);
        }
        let status = refusal::status_in(words);
        match refusal::class(status, words) {
            RefusalClass::Other if status.is_none() => failed(&format!("failed: {words}")),
            class => self.refused(class, status, words.to_owned()),
        }
    }

    /// The end of a turn whose process went without one.
    pub(super) fn of_exit(&self, exit: &Exit) -> Event {
        let lost = |line: &&str| SESSION_LOST.iter().any(|sign| line.contains(sign));
        if self.resumes
            && let Some(words) = exit.stderr.lines().find(lost)
        {
            return Event::SessionLost {
                reason: words.to_owned(),
            };
        }
        match exit.stderr.lines().rfind(|line| !line.trim().is_empty()) {
            Some(words) => {
                let words: String = words.trim().chars().take(500).collect();
                failed(&format!("{exit} before it finished: {words}"))
            }
            None => failed(&format!("{exit} before it finished")),
        }
    }

    fn refused(&self, class: RefusalClass, status: Option<u16>, reason: String) -> Event {
        Event::Refused(Refusal {
            provider: self.provider.clone(),
            model: self.model.clone(),
            class,
            status,
            reason,
        })
    }
}

pub(super) fn failed(what: &str) -> Event {
    Event::Failed(format!("{LABEL} {what}"))
}
