//! What `rex` commands of one home say to its running bridge: the words of `/api/local`.

use serde::{Deserialize, Serialize};

/// Body of `POST /api/local/link`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LinkAsked {
    /// End every sign-in first.
    pub rotate: bool,
}

/// A new one-time code.
#[derive(Clone, Serialize, Deserialize)]
pub struct Link {
    /// As a person types it.
    pub code: String,
}
