//! What a change of a document did to the places in it.

use super::place::{Excerpt, Offer, PlaceKind, PlaceState, Words};
use crate::ids::{ChangeId, Millis, PlaceId, ThreadId, Version};
use crate::lane::Lane;
use serde::{Deserialize, Serialize};

/// What one change did to one place. How the place stands against the text it was made on is its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// Its text is as it was before the change.
    Same,
    /// Its text is as it was, in another order or section.
    Moved,
    /// Its text differs from the one before the change.
    Changed,
    /// Its text went with this change.
    Gone,
    /// Its text had been gone and came back with this change.
    Back,
}

impl Outcome {
    /// What a change did to a place, from its state and its text in the version before and in the one after. `None`
    /// for one that was gone and still is, and where nothing is known.
    pub fn between(
        kind: PlaceKind,
        (before, was): (PlaceState, &str),
        (after, is): (PlaceState, &str),
    ) -> Option<Self> {
        match (before, after) {
            (PlaceState::Unknown, _) | (_, PlaceState::Unknown) => None,
            (PlaceState::Gone, PlaceState::Gone) => None,
            (PlaceState::Gone, _) => Some(Self::Back),
            (_, PlaceState::Gone) => Some(Self::Gone),
            // Any change is a change of the whole.
            _ if kind == PlaceKind::Document => Some(Self::Changed),
            _ if was != is => Some(Self::Changed),
            _ if (before == PlaceState::Moved) != (after == PlaceState::Moved) => Some(Self::Moved),
            _ => Some(Self::Same),
        }
    }
}

/// How many places of a document had which outcome. A place that was gone before and after is in none of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are those of the outcomes")]
pub struct Outcomes {
    pub same: u32,
    pub moved: u32,
    pub changed: u32,
    pub gone: u32,
    pub back: u32,
}

impl Outcomes {
    /// Counts one place more.
    pub fn add(&mut self, outcome: Outcome) {
        let count = match outcome {
            Outcome::Same => &mut self.same,
            Outcome::Moved => &mut self.moved,
            Outcome::Changed => &mut self.changed,
            Outcome::Gone => &mut self.gone,
            Outcome::Back => &mut self.back,
        };
        *count += 1;
    }
}

/// A change of a document that has places: one version followed another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// The change's id.
    pub change_id: ChangeId,
    /// Workspace-relative path with `/`, as it is now.
    pub document: String,
    /// The version that was followed.
    pub before: Version,
    /// The version that followed.
    pub after: Version,
    /// When it was noticed.
    pub at: Millis,
    /// What it did to the places.
    pub outcomes: Outcomes,
}

/// `GET /api/changes/{id}`: a change with all its places, in the order of the document before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangeReport {
    /// The change.
    pub change: Change,
    /// Every place it had an outcome for, but those that were removed or replaced since.
    pub places: Vec<PlaceChange>,
}

/// One place of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlaceChange {
    /// The thread it belongs to.
    pub thread_id: ThreadId,
    /// The thread's number.
    pub number: u32,
    /// The thread's lane now.
    pub lane: Lane,
    /// The place.
    pub place_id: PlaceId,
    /// What it covers.
    pub kind: PlaceKind,
    /// What the change did to it.
    pub outcome: Outcome,
    /// How many lines further down it stands than before the change, further up when negative; 0 when it is gone or
    /// back.
    pub lines: i32,
    /// The line it stands on after the change, counted from 1; `None` when it is gone.
    pub line: Option<u32>,
    /// Its text after the change; when it is gone, the text before.
    pub quote: String,
    /// For a changed place: the text it was made on against its text after the change. Else empty.
    pub words: Vec<Words>,
    /// For a gone place: the text it was made on, in its surroundings.
    pub origin: Option<Excerpt>,
    /// For a gone place: whether the person said that it is gone for good.
    #[serde(default)]
    pub said_gone: bool,
    /// For a gone place: where it may belong, the best first. Else empty.
    pub offers: Vec<Offer>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_about_this_change_and_not_about_the_anchor() {
        use PlaceState::{Changed, Exact, Gone, Moved, Unknown};
        let between = |before, after| Outcome::between(PlaceKind::Text, before, after);
        for (before, after, outcome) in [
            ((Exact, "a"), (Exact, "a"), Some(Outcome::Same)),
            ((Changed, "b"), (Changed, "b"), Some(Outcome::Same)),
            ((Changed, "b"), (Changed, "c"), Some(Outcome::Changed)),
            ((Changed, "b"), (Exact, "a"), Some(Outcome::Changed)),
            ((Exact, "a"), (Moved, "a"), Some(Outcome::Moved)),
            ((Moved, "a"), (Exact, "a"), Some(Outcome::Moved)),
            ((Moved, "a"), (Moved, "a"), Some(Outcome::Same)),
            ((Exact, "a"), (Gone, ""), Some(Outcome::Gone)),
            ((Gone, ""), (Gone, ""), None),
            ((Gone, ""), (Exact, "a"), Some(Outcome::Back)),
            ((Unknown, ""), (Exact, "a"), None),
        ] {
            assert_eq!(between(before, after), outcome, "{before:?} {after:?}");
        }
        let whole = Outcome::between(PlaceKind::Document, (Changed, ""), (Changed, ""));
        assert_eq!(whole, Some(Outcome::Changed));
    }
}
