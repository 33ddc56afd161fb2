//! How a turn ended: read from the turn itself, or from the end of the process.

use super::LABEL;
use crate::agents::refusal;
use crate::agents::seam::{Event, Turn};
use crate::processes::Exit;
use rex_shared::wire::message::{Refusal, RefusalClass};
use serde_json::Value;

const HOW_TO_SIGN_IN: &str = "Run `codex login` once in a terminal, or name a key in a gateway: REX passes no keys on by itself.";

/// Who was asked, for a refusal.
pub(super) struct Asked {
    provider: String,
    model: Option<String>,
    by_own_sign_in: bool,
}

impl Asked {
    pub(super) fn of(turn: &Turn) -> Self {
        Self {
            provider: turn.provider(LABEL),
            model: turn.model.clone(),
            by_own_sign_in: turn.gateway.base_url.is_none(),
        }
    }

    /// The end that a finished turn is.
    pub(super) fn end(&self, turn: &Value) -> Event {
        match turn["status"].as_str().unwrap_or_default() {
            "completed" => Event::Finished,
            "interrupted" => Event::Interrupted,
            _ => self.of_error(&turn["error"]),
        }
    }

    fn of_error(&self, error: &Value) -> Event {
        let cause = Cause::of(error);
        let Some(class) = cause.class else {
            return failed(&format!("failed: {}", cause.words));
        };
        let reason = if class == RefusalClass::Auth && self.by_own_sign_in {
            format!("{}. {HOW_TO_SIGN_IN}", cause.words.trim_end_matches('.'))
        } else {
            cause.words
        };
        Event::Refused(Refusal {
            provider: self.provider.clone(),
            model: self.model.clone(),
            class,
            status: cause.status,
            reason,
        })
    }
}

/// An error that the program answers with another try.
pub(super) fn retrying(error: &Value) -> Event {
    let words = error["message"].as_str().unwrap_or_default();
    // "Reconnecting... 2/5"
    let attempt = words
        .rsplit_once('/')
        .and_then(|(before, _)| before.rsplit(' ').next()?.parse().ok());
    let details = error["additionalDetails"].as_str();
    let reason = match Cause::of(error).status {
        Some(status) => format!("answered {status}"),
        None => details.unwrap_or(words).to_owned(),
    };
    Event::Retrying {
        attempt: attempt.unwrap_or(1),
        reason,
    }
}

/// The end of a turn whose process went without one.
pub(super) fn of_exit(exit: &Exit) -> Event {
    let words = exit.stderr.lines().rfind(|line| !line.trim().is_empty());
    match words {
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

/// What an error says. Without a class it is none of the provider's.
struct Cause {
    class: Option<RefusalClass>,
    status: Option<u16>,
    words: String,
}

impl Cause {
    fn of(error: &Value) -> Self {
        let message = error["message"].as_str().unwrap_or("it did not say why");
        let (words, is_raw) = words(message);
        let info = &error["codexErrorInfo"];
        let kind = info.as_object().and_then(|kinds| kinds.iter().next());
        let told = kind
            .and_then(|(_, detail)| detail["httpStatusCode"].as_u64())
            .and_then(|status| u16::try_from(status).ok());
        // The body of a 400 is passed on as it came, and nothing else is.
        let raw = (is_raw && info == "other").then_some(400);
        let status = told.or(raw).or_else(|| refusal::status_in(&words));
        let named = info.as_str().and_then(class_of).or_else(|| {
            let of_connection = kind.is_some_and(|(name, _)| is_connection(name));
            (of_connection && status.is_none()).then_some(RefusalClass::Network)
        });
        let class = named.or_else(|| status.map(|_| refusal::class(status, &words)));
        Self {
            class,
            status,
            words,
        }
    }
}

fn is_connection(kind: &str) -> bool {
    kind.starts_with("http") || kind.starts_with("responseStream")
}

fn class_of(kind: &str) -> Option<RefusalClass> {
    match kind {
        "unauthorized" => Some(RefusalClass::Auth),
        "usageLimitExceeded" | "rateLimitExceeded" => Some(RefusalClass::RateLimit),
        "serverOverloaded" | "flexUnavailable" | "policyCapacityUnavailable" => {
            Some(RefusalClass::Overloaded)
        }
        "modelNotFound" => Some(RefusalClass::NotFound),
        "badRequest" | "contextWindowExceeded" => Some(RefusalClass::BadRequest),
        _ => None,
    }
}

/// The message in words, and whether it was a provider's body.
fn words(message: &str) -> (String, bool) {
    let body: Option<Value> = serde_json::from_str(message).ok();
    let said = body.as_ref().and_then(|body| {
        let error = &body["error"];
        error["message"].as_str().or_else(|| error.as_str())
    });
    match said {
        Some(said) => (said.to_owned(), true),
        None => (message.to_owned(), false),
    }
}
