//! Text for fixtures, always the same.

const VOCABULARY: [&str; 24] = [
    "plan", "price", "limit", "month", "request", "seat", "invoice", "meter", "owner", "team",
    "free", "scale", "before", "after", "never", "always", "rounded", "billed", "stops", "shown",
    "table", "figure", "answer", "sentence",
];

/// Words in a fixed order that only looks random: a linear congruential generator with the usual constants.
pub(super) struct Words(u64);

impl Words {
    /// Another seed gives another text.
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// So many words.
    pub(super) fn sentence(&mut self, length: usize) -> String {
        let words: Vec<&str> = (0..length)
            .map(|_| {
                self.0 = self
                    .0
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                VOCABULARY[usize::try_from(self.0 >> 33).unwrap_or(0) % VOCABULARY.len()]
            })
            .collect();
        words.join(" ")
    }
}
