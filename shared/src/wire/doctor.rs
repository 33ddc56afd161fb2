//! What doctor finds: whether this installation is sound, in sentences for a person.

use crate::ids::{Millis, Sdk};
use serde::{Deserialize, Serialize};

/// How one thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CheckState {
    /// As it should be.
    Good,
    /// REX works, and something is worth knowing or doing.
    Notice,
    /// Something does not work.
    Bad,
    /// Not looked at: that would start a program.
    #[serde(other)]
    NotTried,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// What, in a word or two, such as "database".
    pub name: String,
    /// How it is.
    pub state: CheckState,
    /// What was seen.
    pub says: String,
    /// What to do about it, where there is something to do.
    pub hint: Option<String>,
}

impl Check {
    /// A thing that is as `state` says.
    pub fn new(name: impl Into<String>, state: CheckState, says: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            state,
            says: says.into(),
            hint: None,
        }
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }
}

/// Checks that were made at one time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checked {
    /// When.
    pub checked_at: Millis,
    /// In the order a person reads them.
    pub checks: Vec<Check>,
}

/// Answer of doctor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnosis {
    /// REX's version.
    pub version: String,
    /// What can be seen without starting anything.
    pub seen: Checked,
    /// What was last tried by starting something; `None` when nothing was tried since this start.
    pub tried: Option<Checked>,
}

impl Diagnosis {
    /// Everything that was found, in order. What was tried says more than what was seen of the same thing.
    pub fn checks(&self) -> impl Iterator<Item = &Check> {
        let tried = self.tried.iter().flat_map(|tried| &tried.checks);
        let seen = self.seen.checks.iter();
        let only_seen = {
            let tried = tried.clone();
            seen.filter(move |seen| tried.clone().all(|tried| tried.name != seen.name))
        };
        only_seen.chain(tried)
    }
}

/// Body of `POST /api/doctor`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TryOut {
    /// The agents that are asked something in a folder of their own, which may cost. The rest is always tried.
    pub sdks: Vec<Sdk>,
}
