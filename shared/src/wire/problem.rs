//! Errors on the wire: `application/problem+json`.

use serde::de::Error as _;
use serde::{Deserialize, Serialize};

/// What went wrong, as a slug the page can branch on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are the slugs of the contract")]
pub enum ProblemType {
    UnknownBrowser,
    BadCode,
    ForbiddenOrigin,
    UnknownRoute,
    UnknownThread,
    UnknownDocument,
    UnknownChange,
    UnknownProposal,
    UnknownWorkspace,
    UnknownPlace,
    UnknownDialog,
    UnknownMessage,
    IdReused,
    StaleVersion,
    ThreadIsNote,
    ThreadResolved,
    DialogClosed,
    MovedOn,
    Conflict,
    NothingToRetry,
    QuoteMismatch,
    UnknownAgent,
    UnknownGateway,
    ModeUnavailable,
    SandboxUnenforced,
    BadId,
    BadRequest,
    UnsupportedMediaType,
    MethodNotAllowed,
    Timeout,
    TooLarge,
    ReadOnly,
    NotYet,
    Internal,
}

impl ProblemType {
    /// The HTTP status this problem is answered with.
    pub fn status(self) -> u16 {
        match self {
            Self::UnknownBrowser | Self::BadCode => 401,
            Self::ForbiddenOrigin => 403,
            Self::UnknownRoute
            | Self::UnknownThread
            | Self::UnknownDocument
            | Self::UnknownChange
            | Self::UnknownProposal
            | Self::UnknownWorkspace
            | Self::UnknownPlace
            | Self::UnknownDialog
            | Self::UnknownMessage => 404,
            Self::MethodNotAllowed => 405,
            Self::Timeout => 408,
            Self::IdReused
            | Self::StaleVersion
            | Self::ThreadIsNote
            | Self::ThreadResolved
            | Self::DialogClosed
            | Self::MovedOn
            | Self::NothingToRetry
            | Self::Conflict => 409,
            Self::TooLarge => 413,
            Self::UnsupportedMediaType => 415,
            Self::QuoteMismatch
            | Self::UnknownAgent
            | Self::UnknownGateway
            | Self::ModeUnavailable
            | Self::SandboxUnenforced
            | Self::BadId
            | Self::BadRequest => 422,
            Self::NotYet => 501,
            Self::ReadOnly => 503,
            Self::Internal => 500,
        }
    }
}

/// An error as it crosses the wire.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "serde_json::Map<String, serde_json::Value>")]
pub struct Problem {
    /// The slug.
    #[serde(rename = "type")]
    pub kind: ProblemType,
    /// What happened, in a few words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What happened and what is safe.
    pub detail: String,
    /// The next step.
    pub hint: String,
    /// Facts that go with the slug, such as `currentVersion`.
    #[serde(flatten, skip_serializing_if = "serde_json::Map::is_empty")]
    pub facts: serde_json::Map<String, serde_json::Value>,
}

impl Problem {
    /// A problem with the status of its slug.
    pub fn new(
        kind: ProblemType,
        title: impl Into<String>,
        detail: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self {
            kind,
            title: title.into(),
            status: kind.status(),
            detail: detail.into(),
            hint: hint.into(),
            facts: serde_json::Map::new(),
        }
    }

    /// The same with one more fact.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<serde_json::Value>) -> Self {
        self.facts.insert(name.to_owned(), value.into());
        self
    }
}

/// What is not a field of its own is a fact.
impl TryFrom<serde_json::Map<String, serde_json::Value>> for Problem {
    type Error = serde_json::Error;

    fn try_from(
        mut facts: serde_json::Map<String, serde_json::Value>,
    ) -> Result<Self, Self::Error> {
        let mut take = |name: &'static str| {
            facts
                .remove(name)
                .ok_or_else(|| serde_json::Error::missing_field(name))
        };
        Ok(Self {
            kind: serde_json::from_value(take("type")?)?,
            title: serde_json::from_value(take("title")?)?,
            status: serde_json::from_value(take("status")?)?,
            detail: serde_json::from_value(take("detail")?)?,
            hint: serde_json::from_value(take("hint")?)?,
            facts,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_read_as_it_was_written_with_its_facts() {
        let problem = Problem::new(
            ProblemType::StaleVersion,
            "Changed",
            "It changed.",
            "Read on.",
        )
        .with("currentVersion", "v2");
        let json = serde_json::to_string(&problem).unwrap();
        assert!(json.contains(r#""type":"stale-version""#), "{json}");
        assert_eq!(serde_json::from_str::<Problem>(&json).unwrap(), problem);
        assert!(serde_json::from_str::<Problem>(r#"{"type":"internal"}"#).is_err());
    }
}
