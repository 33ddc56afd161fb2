//! A text as its lines.

use std::ops::Range;

/// The lines of a text, each with its line end. The last one may have none; an empty text has no line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines<'a> {
    text: &'a str,
    /// Where each line begins, and the text's end.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Cuts a text after each `\n`.
    pub fn of(text: &'a str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        if starts.last() != Some(&text.len()) {
            starts.push(text.len());
        }
        Self { text, starts }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of some lines. Lines beyond the last one are none.
    pub fn bytes(&self, lines: Range<usize>) -> Range<usize> {
        let start = |line: usize| self.starts[line.min(self.len())];
        start(lines.start)..start(lines.end.max(lines.start))
    }

    /// The text of some lines.
    pub fn text(&self, lines: Range<usize>) -> &'a str {
        &self.text[self.bytes(lines)]
    }

    /// Each line.
    pub fn iter(&self) -> impl Iterator<Item = &'a str> {
        self.starts
            .windows(2)
            .map(|ends| &self.text[ends[0]..ends[1]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_end_and_the_last_one_may_have_none() {
        let all = |text| {
            Lines::of(text)
                .iter()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(all(""), Vec::<String>::new());
        assert_eq!(all("a"), ["a"]);
        assert_eq!(all("a\r\n\nb"), ["a\r\n", "\n", "b"]);
        assert_eq!(all("\n"), ["\n"]);
        let lines = Lines::of("a\nb\nc");
        assert_eq!(lines.text(1..3), "b\nc");
        assert_eq!(lines.text(2..9), "c");
        assert_eq!(lines.bytes(3..3), 5..5);
    }
}
