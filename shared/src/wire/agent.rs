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
    /// What keeps its runs from writing.
    pub sandbox: Sandbox,
    /// Part of REX: it needs no account and sends nothing anywhere.
    #[serde(default)]
    pub built_in: bool,
    /// What to do when it is missing.
    pub hint: Option<String>,
    /// The models it offers through its own sign-in, once it was asked; `None` when it was not.
    #[serde(default)]
    pub models: Option<Vec<String>>,
}

/// What of the operating system keeps a run from writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Sandbox {
    /// Namespaces of its own: nothing but its temp folder and its records can be written.
    Bubblewrap,
    /// The kernel refuses to write elsewhere; a file's mode and times can still be changed.
    Landlock,
    /// Nothing: only the agent's own rules do.
    #[default]
    #[serde(other)]
    None,
}

impl Sandbox {
    /// Whether anything does.
    pub fn is_enforced(self) -> bool {
        self != Self::None
    }

    /// The word for it on the wire.
    pub fn word(self) -> &'static str {
        match self {
            Self::Bubblewrap => "bubblewrap",
            Self::Landlock => "landlock",
            Self::None => "none",
        }
    }
}

/// A named model endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gateway {
    /// Its id.
    pub gateway_id: GatewayId,
    /// Its name.
    pub name: String,
    /// The agent programs it serves; none is all of them, as for the built-in one.
    pub sdks: Vec<Sdk>,
    /// Its address; `None` is the program's own.
    pub base_url: Option<String>,
    /// Name of the variable (`env:NAME`) or file (`file:PATH`) that holds the key; never the key.
    pub key_ref: Option<String>,
    /// Models it offers.
    pub models: Vec<String>,
}

/// Body of `PATCH /api/gateways/{id}`: what is left out stays as it is, `null` takes it away.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GatewayPatch {
    /// A new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// All agent programs it serves from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sdks: Option<Vec<Sdk>>,
    /// A new address.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub base_url: Option<Option<String>>,
    /// A new name of where the key stands.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub key_ref: Option<Option<String>>,
    /// All models it offers from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub models: Option<Vec<String>>,
}

/// Tells `null` from a field that is left out.
fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(from).map(Some)
}
