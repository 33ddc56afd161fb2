//! Line numbers of a source.

/// Where the lines of a source begin, so that many places are numbered at the cost of one pass.
pub(crate) struct Lines {
    ends: Vec<usize>,
}

impl Lines {
    /// Of this source.
    pub(crate) fn new(source: &str) -> Self {
        let bytes = source.bytes().enumerate();
        Self {
            ends: bytes
                .filter(|(_, byte)| *byte == b'\n')
                .map(|(at, _)| at)
                .collect(),
        }
    }

    /// The line that holds a byte, counted from 1.
    pub(crate) fn of(&self, at: usize) -> u32 {
        let above = self.ends.partition_point(|end| *end < at);
        u32::try_from(above + 1).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_end_belongs_to_its_line() {
        let lines = Lines::new("one\ntwo\r\n\nfour");
        for (at, line) in [(0, 1), (3, 1), (4, 2), (8, 2), (9, 3), (10, 4), (999, 4)] {
            assert_eq!(lines.of(at), line, "byte {at}");
        }
        assert_eq!(Lines::new("").of(0), 1);
    }
}
