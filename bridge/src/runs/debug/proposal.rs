//! What a proposal came to, in numbers: neither its words nor its files.

use crate::store::ProposalRecord;
use rex_shared::wire::proposal::HunkState;
use std::fmt::Write as _;

/// How many pieces of a proposal there are, and what became of them.
pub(super) fn tell(report: &mut String, proposal: &ProposalRecord) {
    let hunks: Vec<_> = proposal.files.iter().flat_map(|file| &file.hunks).collect();
    let count = |state| hunks.iter().filter(|hunk| hunk.state == state).count();
    _ = writeln!(report, "\nproposal      {}", proposal.proposal_id);
    _ = writeln!(report, "  run         {}", proposal.run_id);
    _ = writeln!(report, "  state       {:?}", proposal.state());
    _ = writeln!(
        report,
        "  pieces      {} in {} files: {} open, {} accepted, {} rejected",
        hunks.len(),
        proposal.files.len(),
        count(HunkState::Open),
        count(HunkState::Accepted),
        count(HunkState::Rejected)
    );
}
