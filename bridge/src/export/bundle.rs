//! The bundle: what an export holds, and the JSON that another REX reads.
//!
//! Fields are only ever added; a reader that meets a higher [`FORMAT`] must say so and take nothing. Times are
//! milliseconds since the epoch; ranges are UTF-8 byte offsets in the version they name.

use rex_shared::document::Format;
use rex_shared::ids::{Millis, PlaceId, Sdk, Version};
use rex_shared::wire::message::Message;
use rex_shared::wire::place::Place;
use rex_shared::wire::thread::Thread;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// The number of this shape.
pub const FORMAT: u32 = 1;

/// The comments of some documents of one workspace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Bundle {
    /// [`FORMAT`].
    pub format: u32,
    /// The name of the workspace's folder.
    pub workspace: String,
    /// When this was written.
    pub exported_at: Millis,
    /// The documents asked for, in that order.
    pub documents: Vec<BundleDocument>,
    /// How the characters of each document are to be read that is on disk and has a place here.
    pub formats: BTreeMap<String, Format>,
    /// Every thread with a place in one of them, by number.
    pub threads: Vec<BundleThread>,
    /// The word for each agent that speaks, such as "Claude".
    pub agents: BTreeMap<Sdk, String>,
    /// The text of every version that a place is about.
    pub versions: BTreeMap<Version, String>,
}

/// A document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BundleDocument {
    /// Workspace-relative path with `/`.
    pub document: String,
    /// The version on disk; `None` when there is no such file any more.
    pub version: Option<Version>,
}

/// A thread with its whole conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BundleThread {
    /// Row, places, note, draft.
    pub thread: Thread,
    /// Where its places stand by line, in the version that each is about.
    pub lines: BTreeMap<PlaceId, Lines>,
    /// Every message, oldest first.
    pub messages: Vec<Message>,
}

/// First and last line, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines(pub u32, pub u32);

impl BundleThread {
    /// The places that stand for something: not those that another one replaced.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        let places = &self.thread.places;
        let replaced: HashSet<&PlaceId> = places
            .iter()
            .filter_map(|at| at.replaces.as_ref())
            .collect();
        places
            .iter()
            .filter(move |at| !replaced.contains(&at.place_id))
    }
}
