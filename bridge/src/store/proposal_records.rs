//! What the store takes and gives about proposals, where the wire has no word for it.

use rex_shared::ids::{HunkId, Millis, PlaceId, ProposalId, RunId, ThreadId, Version, WorkspaceId};
use rex_shared::wire::proposal::{
    FileChange, HunkKind, HunkState, Proposal, ProposalFile, ProposalHunk, ProposalState,
};
use std::ops::Range;

/// One state of one file: its path, its bytes by their hash, and its permission bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileState {
    /// Workspace-relative path with `/`.
    pub path: String,
    /// Hash of its bytes; the bytes are in the store.
    pub hash: Version,
    /// Permission bits.
    pub mode: u32,
}

/// A proposal, whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalRecord {
    /// Its id.
    pub proposal_id: ProposalId,
    /// The thread it came from.
    pub thread_id: ThreadId,
    /// The thread's workspace.
    pub workspace_id: WorkspaceId,
    /// The act run that made it.
    pub run_id: RunId,
    /// When it was made.
    pub created_at: Millis,
    /// Whether a newer one of the thread stands in for what waits.
    pub superseded: bool,
    /// Its files, by path.
    pub files: Vec<FileRecord>,
}

/// One file of a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRecord {
    /// What happens to it.
    pub change: FileChange,
    /// As the proposal was made from it; `None` for a file that is made.
    pub before: Option<FileState>,
    /// As it would be with every hunk; `None` for a file that is removed.
    pub after: Option<FileState>,
    /// Whether it is compared by lines.
    pub is_text: bool,
    /// Its pieces, in order; that of the whole file is the first.
    pub hunks: Vec<HunkRecord>,
    /// Places that stand in the new text. Only of a proposal that is being stored.
    pub stands: Vec<PlaceId>,
}

/// One piece of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HunkRecord {
    /// Its id.
    pub hunk_id: HunkId,
    /// Lines, or the file as a whole.
    pub kind: HunkKind,
    /// Lines of the old text, counted from 0.
    pub old_lines: Range<u32>,
    /// Lines of the new text.
    pub new_lines: Range<u32>,
    /// Their bytes in the source of the old text.
    pub old_bytes: Range<u32>,
    /// Their bytes in the source of the new text.
    pub new_bytes: Range<u32>,
    /// What became of it.
    pub state: HunkState,
    /// What the person wrote instead.
    pub text: Option<String>,
}

impl ProposalRecord {
    /// What became of it as a whole.
    pub fn state(&self) -> ProposalState {
        let mut hunks = self.files.iter().flat_map(|file| &file.hunks);
        let is = |state: HunkState| move |hunk: &HunkRecord| hunk.state == state;
        if hunks.clone().any(is(HunkState::Open)) {
            match self.superseded {
                true => ProposalState::Superseded,
                false => ProposalState::Open,
            }
        } else if hunks.any(is(HunkState::Accepted)) {
            ProposalState::Accepted
        } else {
            ProposalState::Rejected
        }
    }

    /// As it crosses the wire.
    pub fn told(&self) -> Proposal {
        Proposal {
            proposal_id: self.proposal_id.clone(),
            thread_id: self.thread_id.clone(),
            run_id: self.run_id.clone(),
            state: self.state(),
            created_at: self.created_at,
            files: self.files.iter().map(FileRecord::told).collect(),
        }
    }
}

impl FileRecord {
    /// Its path in the proposal; of a removed file the path it had.
    pub fn document(&self) -> &str {
        let state = self.after.as_ref().or(self.before.as_ref());
        state.map_or("", |state| &state.path)
    }

    fn told(&self) -> ProposalFile {
        let (before, after) = (self.before.as_ref(), self.after.as_ref());
        let modes = before
            .zip(after)
            .map(|(before, after)| (before.mode, after.mode));
        ProposalFile {
            document: self.document().to_owned(),
            renamed_from: before
                .map(|before| before.path.clone())
                .filter(|path| path != self.document()),
            change: self.change,
            base: before.map(|before| before.hash.clone()),
            version: after.map(|after| after.hash.clone()),
            binary: !self.is_text,
            modes: modes.filter(|(before, after)| before != after),
            hunks: self.hunks.iter().map(HunkRecord::told).collect(),
        }
    }
}

impl HunkRecord {
    fn told(&self) -> ProposalHunk {
        ProposalHunk {
            hunk_id: self.hunk_id.clone(),
            kind: self.kind,
            old_start: self.old_bytes.start,
            old_end: self.old_bytes.end,
            new_start: self.new_bytes.start,
            new_end: self.new_bytes.end,
            state: self.state,
            text: self.text.clone(),
        }
    }
}

/// Writing into a person's files: an accept, or the taking back of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileAct {
    /// Its id; of an accept the id that takes it back.
    pub act_id: String,
    /// The proposal it belongs to.
    pub proposal_id: ProposalId,
    /// The accept that this takes back.
    pub takes_back: Option<String>,
    /// When it began.
    pub at: Millis,
    /// Its files.
    pub writes: Vec<FileWrite>,
    /// The hunks it is about, with the person's own text.
    pub hunks: Vec<(HunkId, Option<String>)>,
}

/// How far an act has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActState {
    /// No file has changed yet.
    Staged,
    /// Every new content is on disk, and the files are getting them.
    Going,
    /// Every file has its new content.
    Done,
}

/// What is at a path: bytes by their hash, and permission bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Hash of the bytes; the bytes are in the store.
    pub hash: Version,
    /// Permission bits.
    pub mode: u32,
}

/// One path of an act. No content is no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileWrite {
    /// Workspace-relative path with `/`.
    pub path: String,
    /// What was there.
    pub before: Option<Content>,
    /// What is to be there.
    pub after: Option<Content>,
    /// The name of the file beside it that holds the new content until it is put in place.
    pub staged_as: String,
}
