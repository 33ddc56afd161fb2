//! All case files under `tests/cases`, judged as a whole and by kind.

use crate::score::{Tally, Truth, Verdict, judge, overlap};
use rex_shared::document::Format;
use rex_shared::locate::{Alignment, OtherFile, elsewhere};
use rex_shared::wire::place::{PlaceKind, PlaceState};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::error::Error;
use std::ops::Range;

/// Kinds in which every place must be right.
const ALWAYS_RIGHT: [&str; 8] = [
    "blockquote",
    "crlf",
    "emoji",
    "invisible-characters",
    "renamed-file",
    "unchanged",
    "unicode-normalisation",
    "whitespace-reflow",
];

/// Every kind of case there is.
const KINDS: usize = 38;

#[derive(Deserialize)]
struct Case {
    id: String,
    kind: String,
    format: Format,
    before: String,
    after: String,
    selection: Place,
    expected: Expected,
    after_files: Option<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
struct Expected {
    status: String,
    start: Option<usize>,
    end: Option<usize>,
    #[serde(default)]
    accept: Vec<String>,
    #[serde(default)]
    alternatives: Vec<Place>,
    elsewhere: Option<Elsewhere>,
}

/// A range in Unicode characters.
#[derive(Deserialize)]
struct Place {
    start: usize,
    end: usize,
}

#[derive(Deserialize)]
struct Elsewhere {
    path: String,
    start: usize,
    end: usize,
}

fn bytes(text: &str, characters: &Range<usize>) -> Range<usize> {
    let byte = |at: usize| {
        text.char_indices()
            .nth(at)
            .map_or(text.len(), |(byte, _)| byte)
    };
    byte(characters.start)..byte(characters.end)
}

fn characters(text: &str, bytes: &Range<usize>) -> Range<usize> {
    let count = |end: usize| text[..end].chars().count();
    count(bytes.start)..count(bytes.end)
}

impl Case {
    fn selected(&self) -> Range<usize> {
        bytes(&self.before, &(self.selection.start..self.selection.end))
    }

    fn truth(&self) -> Truth {
        let expected = &self.expected;
        let mut truth = Truth {
            statuses: expected.accept.clone(),
            ..Truth::default()
        };
        truth.statuses.push(expected.status.clone());
        if let (Some(start), Some(end)) = (expected.start, expected.end) {
            let quote = &self.before[self.selected()];
            let same = self.after[bytes(&self.after, &(start..end))] == *quote;
            truth.verbatim = same && matches!(expected.status.as_str(), "exact" | "moved");
            truth.places.push(start..end);
            truth.places.extend(
                expected
                    .alternatives
                    .iter()
                    .map(|place| place.start..place.end),
            );
        }
        truth
    }

    fn judge(&self) -> (Verdict, bool, bool) {
        let located = Alignment::new(self.format, &self.before, &self.after)
            .locate(self.selected(), PlaceKind::Text);
        let place = located.range.map(|range| characters(&self.after, &range));
        judge(&self.truth(), status(located.state), place.as_ref())
    }

    /// Whether another file was offered rightly; `None` where there is none.
    fn offered_rightly(&self) -> Option<bool> {
        let files = self.after_files.as_ref()?;
        let file = |(path, after)| OtherFile {
            path,
            format: self.format,
            before: None,
            after,
        };
        let others: Vec<_> = files
            .iter()
            .map(|(path, after)| file((path.as_str(), after.as_str())))
            .collect();
        let located = Alignment::new(self.format, &self.before, &self.after)
            .locate(self.selected(), PlaceKind::Text);
        let found = (located.state == PlaceState::Gone)
            .then(|| elsewhere(self.format, &self.before, &self.selected(), &others))
            .flatten();
        Some(match (found, &self.expected.elsewhere) {
            (None, None) => true,
            (Some(found), Some(wanted)) => {
                let range = characters(&files[&found.path], &found.range);
                found.path == wanted.path && overlap(&range, &(wanted.start..wanted.end)) >= 0.5
            }
            _ => false,
        })
    }
}

fn status(state: PlaceState) -> &'static str {
    match state {
        PlaceState::Exact => "exact",
        PlaceState::Moved => "moved",
        PlaceState::Changed => "changed",
        PlaceState::Gone => "gone",
        PlaceState::Unknown => "unknown",
    }
}

fn all() -> Result<Vec<Case>, Box<dyn Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases");
    let mut cases = Vec::new();
    for file in std::fs::read_dir(folder)? {
        let path = file?.path();
        if path.extension().is_some_and(|ending| ending == "json") {
            cases.append(&mut serde_json::from_str(&std::fs::read_to_string(&path)?)?);
        }
    }
    Ok(cases)
}

/// S6 S73: over every kind of edit that people make, places are found again on their own words, and where the words
/// are gone that is said.
#[test]
fn places_are_found_again_after_every_kind_of_edit() {
    let mut kinds: BTreeMap<String, Tally> = BTreeMap::new();
    let mut total = Tally::default();
    let mut wrong = Vec::new();
    for case in all().unwrap() {
        let judged = case.judge();
        total += judged;
        *kinds.entry(case.kind.clone()).or_default() += judged;
        if judged.0 != Verdict::Right {
            wrong.push(format!("{:?}: {} ({})", judged.0, case.id, case.kind));
        }
    }
    let wrong = wrong.join("\n");
    assert!(
        total.all >= 80 && kinds.len() == KINDS,
        "{} cases, {} kinds",
        total.all,
        kinds.len()
    );
    assert!(
        total.share(total.right) >= 0.97,
        "{} right\n{wrong}",
        total.share(total.right)
    );
    assert!(
        total.share(total.misplaced) <= 0.01,
        "{} misplaced\n{wrong}",
        total.share(total.misplaced)
    );
    assert!(
        total.share(total.status) >= 0.92,
        "{} with the right status",
        total.share(total.status)
    );
    assert!(
        total.share(total.tight) >= 0.92,
        "{} tight",
        total.share(total.tight)
    );
    for kind in ALWAYS_RIGHT {
        assert_eq!(kinds[kind].right, kinds[kind].all, "{kind}\n{wrong}");
    }
    assert_eq!(kinds["lookalike-deleted"].misplaced, 0, "{wrong}");
}

#[test]
fn text_that_went_to_another_file_is_offered_there_or_not_at_all() {
    let judged: Vec<(String, bool)> = all()
        .unwrap()
        .into_iter()
        .filter_map(|case| Some((case.id.clone(), case.offered_rightly()?)))
        .collect();
    let right = judged.iter().filter(|(_, right)| *right).count();
    assert!(
        judged.len() >= 3 && right * 6 >= judged.len() * 5,
        "{judged:?}"
    );
}
