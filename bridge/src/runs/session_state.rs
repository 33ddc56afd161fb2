//! Whether a stored session is really there, as separate facts: the agent's own word, and the disk's.
//!
//! Deliberately no yes or no. A session that the agent has and the disk does not show is looked for in the wrong folder;
//! one that the disk shows and the agent does not have is a leftover of another one. Whoever asks why a thread is told again
//! has to be told which.

use super::Means;
use crate::agents::SessionLog;
use crate::store::SessionRecord;
use rex_shared::forecast::{SdkLog, SdkStore};
use rex_shared::ids::Millis;

/// What is known of one stored session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SessionState {
    /// The agent's own word.
    pub(super) sdk_store: SdkStore,
    /// When it gave it.
    pub(super) asked_at: Option<Millis>,
    /// The disk's word.
    pub(super) sdk_log: SdkLog,
    /// What was seen on the disk; `None` when this agent's records cannot be seen from outside.
    pub(super) seen: Option<SessionLog>,
}

/// Looks at the row and the disk. Nothing is started: the agent's word is the last one it gave.
pub(super) async fn session_state(means: &Means, session: &SessionRecord) -> SessionState {
    let seen = match &session.session_id {
        Some(id) => means.agents.session_log(&session.sdk, id).await,
        None => None,
    };
    let sdk_log = match &seen {
        Some(seen) if seen.usable_bytes == 0 => SdkLog::Missing,
        Some(_) => SdkLog::Present,
        None if session.session_id.is_some() => SdkLog::Unseen,
        // A session without a name was never begun.
        None => SdkLog::Missing,
    };
    SessionState {
        sdk_store: match session.answer {
            Some(answer) if answer.has => SdkStore::Has,
            Some(_) => SdkStore::None,
            None => SdkStore::NotAsked,
        },
        asked_at: session.answer.map(|answer| answer.asked_at),
        sdk_log,
        seen,
    }
}

impl SessionState {
    /// What the two facts mean together.
    pub(super) fn reading(&self) -> &'static str {
        match (self.sdk_store, self.sdk_log) {
            (SdkStore::Has, SdkLog::Present) => {
                "normal: the agent has the session and its record is here"
            }
            (SdkStore::Has, SdkLog::Missing) => {
                "wrong config folder: the agent has the session, and REX looks for its record where it is not"
            }
            (SdkStore::Has, SdkLog::Unseen) => {
                "the agent has the session; where it keeps records cannot be seen from outside"
            }
            (SdkStore::None, SdkLog::Present) => {
                "left over from another config folder: the agent would refuse the session, so the conversation is told again"
            }
            (SdkStore::None, SdkLog::Missing) => {
                "the cache was cleaned: the conversation is told again from REX's rows, as designed"
            }
            (SdkStore::None, SdkLog::Unseen) => {
                "the agent has no such session: the conversation is told again from REX's rows"
            }
            (SdkStore::NotAsked, SdkLog::Present) => {
                "a record is here; whether the agent takes it up was not asked"
            }
            (SdkStore::NotAsked, SdkLog::Missing) => {
                "no record is here, and the agent was not asked: the conversation is told again"
            }
            (SdkStore::NotAsked, SdkLog::Unseen) => {
                "where the agent keeps records cannot be seen from outside, and it was not asked"
            }
        }
    }
}
