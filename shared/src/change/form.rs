//! Keeping a text's form: its line ends, and whether its last line has one.
//!
//! Agents and their tools rewrite files with line ends of their own liking. A change of words must not become a change
//! of every line.

use std::borrow::Cow;

/// `new` with the line ends and the end of `old`. When form is all that differs it was meant, and `new` stays as it is.
/// A text that mixes line ends has no form to keep but its end.
pub fn keep_form<'a>(old: &str, new: &'a str) -> Cow<'a, str> {
    let ends = keep_line_ends(old, Cow::Borrowed(new));
    let kept = keep_last_end(old, ends);
    if kept == old {
        Cow::Borrowed(new)
    } else {
        kept
    }
}

fn keep_line_ends<'a>(old: &str, new: Cow<'a, str>) -> Cow<'a, str> {
    let all = old.matches('\n').count();
    let carriage = old.matches("\r\n").count();
    if all == 0 || (carriage != 0 && carriage != all) {
        return new;
    }
    let plain = if new.contains("\r\n") {
        Cow::Owned(new.replace("\r\n", "\n"))
    } else {
        new
    };
    if carriage == 0 {
        plain
    } else {
        Cow::Owned(plain.replace('\n', "\r\n"))
    }
}

fn keep_last_end<'a>(old: &str, new: Cow<'a, str>) -> Cow<'a, str> {
    if old.is_empty() || new.is_empty() || old.ends_with('\n') == new.ends_with('\n') {
        return new;
    }
    let mut kept = new.into_owned();
    if old.ends_with("\r\n") {
        kept.push_str("\r\n");
    } else if old.ends_with('\n') {
        kept.push('\n');
    } else {
        let words = kept.trim_end_matches(['\n', '\r']).len();
        kept.truncate(words);
    }
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_and_the_last_one_stay_as_they_were() {
        for (old, new, kept) in [
            ("a\r\nb\r\n", "a\nc\n", "a\r\nc\r\n"),
            ("a\r\nb\r\n", "a\nc", "a\r\nc\r\n"),
            ("a\nb\n", "a\r\nc\r\n", "a\nc\n"),
            ("a\nb", "a\nc\n", "a\nc"),
            ("a\r\nb", "a\r\nc\r\n", "a\r\nc"),
            ("a\r\nb\nc\n", "a\nb\nd\n", "a\nb\nd\n"),
            ("a", "b\n", "b"),
            ("", "b\n", "b\n"),
            ("a\n", "", ""),
        ] {
            assert_eq!(keep_form(old, new), kept, "{old:?} {new:?}");
        }
    }

    #[test]
    fn a_change_of_form_alone_was_meant() {
        assert_eq!(keep_form("a\r\nb\r\n", "a\nb\n"), "a\nb\n");
        assert_eq!(keep_form("a\nb", "a\nb\n"), "a\nb\n");
    }
}
