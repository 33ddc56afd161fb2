//! Documents and files on the wire.

use super::place::Place;
use crate::document::{Block, Format, ReadOnly};
use crate::ids::{ThreadId, Version, WorkspaceId};
use crate::lane::Lane;
use serde::{Deserialize, Serialize};

/// A place of some thread in the document that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentPlace {
    /// The thread it belongs to.
    pub thread_id: ThreadId,
    /// The thread's number.
    pub number: u32,
    /// The thread's lane.
    pub lane: Lane,
    /// The place; `start` and `end` are in the answer's version unless its state is gone.
    pub place: Place,
}

/// `GET /api/documents`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// Workspace-relative path with `/`.
    pub document: String,
    /// Content hash of the file's bytes.
    pub version: Version,
    /// How its characters are to be read.
    pub format: Format,
    /// Why it cannot be written, if so.
    pub read_only: Option<ReadOnly>,
    /// Number of blocks of the whole document.
    pub total: u32,
    /// Ordinal of the first block of this page.
    pub from: u32,
    /// One page of blocks.
    pub blocks: Vec<Block>,
    /// Every place of every thread in this document.
    pub places: Vec<DocumentPlace>,
}

/// One entry of the file tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileNode {
    /// Last part of the path.
    pub name: String,
    /// Workspace-relative path with `/`.
    pub path: String,
    /// For a folder its entries; `None` is a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub children: Option<Vec<Self>>,
    /// Threads with a place in it that are not resolved.
    #[serde(default)]
    pub threads: u32,
}

/// `GET /api/files`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Files {
    /// The workspace's entries, folders first, without ignored ones.
    pub entries: Vec<FileNode>,
    /// Documents that have comments but no file.
    pub missing: Vec<String>,
    /// Files that a missing document may have become.
    #[serde(default)]
    pub renames: Vec<RenameOffer>,
    /// Whether the tree was cut at its limit.
    pub truncated: bool,
}

/// A file that a missing document may have become. It is only offered: the texts are alike, not equal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenameOffer {
    /// The missing document.
    pub from: String,
    /// The file.
    pub to: String,
    /// How much of the document is in the file, in per cent.
    pub alike: u32,
}

/// Body of `POST /api/documents/renamed`: the comments of `from` are from now on about `to`. The same call the other
/// way round takes it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Renamed {
    /// The workspace; left out, the one the bridge was started on.
    #[serde(default)]
    pub ws: Option<WorkspaceId>,
    /// A document that has comments.
    pub from: String,
    /// One that has none.
    pub to: String,
}

impl Files {
    /// Whether the tree has this file.
    pub fn has(&self, path: &str) -> bool {
        fn has(entries: &[FileNode], path: &str) -> bool {
            entries.iter().any(|entry| match &entry.children {
                Some(children) => has(children, path),
                None => entry.path == path,
            })
        }
        has(&self.entries, path)
    }
}
