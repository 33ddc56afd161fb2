//! The proposal that is shown beside its document.

use rex_shared::ids::ProposalId;

/// Which proposal stands where the paper does, and which of its documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// The proposal.
    pub proposal: ProposalId,
    /// The document's path in the proposal.
    pub document: String,
}
