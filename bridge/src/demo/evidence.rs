//! Where else the words and numbers of a passage stand.
//!
//! No understanding: words are weighed by how rare they are in the workspace, and the lines that share most weight
//! with the passage are evidence. A line that shares words but has other numbers is said to differ.

use super::workspace::Document;
use std::collections::{BTreeMap, BTreeSet};

/// Words too common to be about anything.
const COMMON: [&str; 40] = [
    "about", "after", "also", "been", "before", "both", "each", "even", "every", "from", "have",
    "into", "just", "like", "more", "most", "must", "never", "only", "other", "over", "same",
    "some", "such", "than", "that", "their", "them", "then", "there", "these", "they", "this",
    "under", "very", "what", "when", "which", "will", "with",
];
const MAX_FOUND: usize = 5;

/// A line that has something in common with a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) path: String,
    /// Counted from 1.
    pub(super) line: usize,
    pub(super) text: String,
    /// The words in common, longest first.
    pub(super) shared: Vec<String>,
    /// Numbers it has that the passage has not, while the passage has others.
    pub(super) differs: bool,
}

/// The passage that is looked for elsewhere.
pub(super) struct Passage<'a> {
    pub(super) path: &'a str,
    /// Its own lines, which are no evidence.
    pub(super) lines: Option<(u32, u32)>,
    pub(super) text: &'a str,
}

/// The best lines, best first; lines of equal weight in the order of their place.
pub(super) fn find(passage: &Passage<'_>, documents: &[Document]) -> Vec<Found> {
    let wanted = terms(passage.text);
    let own_numbers = numbers(passage.text);
    let lines: Vec<(&Document, usize, &str, BTreeSet<String>)> = documents
        .iter()
        .flat_map(|document| {
            let lines = document.text.lines().enumerate();
            lines.map(move |(at, line)| (document, at + 1, line, terms(line)))
        })
        .collect();
    let mut frequency: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, _, _, terms) in &lines {
        for term in terms.intersection(&wanted) {
            *frequency.entry(term).or_default() += 1;
        }
    }
    let mut found: Vec<(usize, Found)> = lines
        .iter()
        .filter(|(document, line, _, _)| !passage.covers(&document.path, *line))
        .filter_map(|(document, line, text, terms)| {
            let mut shared: Vec<String> = terms.intersection(&wanted).cloned().collect();
            let weight: usize = shared
                .iter()
                .map(|term| 1000 / frequency.get(term.as_str()).copied().unwrap_or(1))
                .sum();
            if shared.len() < 2 && weight < 300 {
                return None;
            }
            shared.sort_by_key(|term| (std::cmp::Reverse(term.len()), term.clone()));
            let numbers = numbers(text);
            let differs =
                !own_numbers.is_empty() && !numbers.is_empty() && numbers.is_disjoint(&own_numbers);
            Some((
                weight,
                Found {
                    path: document.path.clone(),
                    line: *line,
                    text: text.trim().to_owned(),
                    shared,
                    differs,
                },
            ))
        })
        .collect();
    found.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    found
        .into_iter()
        .take(MAX_FOUND)
        .map(|(_, found)| found)
        .collect()
}

impl Passage<'_> {
    fn covers(&self, path: &str, line: usize) -> bool {
        path == self.path
            && self
                .lines
                .is_some_and(|(first, last)| (first as usize..=last as usize).contains(&line))
    }
}

/// Words of some length, without a plural's s, and numbers.
fn terms(text: &str) -> BTreeSet<String> {
    text.split(|character: char| {
        !character.is_alphanumeric() && character != ',' && character != '.'
    })
    .map(|word| word.trim_matches(['.', ',']).to_lowercase())
    .filter(|word| {
        let is_number = word.starts_with(|first: char| first.is_ascii_digit());
        (is_number && word.len() > 1)
            || (word.chars().count() >= 4 && !COMMON.contains(&word.as_str()))
    })
    .map(|word| match word.strip_suffix('s') {
        Some(stem) if stem.len() >= 4 => stem.to_owned(),
        _ => word,
    })
    .collect()
}

fn numbers(text: &str) -> BTreeSet<String> {
    terms(text)
        .into_iter()
        .filter(|term| term.starts_with(|first: char| first.is_ascii_digit()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(path: &str, text: &str) -> Document {
        Document {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn rare_words_and_numbers_lead_to_the_lines_that_share_them() {
        let documents = [
            document(
                "a.md",
                "# Retention\n\nBackups are kept 30 days.\nNothing else.",
            ),
            document(
                "b.md",
                "Unrelated words here.\n\nThe backup is kept for 90 days, says legal.\n",
            ),
        ];
        let passage = Passage {
            path: "a.md",
            lines: Some((3, 3)),
            text: "Backups are kept 30 days.",
        };
        let found = find(&passage, &documents);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].path.as_str(), found[0].line), ("b.md", 3));
        assert_eq!(found[0].shared, ["backup", "days", "kept"]);
        assert!(found[0].differs, "90 is not 30");
        assert_eq!(find(&passage, &documents), found, "the same each time");
    }

    #[test]
    fn nothing_in_common_is_no_evidence() {
        let documents = [
            document("a.md", "alpha beta\n"),
            document("b.md", "gamma delta\n"),
        ];
        let passage = Passage {
            path: "a.md",
            lines: Some((1, 1)),
            text: "alpha beta",
        };
        assert_eq!(find(&passage, &documents), []);
    }
}
