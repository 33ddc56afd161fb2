//! What was met a moment ago.

use super::lock;
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;
use tokio::time::Instant;

/// After this long a path is forgotten.
const KEPT: Duration = Duration::from_mins(1);

/// Paths and when each was last met.
#[derive(Default)]
pub(super) struct Recent(Mutex<HashMap<String, Instant>>);

impl Recent {
    /// Meets these paths now.
    pub(super) fn note(&self, paths: impl IntoIterator<Item = String>) {
        let now = Instant::now();
        let mut met = lock(&self.0);
        met.retain(|_, at| now.duration_since(*at) < KEPT);
        met.extend(paths.into_iter().map(|path| (path, now)));
    }

    /// The paths met in the last `time`, a minute at most.
    pub(super) fn within(&self, time: Duration) -> Vec<String> {
        let now = Instant::now();
        let met = lock(&self.0);
        let young = met
            .iter()
            .filter(|(_, at)| now.duration_since(**at) <= time);
        young.map(|(path, _)| path.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_moment_passes() {
        let recent = Recent::default();
        recent.note(["a".to_owned()]);
        tokio::time::advance(Duration::from_secs(10)).await;
        recent.note(["b".to_owned()]);
        assert_eq!(recent.within(Duration::from_secs(5)), ["b"]);
        let mut both = recent.within(Duration::from_secs(20));
        both.sort();
        assert_eq!(both, ["a", "b"]);
        tokio::time::advance(Duration::from_secs(70)).await;
        recent.note(["c".to_owned()]);
        assert_eq!(recent.within(Duration::from_hours(1)), ["c"]);
    }
}
