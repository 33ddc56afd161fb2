//! A file's bytes as a text that is compared by lines, and back.

use crate::documents::plain_text;

/// The bytes of a byte order mark. It is no part of the text and stays what it was.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// A file that is compared by lines: plain UTF-8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Text {
    marked: bool,
    /// The source, after the mark.
    pub(super) source: String,
}

impl Text {
    /// `None` for what is no text, or in another encoding, which nobody could write back byte for byte.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        plain_text(bytes).map(|source| Self {
            marked: bytes.starts_with(MARK),
            source,
        })
    }

    /// The bytes of another source in the same file.
    pub(super) fn with(&self, source: &str) -> Vec<u8> {
        let mark = if self.marked { MARK } else { &[] };
        [mark, source.as_bytes()].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_stays_whatever_the_words_become() {
        let text = Text::of("\u{feff}a\r\n".as_bytes()).unwrap();
        assert_eq!(text.source, "a\r\n");
        assert_eq!(text.with("b\r\n"), "\u{feff}b\r\n".as_bytes());
        assert_eq!(Text::of(b"caf\xe9"), None);
        assert_eq!(Text::of(b"a\0"), None);
    }
}
