//! Evidence in an answer: `pricing.md:18` becomes a link to that line, where the workspace has that file.
//!
//! Whether the words are really there is not claimed here: the link only takes the reader to look.

/// A piece of an answer's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Words.
    Text(&'a str),
    /// An address in the workspace.
    Evidence {
        /// As the agent wrote it.
        shown: &'a str,
        /// The workspace-relative path it means.
        document: &'a str,
        /// The line, from 1.
        line: u32,
    },
}

/// Cuts `text` at the addresses whose file is one of `documents`.
pub(super) fn pieces<'a>(text: &'a str, documents: &'a [String]) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    let mut plain = 0;
    for (at, colon) in text.match_indices(':') {
        let path_at = text[..at].rfind(|c: char| !is_path(c)).map_or(0, |before| {
            before + text[before..].chars().next().map_or(1, char::len_utf8)
        });
        let digits = digits(&text[at + colon.len()..]);
        if path_at < plain || digits == 0 {
            continue;
        }
        let line_end = at + 1 + digits;
        let Ok(line) = text[at + 1..line_end].parse::<u32>() else {
            continue;
        };
        let Some(document) = means(&text[path_at..at], documents) else {
            continue;
        };
        let end = line_end + range(&text[line_end..]);
        if plain < path_at {
            pieces.push(Piece::Text(&text[plain..path_at]));
        }
        pieces.push(Piece::Evidence {
            shown: &text[path_at..end],
            document,
            line: line.max(1),
        });
        plain = end;
    }
    if plain < text.len() {
        pieces.push(Piece::Text(&text[plain..]));
    }
    pieces
}

/// The document and line that a link means: `pricing.md`, `pricing.md:18` or `docs/pricing.md#L18`.
pub(super) fn address<'a>(href: &str, documents: &'a [String]) -> Option<(&'a str, u32)> {
    let (path, line) = match href.split_once('#') {
        Some((path, fragment)) => (path, fragment.strip_prefix('L').unwrap_or_default()),
        None => href.rsplit_once(':').unwrap_or((href, "")),
    };
    let line = line[..digits(line)].parse().unwrap_or(1);
    Some((means(path, documents)?, line.max(1)))
}

fn is_path(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '@' | '+')
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The length of the `-27` or `–27` behind a first line.
fn range(text: &str) -> usize {
    let Some(dash) = text.chars().next().filter(|c| matches!(c, '-' | '–')) else {
        return 0;
    };
    match digits(&text[dash.len_utf8()..]) {
        0 => 0,
        digits => dash.len_utf8() + digits,
    }
}

/// The document that a written path means: itself, or the only one that ends with it.
fn means<'a>(written: &str, documents: &'a [String]) -> Option<&'a str> {
    let written = written.strip_prefix("./").unwrap_or(written);
    if written.is_empty() {
        return None;
    }
    if let Some(same) = documents.iter().find(|document| *document == written) {
        return Some(same);
    }
    let mut ending = documents.iter().filter(|document| {
        document
            .strip_suffix(written)
            .is_some_and(|folder| folder.ends_with('/'))
    });
    let only = ending.next()?;
    ending.next().is_none().then_some(only)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn documents() -> Vec<String> {
        [
            "docs/pricing.md",
            "docs/api.md",
            "old/api.md",
            "src/main.rs",
        ]
        .map(str::to_owned)
        .to_vec()
    }

    fn evidence<'a>(shown: &'a str, document: &'a str, line: u32) -> Piece<'a> {
        Piece::Evidence {
            shown,
            document,
            line,
        }
    }

    #[test]
    fn an_address_of_a_file_of_the_workspace_becomes_a_link() {
        let documents = documents();
        assert_eq!(
            pieces("See pricing.md:18, and (src/main.rs:3-9).", &documents),
            [
                Piece::Text("See "),
                evidence("pricing.md:18", "docs/pricing.md", 18),
                Piece::Text(", and ("),
                evidence("src/main.rs:3-9", "src/main.rs", 3),
                Piece::Text(")."),
            ]
        );
    }

    #[test]
    fn what_is_not_certain_stays_text() {
        let documents = documents();
        for text in [
            "api.md:3 is in two folders",
            "missing.md:4",
            "at 12:30",
            "http://localhost:80",
            "pricing.md: no line",
            "xpricing.md:1",
        ] {
            assert_eq!(pieces(text, &documents), [Piece::Text(text)], "{text}");
        }
    }

    #[test]
    fn a_link_to_a_file_of_the_workspace_means_its_line() {
        let documents = documents();
        for href in [
            "docs/pricing.md#L18",
            "pricing.md:18",
            "./docs/pricing.md#L18-L20",
        ] {
            assert_eq!(
                address(href, &documents),
                Some(("docs/pricing.md", 18)),
                "{href}"
            );
        }
        assert_eq!(
            address("pricing.md", &documents),
            Some(("docs/pricing.md", 1))
        );
        assert_eq!(address("https://example.com/pricing.md", &documents), None);
        assert_eq!(address("javascript:alert(1)", &documents), None);
    }

    proptest! {
        #[test]
        fn no_character_is_lost(text in "[a-z./:0-9–é-]{0,24}|.{0,40}") {
            let documents = documents();
            let joined: String = pieces(&text, &documents)
                .into_iter()
                .map(|piece| match piece {
                    Piece::Text(text) => text,
                    Piece::Evidence { shown, .. } => shown,
                })
                .collect();
            prop_assert_eq!(joined, text);
        }
    }
}
