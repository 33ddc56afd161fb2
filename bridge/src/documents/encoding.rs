//! From a file's bytes to its source text, saying so when that is no plain UTF-8.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use rex_shared::document::ReadOnly;

/// Bytes that no text has: the file is something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Binary;

/// Reads bytes as text. A byte order mark is not part of the source.
///
/// UTF-8 is taken as it is. UTF-16 is known by its mark alone. Anything else without control characters is read as
/// Windows-1252, in which every byte means something; so it can be read and commented on, but not be written back.
pub(super) fn decode(bytes: &[u8]) -> Result<(String, Option<ReadOnly>), Binary> {
    match Encoding::for_bom(bytes) {
        Some((encoding, mark)) if encoding != UTF_8 => {
            let (text, damaged) = encoding.decode_without_bom_handling(&bytes[mark..]);
            if damaged || has_controls(text.bytes()) {
                return Err(Binary);
            }
            Ok((text.into_owned(), Some(foreign(encoding))))
        }
        marked => {
            let rest = &bytes[marked.map_or(0, |(_, mark)| mark)..];
            if has_controls(rest.iter().copied()) {
                return Err(Binary);
            }
            if let Ok(text) = std::str::from_utf8(rest) {
                return Ok((text.to_owned(), None));
            }
            let (text, _) = WINDOWS_1252.decode_without_bom_handling(rest);
            Ok((text.into_owned(), Some(foreign(WINDOWS_1252))))
        }
    }
}

fn foreign(encoding: &'static Encoding) -> ReadOnly {
    ReadOnly::Encoding(encoding.name().to_owned())
}

/// Control characters other than those that texts have: tab, line ends, form feed, backspace and escape of old logs.
fn has_controls(mut bytes: impl Iterator<Item = u8>) -> bool {
    bytes.any(|byte| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x08 | 0x1b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foreign(name: &str) -> Option<ReadOnly> {
        Some(ReadOnly::Encoding(name.to_owned()))
    }

    #[test]
    fn utf_8_is_taken_as_it_is_and_its_mark_left_out() {
        assert_eq!(decode(b"a\r\nb"), Ok(("a\r\nb".to_owned(), None)));
        assert_eq!(decode("\u{feff}é".as_bytes()), Ok(("é".to_owned(), None)));
        assert_eq!(decode(b""), Ok((String::new(), None)));
        assert_eq!(decode(b"\xef\xbb\xbf"), Ok((String::new(), None)));
    }

    #[test]
    fn other_encodings_are_read_only_and_say_why() {
        let utf16 = |text: &str, big: bool| -> Vec<u8> {
            std::iter::once(0xfeff)
                .chain(text.encode_utf16())
                .flat_map(|unit: u16| {
                    if big {
                        unit.to_be_bytes()
                    } else {
                        unit.to_le_bytes()
                    }
                })
                .collect()
        };
        for (bytes, text, name) in [
            (utf16("é😀\r\n", false), "é😀\r\n", "UTF-16LE"),
            (utf16("é😀", true), "é😀", "UTF-16BE"),
            (b"caf\xe9 \x80 5".to_vec(), "café € 5", "windows-1252"),
            (b"\xef\xbb\xbf\xff".to_vec(), "ÿ", "windows-1252"),
        ] {
            assert_eq!(decode(&bytes), Ok((text.to_owned(), foreign(name))));
        }
    }

    #[test]
    fn what_is_no_text_is_binary() {
        for bytes in [
            b"\x89PNG\r\n\x1a\n\0\0\0".as_slice(),
            b"\x7fELF\x02\x01\x01\0",
            b"a\0b",
            b"\xff\xfe\0\0a",
            b"\xff\xfe\x3d\xd8",
            b"\x1f\x8b\x08\x00\x01",
        ] {
            assert_eq!(decode(bytes), Err(Binary), "{bytes:?}");
        }
    }
}
