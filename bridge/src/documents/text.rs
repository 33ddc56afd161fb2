//! One version of a document: its bytes, and what they are as text.

use super::encoding::{self, Binary};
use super::syntaxes;
use crate::workspaces::{Opened, Refused, Root};
use rex_shared::document::{Format, ReadOnly};
use rex_shared::ids::Version;
use rex_shared::wire::problem::{Problem, ProblemType};
use std::io::Read as _;
use std::sync::Arc;
use syntect::parsing::SyntaxReference;

/// Bytes of a document at most.
pub(super) const LARGEST: u64 = 32 * 1024 * 1024;

/// One version of a document.
#[derive(Debug, Clone)]
pub struct Text {
    /// The document's identity: its link-free path.
    pub document: String,
    /// The content hash of its bytes.
    pub version: Version,
    /// The file's bytes.
    pub bytes: Arc<[u8]>,
    /// The text in UTF-8, after a byte order mark; ranges of places and blocks are ranges of this.
    pub source: Arc<str>,
    /// How its characters are to be read.
    pub format: Format,
    /// Its language, for colours.
    pub syntax: Option<&'static SyntaxReference>,
    /// Why it cannot be written.
    pub read_only: Option<ReadOnly>,
}

impl Text {
    /// Reads a document as it is now. Blocks.
    pub fn read(root: &Root, name: &str) -> Result<Self, Problem> {
        let opened = root
            .read(name)
            .map_err(|refused| not_read(name, &refused))?;
        Self::of_file(opened)
    }

    /// Reads an open document. Blocks.
    pub(super) fn of_file(opened: Opened) -> Result<Self, Problem> {
        let writable = !opened.metadata.permissions().readonly();
        let document = opened.document.clone();
        let bytes = bytes(opened)?;
        let mut text = Self::of(document, bytes.into())?;
        if !writable && text.read_only.is_none() {
            text.read_only = Some(ReadOnly::Permissions);
        }
        Ok(text)
    }

    /// The text of a version's bytes.
    pub fn of(document: String, bytes: Arc<[u8]>) -> Result<Self, Problem> {
        let Ok((source, read_only)) = encoding::decode(&bytes) else {
            return Err(binary(&document));
        };
        let (format, syntax) = syntaxes::of_file(&document, &source);
        Ok(Self {
            version: version(&bytes),
            source: source.into(),
            document,
            bytes,
            format,
            syntax,
            read_only,
        })
    }
}

/// The content hash of a file's bytes.
pub(crate) fn version(bytes: &[u8]) -> Version {
    Version::parse(blake3::hash(bytes).to_hex().as_str())
        .expect("a hash prints as 64 lower-case hexadecimal digits")
}

/// The source of bytes that are plain UTF-8 text, after a byte order mark: what can be written back as it was.
pub(crate) fn plain_text(bytes: &[u8]) -> Option<String> {
    match encoding::decode(bytes) {
        Ok((source, None)) => Some(source),
        Ok((_, Some(_))) | Err(Binary) => None,
    }
}

/// The source of a version's bytes; empty for what is no text, which nothing was ever anchored in.
pub(super) fn source(bytes: &[u8]) -> String {
    encoding::decode(bytes).map_or_else(|Binary| String::new(), |(source, _)| source)
}

/// All bytes of an open document.
pub(crate) fn bytes(opened: Opened) -> Result<Vec<u8>, Problem> {
    let too_large = || {
        Problem::new(
            ProblemType::TooLarge,
            "This file is too large",
            format!(
                "{} is larger than 32 MB, the most that REX reads. It was left as it is.",
                opened.document
            ),
            "Open a smaller part of it.",
        )
    };
    if opened.metadata.len() > LARGEST {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // The file may grow while it is read.
    (&opened.file)
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| not_read(&opened.document, &Refused::Io(error)))?;
    if bytes.len() as u64 > LARGEST {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Why a document could not be read.
pub(crate) fn not_read(name: &str, refused: &Refused) -> Problem {
    let shown: String = name.chars().take(200).collect();
    if let Refused::Name(_) = refused {
        return Problem::new(
            ProblemType::BadRequest,
            "This is not a document's name",
            format!("{shown:?}: {refused}. Nothing was read."),
            "Choose the document from the list of files.",
        );
    }
    Problem::new(
        ProblemType::UnknownDocument,
        "This document cannot be opened",
        format!("{shown}: {refused}. Its comments are kept."),
        "It may have been moved or renamed. Choose it from the list of files.",
    )
}

fn binary(document: &str) -> Problem {
    Problem::new(
        ProblemType::UnsupportedMediaType,
        "This file is not text",
        format!(
            "{document} holds bytes that no text has, so there is nothing to select in it. It was left as it is."
        ),
        "Open it with the program it was made with.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    fn read(name: &str, bytes: &[u8]) -> Result<Text, Problem> {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join(name), bytes).unwrap();
        Text::read(&Root::open(folder.path()).unwrap(), name)
    }

    /// S151: Markdown, code and plain text are all documents.
    #[test]
    fn a_name_and_a_first_line_say_how_to_read_a_file() {
        for (name, bytes, format, language) in [
            ("a.md", "x", Format::Markdown, ""),
            ("A.MARKDOWN", "x", Format::Markdown, ""),
            ("main.rs", "x", Format::Code, "Rust"),
            ("Makefile", "x", Format::Code, "Makefile"),
            ("Dockerfile", "x", Format::Code, "Dockerfile"),
            ("run", "#!/usr/bin/env python3\n", Format::Code, "Python"),
            ("a.TOML", "x", Format::Code, "TOML"),
            ("notes.txt", "x", Format::Text, ""),
            ("README", "x", Format::Text, ""),
            ("a.unheard-of", "x", Format::Text, ""),
        ] {
            let text = read(name, bytes.as_bytes()).unwrap();
            assert_eq!(text.format, format, "{name}");
            assert_eq!(
                text.syntax.map_or("", |s| s.name.as_str()),
                language,
                "{name}"
            );
        }
    }

    #[test]
    fn a_mark_is_part_of_the_version_and_not_of_the_source() {
        let plain = read("a.md", b"a\r\n").unwrap();
        let marked = read("a.md", b"\xef\xbb\xbfa\r\n").unwrap();
        assert_eq!(plain.source, marked.source);
        assert_ne!(plain.version, marked.version);
        assert_eq!(&*marked.source, "a\r\n");
    }

    #[test]
    fn a_file_that_is_no_text_or_too_large_says_so() {
        let problem = read("a.png", b"\x89PNG\0").unwrap_err();
        assert_eq!(problem.kind, ProblemType::UnsupportedMediaType);
        let folder = TempDir::new().unwrap();
        let file = fs::File::create(folder.path().join("big.md")).unwrap();
        file.set_len(LARGEST + 1).unwrap();
        let problem = Text::read(&Root::open(folder.path()).unwrap(), "big.md").unwrap_err();
        assert_eq!(problem.kind, ProblemType::TooLarge);
    }

    #[test]
    fn a_file_without_write_permission_is_read_only_and_says_why() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.md");
        fs::write(&path, "x").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let text = Text::read(&Root::open(folder.path()).unwrap(), "a.md").unwrap();
        assert_eq!(text.read_only, Some(ReadOnly::Permissions));
    }
}
