//! How long to wait before the next try.

/// A connection that lived this long was a good one: the next try after it is quick again.
const GOOD_AFTER_MS: i64 = 5_000;
const FIRST_MS: u32 = 500;
const LONGEST_MS: u32 = 10_000;

/// Doubles from half a second to ten, with jitter, so that many tabs do not come back at once.
#[derive(Debug, Clone, Default)]
pub(super) struct Backoff {
    tries: u32,
}

impl Backoff {
    /// The wait after a connection that lived `lived_ms`; `chance` is between 0 and 1. Never under half a second and
    /// never over ten.
    pub(super) fn wait_ms(&mut self, lived_ms: i64, chance: f64) -> u32 {
        if lived_ms >= GOOD_AFTER_MS {
            self.tries = 0;
        }
        let full = FIRST_MS
            .saturating_mul(1 << self.tries.min(10))
            .min(LONGEST_MS);
        self.tries = self.tries.saturating_add(1);
        let spread = f64::from(full - FIRST_MS) * (1.0 - chance.clamp(0.0, 1.0) / 2.0);
        FIRST_MS + spread as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_from_half_a_second_to_ten_and_start_again_after_a_good_connection() {
        let mut backoff = Backoff::default();
        let waits: Vec<_> = (0..7).map(|_| backoff.wait_ms(0, 0.0)).collect();
        assert_eq!(waits, [500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
        assert_eq!(backoff.wait_ms(60_000, 0.0), 500);
        assert_eq!(backoff.wait_ms(0, 1.0), 750, "jitter shortens a wait");
    }
}
