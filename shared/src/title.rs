//! The title of a thread, as the rail shows it.
//!
//! Built from what the person wrote, never from what REX told an agent, so no preamble can become one.

/// Characters of a title before it is cut.
const LONGEST: usize = 120;

/// The name, else the first message the person sent, else the note; blank is no title.
pub fn title(
    name: Option<&str>,
    first_message: Option<&str>,
    note: Option<&str>,
) -> Option<String> {
    [name, first_message, note]
        .into_iter()
        .flatten()
        .find_map(one_line)
}

/// The text on one line, cut at [`LONGEST`]; `None` when it is blank.
fn one_line(text: &str) -> Option<String> {
    let mut line = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
            length += 1;
        }
        for character in word.chars() {
            if length == LONGEST {
                line.truncate(line.trim_end().len());
                line.push('…');
                return Some(line);
            }
            line.push(character);
            length += 1;
        }
    }
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_name_comes_before_the_first_message_and_that_before_the_note() {
        assert_eq!(
            title(Some("Wording"), Some("Why?"), Some("later")).as_deref(),
            Some("Wording")
        );
        assert_eq!(
            title(None, Some("Why?"), Some("later")).as_deref(),
            Some("Why?")
        );
        assert_eq!(title(None, None, Some("later")).as_deref(), Some("later"));
    }

    #[test]
    fn blank_is_no_title() {
        assert_eq!(title(Some("  "), Some("\n\t"), Some("")), None);
        assert_eq!(title(None, None, None), None);
        assert_eq!(
            title(Some(" "), Some("Why?"), None).as_deref(),
            Some("Why?")
        );
    }

    #[test]
    fn a_long_message_is_cut_between_characters() {
        let long = "ä".repeat(500);
        let cut = title(None, Some(&long), None).unwrap();
        assert_eq!(cut.chars().count(), LONGEST + 1);
        assert!(cut.ends_with('…'));
    }

    proptest! {
        #[test]
        fn a_title_is_one_short_line_of_what_was_written(text in any::<String>()) {
            if let Some(title) = title(None, Some(&text), None) {
                prop_assert!(!title.trim().is_empty());
                prop_assert!(title.chars().count() <= LONGEST + 1);
                prop_assert!(!title.contains('\n'));
            } else {
                prop_assert!(text.trim().is_empty());
            }
        }
    }
}
