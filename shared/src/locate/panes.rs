//! With a proposal on screen: what a place is about, from where it stands in the document and in the proposal.
//!
//! Nothing stores which of the two a comment is about. Accepting the proposal makes its text the document, and the
//! same places then stand in the document; discarding it leaves those gone that stood only there.

use crate::wire::place::PlaceState;
use serde::{Deserialize, Serialize};

/// What a place is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum About {
    /// The text as it is.
    Document,
    /// What the proposal would make of it.
    Change,
    /// Neither holds it: it is in the gone lane.
    Nothing,
    /// The document could not be read, so nothing is claimed.
    Unknown,
}

/// How a place is marked in one of the two panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mark {
    /// Not at all: it does not stand there.
    None,
    /// As any place.
    Full,
    /// Lightly: this is the text that the words it was made on would replace.
    Replaced,
    /// As a place that the proposal removes.
    Removed,
}

/// A place between the two panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BothPanes {
    /// What it is about.
    pub about: About,
    /// Its mark in the document.
    pub document: Mark,
    /// Its mark in the proposal.
    pub proposal: Mark,
}

/// Decides from the states of one place resolved against both texts. `made_on_proposal` says that the place was
/// picked in the proposal's own text, which its anchor's content hash tells.
pub fn between_panes(
    document: PlaceState,
    proposal: PlaceState,
    made_on_proposal: bool,
) -> BothPanes {
    let stands = |state| {
        matches!(
            state,
            PlaceState::Exact | PlaceState::Moved | PlaceState::Changed
        )
    };
    let (about, document, proposal) = match (stands(document), stands(proposal)) {
        _ if document == PlaceState::Unknown => (About::Unknown, Mark::None, Mark::None),
        (true, true) if made_on_proposal && document == PlaceState::Changed => {
            (About::Document, Mark::Replaced, Mark::Full)
        }
        (true, true) => (About::Document, Mark::Full, Mark::Full),
        (true, false) if proposal == PlaceState::Unknown => {
            (About::Document, Mark::Full, Mark::None)
        }
        (true, false) => (About::Document, Mark::Removed, Mark::None),
        (false, true) => (About::Change, Mark::None, Mark::Full),
        (false, false) => (About::Nothing, Mark::None, Mark::None),
    };
    BothPanes {
        about,
        document,
        proposal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Format;
    use crate::locate::Alignment;
    use crate::wire::place::PlaceKind;

    const DOCUMENT: &str =
        "# Terms\n\nRefunds are paid within 14 days.\n\nAsk support for a refund first.\n";
    const PROPOSAL: &str = "# Terms\n\nRefunds are paid within 14 days.\n\nEvery customer signs a contract before paying.\n";

    fn panes(made_on: &str, quote: &str) -> BothPanes {
        let start = made_on.find(quote).unwrap();
        let state = |text| {
            Alignment::new(Format::Markdown, made_on, text)
                .locate(start..start + quote.len(), PlaceKind::Text)
                .state
        };
        between_panes(state(DOCUMENT), state(PROPOSAL), made_on == PROPOSAL)
    }

    /// S16 S17: in both texts it is about the document, only in the new one about the change, whichever of the two
    /// it was made on; nothing but where it resolves says so.
    #[test]
    fn where_a_place_resolves_is_what_it_is_about() {
        for made_on in [DOCUMENT, PROPOSAL] {
            let both = panes(made_on, "within 14 days");
            assert_eq!(both.about, About::Document);
            assert_eq!((both.document, both.proposal), (Mark::Full, Mark::Full));
        }
        let change = panes(PROPOSAL, "Every customer signs a contract before paying.");
        assert_eq!(change.about, About::Change);
        assert_eq!((change.document, change.proposal), (Mark::None, Mark::Full));
    }

    #[test]
    fn what_the_proposal_removes_is_marked_so_in_the_document() {
        let removed = panes(DOCUMENT, "Ask support for a refund first.");
        assert_eq!(removed.about, About::Document);
        assert_eq!(
            (removed.document, removed.proposal),
            (Mark::Removed, Mark::None)
        );
    }

    #[test]
    fn a_comment_on_new_words_marks_lightly_the_words_they_replace() {
        let panes = between_panes(PlaceState::Changed, PlaceState::Exact, true);
        assert_eq!(
            (panes.about, panes.document),
            (About::Document, Mark::Replaced)
        );
    }

    #[test]
    fn nothing_is_claimed_of_a_document_that_cannot_be_read() {
        let panes = between_panes(PlaceState::Unknown, PlaceState::Exact, false);
        assert_eq!(panes.about, About::Unknown);
    }

    #[test]
    fn every_pair_of_states_has_one_answer() {
        use PlaceState::{Changed, Exact, Gone, Moved, Unknown};
        for document in [Exact, Moved, Changed, Gone, Unknown] {
            for proposal in [Exact, Moved, Changed, Gone, Unknown] {
                let panes = between_panes(document, proposal, false);
                let found = |state| matches!(state, Exact | Moved | Changed);
                if document != Unknown {
                    assert_eq!(panes.about == About::Document, found(document));
                    assert_eq!(
                        panes.about == About::Nothing,
                        !found(document) && !found(proposal)
                    );
                }
            }
        }
    }
}
