//! Proposals: an act run works in a private copy, and what differs afterwards waits for the person.
//!
//! [`PrivateCopy`] is the copy, [`Proposals`] everything after it: what differs becomes files and hunks, a person's yes
//! writes some of them into the documents, and each yes can be taken back. A document is written only here, only on an
//! accept or its undo, only against what was expected to be there: a file that moved on is merged, and where that
//! cannot be done without losing a line, nothing is written.
//!
//! Which hunks are accepted says what a file should be now (`expected`); what is really there says what to write
//! (`plan`, and `planned` for several files); `act` writes all files of an act or none. Deliberately absent: git, any look at who changed what, and a
//! way to write without having asked.

mod accept;
mod act;
mod compare;
mod copy;
mod differences;
mod expected;
mod fail;
mod plan;
mod planned;
mod propose;
mod refine;
mod refusals;
#[cfg(test)]
mod tests;
mod text;
mod writing;

pub use copy::{LARGEST_IGNORED, MOST_IGNORED, NotCopied, PrivateCopy};
pub use differences::{MOST_FILES, NotCompared};

use crate::documents::{Documents, Text};
use crate::follow::{Hub, LiveTable, rail_changed};
use crate::fresh;
use crate::store::{FileRecord, FileState, ProposalRecord, Store, StoreError};
use crate::workspaces::blocking;
use expected::Sides;
use rex_shared::document::Format;
use rex_shared::ids::{Millis, ProposalId, RunId, ThreadId, WorkspaceId};
use rex_shared::wire::problem::{Problem, ProblemType};
use rex_shared::wire::proposal::{Comparison, Proposal, ProposalState};
use std::sync::Arc;

/// The proposals of all workspaces. Clones share them.
#[derive(Clone)]
pub struct Proposals {
    store: Store,
    documents: Documents,
    hub: Hub,
    live: LiveTable,
    /// One act on files at a time.
    turn: Arc<tokio::sync::Mutex<()>>,
    clock: fn() -> Millis,
}

impl Proposals {
    /// Proposals kept in `store` about `documents`. Rows that change are told through `hub`.
    pub fn new(
        store: Store,
        documents: Documents,
        hub: Hub,
        live: LiveTable,
        clock: fn() -> Millis,
    ) -> Self {
        Self {
            store,
            documents,
            hub,
            live,
            turn: Arc::default(),
            clock,
        }
    }

    /// All proposals of a thread, the oldest first.
    pub async fn of_thread(&self, thread: &ThreadId) -> Result<Vec<Proposal>, Problem> {
        if self.store.workspace_of(thread).await?.is_none() {
            return Err(StoreError::UnknownThread.into());
        }
        let proposals = self.store.proposals(thread).await?;
        Ok(proposals.iter().map(ProposalRecord::told).collect())
    }

    /// One proposal.
    pub async fn proposal(&self, proposal: &ProposalId) -> Result<Proposal, Problem> {
        Ok(self.record(proposal).await?.told())
    }

    /// One document of a proposal, both sides aligned. `unfold` is the old line, counted from 1, at which a folded
    /// stretch begins that is to be shown; 0 shows all of them.
    pub async fn comparison(
        &self,
        proposal: &ProposalId,
        document: &str,
        unfold: Option<u32>,
    ) -> Result<Comparison, Problem> {
        let record = self.record(proposal).await?;
        let file = record
            .files
            .into_iter()
            .find(|file| file.document() == document)
            .ok_or_else(|| unknown_document(document))?;
        let sides = self.sides(&file).await?;
        let read = |state: Option<&FileState>, bytes: &Arc<[u8]>| {
            let path = &state?.path;
            Text::of(path.clone(), bytes.clone()).ok()
        };
        let old = read(file.before.as_ref(), &sides.before);
        let new = read(file.after.as_ref(), &sides.after);
        let format = new
            .as_ref()
            .or(old.as_ref())
            .map_or(Format::Text, |text| text.format);
        let documents = &self.documents;
        let workspace = &record.workspace_id;
        let places = documents.places_between(workspace, old.as_ref(), new.as_ref());
        let places = places.await?;
        let document = document.to_owned();
        blocking(move || {
            Ok(Comparison {
                stretches: compare::stretches(&file, &sides, format, unfold),
                document,
                format,
                places,
            })
        })
        .await
    }

    /// Makes a proposal of what a run changed in its copy. `None` when nothing differs from the workspace as it was
    /// copied, or when it is the very proposal that waits already.
    pub async fn propose(
        &self,
        thread: &ThreadId,
        run: &RunId,
        copy: PrivateCopy,
    ) -> Result<Option<ProposalId>, NotProposed> {
        let compared = blocking(move || Ok(differences::differences(&copy).map(propose::propose)));
        let (mut files, contents) = compared.await??;
        let earlier = self.waiting(thread).await?;
        if files.is_empty() || earlier.is_some_and(|earlier| is_same(&earlier, &files)) {
            return Ok(None);
        }
        let workspace = self.store.workspace_of(thread).await?;
        let workspace = workspace.ok_or(StoreError::UnknownThread)?;
        for (hash, bytes) in &contents {
            self.store.keep_snapshot(hash, bytes.clone()).await?;
        }
        for file in &mut files {
            self.note_standing(&workspace, file, &contents).await?;
        }
        let record = ProposalRecord {
            proposal_id: fresh::id(),
            thread_id: thread.clone(),
            workspace_id: workspace,
            run_id: run.clone(),
            created_at: (self.clock)(),
            superseded: false,
            files,
        };
        let proposal = record.proposal_id.clone();
        let threads = self.store.put_proposal(record).await?;
        self.tell(&threads).await;
        Ok(Some(proposal))
    }

    /// Notes which places stand in a file's new text.
    async fn note_standing(
        &self,
        workspace: &WorkspaceId,
        file: &mut FileRecord,
        contents: &propose::Contents,
    ) -> Result<(), Problem> {
        let Some(after) = file.after.as_ref().filter(|_| file.is_text) else {
            return Ok(());
        };
        // Places know the document by the path it has now.
        let path = file.before.as_ref().unwrap_or(after).path.clone();
        if let Some(bytes) = contents.get(&after.hash) {
            let text = Text::of(path, bytes.clone())?;
            file.stands = self.documents.places_standing(workspace, &text).await?;
        }
        Ok(())
    }

    /// The proposal of a thread of which something waits.
    async fn waiting(&self, thread: &ThreadId) -> Result<Option<ProposalRecord>, StoreError> {
        let proposals = self.store.proposals(thread).await?;
        let mut open = proposals
            .into_iter()
            .filter(|proposal| proposal.state() == ProposalState::Open);
        Ok(open.next_back())
    }

    async fn record(&self, proposal: &ProposalId) -> Result<ProposalRecord, Problem> {
        let record = self.store.proposal(proposal).await?;
        record.ok_or_else(|| StoreError::UnknownProposal.into())
    }

    async fn sides(&self, file: &FileRecord) -> Result<Sides, Problem> {
        Ok(Sides {
            before: self.bytes(file.before.as_ref()).await?,
            after: self.bytes(file.after.as_ref()).await?,
        })
    }

    async fn bytes(&self, state: Option<&FileState>) -> Result<Arc<[u8]>, Problem> {
        let Some(state) = state else {
            return Ok(Arc::from([]));
        };
        let bytes = self.store.snapshot(&state.hash).await?;
        bytes
            .map(Arc::from)
            .ok_or_else(|| StoreError::UnknownProposal.into())
    }

    async fn tell(&self, threads: &[ThreadId]) {
        for thread in threads {
            rail_changed(&self.store, &self.hub, &self.live, thread).await;
        }
    }
}

/// Why a run's changes did not become a proposal.
#[derive(Debug, thiserror::Error)]
pub enum NotProposed {
    /// What it changed is not known.
    #[error(transparent)]
    Compared(#[from] NotCompared),
    /// It could not be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It could not be read.
    #[error("{}", .0.detail)]
    Problem(Box<Problem>),
}

impl From<Problem> for NotProposed {
    fn from(problem: Problem) -> Self {
        Self::Problem(Box::new(problem))
    }
}

/// Whether a proposal is about the very same contents.
fn is_same(earlier: &ProposalRecord, files: &[FileRecord]) -> bool {
    let states = |file: &FileRecord| (file.before.clone(), file.after.clone());
    earlier
        .files
        .iter()
        .map(states)
        .eq(files.iter().map(states))
}

fn unknown_document(document: &str) -> Problem {
    let shown: String = document.chars().take(200).collect();
    Problem::new(
        ProblemType::UnknownDocument,
        "Not in this proposal",
        format!("{shown} is not a file of this proposal. Nothing was changed."),
        "Choose a document from the proposal's list.",
    )
}
