//! How an answer is judged: a place is right, missed, or on other words.

use std::ops::{AddAssign, Range};

/// What became of one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Right,
    Missed,
    Misplaced,
}

/// The true answers to one place.
#[derive(Debug, Default)]
pub(crate) struct Truth {
    /// Statuses that are right.
    pub(crate) statuses: Vec<String>,
    /// Places that are right; none when the text is gone.
    pub(crate) places: Vec<Range<usize>>,
    /// The text stands there unchanged, so that it must be met to the character.
    pub(crate) verbatim: bool,
}

/// Intersection over union.
pub(crate) fn overlap(a: &Range<usize>, b: &Range<usize>) -> f64 {
    let shared = a.end.min(b.end).saturating_sub(a.start.max(b.start));
    let union = a.len() + b.len() - shared;
    if union == 0 {
        1.0
    } else {
        shared as f64 / union as f64
    }
}

/// Whether an answer is right, whether its status is, and whether it is tight: within a tenth of the true place.
pub(crate) fn judge(
    truth: &Truth,
    status: &str,
    place: Option<&Range<usize>>,
) -> (Verdict, bool, bool) {
    let status_right = truth.statuses.iter().any(|right| right == status);
    let Some(place) = place else {
        let gone = truth.statuses.iter().any(|right| right == "gone");
        let verdict = if gone {
            Verdict::Right
        } else {
            Verdict::Missed
        };
        return (verdict, status_right, true);
    };
    let best = truth
        .places
        .iter()
        .map(|right| overlap(place, right))
        .fold(0.0, f64::max);
    let right = if truth.verbatim {
        truth.places.contains(place)
    } else {
        best >= 0.5
    };
    if right {
        (Verdict::Right, status_right, best >= 0.9)
    } else {
        (Verdict::Misplaced, false, false)
    }
}

/// Answers counted.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Tally {
    pub(crate) all: usize,
    pub(crate) right: usize,
    pub(crate) misplaced: usize,
    /// Right with the right status.
    pub(crate) status: usize,
    /// Right and tight.
    pub(crate) tight: usize,
}

impl AddAssign<(Verdict, bool, bool)> for Tally {
    fn add_assign(&mut self, (verdict, status, tight): (Verdict, bool, bool)) {
        let right = verdict == Verdict::Right;
        self.all += 1;
        self.right += usize::from(right);
        self.misplaced += usize::from(verdict == Verdict::Misplaced);
        self.status += usize::from(right && status);
        self.tight += usize::from(right && tight);
    }
}

impl Tally {
    /// A count as a share of all.
    pub(crate) fn share(&self, count: usize) -> f64 {
        count as f64 / self.all.max(1) as f64
    }
}

#[test]
fn a_wrong_place_is_worse_than_none_and_told_from_it() {
    let truth = Truth {
        statuses: vec!["changed".to_owned()],
        places: std::iter::once(10..20).collect(),
        verbatim: false,
    };
    assert_eq!(judge(&truth, "gone", None).0, Verdict::Missed);
    assert_eq!(
        judge(&truth, "changed", Some(&(30..40))).0,
        Verdict::Misplaced
    );
    assert_eq!(
        judge(&truth, "exact", Some(&(10..19))),
        (Verdict::Right, false, true)
    );
    assert_eq!(
        judge(&truth, "changed", Some(&(10..15))),
        (Verdict::Right, true, false)
    );
}

#[test]
fn unchanged_text_is_met_to_the_character() {
    let truth = Truth {
        statuses: vec!["exact".to_owned()],
        places: std::iter::once(10..20).collect(),
        verbatim: true,
    };
    assert_eq!(
        judge(&truth, "exact", Some(&(10..19))).0,
        Verdict::Misplaced
    );
    assert_eq!(judge(&truth, "exact", Some(&(10..20))).0, Verdict::Right);
}
