//! Agents and gateways on the wire.

use crate::ids::{GatewayId, Sdk};
use serde::{Deserialize, Serialize};

/// What an agent program can do, declared by its adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Capabilities {
    /// Goes on with a session of an earlier process.
    pub resume: bool,
    /// Takes an id that REX chose.
    pub chosen_id: bool,
    /// Asks before it does something.
    pub permissions: bool,
    /// Takes images.
    pub images: bool,
    /// Can propose changes.
    pub act: bool,
    /// Reports what it cost.
    pub cost: bool,
}

/// An agent program as the page offers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentInfo {
    /// Which one.
    pub sdk: Sdk,
    /// The word a person reads, such as "Claude".
    pub label: String,
    /// Version found; `None` when it is missing.
    pub version: Option<String>,
    /// What it can do.
    pub capabilities: Capabilities,
    /// Whether its runs are kept from writing by the operating system.
    pub sandbox_enforced: bool,
    /// What to do when it is missing.
    pub hint: Option<String>,
}

/// A named model endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gateway {
    /// Its id.
    pub gateway_id: GatewayId,
    /// Its name.
    pub name: String,
    /// The agent programs it serves.
    pub sdks: Vec<Sdk>,
    /// Its address; `None` is the program's own.
    pub base_url: Option<String>,
    /// Name of the variable (`env:NAME`) or file (`file:PATH`) that holds the key; never the key.
    pub key_ref: Option<String>,
    /// Models it offers.
    pub models: Vec<String>,
}
