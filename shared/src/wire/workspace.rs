//! Workspaces, browsers and the bridge itself on the wire.

use super::agent::{AgentInfo, Gateway};
use crate::ids::{BrowserId, Millis, WorkspaceId};
use serde::{Deserialize, Serialize};

/// Body of `POST /api/sign-in`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignIn {
    /// The one-time code.
    pub code: String,
}

/// The answer to a sign-in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedIn {
    /// This browser's own secret, sent from then on as a bearer.
    pub secret: String,
}

/// A signed-in browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Browser {
    /// Its id.
    pub browser_id: BrowserId,
    /// What it called itself when it signed in.
    pub label: String,
    /// When it signed in.
    pub created_at: Millis,
    /// When it was last seen.
    pub last_used_at: Millis,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// A folder that REX was opened on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceInfo {
    /// Its id.
    pub workspace_id: WorkspaceId,
    /// The folder's name.
    pub name: String,
    /// The folder's absolute path.
    pub root: String,
    /// Whether the folder can be read now.
    pub available: bool,
}

/// Body of `POST /api/workspaces`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenWorkspace {
    /// An absolute path.
    pub path: String,
}

/// Threads in each lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are those of the lanes")]
pub struct LaneCounts {
    pub draft: u32,
    pub note: u32,
    pub open: u32,
    pub gone: u32,
    pub resolved: u32,
}

/// `GET /api/workspace`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Workspace {
    /// Which folder.
    pub workspace: WorkspaceInfo,
    /// Threads in each lane.
    pub counts: LaneCounts,
    /// Agent programs known here.
    pub agents: Vec<AgentInfo>,
    /// Model endpoints, the built-in one first.
    pub gateways: Vec<Gateway>,
    /// The document to show when the address names none.
    pub first_document: Option<String>,
    /// Whether the person said go on without an enforced sandbox here.
    pub unenforced_accepted: bool,
    /// The build of this bridge; a page of another build offers a reload.
    pub build: String,
}

/// `GET /api/health`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// Always true in an answer.
    pub alive: bool,
    /// Something needs a look: see `reasons`.
    pub degraded: bool,
    /// One sentence for each reason.
    pub reasons: Vec<String>,
}
