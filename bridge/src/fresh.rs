//! What is new each time: ids and the time of day. Nothing else in the bridge asks for either.

use rex_shared::ids::{BadId, Millis};
use std::time::{SystemTime, UNIX_EPOCH};

/// A new id, ordered by the time it was made (UUID version 7).
pub fn id<T: TryFrom<String, Error = BadId>>() -> T {
    T::try_from(uuid::Uuid::now_v7().to_string()).expect("a UUID prints in its canonical form")
}

/// Now, in milliseconds since the epoch. For what a person sees; durations are measured with a monotonic clock.
pub fn now() -> Millis {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
