//! How a turn ended: read from the `result` event, or from the end of the process.

use super::LABEL;
use crate::agents::refusal;
use crate::agents::seam::Event;
use crate::processes::Exit;
use rex_shared::wire::message::{Context, Refusal, RefusalClass, Tokens};
use serde_json::Value;

pub(super) const SESSION_LOST: &str = "No conversation found";
const SESSION_TAKEN: &str = "is already in use";
const NOT_SIGNED_IN: &str = "Not logged in";
const HOW_TO_SIGN_IN: &str = "Run `claude` once in a terminal to sign in, or name a key in a gateway: REX passes no keys on by itself.";

/// What the turn was asked with, as far as its end depends on it.
pub(super) struct Asked {
    pub(super) provider: String,
    pub(super) model: Option<String>,
    /// The session that was to be begun or gone on with.
    pub(super) session_id: Option<String>,
}

/// The end that a `result` event is. Its `subtype` alone says little: a refused turn calls itself a success.
pub(super) fn of_result(result: &Value, asked: &Asked) -> Event {
    let reason = result["terminal_reason"].as_str().unwrap_or_default();
    if result["is_error"] != true {
        return Event::Finished;
    }
    if reason.starts_with("aborted") {
        return Event::Interrupted;
    }
    let words = words(result);
    if words.contains(SESSION_LOST) {
        return Event::SessionLost { reason: words };
    }
    let status = result["api_error_status"]
        .as_u64()
        .and_then(|status| u16::try_from(status).ok());
    if words.starts_with(NOT_SIGNED_IN) {
        return refused(
            asked,
            RefusalClass::Auth,
            status,
            format!("{words}. {HOW_TO_SIGN_IN}"),
        );
    }
    if reason == "api_error" || status.is_some() {
        return refused(asked, refusal::class(status, &words), status, words);
    }
    match result["subtype"].as_str() {
        Some("error_max_turns") => failed("stopped: it took more steps than it may"),
        Some("error_max_budget_usd") => failed("stopped: it cost more than it may"),
        _ if words.is_empty() => failed("failed and did not say why"),
        _ => failed(&format!("failed: {words}")),
    }
}

/// The end of a turn whose process went without a result.
pub(super) fn of_exit(exit: &Exit, asked: &Asked) -> Event {
    if exit.stderr.contains(SESSION_LOST) {
        return Event::SessionLost {
            reason: last_words(exit).unwrap_or_default(),
        };
    }
    if let Some(id) = &asked.session_id
        && exit.stderr.contains(SESSION_TAKEN)
    {
        return Event::SessionTaken { id: id.clone() };
    }
    match last_words(exit) {
        Some(words) => failed(&format!("{exit} before it finished: {words}")),
        None => failed(&format!("{exit} before it finished")),
    }
}

/// Tokens and cost of this turn alone. The program's totals count the whole session, so they are not used.
pub(super) fn usage(result: &Value, context_used: Option<u64>) -> Event {
    let models = ["model_usage_since_last_result", "modelUsage"]
        .iter()
        .find_map(|name| result[*name].as_object())
        .filter(|models| !models.is_empty());
    let Some(models) = models else {
        return Event::Usage {
            tokens: None,
            cost_usd: None,
            context: None,
        };
    };
    let sum = |name: &str| {
        models
            .values()
            .filter_map(|model| model[name].as_u64())
            .fold(0, u64::saturating_add)
    };
    let tokens = Tokens {
        input: sum("inputTokens"),
        output: sum("outputTokens"),
        cache_read: sum("cacheReadInputTokens"),
        cache_write: sum("cacheCreationInputTokens"),
    };
    // A price the program guessed is not a price.
    let priced = models.values().all(|model| model["costBasis"] != "unknown");
    let cost = models
        .values()
        .map(|model| model["costUSD"].as_f64())
        .sum::<Option<f64>>();
    let size = models
        .values()
        .filter_map(|model| model["contextWindow"].as_u64())
        .max();
    Event::Usage {
        tokens: Some(tokens),
        cost_usd: cost.filter(|_| priced),
        context: context_used
            .zip(size)
            .map(|(used, size)| Context { used, size }),
    }
}

/// The program's own words about a failure, wherever it put them.
fn words(result: &Value) -> String {
    let errors = result["errors"].as_array().into_iter().flatten();
    let lines: Vec<&str> = result["result"]
        .as_str()
        .into_iter()
        .chain(errors.filter_map(Value::as_str))
        .collect();
    lines.join("; ")
}

fn refused(asked: &Asked, class: RefusalClass, status: Option<u16>, reason: String) -> Event {
    Event::Refused(Refusal {
        provider: asked.provider.clone(),
        model: asked.model.clone(),
        class,
        status,
        reason,
    })
}

fn failed(what: &str) -> Event {
    Event::Failed(format!("{LABEL} {what}"))
}

/// The last line of stderr that is not the program's chatter about model names.
fn last_words(exit: &Exit) -> Option<String> {
    exit.stderr
        .lines()
        .rfind(|line| !line.trim().is_empty() && !line.starts_with("[claude-code:"))
        .map(|line| line.trim().chars().take(500).collect())
}
