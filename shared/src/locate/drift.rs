//! Many small edits: a place is looked for from where it was made and from where it was last found.

use super::alignment::Alignment;
use super::lexicon::Lexicon;
use super::{Located, walk};
use crate::document::Format;
use crate::wire::place::{PlaceKind, PlaceState};
use std::ops::Range;

/// Decides between the two ways. `origin` is the version the place was made on, `step` the last one it was found
/// in; both are aligned with the same new text.
///
/// What stands untouched where it was made is that place. Else, where the step has lost it, the origin may still
/// know; where they differ, the step is believed if it kept the order. The state is always the one against the origin's words, so that "changed" never fades to "same".
pub fn through_drift(
    origin: (&Alignment<'_>, Range<usize>),
    step: (&Alignment<'_>, Range<usize>),
    kind: PlaceKind,
) -> Located {
    let from_origin = origin.0.locate(origin.1.clone(), kind);
    let from_step = step.0.locate(step.1.clone(), kind);
    let (Some(found), Some(stepped)) = (&from_origin.range, &from_step.range) else {
        return if from_step.range.is_some() {
            against(origin.0, &origin.1, from_step)
        } else {
            from_origin
        };
    };
    let untouched = from_origin.state == PlaceState::Exact;
    if untouched || found == stepped || !step.0.keeps_order(&step.1) {
        return from_origin;
    }
    against(origin.0, &origin.1, from_step)
}

/// What a step found, as it stands to the words the place was made on.
fn against(origin: &Alignment<'_>, range: &Range<usize>, found: Located) -> Located {
    let (old, new) = origin.texts();
    let words = old
        .get(range.clone())
        .zip(found.range.clone().and_then(|range| new.get(range)));
    match words {
        Some((old, new)) if reads_the_same(origin.format(), old, new) => Located {
            state: if found.state == PlaceState::Changed {
                PlaceState::Exact
            } else {
                found.state
            },
            ..found
        },
        _ => Located {
            state: PlaceState::Changed,
            ..found
        },
    }
}

/// Whether two pieces of source show a reader the same words.
fn reads_the_same(format: Format, a: &str, b: &str) -> bool {
    let mut lexicon = Lexicon::default();
    let a = walk::read(format, a, 0, &mut lexicon).tokens;
    let b = walk::read(format, b, 0, &mut lexicon).tokens;
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.word.seen == b.word.seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: &str = "# Plan\n\nThe team ships the beta in May.\n\nNothing else is planned.\n";

    fn drifted(steps: &[&str], quote: &str) -> (PlaceState, Option<String>) {
        let start = ORIGIN.find(quote).unwrap();
        let from = start..start + quote.len();
        let (mut text, mut range) = (ORIGIN, from.clone());
        let mut located = Located::at(PlaceState::Exact, from.clone());
        for next in steps {
            let origin = Alignment::new(Format::Markdown, ORIGIN, next);
            let step = Alignment::new(Format::Markdown, text, next);
            located = through_drift(
                (&origin, from.clone()),
                (&step, range.clone()),
                PlaceKind::Text,
            );
            if let Some(found) = &located.range {
                (text, range) = (next, found.clone());
            }
        }
        let last = steps.last().unwrap();
        (
            located.state,
            located.range.map(|range| last[range].to_owned()),
        )
    }

    #[test]
    fn small_edits_are_followed_where_the_origin_alone_is_lost() {
        let steps = [
            "# Plan\n\nThe team ships the beta version in May or June.\n\nNothing else is planned.\n",
            "# Plan\n\nWe will ship a beta version in late June.\n\nWe plan for nothing else.\n",
            "# Plan\n\nThere will be a beta version in late summer.\n\nMore plans follow.\n",
        ];
        let (state, text) = drifted(&steps, "The team ships the beta in May.");
        assert_eq!(state, PlaceState::Changed);
        assert_eq!(
            text.as_deref(),
            Some("There will be a beta version in late summer.")
        );
    }

    #[test]
    fn changed_stays_changed_through_a_step_that_changes_nothing() {
        let edited = ORIGIN.replace("May", "June");
        let above = edited.replace("# Plan", "# Plan\n\nDates are estimates.");
        assert_eq!(
            drifted(&[&edited, &above], "ships the beta in May").0,
            PlaceState::Changed
        );
    }

    #[test]
    fn text_that_comes_back_is_the_same_again_after_it_was_gone() {
        let cut = ORIGIN.replace("The team ships the beta in May.\n\n", "");
        let quote = "The team ships the beta in May.";
        assert_eq!(drifted(&[&cut], quote).0, PlaceState::Gone);
        let (state, text) = drifted(&[&cut, ORIGIN], quote);
        assert_eq!((state, text.as_deref()), (PlaceState::Exact, Some(quote)));
    }
}
