//! Places: the anchored passages of a thread.

use crate::ids::{MessageId, PlaceId, Version};
use serde::{Deserialize, Serialize};

/// What a place covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PlaceKind {
    /// A run of text.
    Text,
    /// A heading and what is under it.
    Section,
    /// A table cell.
    Cell,
    /// A table row.
    Row,
    /// An image.
    Image,
    /// The whole document; it can never be lost.
    Document,
}

/// Where a place stands in the document as it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PlaceState {
    /// The text is unchanged and where it stood; the page says "same".
    Exact,
    /// Unchanged, but in another order or section.
    Moved,
    /// Its place is known and the text there differs.
    Changed,
    /// Neither the text nor a successor is there.
    Gone,
    /// The file could not be read, so nothing is claimed.
    Unknown,
}

/// A place as it stands in a version of its document.
///
/// `start` and `end` are UTF-8 byte offsets in the source of `version`; `quote` is that slice.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The place's id.
    pub place_id: PlaceId,
    /// Workspace-relative path with `/`.
    pub document: String,
    /// What it covers.
    pub kind: PlaceKind,
    /// First byte in the source of `version`.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The version the range is about: the newest one the place resolves in, else the one it was made on.
    pub version: Version,
    /// The source text of the range.
    pub quote: String,
    /// Its state in the document as it is now.
    pub state: PlaceState,
    /// The message that added it; `None` while it waits for the thread's next prompt.
    pub message_id: Option<MessageId>,
    /// The place this one stands in for.
    pub replaces: Option<PlaceId>,
}

/// A place to be made. A repeat with the same content is harmless.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewPlace {
    /// Made by the page.
    pub place_id: PlaceId,
    /// Workspace-relative path with `/`.
    pub document: String,
    /// What it covers.
    pub kind: PlaceKind,
    /// First byte in the source of `version`.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The version it was picked in.
    pub version: Version,
    /// The source text of the range; the bridge checks it.
    pub quote: String,
}

/// Body of `POST /api/threads/{id}/places`: places to make, or a draft's places to move here by their ids.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AddPlaces {
    /// Places to make.
    #[serde(default)]
    pub places: Vec<NewPlace>,
    /// Places of a draft to move here; a draft left empty is deleted.
    #[serde(default)]
    pub place_ids: Vec<PlaceId>,
}

/// Body of `POST /api/threads/{id}/places/{placeId}/reattach`: where a place that lost its text belongs now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reattach {
    /// The new place's id, so that a repeat is harmless; left out, the bridge makes one.
    #[serde(default)]
    pub place_id: Option<PlaceId>,
    /// Workspace-relative path with `/`.
    pub document: String,
    /// First byte in the source of `version`.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The version it was picked in.
    pub version: Version,
    /// The source text of the range; the bridge checks it.
    pub quote: String,
}
