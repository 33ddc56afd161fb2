//! Why nothing was written, as a person reads it.

use rex_shared::change::Overlap;
use rex_shared::wire::problem::{Problem, ProblemType};
use rex_shared::wire::proposal::ConflictSides;

pub(super) fn overlap(overlap: Overlap) -> Problem {
    Problem::new(
        ProblemType::Internal,
        "The proposal is damaged",
        format!("In it, {overlap}. Nothing was written."),
        "Ask for it again.",
    )
}

pub(super) fn gave_up() -> Problem {
    Problem::new(
        ProblemType::Internal,
        "Writing failed",
        "REX gave up in the middle of it. What was begun is finished or forgotten at the next start.",
        "Start REX again. The bridge's log says where it happened.",
    )
}

pub(super) fn superseded() -> Problem {
    Problem::new(
        ProblemType::MovedOn,
        "A newer proposal stands in for this one",
        "What waited in it is in the newer one, perhaps in other words. Nothing was written.",
        "Accept the newer one.",
    )
}

pub(super) fn other_base() -> Problem {
    Problem::new(
        ProblemType::StaleVersion,
        "This is not what was shown",
        "The proposal was made from another version than the one it was shown against. Nothing was written.",
        "Load the proposal again.",
    )
}

pub(super) fn conflict(sides: Vec<ConflictSides>) -> Problem {
    let documents = documents(&sides);
    Problem::new(
        ProblemType::Conflict,
        "You changed the same lines",
        format!("{documents} changed where the proposal would change it. Nothing was written."),
        "Keep yours and turn this down, or ask for a new proposal: it starts from your text.",
    )
    .with("conflicts", told(&sides))
}

pub(super) fn undo_moved_on(sides: Vec<ConflictSides>) -> Problem {
    let documents = documents(&sides);
    Problem::new(
        ProblemType::MovedOn,
        "Cannot be undone",
        format!("{documents} changed since, in the same lines. Nothing was written."),
        "Change it by hand, or ask for a new proposal.",
    )
    .with("conflicts", told(&sides))
}

fn told(sides: &[ConflictSides]) -> serde_json::Value {
    serde_json::to_value(sides).unwrap_or_default()
}

fn documents(sides: &[ConflictSides]) -> String {
    let mut documents: Vec<&str> = sides.iter().map(|side| side.document.as_str()).collect();
    documents.dedup();
    documents.join(", ")
}
