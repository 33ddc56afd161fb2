//! Bytes to lines, with bounds.

use super::runner::Heard;
use bytes::BytesMut;

/// The longest line that is passed on whole.
const MAX_LINE: usize = 8 * 1024 * 1024;
/// What is kept of a longer one.
const KEPT_OF_CUT: usize = 4 * 1024;

/// Takes bytes in any pieces and gives lines. Blank lines are no lines; a byte order mark at the beginning and a
/// carriage return at a line's end are not part of it.
#[derive(Debug)]
pub(super) struct Lines {
    pending: BytesMut,
    /// How much of `pending` is known to hold no line end.
    searched: usize,
    /// The beginning and the length so far of a line that is too long.
    cut: Option<(String, u64)>,
    at_start: bool,
    max: usize,
}

impl Lines {
    pub(super) fn new() -> Self {
        Self {
            pending: BytesMut::new(),
            searched: 0,
            cut: None,
            at_start: true,
            max: MAX_LINE,
        }
    }

    /// Where new bytes go.
    pub(super) fn room(&mut self) -> &mut BytesMut {
        &mut self.pending
    }

    /// The next whole line, if there is one.
    pub(super) fn next(&mut self) -> Option<Heard> {
        loop {
            let Some(end) = find(&self.pending, self.searched) else {
                self.searched = self.pending.len();
                self.bound();
                return None;
            };
            let line = self.pending.split_to(end + 1);
            self.searched = 0;
            let line = line.get(..end).unwrap_or_default();
            if let Some(heard) = self.finish(line) {
                return Some(heard);
            }
        }
    }

    /// What stood behind the last line end, when nothing more comes.
    pub(super) fn rest(&mut self) -> Option<Heard> {
        let line = self.pending.split();
        self.searched = 0;
        self.finish(&line)
    }

    fn finish(&mut self, line: &[u8]) -> Option<Heard> {
        let line = if std::mem::take(&mut self.at_start) {
            line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line)
        } else {
            line
        };
        if let Some((start, bytes)) = self.cut.take() {
            return Some(Heard::Cut {
                start,
                bytes: bytes.saturating_add(line.len() as u64),
            });
        }
        if line.len() > self.max {
            return Some(Heard::Cut {
                start: beginning(line),
                bytes: line.len() as u64,
            });
        }
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let blank = line.iter().all(u8::is_ascii_whitespace);
        (!blank).then(|| Heard::Line(String::from_utf8_lossy(line).into_owned()))
    }

    /// Forgets a line's bytes once it is too long, so that memory is bounded.
    fn bound(&mut self) {
        if self.cut.is_none() && self.pending.len() <= self.max {
            return;
        }
        let bytes = self.pending.len() as u64;
        let (_, length) = self
            .cut
            .get_or_insert_with(|| (beginning(&self.pending), 0));
        *length = length.saturating_add(bytes);
        self.pending = BytesMut::new();
        self.searched = 0;
    }
}

fn find(bytes: &[u8], from: usize) -> Option<usize> {
    let at = bytes.get(from..)?.iter().position(|byte| *byte == b'\n')?;
    Some(from + at)
}

fn beginning(line: &[u8]) -> String {
    let kept = line.get(..KEPT_OF_CUT).unwrap_or(line);
    String::from_utf8_lossy(kept).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(pieces: &[&[u8]], max: usize) -> Vec<Heard> {
        let mut lines = Lines {
            max,
            ..Lines::new()
        };
        let mut all = Vec::new();
        for piece in pieces {
            lines.room().extend_from_slice(piece);
            all.extend(std::iter::from_fn(|| lines.next()));
        }
        all.extend(lines.rest());
        all
    }

    fn line(text: &str) -> Heard {
        Heard::Line(text.to_owned())
    }

    #[test]
    fn lines_are_the_same_wherever_the_bytes_are_split() {
        let bytes = "\u{feff}{\"a\":\"é😀\"}\r\n\r\n\n half\0way\n no end".as_bytes();
        let whole = heard(&[bytes], MAX_LINE);
        assert_eq!(
            whole,
            [line("{\"a\":\"é😀\"}"), line(" half\0way"), line(" no end")]
        );
        for at in 0..=bytes.len() {
            let (left, right) = bytes.split_at(at);
            assert_eq!(heard(&[left, right], MAX_LINE), whole, "split at {at}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_do_not_stop_the_lines_behind_them() {
        assert_eq!(
            heard(&[b"bad \xff\xfe byte\n", b"good\n"], MAX_LINE),
            [line("bad \u{fffd}\u{fffd} byte"), line("good")]
        );
    }

    #[test]
    fn a_line_that_is_too_long_becomes_one_marked_line() {
        let cut = |start: &str, bytes| Heard::Cut {
            start: start.to_owned(),
            bytes,
        };
        let expected = [line("ok"), cut("0123456789", 10), line("after")];
        assert_eq!(heard(&[b"ok\n0123456789\nafter\n"], 8), expected);
        assert_eq!(
            heard(&[b"ok\n0123456789", b"0123456789", b"\nafter"], 8),
            [line("ok"), cut("0123456789", 20), line("after")]
        );
        assert_eq!(heard(&[b"0123456789"], 8), [cut("0123456789", 10)]);
    }

    #[test]
    fn a_flood_without_a_line_end_takes_no_more_memory_than_one_line() {
        let mut lines = Lines {
            max: 64,
            ..Lines::new()
        };
        for _ in 0..1000 {
            lines.room().extend_from_slice(&[b'x'; 100]);
            assert_eq!(lines.next(), None);
            assert!(lines.pending.len() <= 164);
        }
        let Some(Heard::Cut { bytes, .. }) = lines.rest() else {
            panic!("a cut line");
        };
        assert_eq!(bytes, 100_000);
    }
}
