//! Reading text into tokens: words, ideographs one by one, signs; never white space.

use super::lexicon::{is_dash, is_invisible};
use std::ops::Range;
use unicode_normalization::char::is_combining_mark;

/// A token of a piece of reading text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cut {
    /// Bytes of the reading text.
    pub(super) bytes: Range<usize>,
    /// White space stands before it, or the text begins with it.
    pub(super) spaced: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Space,
    Invisible,
    Letter,
    Ideograph,
    Dot,
    Dash,
    Sign,
}

fn kind(c: char) -> Kind {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => Kind::Letter,
        ' ' | '\n' | '\r' | '\t' => Kind::Space,
        '.' | '\u{2026}' => Kind::Dot,
        c if c.is_ascii() => match c {
            '-' => Kind::Dash,
            c if c.is_whitespace() || c.is_control() => Kind::Space,
            _ => Kind::Sign,
        },
        c if is_dash(c) => Kind::Dash,
        c if is_invisible(c) => Kind::Invisible,
        c if c.is_whitespace() || c.is_control() => Kind::Space,
        c if is_ideograph(c) => Kind::Ideograph,
        c if c.is_alphanumeric() || is_combining_mark(c) => Kind::Letter,
        _ => Kind::Sign,
    }
}

/// Scripts whose words are not set apart by spaces.
fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{edf}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
        && !is_combining_mark(c)
}

/// Cuts `text` into tokens.
///
/// Invisible characters neither cut a word nor make one; an accent stays with its letter; an apostrophe between
/// letters is part of the word; `...` and `--` are one token each, as `…` and `–` are.
pub(super) fn cut(text: &str, mut push: impl FnMut(Cut)) {
    let mut chars = text.char_indices().peekable();
    let mut spaced = true;
    while let Some((start, c)) = chars.next() {
        let first = kind(c);
        match first {
            Kind::Space => {
                spaced = true;
                continue;
            }
            Kind::Invisible => continue,
            _ => {}
        }
        let mut end = start + c.len_utf8();
        while let Some(&(at, next)) = chars.peek() {
            let joins = match kind(next) {
                Kind::Invisible => true,
                // Only an accent joins what is not a word.
                Kind::Letter => first == Kind::Letter || is_combining_mark(next),
                Kind::Sign if first == Kind::Letter && matches!(next, '\'' | '\u{2019}') => {
                    letter_follows(text, at + next.len_utf8())
                }
                other => other == first && matches!(first, Kind::Dot | Kind::Dash),
            };
            if !joins {
                break;
            }
            chars.next();
            if kind(next) != Kind::Invisible {
                end = at + next.len_utf8();
            }
        }
        push(Cut {
            bytes: start..end,
            spaced,
        });
        spaced = false;
    }
}

fn letter_follows(text: &str, at: usize) -> bool {
    text[at..].chars().next().map(kind) == Some(Kind::Letter)
}
