//! How a turn ended: read from an error of the session, or from the end of the server.

use super::LABEL;
use crate::agents::refusal;
use crate::agents::seam::{Event, Turn};
use crate::processes::Exit;
use rex_shared::wire::message::{Refusal, RefusalClass};
use serde_json::Value;

const HOW_TO_SIGN_IN: &str = "Run `opencode auth login` once in a terminal, or name a key in a gateway: REX passes no keys on by itself.";

/// Who was asked, for a refusal.
pub(super) struct Asked {
    provider: String,
    model: Option<String>,
}

impl Asked {
    pub(super) fn of(turn: &Turn) -> Self {
        Self {
            provider: turn.provider(LABEL),
            model: turn.model.clone(),
        }
    }

    /// The end that an error of the session is.
    pub(super) fn of_error(&self, error: &Value) -> Event {
        let data = &error["data"];
        let words = data["message"].as_str().unwrap_or("it did not say why");
        let status = data["statusCode"]
            .as_u64()
            .and_then(|status| u16::try_from(status).ok());
        match error["name"].as_str().unwrap_or_default() {
            "MessageAbortedError" => Event::Interrupted,
            "ProviderAuthError" => {
                let reason = format!("{}. {HOW_TO_SIGN_IN}", words.trim_end_matches('.'));
                self.refused(RefusalClass::Auth, status, reason)
            }
            "APIError" => self.refused(refusal::class(status, words), status, words.to_owned()),
            _ => failed(&format!("failed: {words}")),
        }
    }

    /// The end that a provider is, which failed as often as is waited for.
    pub(super) fn of_retries(&self, words: &str) -> Event {
        let status = refusal::status_in(words);
        let class = match refusal::class(status, words) {
            // The program asks again only one that says it is too busy, or does not answer.
            RefusalClass::Other => RefusalClass::Overloaded,
            class => class,
        };
        self.refused(class, status, words.to_owned())
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

/// The end of a turn whose server went.
pub(super) fn of_exit(exit: &Exit) -> Event {
    match exit.stderr.lines().rfind(|line| !line.trim().is_empty()) {
        Some(words) => {
            let words: String = words.trim().chars().take(500).collect();
            failed(&format!("{exit} before it finished: {words}"))
        }
        None => failed(&format!("{exit} before it finished")),
    }
}

pub(super) fn failed(what: &str) -> Event {
    Event::Failed(format!("{LABEL} {what}"))
}
