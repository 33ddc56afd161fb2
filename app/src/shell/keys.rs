//! Which key does what in the shell. Keys of a pane are the pane's own.

use crate::browser::keys::KeyPress;

/// Something the keyboard can do anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    ToggleRail,
    NextComment,
    PreviousComment,
    NextDocument,
    PreviousDocument,
    Reply,
    /// Resolves the open comment, or reopens it.
    Resolve,
    ShowKeys,
    /// What the changes of the document did to its comments.
    ShowChanges,
    /// One step back: drawer, picked passages, card, then nothing.
    Back,
}

/// What a key does, if anything. Single letters act only outside text fields and open dialogs.
pub(super) fn act_of(key: &KeyPress) -> Option<Act> {
    if key.composing || key.alt {
        return None;
    }
    if key.modifier {
        return (key.key.eq_ignore_ascii_case("b") && !key.shift).then_some(Act::ToggleRail);
    }
    if key.key == "Escape" && !key.in_text {
        return Some(Act::Back);
    }
    if !key.letters_act {
        return None;
    }
    match key.key.as_str() {
        "j" | "J" => Some(Act::NextDocument),
        "k" | "K" => Some(Act::PreviousDocument),
        "n" | "N" | "]" => Some(Act::NextComment),
        "p" | "P" | "[" => Some(Act::PreviousComment),
        "r" | "R" => Some(Act::Reply),
        "e" | "E" => Some(Act::Resolve),
        "h" | "H" => Some(Act::ShowChanges),
        "?" => Some(Act::ShowKeys),
        _ => None,
    }
}

/// The item after or before the current one, without going round. Without a current one the first or last.
pub(super) fn neighbour<'a, T: PartialEq>(
    list: &'a [T],
    current: Option<&T>,
    forward: bool,
) -> Option<&'a T> {
    let at = current.and_then(|current| list.iter().position(|item| item == current));
    match (at, forward) {
        (Some(at), true) => list.get(at + 1),
        (Some(at), false) => list.get(at.checked_sub(1)?),
        (None, true) => list.first(),
        (None, false) => list.last(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> KeyPress {
        KeyPress {
            key: name.to_owned(),
            letters_act: true,
            ..KeyPress::default()
        }
    }

    #[test]
    fn single_letters_act_only_outside_text() {
        assert_eq!(act_of(&key("n")), Some(Act::NextComment));
        assert_eq!(act_of(&key("r")), Some(Act::Reply));
        assert_eq!(act_of(&key("e")), Some(Act::Resolve));
        let switched_off = KeyPress {
            letters_act: false,
            ..key("n")
        };
        assert_eq!(act_of(&switched_off), None);
        let typed = KeyPress {
            in_text: true,
            letters_act: false,
            ..key("Escape")
        };
        assert_eq!(act_of(&typed), None);
    }

    #[test]
    fn keys_that_the_browser_keeps_are_left_to_it() {
        for kept in ["n", "t", "w", "l", "r", "p", "j", "k"] {
            let pressed = KeyPress {
                modifier: true,
                ..key(kept)
            };
            assert_eq!(act_of(&pressed), None, "{kept}");
        }
        let rail = KeyPress {
            modifier: true,
            in_text: true,
            ..key("b")
        };
        assert_eq!(act_of(&rail), Some(Act::ToggleRail));
    }

    #[test]
    fn a_key_of_an_input_method_is_never_ours() {
        let composing = KeyPress {
            composing: true,
            ..key("Escape")
        };
        assert_eq!(act_of(&composing), None);
    }

    #[test]
    fn stepping_stops_at_both_ends() {
        let list = [1, 2, 3];
        assert_eq!(neighbour(&list, None, true), Some(&1));
        assert_eq!(neighbour(&list, Some(&2), true), Some(&3));
        assert_eq!(neighbour(&list, Some(&3), true), None);
        assert_eq!(neighbour(&list, Some(&1), false), None);
        assert_eq!(neighbour(&list, Some(&9), false), Some(&3));
    }
}
