//! Proposals on the wire: what an act run wants changed, piece by piece, and what became of each.

use super::place::Words;
use crate::document::Format;
use crate::ids::{HunkId, Millis, ProposalId, RunId, ThreadId, Version};
use crate::locate::panes::{About, Mark};
use crate::wire::document::DocumentPlace;
use serde::{Deserialize, Serialize};

/// What became of a proposal as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ProposalState {
    /// Some of it waits for the person.
    Open,
    /// Nothing waits any more, and some of it was accepted.
    Accepted,
    /// All of it was rejected.
    Rejected,
    /// A newer proposal of the thread stands in for what had waited.
    Superseded,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FileChange {
    /// Other content.
    Edit,
    /// It is made.
    Create,
    /// It is removed.
    Delete,
    /// It gets another path, and perhaps other content.
    Rename,
    /// Only its mode changes.
    Mode,
}

/// What became of one piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HunkState {
    /// It waits for the person.
    Open,
    /// It is in the document.
    Accepted,
    /// It was turned down.
    Rejected,
}

/// What a hunk is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HunkKind {
    /// A stretch of lines.
    Lines,
    /// The file as a whole: that it is made, removed, renamed, gets another mode, or other bytes that are no text.
    File,
}

/// One proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// Its id.
    pub proposal_id: ProposalId,
    /// The thread it came from.
    pub thread_id: ThreadId,
    /// The act run that made it.
    pub run_id: RunId,
    /// What became of it.
    pub state: ProposalState,
    /// When it was made.
    pub created_at: Millis,
    /// Its files, by path.
    pub files: Vec<ProposalFile>,
}

/// One file of a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProposalFile {
    /// Its workspace-relative path in the proposal; of a removed file the path it had.
    pub document: String,
    /// The path it had, when that is another one.
    pub renamed_from: Option<String>,
    /// What happens to it.
    pub change: FileChange,
    /// The version it was made from; `None` for a file that is made.
    pub base: Option<Version>,
    /// The version it would become with every hunk; `None` for a file that is removed.
    pub version: Option<Version>,
    /// Whether it is no text, so that it is taken as a whole.
    pub binary: bool,
    /// Its permission bits before and after, where they differ.
    pub modes: Option<(u32, u32)>,
    /// Its pieces, in order.
    pub hunks: Vec<ProposalHunk>,
}

/// One piece of a file that is accepted or rejected on its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProposalHunk {
    /// Its id.
    pub hunk_id: HunkId,
    /// Lines, or the file as a whole.
    pub kind: HunkKind,
    /// First byte in the source of `base`.
    pub old_start: u32,
    /// One past the last byte there.
    pub old_end: u32,
    /// First byte in the source of `version`.
    pub new_start: u32,
    /// One past the last byte there.
    pub new_end: u32,
    /// What became of it.
    pub state: HunkState,
    /// What the person wrote instead, when it was accepted with other words.
    pub text: Option<String>,
}

impl Proposal {
    /// The file of this document.
    pub fn file(&self, document: &str) -> Option<&ProposalFile> {
        self.files.iter().find(|file| file.document == document)
    }
}

/// Body of `POST /api/proposals/{id}/accept`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accept {
    /// What to take over. What is in the document already stays there.
    pub hunks: Vec<AcceptHunk>,
    /// The version that the hunks were shown against: checked when they are all of one document.
    #[serde(default)]
    pub base: Option<Version>,
}

/// A hunk to take over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AcceptHunk {
    /// Which one.
    pub hunk_id: HunkId,
    /// Other lines than the proposed ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Body of `POST /api/proposals/{id}/reject`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reject {
    /// What to turn down; left out, all that waits.
    #[serde(default)]
    pub hunks: Option<Vec<HunkId>>,
}

/// Answer of accept and reject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProposalChanged {
    /// The proposal as it is now.
    pub proposal: Proposal,
    /// Takes the writing back; `None` when nothing was written.
    pub undo_id: Option<String>,
    /// The files that were written.
    pub written: Vec<Written>,
}

/// One file that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Written {
    /// Its path.
    pub document: String,
    /// What is on disk now; `None` when it was removed.
    pub version: Option<Version>,
    /// Whether it had changed since the proposal was made, so that both changes are in it now.
    pub merged: bool,
}

/// One stretch that the person and the proposal both changed. A `conflict` problem lists them as its fact `conflicts`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConflictSides {
    /// The file.
    pub document: String,
    /// The line on disk where it begins, counted from 1.
    pub line: u32,
    /// What is on disk.
    pub yours: String,
    /// What the proposal was made from.
    pub base: String,
    /// What the proposal wants there.
    pub proposed: String,
}

/// `GET /api/proposals/{id}/comparison`: one document of a proposal, both sides aligned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// Its path in the proposal.
    pub document: String,
    /// How its characters are to be read.
    pub format: Format,
    /// What differs and what stands around it, in order.
    pub stretches: Vec<Stretch>,
    /// The document's places between the two sides.
    pub places: Vec<ComparedPlace>,
}

/// A stretch of a comparison. Lines are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Stretch {
    /// Lines that are the same on both sides.
    Same {
        /// The first one in the old text.
        old_line: u32,
        /// The first one in the new text.
        new_line: u32,
        /// First byte in the source of the old text.
        old_start: u32,
        /// First byte in the source of the new text.
        new_start: u32,
        /// All of them.
        text: String,
    },
    /// Lines that are the same and left out.
    Folded {
        /// The first one in the old text.
        old_line: u32,
        /// The first one in the new text.
        new_line: u32,
        /// How many.
        lines: u32,
    },
    /// Lines that differ.
    Hunk {
        /// Which one.
        hunk_id: HunkId,
        /// The first one in the old text.
        old_line: u32,
        /// The first one in the new text.
        new_line: u32,
        /// Both sides by word, or as one removed and one added run where words would only confuse.
        words: Vec<Words>,
        /// It was too large to be looked into: lines in it may be the same on both sides.
        coarse: bool,
    },
}

/// A place of the document, resolved against both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ComparedPlace {
    /// As it stands in the document; in the proposal's text when it stands only there.
    pub place: DocumentPlace,
    /// What it is about.
    pub about: About,
    /// Its mark in the document.
    pub document: Mark,
    /// Its mark in the proposal.
    pub proposal: Mark,
    /// Where it stands in the proposal's text, in bytes.
    pub in_proposal: Option<(u32, u32)>,
}
