//! A text with some of its stretches replaced.

use super::lines::Lines;
use std::fmt;
use std::ops::Range;

/// Other lines for a stretch of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement<'a> {
    /// Lines of the text, counted from 0.
    pub lines: Range<usize>,
    /// What stands there instead. What follows it begins on a line of its own: a missing line end is added.
    pub text: &'a str,
}

/// Two replacements are about the same lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap;

impl fmt::Display for Overlap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("two changes are about the same lines")
    }
}

impl std::error::Error for Overlap {}

/// The text with these stretches replaced, the same in whatever order they are given.
pub fn apply(text: &Lines<'_>, mut replacements: Vec<Replacement<'_>>) -> Result<String, Overlap> {
    replacements.sort_by_key(|replacement| (replacement.lines.start, replacement.lines.end));
    let mut applied = String::with_capacity(text.text(0..text.len()).len());
    let mut from = 0;
    for (at, replacement) in replacements.iter().enumerate() {
        let Range { start, end } = replacement.lines.clone();
        let follows_another = at > 0 && start == from;
        if start < from || end > text.len() || follows_another {
            return Err(Overlap);
        }
        applied.push_str(text.text(from..start));
        applied.push_str(replacement.text);
        let goes_on = end < text.len();
        if goes_on && !replacement.text.is_empty() && !replacement.text.ends_with('\n') {
            applied.push_str(line_end(text));
        }
        from = end;
    }
    applied.push_str(text.text(from..text.len()));
    Ok(applied)
}

/// How the text ends its first line.
fn line_end(text: &Lines<'_>) -> &'static str {
    match text.iter().next() {
        Some(line) if line.ends_with("\r\n") => "\r\n",
        _ => "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(text: &str, replacements: &[(Range<usize>, &str)]) -> Result<String, Overlap> {
        let replacements = replacements.iter().map(|(lines, text)| Replacement {
            lines: lines.clone(),
            text,
        });
        apply(&Lines::of(text), replacements.collect())
    }

    #[test]
    fn any_of_them_in_any_order() {
        let two = [(3..4, "D\n"), (0..1, "A\n")];
        assert_eq!(applied("a\nb\nc\nd", &two).unwrap(), "A\nb\nc\nD\n");
        assert_eq!(applied("a\nb\n", &[(1..1, "x\n")]).unwrap(), "a\nx\nb\n");
        assert_eq!(applied("a\nb\n", &[(0..2, "")]).unwrap(), "");
    }

    #[test]
    fn a_text_of_ones_own_never_runs_into_the_next_line() {
        assert_eq!(applied("a\r\nb\r\n", &[(0..1, "A")]).unwrap(), "A\r\nb\r\n");
        assert_eq!(applied("a\nb", &[(1..2, "B")]).unwrap(), "a\nB");
    }

    #[test]
    fn two_about_the_same_lines_are_refused() {
        assert_eq!(applied("a\nb\n", &[(0..2, "x"), (1..2, "y")]), Err(Overlap));
        assert_eq!(applied("a\n", &[(1..1, "x"), (1..1, "y")]), Err(Overlap));
        assert_eq!(applied("a\n", &[(0..3, "x")]), Err(Overlap));
    }
}
