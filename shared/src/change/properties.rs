//! What holds for any two texts: with carriage returns, marks, emoji, and without a last line end.

use super::*;
use proptest::prelude::*;

/// Texts with few different lines, so that they repeat, and with every kind of end.
fn text() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "a",
        "b",
        "",
        "# Héading",
        "\u{1f600} family \u{1f469}\u{200d}\u{1f467}",
        "  indented",
        "c d e",
    ]);
    let end = prop::sample::select(vec!["\n", "\n", "\r\n"]);
    let lines = prop::collection::vec((line, end), 0..14);
    (lines, any::<bool>(), any::<bool>()).prop_map(|(lines, mark, last_end)| {
        let mut text: String = lines.iter().flat_map(|(line, end)| [*line, *end]).collect();
        if mark {
            text.insert(0, '\u{feff}');
        }
        if !last_end {
            text.push_str("the end");
        }
        text
    })
}

fn taken<'a>(hunks: &[Hunk], new: &Lines<'a>) -> Vec<Replacement<'a>> {
    let taken = hunks.iter().map(|hunk| Replacement {
        lines: hunk.old.clone(),
        text: new.text(hunk.new.clone()),
    });
    taken.collect()
}

proptest! {
    #[test]
    fn all_hunks_are_the_new_text_and_none_is_the_old(old in text(), new in text()) {
        let (old_lines, new_lines) = (Lines::of(&old), Lines::of(&new));
        let hunks = hunks(&old_lines, &new_lines);
        prop_assert_eq!(apply(&old_lines, taken(&hunks, &new_lines)).unwrap(), new.clone());
        prop_assert_eq!(apply(&old_lines, Vec::new()).unwrap(), old.clone());
        for pair in hunks.windows(2) {
            prop_assert!(pair[0].old.end < pair[1].old.start && pair[0].new.end < pair[1].new.start);
        }
    }

    #[test]
    fn any_of_the_hunks_give_the_same_bytes_in_any_order(
        old in text(),
        new in text(),
        chosen in prop::collection::vec(any::<bool>(), 20),
        own in prop::collection::vec(prop::option::of("[x\u{1f600}]{0,3}\n"), 20),
        turn in 0..20_usize,
    ) {
        let (old_lines, new_lines) = (Lines::of(&old), Lines::of(&new));
        let hunks = hunks(&old_lines, &new_lines);
        let mut some = Vec::new();
        for (at, replacement) in taken(&hunks, &new_lines).into_iter().enumerate() {
            if chosen[at % 20] {
                some.push(Replacement { text: own[at % 20].as_deref().unwrap_or(replacement.text), ..replacement });
            }
        }
        let in_order = apply(&old_lines, some.clone()).unwrap();
        let by = turn.min(some.len());
        some.rotate_left(by);
        prop_assert_eq!(apply(&old_lines, some.clone()).unwrap(), in_order.clone());
        some.reverse();
        prop_assert_eq!(apply(&old_lines, some).unwrap(), in_order);
    }

    #[test]
    fn no_line_of_either_side_is_lost_in_a_merge(base in text(), ours in text(), theirs in text()) {
        prop_assert_eq!(merge(&base, &ours, &base), Merge::Clean(ours.clone()));
        prop_assert_eq!(merge(&base, &base, &theirs), Merge::Clean(theirs.clone()));
        prop_assert_eq!(merge(&base, &ours, &ours), Merge::Clean(ours.clone()));
        let (base_lines, our_lines, their_lines) = (Lines::of(&base), Lines::of(&ours), Lines::of(&theirs));
        match merge(&base, &ours, &theirs) {
            Merge::Clean(merged) => {
                for (side, lines) in [(&our_lines, &ours), (&their_lines, &theirs)] {
                    for hunk in hunks(&base_lines, side) {
                        prop_assert!(merged.contains(side.text(hunk.new)), "{lines:?}");
                    }
                }
            }
            Merge::Conflicts(conflicts) => for conflict in conflicts {
                let sides = (our_lines.text(conflict.ours), their_lines.text(conflict.theirs));
                prop_assert_ne!(sides.0, sides.1);
                prop_assert_ne!(sides.0, base_lines.text(conflict.base.clone()));
                prop_assert_ne!(sides.1, base_lines.text(conflict.base));
            }
        }
    }

    #[test]
    fn form_is_kept_or_was_all_that_differed(old in text(), new in text()) {
        let kept = keep_form(&old, &new);
        let bare = |text: &str| text.replace("\r\n", "\n").trim_end_matches(['\n', '\r']).to_owned();
        prop_assert_eq!(bare(&kept), bare(&new));
        if bare(&old) != bare(&new) && !old.is_empty() && !kept.is_empty() {
            prop_assert_eq!(kept.ends_with('\n'), old.ends_with('\n'));
        }
    }
}
