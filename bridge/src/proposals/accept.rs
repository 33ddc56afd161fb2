//! Accepting, turning down, and taking an accept back.

use super::Proposals;
use super::act::{self, carry_out, reversed};
use super::expected::{Expected, Taken, accepted, expected, typed};
use super::planned::Plan;
use super::refusals::{conflict, gave_up, other_base, overlap, superseded, undo_moved_on};
use crate::store::{Content, FileAct, FileRecord, FileWrite, ProposalRecord, StoreError};
use crate::workspaces::{Root, blocking};
use rex_shared::ids::{HunkId, ProposalId, ThreadId};
use rex_shared::wire::problem::Problem;
use rex_shared::wire::proposal::{Accept, HunkState, ProposalChanged, Reject, Written};
use std::sync::Arc;

impl Proposals {
    /// Writes hunks into the documents: all files of it or none. A file that moved on is merged; where that cannot be
    /// done nothing is written and both sides are told. Hunks that are in already stay as they are.
    pub async fn accept(
        &self,
        proposal: &ProposalId,
        accept: Accept,
    ) -> Result<ProposalChanged, Problem> {
        let (proposals, proposal) = (self.clone(), proposal.clone());
        to_the_end(async move { proposals.take(&proposal, accept).await }).await
    }

    async fn take(
        &self,
        proposal: &ProposalId,
        accept: Accept,
    ) -> Result<ProposalChanged, Problem> {
        let _turn = self.turn.lock().await;
        let record = self.record(proposal).await?;
        if record.superseded {
            return Err(superseded());
        }
        let root = self
            .documents
            .workspaces()
            .root(&record.workspace_id)
            .await?;
        let mut plan = Plan::default();
        let mut hunks = Vec::new();
        let mut asked: Taken = accept
            .hunks
            .into_iter()
            .map(|hunk| (hunk.hunk_id, hunk.text))
            .collect();
        let about = record
            .files
            .iter()
            .filter(|file| names(file, &asked))
            .count();
        for file in &record.files {
            if !names(file, &asked) {
                continue;
            }
            let base = file.before.as_ref().map(|before| &before.hash);
            if about == 1 && accept.base.is_some() && accept.base.as_ref() != base {
                return Err(other_base());
            }
            let sides = self.sides(file).await?;
            let was = accepted(file);
            let mut wanted = was.clone();
            for hunk in &file.hunks {
                let Some(own) = asked.remove(&hunk.hunk_id) else {
                    continue;
                };
                if hunk.state != HunkState::Accepted {
                    let own = own.map(|own| {
                        typed(
                            &own,
                            if file.before.is_some() {
                                &sides.before
                            } else {
                                &sides.after
                            },
                        )
                    });
                    wanted.insert(hunk.hunk_id.clone(), own.clone());
                    hunks.push((hunk.hunk_id.clone(), own));
                }
            }
            let (file, root) = (file.clone(), root.clone());
            plan = blocking(move || {
                let from = expected(&file, &sides, &was).map_err(overlap)?;
                let to = expected(&file, &sides, &wanted).map_err(overlap)?;
                plan.file(&root, from.as_ref(), to.as_ref())?;
                Ok(plan)
            })
            .await?;
        }
        if !asked.is_empty() {
            return Err(StoreError::UnknownProposal.into());
        }
        let (undo_id, written) = self.carry_out(&record, &root, plan, hunks, None).await?;
        self.changed(proposal, undo_id, written).await
    }

    /// Turns hunks down, all that wait when none are named. Nothing is written.
    pub async fn reject(
        &self,
        proposal: &ProposalId,
        reject: Reject,
    ) -> Result<ProposalChanged, Problem> {
        let _turn = self.turn.lock().await;
        let record = self.record(proposal).await?;
        let all = record.files.iter().flat_map(|file| &file.hunks);
        let hunks = match reject.hunks {
            Some(hunks) => hunks,
            None => all.clone().map(|hunk| hunk.hunk_id.clone()).collect(),
        };
        if !hunks
            .iter()
            .all(|id| all.clone().any(|hunk| hunk.hunk_id == *id))
        {
            return Err(StoreError::UnknownProposal.into());
        }
        let threads = self
            .store
            .reject_hunks(proposal, hunks, (self.clock)())
            .await?;
        self.tell(&threads).await;
        self.changed(proposal, None, Vec::new()).await
    }

    /// Takes an accept back, and names the thread. Refused when the files have been changed where it changed them.
    pub async fn undo(&self, act: &str) -> Result<Option<ThreadId>, Problem> {
        let (proposals, act) = (self.clone(), act.to_owned());
        to_the_end(async move { proposals.take_back(&act).await }).await
    }

    async fn take_back(&self, act: &str) -> Result<Option<ThreadId>, Problem> {
        let _turn = self.turn.lock().await;
        let Some(accept) = self.store.accept_to_undo(act, (self.clock)()).await? else {
            return Ok(None);
        };
        let record = self.record(&accept.proposal_id).await?;
        let root = self
            .documents
            .workspaces()
            .root(&record.workspace_id)
            .await?;
        let mut plan = Plan::default();
        for write in &accept.writes {
            let write = reversed(write);
            let (from, to) = (
                self.at(&write, &write.before).await?,
                self.at(&write, &write.after).await?,
            );
            let root = root.clone();
            plan = blocking(move || {
                plan.path(&root, &write.path, from.as_ref(), to.as_ref())?;
                Ok(plan)
            })
            .await?;
        }
        if !plan.conflicts.is_empty() {
            return Err(undo_moved_on(plan.conflicts));
        }
        let takes_back = Some(accept.act_id);
        self.carry_out(&record, &root, plan, accept.hunks, takes_back)
            .await?;
        Ok(Some(record.thread_id))
    }

    /// Finishes or forgets what a crash interrupted. Call it before anything else is accepted.
    pub async fn recover(&self) -> Result<(), StoreError> {
        let _turn = self.turn.lock().await;
        for (workspace, state, interrupted) in self.store.unfinished_acts().await? {
            let root = self.documents.workspaces().root(&workspace).await;
            let recovered = match root {
                Ok(root) => {
                    act::recover(&self.store, &root, state, interrupted, (self.clock)()).await
                }
                Err(problem) => Err(problem),
            };
            if let Err(problem) = recovered {
                tracing::error!(why = %problem.detail, "an accept that a crash interrupted waits for its folder");
            }
        }
        Ok(())
    }

    /// Writes what is planned. Gives the id that takes it back, and what was written.
    async fn carry_out(
        &self,
        record: &ProposalRecord,
        root: &Arc<Root>,
        plan: Plan,
        hunks: Vec<(HunkId, Option<String>)>,
        takes_back: Option<String>,
    ) -> Result<(Option<String>, Vec<Written>), Problem> {
        if !plan.conflicts.is_empty() {
            return Err(conflict(plan.conflicts));
        }
        if hunks.is_empty() {
            return Ok((None, Vec::new()));
        }
        let act_id = uuid::Uuid::now_v7().to_string();
        let mut writes = plan.writes;
        for (number, write) in writes.iter_mut().enumerate() {
            write.staged_as = format!("{}.rex-{act_id}-{number}", write.staged_as);
        }
        let act = FileAct {
            act_id: act_id.clone(),
            proposal_id: record.proposal_id.clone(),
            takes_back,
            at: (self.clock)(),
            writes,
            hunks,
        };
        let threads = carry_out(&self.store, root, act, plan.contents, (self.clock)()).await?;
        self.tell(&threads).await;
        Ok((Some(act_id), plan.written))
    }

    async fn changed(
        &self,
        proposal: &ProposalId,
        undo_id: Option<String>,
        written: Vec<Written>,
    ) -> Result<ProposalChanged, Problem> {
        Ok(ProposalChanged {
            proposal: self.proposal(proposal).await?,
            undo_id,
            written,
        })
    }

    /// One side of a write, with its bytes.
    async fn at(
        &self,
        write: &FileWrite,
        content: &Option<Content>,
    ) -> Result<Option<Expected>, Problem> {
        let Some(content) = content else {
            return Ok(None);
        };
        let bytes = self.store.snapshot(&content.hash).await?;
        Ok(Some(Expected {
            path: write.path.clone(),
            bytes: bytes.ok_or(StoreError::UnknownProposal)?,
            mode: content.mode,
        }))
    }
}

fn names(file: &FileRecord, asked: &Taken) -> bool {
    file.hunks
        .iter()
        .any(|hunk| asked.contains_key(&hunk.hunk_id))
}

/// Does it whole, also when whoever asked has gone: a closed tab must not stop an act on files in its middle.
async fn to_the_end<T: Send + 'static>(
    act: impl Future<Output = Result<T, Problem>> + Send + 'static,
) -> Result<T, Problem> {
    tokio::spawn(act).await.unwrap_or_else(|_| Err(gave_up()))
}
