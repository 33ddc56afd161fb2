//! The document on the paper: which, and what became of it on disk. Its blocks are the paper's own.

use crate::reactive::State;
use rex_shared::ids::{PlaceId, Version};
use rex_shared::wire::change::Change;
use rex_shared::wire::follow::DocumentFrame;
use std::collections::HashMap;

/// The document on the paper.
#[derive(Debug, Clone, Copy)]
pub struct OpenDocument {
    /// Workspace-relative path; `None` shows the first-run screen.
    pub path: State<Option<String>>,
    /// The version whose blocks are shown; the paper sets it.
    pub version: State<Option<Version>>,
    /// The newest change on disk since the document was opened; the paper reads on from its version.
    pub on_disk: State<Option<DocumentFrame>>,
    /// The newest change on disk that was told of since the document was opened.
    pub last_change: State<Option<Change>>,
    /// Whether the dialog with its changes is open.
    pub changes_shown: State<bool>,
    /// Counts changes of places in this document that the rail told: the paper asks for places again.
    pub places_changed: State<u64>,
    /// A place to bring into view once; the paper takes it.
    pub jump: State<Option<PlaceId>>,
    /// The line of each place that stands in what is shown of this document, from 1; the paper sets it.
    pub place_lines: State<HashMap<PlaceId, u32>>,
    /// A line of the source, from 1, to bring into view once; the paper takes it.
    pub jump_line: State<Option<u32>>,
}

impl OpenDocument {
    pub(super) fn new() -> Self {
        Self {
            path: State::default(),
            version: State::default(),
            on_disk: State::default(),
            last_change: State::default(),
            changes_shown: State::default(),
            places_changed: State::default(),
            jump: State::default(),
            jump_line: State::default(),
            place_lines: State::default(),
        }
    }

    /// Puts another document on the paper. The same one again changes nothing.
    pub fn open(&self, path: Option<String>) {
        if self.path.with_untracked(|open| *open == path) {
            return;
        }
        self.version.set(None);
        self.on_disk.set(None);
        self.last_change.set(None);
        self.changes_shown.set(false);
        self.path.set(path);
    }
}
