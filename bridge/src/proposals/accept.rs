//! Accepting, turning down, and taking an accept back.

use super::Proposals;
use super::act::{self, Contents, carry_out, reversed};
use super::expected::{Expected, Taken, accepted, expected, typed};
use super::plan::{OnDisk, Step, step};
use super::writing::{self, Found, hash, nearest_folder};
use crate::documents::version;
use crate::store::{Content, FileAct, FileRecord, FileWrite, ProposalRecord, StoreError};
use crate::workspaces::{Root, blocking};
use rex_shared::change::Overlap;
use rex_shared::ids::{HunkId, ProposalId, ThreadId};
use rex_shared::wire::problem::{Problem, ProblemType};
use rex_shared::wire::proposal::{
    Accept, ConflictSides, HunkState, ProposalChanged, Reject, Written,
};
use std::sync::Arc;

/// What is to be written, and what stands in the way.
#[derive(Default)]
struct Plan {
    writes: Vec<FileWrite>,
    contents: Contents,
    written: Vec<Written>,
    conflicts: Vec<ConflictSides>,
}

impl Proposals {
    /// Writes hunks into the documents: all files of it or none. A file that moved on is merged; where that cannot be
    /// done nothing is written and both sides are told. Hunks that are in already stay as they are.
    pub async fn accept(
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
        let undo_id = self.carry_out(&record, &root, plan, hunks, None).await?;
        self.changed(proposal, undo_id.0, undo_id.1).await
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
        if let Some(_unknown) = hunks
            .iter()
            .find(|id| all.clone().all(|hunk| hunk.hunk_id != **id))
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

impl Plan {
    /// Brings one file from what is expected to what is wanted. Blocks.
    fn file(
        &mut self,
        root: &Root,
        was: Option<&Expected>,
        wanted: Option<&Expected>,
    ) -> Result<(), Problem> {
        match (was, wanted) {
            (Some(from), Some(to)) if from.path != to.path => self.renamed(root, from, to),
            (None, None) => Ok(()),
            _ => {
                let path = was.or(wanted).map_or("", |file| &file.path);
                self.path(root, path, was, wanted)
            }
        }
    }

    fn path(
        &mut self,
        root: &Root,
        path: &str,
        was: Option<&Expected>,
        wanted: Option<&Expected>,
    ) -> Result<(), Problem> {
        let found = writing::read(root, path)?;
        match step(path, on_disk(found.as_ref()).as_ref(), was, wanted) {
            Step::Nothing => {}
            Step::Conflict(sides) => self.conflicts.extend(sides),
            Step::Write { after, merged } => {
                // What a link leads to is written, and the link stays.
                let path = found.as_ref().map_or(path, |found| &found.path).to_owned();
                self.write(root, &path, found, after, merged);
            }
        }
        Ok(())
    }

    /// The new path gets what the old one would have got, and the old one goes.
    fn renamed(&mut self, root: &Root, from: &Expected, to: &Expected) -> Result<(), Problem> {
        let old = writing::read(root, &from.path)?;
        let here = on_disk(old.as_ref());
        let there = writing::read(root, &to.path)?;
        let (content, merged) = match step(&from.path, here.as_ref(), Some(from), Some(to)) {
            Step::Nothing => (here, false),
            Step::Write { after, merged } => (after, merged),
            Step::Conflict(sides) => {
                self.conflicts.extend(sides);
                return Ok(());
            }
        };
        let taken = there.as_ref().map(|there| &there.bytes);
        if taken.is_some() && taken != content.as_ref().map(|content| &content.bytes) {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            self.conflicts.push(ConflictSides {
                document: to.path.clone(),
                line: 1,
                yours: taken.map(|bytes| text(bytes)).unwrap_or_default(),
                base: String::new(),
                proposed: text(&to.bytes),
            });
            return Ok(());
        }
        if there.is_none() {
            self.write(root, &to.path, None, content, merged);
        }
        if old.is_some() {
            self.write(root, &from.path, old, None, false);
        }
        Ok(())
    }

    fn write(
        &mut self,
        root: &Root,
        path: &str,
        before: Option<Found>,
        after: Option<OnDisk>,
        merged: bool,
    ) {
        let folder = nearest_folder(root, path);
        let before = before.map(|found| {
            let content = Content {
                hash: hash(&found),
                mode: found.mode,
            };
            self.contents
                .insert(content.hash.clone(), found.bytes.into());
            content
        });
        let after = after.map(|file| {
            let content = Content {
                hash: version(&file.bytes),
                mode: file.mode,
            };
            self.contents
                .insert(content.hash.clone(), file.bytes.into());
            content
        });
        self.written.push(Written {
            document: path.to_owned(),
            version: after.as_ref().map(|content| content.hash.clone()),
            merged,
        });
        self.writes.push(FileWrite {
            path: path.to_owned(),
            before,
            after,
            // The name itself follows from the act.
            staged_as: if folder.is_empty() {
                String::new()
            } else {
                format!("{folder}/")
            },
        });
    }
}

fn on_disk(found: Option<&Found>) -> Option<OnDisk> {
    found.map(|found| OnDisk {
        bytes: found.bytes.clone(),
        mode: found.mode,
    })
}

fn names(file: &FileRecord, asked: &Taken) -> bool {
    file.hunks
        .iter()
        .any(|hunk| asked.contains_key(&hunk.hunk_id))
}

fn overlap(overlap: Overlap) -> Problem {
    Problem::new(
        ProblemType::Internal,
        "The proposal is damaged",
        format!("In it, {overlap}. Nothing was written."),
        "Ask for it again.",
    )
}

fn superseded() -> Problem {
    Problem::new(
        ProblemType::MovedOn,
        "A newer proposal stands in for this one",
        "What waited in it is in the newer one, perhaps in other words. Nothing was written.",
        "Accept the newer one.",
    )
}

fn other_base() -> Problem {
    Problem::new(
        ProblemType::StaleVersion,
        "This is not what was shown",
        "The proposal was made from another version than the one it was shown against. Nothing was written.",
        "Load the proposal again.",
    )
}

fn conflict(sides: Vec<ConflictSides>) -> Problem {
    let documents = documents(&sides);
    Problem::new(
        ProblemType::Conflict,
        "You changed the same lines",
        format!("{documents} changed where the proposal would change it. Nothing was written."),
        "Decide line by line: accept with your own words, or ask for a new proposal.",
    )
    .with("conflicts", told(&sides))
}

fn undo_moved_on(sides: Vec<ConflictSides>) -> Problem {
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
