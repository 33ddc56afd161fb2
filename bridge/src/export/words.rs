//! How an export says who spoke, when, and how a turn came about.

use super::{Bundle, BundleThread};
use rex_shared::ids::Millis;
use rex_shared::lane::Lane;
use rex_shared::wire::message::{Memory, Message, Mode, Part, Role};
use rex_shared::wire::place::{Place, PlaceKind, PlaceState};

/// A lane's word, in a sentence.
pub(super) fn lane(lane: Lane) -> &'static str {
    match lane {
        Lane::Draft => "draft",
        Lane::Note => "note",
        Lane::Open => "open",
        Lane::Gone => "gone",
        Lane::Resolved => "resolved",
    }
}

/// Day and minute, in UTC: an export is read by people elsewhere.
pub(super) fn time(at: Millis) -> String {
    jiff::Timestamp::from_millisecond(at.0).map_or_else(
        |_| "some time".to_owned(),
        |at| at.strftime("%Y-%m-%d %H:%M UTC").to_string(),
    )
}

/// `Comment 4: Which of the two is right?`
pub(super) fn title(thread: &BundleThread) -> String {
    let row = &thread.thread.row;
    match &row.title {
        Some(title) => format!("Comment {}: {title}", row.number),
        None => format!("Comment {}", row.number),
    }
}

/// `2 open, 1 resolved`, without drafts.
pub(super) fn counts(bundle: &Bundle) -> String {
    let order = [Lane::Open, Lane::Gone, Lane::Note, Lane::Resolved];
    let said: Vec<String> = order
        .into_iter()
        .filter_map(|word| {
            let count = bundle
                .threads
                .iter()
                .filter(|thread| thread.thread.row.lane == word)
                .count();
            (count > 0).then(|| format!("{count} {}", lane(word)))
        })
        .collect();
    if said.is_empty() {
        "no comments".to_owned()
    } else {
        said.join(", ")
    }
}

/// The threads that people are shown: a draft was never sent.
pub(super) fn shown(bundle: &Bundle) -> impl Iterator<Item = &BundleThread> {
    bundle
        .threads
        .iter()
        .filter(|thread| thread.thread.row.lane != Lane::Draft)
}

/// `pricing.md:12` or `pricing.md:12–14`; a whole document has no line.
pub(super) fn standing(thread: &BundleThread, place: &Place) -> String {
    let lines = thread
        .lines
        .get(&place.place_id)
        .filter(|_| place.kind != PlaceKind::Document);
    match lines {
        None => place.document.clone(),
        Some(lines) if lines.0 == lines.1 => format!("{}:{}", place.document, lines.0),
        Some(lines) => format!("{}:{}–{}", place.document, lines.0, lines.1),
    }
}

/// What is to be said of a place that is not simply there.
pub(super) fn fate(state: PlaceState) -> Option<&'static str> {
    match state {
        PlaceState::Exact | PlaceState::Moved => None,
        PlaceState::Changed => Some("changed since"),
        PlaceState::Gone => Some("no longer in the document"),
        PlaceState::Unknown => Some("the file could not be read"),
    }
}

/// Who speaks.
pub(super) fn speaker(bundle: &Bundle, message: &Message) -> String {
    match message.role {
        Role::User => "You".to_owned(),
        Role::Assistant => bundle
            .agents
            .get(&message.sdk)
            .cloned()
            .unwrap_or_else(|| message.sdk.as_str().to_owned()),
    }
}

/// How an answer came about, in a line: mode, agent, gateway, model, memory, time, tokens, cost.
pub(super) fn facts(message: &Message) -> String {
    let mut facts = vec![
        match message.mode {
            Mode::Ask => "ask".to_owned(),
            Mode::Act => "act".to_owned(),
        },
        message.sdk.as_str().to_owned(),
    ];
    if !message.gateway.is_default() {
        facts.push(format!("gateway {}", message.gateway.as_str()));
    }
    facts.extend(message.model.clone());
    facts.extend(message.memory.map(|memory| {
        match memory {
            Memory::New => "new",
            Memory::Resumed => "resumed",
            Memory::Replayed => "replayed",
            Memory::Seeded => "seeded",
        }
        .to_owned()
    }));
    facts.extend(
        message
            .duration_ms
            .map(|ms| format!("{:.1} s", ms as f64 / 1000.0)),
    );
    if let Some(tokens) = message.tokens {
        facts.push(format!("{} tokens in, {} out", tokens.input, tokens.output));
    }
    facts.extend(message.cost_usd.map(|cost| format!("${cost:.4}")));
    facts.join(" · ")
}

/// Why there is no whole answer, if so.
pub(super) fn ended(message: &Message) -> Option<String> {
    if let Some(refusal) = &message.refusal {
        let status = refusal
            .status
            .map_or_else(String::new, |status| format!(" ({status})"));
        return Some(format!(
            "{} refused{status}: {}",
            refusal.provider, refusal.reason
        ));
    }
    if let Some(failure) = &message.failure {
        return Some(failure.clone());
    }
    message
        .interrupted
        .then(|| "This answer was cut off.".to_owned())
}

/// The tools an answer used, in order.
pub(super) fn tools(message: &Message) -> Vec<&str> {
    message
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Tool { name, .. } => Some(name.as_str()),
            _ => None,
        })
        .collect()
}
