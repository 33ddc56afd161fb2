//! The words of a card: how a state, a number or an outcome is said. Pure, so that each sentence can be tested.

use rex_shared::lane::Lane;
use rex_shared::wire::follow::Stage;
use rex_shared::wire::message::{Forecast, Memory, Receipt, Refusal, RefusalClass};
use rex_shared::wire::place::PlaceState;

/// A lane's word.
pub(super) fn lane(lane: Lane) -> &'static str {
    match lane {
        Lane::Draft => "Draft",
        Lane::Note => "Note",
        Lane::Open => "Open",
        Lane::Gone => "Gone",
        Lane::Resolved => "Resolved",
    }
}

/// What became of a place's text.
pub(super) fn place_state(state: PlaceState) -> &'static str {
    match state {
        PlaceState::Exact => "same",
        PlaceState::Moved => "moved",
        PlaceState::Changed => "changed",
        PlaceState::Gone => "not found",
        PlaceState::Unknown => "file not readable",
    }
}

/// How the run of a turn came to know the conversation.
pub(super) fn memory(memory: Memory) -> &'static str {
    match memory {
        Memory::New => "new session",
        Memory::Resumed => "resumed",
        Memory::Replayed => "replayed",
        Memory::Seeded => "seeded",
    }
}

/// What a run is doing, for the head of the live turn.
pub(super) fn stage(stage: Option<Stage>) -> &'static str {
    match stage {
        Some(Stage::Queued) => "queued",
        None | Some(Stage::Starting) => "starting",
        Some(Stage::Waiting) => "waiting",
        Some(Stage::Thinking) => "thinking",
        Some(Stage::Writing) => "writing",
        Some(Stage::Tool) => "working",
        Some(Stage::Asking) => "asks you",
        Some(Stage::Stopping) => "stopping",
    }
}

fn refusal_class(class: RefusalClass) -> &'static str {
    match class {
        RefusalClass::Overloaded => "overloaded",
        RefusalClass::RateLimit => "rate limit",
        RefusalClass::Auth => "not signed in",
        RefusalClass::BadRequest => "bad request",
        RefusalClass::NotFound => "not found",
        RefusalClass::Network => "network",
        RefusalClass::Other => "error",
    }
}

/// Who refused, and how, such as `LiteLLM/claude-sonnet refused: overloaded (529)`. The provider's reason comes after it.
pub(super) fn refused(refusal: &Refusal) -> String {
    let mut line = refusal.provider.clone();
    if let Some(model) = &refusal.model {
        line.extend(["/", model]);
    }
    line += " refused: ";
    line += refusal_class(refusal.class);
    if let Some(status) = refusal.status {
        line.extend([" (", &status.to_string(), ")"]);
    }
    line
}

/// The refusal in two words, for the card's head.
pub(super) fn refused_short(refusal: &Refusal) -> String {
    format!("refused: {}", refusal_class(refusal.class))
}

/// What a refused attempt left behind.
pub(super) fn refused_kept(cost_usd: Option<f64>) -> String {
    match cost_usd {
        None => "Your message is kept. No cost was reported.".to_owned(),
        Some(cost) => format!("Your message is kept. It cost {}.", money(cost)),
    }
}

/// What a run did to the disk, without the mark of a run that was not enforced.
pub(super) fn receipt(receipt: &Receipt) -> String {
    match (receipt.changed.len(), receipt.enforced) {
        (0, _) => "nothing changed on disk".to_owned(),
        (changed, true) => format!(
            "changed on disk during this run, not by it: {}",
            count(changed, "file", "files")
        ),
        (changed, false) => format!(
            "changed on disk during this run: {}",
            count(changed, "file", "files")
        ),
    }
}

/// What stands for a part that this version cannot show.
pub(super) fn unknown_part(original_type: &str) -> String {
    format!("A part that this version of REX does not show: {original_type}")
}

/// US dollars, with as many digits as a small sum needs.
pub(super) fn money(usd: f64) -> String {
    if usd == 0.0 || usd >= 0.01 {
        format!("${usd:.2}")
    } else if usd >= 0.0001 {
        format!("${usd:.4}")
    } else {
        "under $0.0001".to_owned()
    }
}

/// How long a run took, such as `21 s` or `3 min 5 s`.
pub(super) fn duration(ms: u64) -> String {
    let seconds = ms.div_ceil(1000);
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, 0) => format!("{m} min"),
        (0, m, s) => format!("{m} min {s} s"),
        (h, m, _) => format!("{h} h {m} min"),
    }
}

/// A running clock, such as `0:42` or `1:02:03`.
pub(super) fn elapsed(ms: i64) -> String {
    let seconds = ms.max(0) / 1000;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, m, s) => format!("{m}:{s:02}"),
        (h, m, s) => format!("{h}:{m:02}:{s:02}"),
    }
}

/// A number and its noun.
pub(super) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// A running turn that has said nothing yet: what it was given, and how long the last one took.
pub(super) fn waiting_for(forecast: &Forecast) -> Option<String> {
    let told = match forecast.memory {
        Memory::New | Memory::Resumed => None,
        Memory::Replayed | Memory::Seeded => Some(format!(
            "It is reading the conversation again (≈ {} tokens).",
            thousands(forecast.tokens)
        )),
    };
    let last = forecast
        .last_wait_ms
        .map(|ms| format!("The first word took {} last time.", duration(ms)));
    match (told, last) {
        (None, None) => None,
        (told, last) => Some(told.into_iter().chain(last).collect::<Vec<_>>().join(" ")),
    }
}

fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overloaded() -> Refusal {
        Refusal {
            provider: "LiteLLM".to_owned(),
            model: Some("claude-sonnet".to_owned()),
            class: RefusalClass::Overloaded,
            status: Some(529),
            reason: "the upstream has no capacity right now".to_owned(),
        }
    }

    /// S135: the line names provider, model, class and status; the reason follows it as the provider said it.
    #[test]
    fn a_refusal_says_who_refused_and_how() {
        assert_eq!(
            refused(&overloaded()),
            "LiteLLM/claude-sonnet refused: overloaded (529)"
        );
        let bare = Refusal {
            model: None,
            status: None,
            class: RefusalClass::Auth,
            ..overloaded()
        };
        assert_eq!(refused(&bare), "LiteLLM refused: not signed in");
    }

    /// S133: a part of an unknown type is a marker that names it, never nothing.
    #[test]
    fn an_unknown_part_is_named() {
        assert_eq!(
            unknown_part("hologram"),
            "A part that this version of REX does not show: hologram"
        );
    }

    #[test]
    fn an_unknown_cost_is_never_shown_as_zero() {
        assert_eq!(
            refused_kept(None),
            "Your message is kept. No cost was reported."
        );
        assert_eq!(
            refused_kept(Some(0.06)),
            "Your message is kept. It cost $0.06."
        );
    }

    #[test]
    fn only_a_run_that_was_not_enforced_is_blamed_for_a_change() {
        let receipt_of = |enforced, changed: &[&str]| {
            receipt(&Receipt {
                enforced,
                changed: changed.iter().map(|path| (*path).to_owned()).collect(),
            })
        };
        assert_eq!(receipt_of(true, &[]), "nothing changed on disk");
        assert_eq!(
            receipt_of(true, &["a", "b"]),
            "changed on disk during this run, not by it: 2 files"
        );
        assert_eq!(
            receipt_of(false, &["a"]),
            "changed on disk during this run: 1 file"
        );
    }

    /// S87 S88: while nothing was said yet the turn tells that the conversation is given again, and how long it may take.
    #[test]
    fn a_long_wait_is_explained() {
        let forecast = Forecast {
            memory: Memory::Replayed,
            reason: String::new(),
            tokens: 3_400,
            last_wait_ms: Some(160_000),
            certain: true,
        };
        assert_eq!(
            waiting_for(&forecast).as_deref(),
            Some(
                "It is reading the conversation again (≈ 3,400 tokens). The first word took 2 min 40 s last time."
            )
        );
        let resumed = Forecast {
            memory: Memory::Resumed,
            last_wait_ms: None,
            ..forecast
        };
        assert_eq!(waiting_for(&resumed), None);
    }

    #[test]
    fn times_and_sums_are_short() {
        assert_eq!(duration(20_100), "21 s");
        assert_eq!(duration(185_000), "3 min 5 s");
        assert_eq!(elapsed(42_900), "0:42");
        assert_eq!(elapsed(3_723_000), "1:02:03");
        assert_eq!(money(0.061), "$0.06");
        assert_eq!(money(0.0042), "$0.0042");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
