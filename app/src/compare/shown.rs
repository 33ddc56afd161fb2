//! What the comparison shows: the proposal, the chosen document's stretches, and what stands in the way of an accept.

use crate::api;
use crate::browser::storage;
use crate::model::{Compared, Model};
use crate::reactive::{State, Stored, on_change, on_change_since};
use leptos::task::spawn_local;
use rex_shared::ids::HunkId;
use rex_shared::wire::proposal::{
    Comparison, ConflictSides, HunkState, Proposal, ProposalFile, ProposalHunk,
};

/// What the comparison shows.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub(super) model: Model,
    pub(super) proposal: State<Option<Proposal>>,
    pub(super) comparison: State<Option<Comparison>>,
    /// The piece that keys are about.
    pub(super) current: State<Option<HunkId>>,
    /// The piece whose words are being changed.
    pub(super) edited: State<Option<HunkId>>,
    /// A piece that could not be accepted, with both sides.
    pub(super) conflict: State<Option<(HunkId, Vec<ConflictSides>)>>,
    /// Documents that were looked through.
    pub(super) viewed: State<Vec<String>>,
    /// An act is under way.
    pub(super) acting: Stored<bool>,
    unfolded: Stored<Option<u32>>,
}

impl Shown {
    pub(super) fn new(model: Model) -> Self {
        Self {
            model,
            proposal: State::new(None),
            comparison: State::new(None),
            current: State::new(None),
            edited: State::new(None),
            conflict: State::new(None),
            viewed: State::new(Vec::new()),
            acting: Stored::new(false),
            unfolded: Stored::new(None),
        }
    }

    /// The chosen document's file.
    pub(super) fn file(self) -> Option<ProposalFile> {
        let at = self.model.compared.get()?;
        self.proposal
            .with(|proposal| proposal.as_ref()?.file(&at.document).cloned())
    }

    /// A piece of it.
    pub(super) fn hunk(self, id: &HunkId) -> Option<ProposalHunk> {
        self.file()?
            .hunks
            .into_iter()
            .find(|hunk| hunk.hunk_id == *id)
    }

    /// Pieces of the chosen document that wait.
    pub(super) fn waits(self) -> impl Iterator<Item = HunkId> {
        let hunks = self.file().map(|file| file.hunks).unwrap_or_default();
        let open = hunks
            .into_iter()
            .filter(|hunk| hunk.state == HunkState::Open);
        open.map(|hunk| hunk.hunk_id)
    }

    /// Takes the proposal as it is now, here and in the card.
    pub(super) fn take(self, proposal: Proposal) {
        self.model.pane.proposals.update(|known| {
            if let Some(known) = known
                .iter_mut()
                .find(|known| known.proposal_id == proposal.proposal_id)
            {
                known.clone_from(&proposal);
            }
        });
        self.proposal.set(Some(proposal));
    }

    /// Shows lines that are folded.
    pub(super) fn unfold(self, old_line: u32) {
        self.unfolded.set_value(Some(old_line));
        self.compare();
    }

    /// Notes whether a document was looked through.
    pub(super) fn view(self, document: &str, viewed: bool) {
        self.viewed.update(|all| {
            all.retain(|known| known != document);
            if viewed {
                all.push(document.to_owned());
            }
        });
        if let Some(at) = self.model.compared.get_untracked() {
            let viewed = self.viewed.with_untracked(|viewed| viewed.join("\n"));
            storage::set_viewed(at.proposal.as_str(), &viewed);
        }
    }

    fn still(self, at: &Compared) -> bool {
        let now = self.model.compared.try_get_untracked().flatten();
        now.as_ref() == Some(at)
    }

    /// Asks for the proposal, and then for the comparison, which is drawn with it, if that is wanted too.
    fn fetch(self, then_compare: bool) {
        let Some(at) = self.model.compared.get_untracked() else {
            return;
        };
        spawn_local(async move {
            match api::proposal(&at.proposal).await {
                Ok(proposal) if self.still(&at) => {
                    self.take(proposal);
                    if then_compare {
                        self.compare();
                    }
                }
                Ok(_) => {}
                Err(failed) => self.model.failed(&failed),
            }
        });
    }

    fn compare(self) {
        let Some(at) = self.model.compared.get_untracked() else {
            return;
        };
        let unfold = self.unfolded.get_value();
        spawn_local(async move {
            match api::comparison(&at.proposal, &at.document, unfold).await {
                Ok(comparison) if self.still(&at) => self.comparison.set(Some(comparison)),
                Ok(_) => {}
                Err(failed) => self.model.failed(&failed),
            }
        });
    }
}

/// Asks for what is chosen whenever that changes, and again when something was taken back.
pub(super) fn follow(shown: Shown) {
    let model = shown.model;
    on_change(move || {
        let Some(at) = model.compared.get() else {
            return;
        };
        shown.comparison.set(None);
        shown.current.set(None);
        shown.edited.set(None);
        shown.conflict.set(None);
        shown.unfolded.set_value(None);
        let viewed = storage::viewed(at.proposal.as_str()).unwrap_or_default();
        shown
            .viewed
            .set(viewed.lines().map(str::to_owned).collect());
        shown.fetch(true);
    });
    on_change_since(move |before: Option<usize>| {
        let count = model.notices.list.with(Vec::len);
        if before.is_some_and(|before| before > count) {
            shown.fetch(false);
        }
        count
    });
}
