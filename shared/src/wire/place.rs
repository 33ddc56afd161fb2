//! Places: the anchored passages of a thread.

use crate::ids::{MessageId, Millis, PlaceId, ThreadId, Version};
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
    /// Since when its text is no longer there; `None` unless its state is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vanished: Option<Vanished>,
}

/// When a place's text vanished from its document.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Vanished {
    /// When that was noticed.
    pub at: Millis,
    /// The first version of the document without it.
    pub version: Version,
    /// When the person said that it is gone for good, and is not to be asked about it any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said_at: Option<Millis>,
}

/// Text where a place that lost its own may belong. It is only offered; `reattach` takes it as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Offer {
    /// Its document: the place's own, or another one that changed at the same time.
    pub document: String,
    /// The version that the range is about.
    pub version: Version,
    /// First byte in the source of `version`.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The source text of the range.
    pub quote: String,
    /// The line it begins on, counted from 1.
    pub line: u32,
}

/// The text that a place was made on, in its surroundings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Excerpt {
    /// The version it is from: the one the place was picked in.
    pub version: Version,
    /// The line the passage begins on, counted from 1.
    pub line: u32,
    /// The lines above it, and what stands before it on its own.
    pub before: String,
    /// The passage; empty for a whole document.
    pub quote: String,
    /// What stands behind it on its line, and the lines below.
    pub after: String,
}

/// What became of a run of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WordFate {
    /// In both texts.
    Kept,
    /// Only in the old one.
    Removed,
    /// Only in the new one.
    Added,
}

/// A run of words of a comparison by word. All runs but the added ones are the old text, all but the removed ones the
/// new.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Words {
    /// What became of them.
    pub fate: WordFate,
    /// The words, with the space around them.
    pub text: String,
}

/// `POST /api/threads/{id}/places/{placeId}/gone`: what the person says of a place whose text is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SaidGone {
    /// It is gone for good; `false` takes that back.
    pub gone: bool,
}

/// `GET /api/threads/{id}/places/{placeId}`: a place with what it was made on, and where it may belong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlaceDetail {
    /// The thread it belongs to.
    pub thread_id: ThreadId,
    /// The place.
    pub place: Place,
    /// The text it was made on; `None` when that version is not kept.
    pub origin: Option<Excerpt>,
    /// For a changed place: the text it was made on against the text it is on now. Else empty.
    pub words: Vec<Words>,
    /// For a gone place: the nearest candidates, the best first. Else empty.
    pub offers: Vec<Offer>,
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
    /// What the new place covers; left out, what the old one does.
    #[serde(default)]
    pub kind: Option<PlaceKind>,
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
