//! The identifiers that cross the wire.
//!
//! All of them are lower-case canonical UUIDs, so that an id can stand in an address, a file name or an
//! argument list without quoting. They are made by the page or the bridge, never here: this crate has no randomness.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A text that is not a lower-case canonical UUID.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadId;

impl fmt::Display for BadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an id is a lower-case UUID such as 01890a5d-ac96-774b-bcce-b302099a8057")
    }
}

impl std::error::Error for BadId {}

/// Whether `text` is a lower-case UUID with hyphens in the canonical places.
pub fn is_canonical_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        })
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Takes a lower-case canonical UUID.
            pub fn parse(text: &str) -> Result<Self, BadId> {
                if is_canonical_uuid(text) { Ok(Self(text.to_owned())) } else { Err(BadId) }
            }

            /// The id as it stands on the wire and in the database.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = BadId;

            fn try_from(text: String) -> Result<Self, BadId> {
                if is_canonical_uuid(&text) { Ok(Self(text)) } else { Err(BadId) }
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}

ids! {
    /// One comment: the only id in address, API, browser and export.
    ThreadId,
    /// One message: the entries of one speaker in one run.
    MessageId,
    /// One stored entry of a conversation.
    EntryId,
    /// One anchored passage of a thread.
    PlaceId,
    /// One change of a document.
    ChangeId,
    /// One agent process's work on one prompt.
    RunId,
    /// One question an agent put to the person.
    DialogId,
    /// A changed version of documents that an act run produced.
    ProposalId,
    /// One piece of a proposal that is accepted or rejected on its own.
    HunkId,
    /// One folder that REX was opened on.
    WorkspaceId,
    /// One group of threads in the rail.
    GroupId,
    /// One signed-in browser.
    BrowserId,
    /// One start of the bridge.
    BootId,
}

/// A named model endpoint: a UUID, or [`GatewayId::DEFAULT`], the program's own sign-in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GatewayId(String);

impl GatewayId {
    /// The name of the gateway that every agent program has built in.
    pub const DEFAULT: &'static str = "default";

    /// The built-in gateway.
    pub fn default_gateway() -> Self {
        Self(Self::DEFAULT.to_owned())
    }

    /// Takes `default` or a lower-case canonical UUID.
    pub fn parse(text: &str) -> Result<Self, BadId> {
        if text == Self::DEFAULT || is_canonical_uuid(text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(BadId)
        }
    }

    /// The id as it stands on the wire and in the database.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the program's own sign-in.
    pub fn is_default(&self) -> bool {
        self.0 == Self::DEFAULT
    }
}

impl TryFrom<String> for GatewayId {
    type Error = BadId;

    fn try_from(text: String) -> Result<Self, BadId> {
        Self::parse(&text)
    }
}

impl From<GatewayId> for String {
    fn from(id: GatewayId) -> Self {
        id.0
    }
}

impl fmt::Display for GatewayId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Which agent program: `claude`, `codex`, `opencode`, `deepagents`, `pi`, `demo` or `acp:<name>`.
///
/// Only adapters know what a name means; everything else carries it as it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Sdk(String);

impl Sdk {
    /// Takes lower-case letters, digits and `-`, optionally behind `acp:`; at most 64 bytes.
    pub fn parse(text: &str) -> Result<Self, BadSdk> {
        let name = text.strip_prefix("acp:").unwrap_or(text);
        let good = name.starts_with(|first: char| first.is_ascii_lowercase())
            && text.len() <= 64
            && name
                .bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        if good {
            Ok(Self(text.to_owned()))
        } else {
            Err(BadSdk)
        }
    }

    /// The name as it stands on the wire and in the database.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text that cannot name an agent program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadSdk;

impl fmt::Display for BadSdk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "an agent's name is lower-case letters, digits and hyphens, such as claude or acp:mine",
        )
    }
}

impl std::error::Error for BadSdk {}

impl TryFrom<String> for Sdk {
    type Error = BadSdk;

    fn try_from(text: String) -> Result<Self, BadSdk> {
        Self::parse(&text)
    }
}

impl From<Sdk> for String {
    fn from(sdk: Sdk) -> Self {
        sdk.0
    }
}

impl fmt::Display for Sdk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The content hash of one version of a document: BLAKE3 of its bytes, lower-case hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Version(String);

impl Version {
    /// Takes 64 lower-case hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, BadVersion> {
        let good = text.len() == 64
            && text
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if good {
            Ok(Self(text.to_owned()))
        } else {
            Err(BadVersion)
        }
    }

    /// The hash as it stands on the wire and in the database.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text that is not a content hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadVersion;

impl fmt::Display for BadVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a version is 64 lower-case hexadecimal digits")
    }
}

impl std::error::Error for BadVersion {}

impl TryFrom<String> for Version {
    type Error = BadVersion;

    fn try_from(text: String) -> Result<Self, BadVersion> {
        Self::parse(&text)
    }
}

impl From<Version> for String {
    fn from(version: Version) -> Self {
        version.0
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Milliseconds since the Unix epoch, the only form of time on the wire and in the database.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Millis(pub i64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_lower_case_canonical_uuid() {
        assert!(ThreadId::parse("01890a5d-ac96-774b-bcce-b302099a8057").is_ok());
        for bad in [
            "",
            "01890A5D-ac96-774b-bcce-b302099a8057",
            "01890a5dac96774bbcceb302099a8057",
            "../../etc/passwd",
        ] {
            assert_eq!(ThreadId::parse(bad), Err(BadId), "{bad}");
        }
    }

    #[test]
    fn an_agent_name_cannot_be_an_option_or_a_path() {
        assert!(Sdk::parse("acp:my-agent").is_ok());
        for bad in ["", "--help", "Claude", "a/b", "acp:", "acp:acp:x", "a b"] {
            assert_eq!(Sdk::parse(bad), Err(BadSdk), "{bad}");
        }
    }
}
