//! Which language a file or a fence is in, and the grammars: loaded when the first one is needed.
//!
//! Their patterns stay compiled once they were tried. Oniguruma does that in a tenth of the memory and the time that the
//! engines in Rust take: 10 MB and 0.1 s for TypeScript, the largest.

use rex_shared::document::Format;
use std::sync::LazyLock;
use syntect::parsing::{SyntaxReference, SyntaxSet};

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

/// All grammars.
pub(super) fn all() -> &'static SyntaxSet {
    &SYNTAXES
}

/// How to read a document's characters, and its language: decided by its name, then by a `#!` line.
pub(super) fn of_file(document: &str, source: &str) -> (Format, Option<&'static SyntaxReference>) {
    let name = document.rsplit('/').next().unwrap_or(document);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if matches!(
        extension.to_ascii_lowercase().as_str(),
        "md" | "markdown" | "mdown" | "mkd" | "mkdn"
    ) {
        return (Format::Markdown, None);
    }
    let first_line = source.lines().next().filter(|line| line.starts_with("#!"));
    let found = SYNTAXES
        .find_syntax_by_extension(name)
        .or_else(|| SYNTAXES.find_syntax_by_extension(extension))
        .or_else(|| SYNTAXES.find_syntax_by_extension(&extension.to_ascii_lowercase()))
        .or_else(|| SYNTAXES.find_syntax_by_first_line(first_line?))
        .filter(|syntax| syntax.name != "Plain Text");
    match found {
        Some(syntax) => (Format::Code, Some(syntax)),
        None => (Format::Text, None),
    }
}

/// The grammar for the word on a fence, such as `rust`, `py` or `c++`.
pub(super) fn of_word(word: &str) -> Option<&'static SyntaxReference> {
    let word = word.to_ascii_lowercase();
    let known = match word.as_str() {
        "shell" | "console" | "shellscript" => "sh",
        "golang" => "go",
        "docker" => "dockerfile",
        "objective-c" | "objc" => "m",
        "csharp" => "cs",
        "fsharp" => "fs",
        "jsonc" | "json5" => "json",
        "patch" => "diff",
        "jsx" => "js",
        "text" | "plain" | "plaintext" | "txt" => return None,
        other => other,
    };
    SYNTAXES.find_syntax_by_token(known)
}
