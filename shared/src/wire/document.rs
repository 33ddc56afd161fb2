//! Documents and files on the wire.

use super::place::Place;
use crate::document::{Block, Format, ReadOnly};
use crate::ids::{ThreadId, Version};
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
    /// Whether the tree was cut at its limit.
    pub truncated: bool,
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
