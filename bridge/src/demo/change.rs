//! What the demo agent changes in its private copy, so that a proposal can be seen with nothing installed.
//!
//! It still does not think. Plain words are done as they are said: `replace "a" with "b"`, `create NAME`, `delete NAME`,
//! `rename A to B`. Without any of them it takes the passages at their word: numbers that stand elsewhere in lines with
//! the same words become the passage's own, and where nothing contradicts it, the message is noted below the passage.

use super::evidence::{self, Passage};
use super::workspace::{Document, Workspace};
use rex_shared::prompt::reading::{ReadPlace, ReadPrompt};
use std::collections::BTreeMap;
use std::io;

/// One file as it shall be; no text removes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) path: String,
    pub(super) text: Option<String>,
}

/// What the prompt wants changed, by path.
pub(super) fn edits(prompt: &ReadPrompt, workspace: &Workspace) -> Vec<Edit> {
    let mut now = Texts::new(workspace);
    let words: Vec<&str> = prompt.message.split_whitespace().collect();
    let mut said = false;
    for (at, word) in words.iter().enumerate() {
        let name = |further: usize| words.get(at + further).map(|name| bare(name));
        match (word.to_lowercase().as_str(), name(1)) {
            ("create", Some(path)) if is_name(path) => {
                now.put(path, Some(format!("# {path}\n\nMade by the demo agent.\n")));
                said = true;
            }
            ("delete", Some(path)) if now.of(path).is_some() => {
                now.put(path, None);
                said = true;
            }
            ("rename", Some(from)) if now.of(from).is_some() => {
                if let (Some("to"), Some(to)) = (words.get(at + 2).copied(), name(3)) {
                    let text = now.of(from);
                    now.put(from, None);
                    now.put(to, text);
                    said = true;
                }
            }
            _ => {}
        }
    }
    for (old, new) in replacements(&prompt.message) {
        for path in now.about(prompt) {
            if let Some(text) = now.of(&path).filter(|text| text.contains(old)) {
                now.put(&path, Some(text.replace(old, new)));
            }
        }
        said = true;
    }
    if !said {
        for place in &prompt.places {
            now.agree_with(place, &prompt.message);
        }
    }
    now.edits()
}

/// Does one edit.
pub(super) fn carry_out(edit: &Edit, workspace: &Workspace) -> io::Result<()> {
    workspace.put(&edit.path, edit.text.as_deref())
}

/// The texts of the workspace with what was changed of them so far.
struct Texts {
    documents: Vec<Document>,
    changed: BTreeMap<String, Option<String>>,
}

impl Texts {
    fn new(workspace: &Workspace) -> Self {
        Self {
            documents: workspace.documents(),
            changed: BTreeMap::new(),
        }
    }

    fn of(&self, path: &str) -> Option<String> {
        if let Some(changed) = self.changed.get(path) {
            return changed.clone();
        }
        let document = self
            .documents
            .iter()
            .find(|document| document.path == path)?;
        Some(document.text.clone())
    }

    fn put(&mut self, path: &str, text: Option<String>) {
        self.changed.insert(path.to_owned(), text);
    }

    /// The documents of the passages, all when there are none.
    fn about(&self, prompt: &ReadPrompt) -> Vec<String> {
        let mut paths: Vec<String> = match prompt.places.is_empty() {
            true => self
                .documents
                .iter()
                .map(|document| document.path.clone())
                .collect(),
            false => prompt
                .places
                .iter()
                .map(|place| place.document.clone())
                .collect(),
        };
        paths.dedup();
        paths
    }

    /// Makes lines elsewhere say the passage's numbers; notes the message below the passage when none says others.
    fn agree_with(&mut self, place: &ReadPlace, message: &str) {
        let own = numbers(&place.quote);
        let passage = Passage {
            path: &place.document,
            lines: place.lines,
            text: &place.quote,
        };
        let found = evidence::find(&passage, &self.documents);
        let mut agreed = false;
        if let [number] = own.as_slice() {
            for line in found.iter().filter(|line| line.differs) {
                let others = numbers(&line.text);
                let (Some(text), [other]) = (self.of(&line.path), others.as_slice()) else {
                    continue;
                };
                let changed = with_line(&text, line.line, |line| line.replacen(other, number, 1));
                self.put(&line.path, Some(changed));
                agreed = true;
            }
        }
        let (false, Some(text)) = (agreed, self.of(&place.document)) else {
            return;
        };
        let last = place.lines.map_or(1, |(_, last)| last as usize);
        let noted = message.lines().next().unwrap_or_default().trim();
        let changed = with_line(&text, last, |line| {
            format!("{line}\n\nNoted by the demo agent: {noted}")
        });
        self.put(&place.document, Some(changed));
    }

    fn edits(self) -> Vec<Edit> {
        let edits = self
            .changed
            .into_iter()
            .map(|(path, text)| Edit { path, text });
        edits.collect()
    }
}

/// The text with one line changed, counted from 1; line ends stay.
fn with_line(text: &str, number: usize, change: impl Fn(&str) -> String) -> String {
    let lines = text.split_inclusive('\n').enumerate().map(|(at, line)| {
        let words = line.trim_end_matches(['\n', '\r']);
        match at + 1 == number {
            true => format!("{}{}", change(words), &line[words.len()..]),
            false => line.to_owned(),
        }
    });
    lines.collect()
}

/// Numbers as they are written.
fn numbers(text: &str) -> Vec<String> {
    let is_part = |character: char| character.is_ascii_digit() || matches!(character, '.' | ',');
    let mut numbers: Vec<String> = text
        .split(|character: char| !is_part(character))
        .map(|number| number.trim_matches(['.', ',']).to_owned())
        .filter(|number| !number.is_empty())
        .collect();
    numbers.dedup();
    numbers
}

/// What stands between quotation marks after `replace` and after `with`.
fn replacements(message: &str) -> Vec<(&str, &str)> {
    let is_mark = |character: char| matches!(character, '"' | '\u{201c}' | '\u{201d}');
    let parts: Vec<&str> = message.split(is_mark).collect();
    let mut found = Vec::new();
    for part in parts.windows(4) {
        let (before, between) = (part[0].to_lowercase(), part[2].trim());
        if before.trim_end().ends_with("replace") && between.eq_ignore_ascii_case("with") {
            found.push((part[1], part[3]));
        }
    }
    found
}

fn bare(name: &str) -> &str {
    name.trim_matches(['`', '"', ',', ';', ':'])
        .trim_end_matches('.')
}

fn is_name(name: &str) -> bool {
    name.contains('.') && !name.starts_with(['.', '/'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn changed(message: &str, places: Vec<ReadPlace>) -> Vec<(String, Option<String>)> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.md"), "Backups are kept 30 days.\n").unwrap();
        fs::write(
            folder.path().join("b.md"),
            "# B\n\nEvery backup is kept 90 days.\n",
        )
        .unwrap();
        let prompt = ReadPrompt {
            message: message.to_owned(),
            places,
            ..ReadPrompt::default()
        };
        let workspace = Workspace::at(folder.path());
        let edits = edits(&prompt, &workspace);
        for edit in &edits {
            carry_out(edit, &workspace).unwrap();
            let there = fs::read_to_string(folder.path().join(&edit.path)).ok();
            assert_eq!(there, edit.text);
        }
        edits
            .into_iter()
            .map(|edit| (edit.path, edit.text))
            .collect()
    }

    fn place(quote: &str) -> ReadPlace {
        ReadPlace {
            document: "a.md".to_owned(),
            lines: Some((1, 1)),
            heading: None,
            quote: quote.to_owned(),
        }
    }

    fn is(path: &str, text: &str) -> (String, Option<String>) {
        (path.to_owned(), Some(text.to_owned()))
    }

    #[test]
    fn plain_words_are_done_as_they_are_said() {
        let message = "Please replace \"30 days\" with \"a month\".";
        assert_eq!(
            changed(message, vec![]),
            [is("a.md", "Backups are kept a month.\n")]
        );
        let message = "Rename b.md to c.md, delete a.md and create notes/new.md.";
        assert_eq!(
            changed(message, vec![]),
            [
                ("a.md".to_owned(), None),
                ("b.md".to_owned(), None),
                is("c.md", "# B\n\nEvery backup is kept 90 days.\n"),
                is(
                    "notes/new.md",
                    "# notes/new.md\n\nMade by the demo agent.\n"
                ),
            ]
        );
    }

    #[test]
    fn other_numbers_become_the_passages_own() {
        let edits = changed("Make them agree.", vec![place("Backups are kept 30 days.")]);
        assert_eq!(
            edits,
            [is("b.md", "# B\n\nEvery backup is kept 30 days.\n")]
        );
    }

    #[test]
    fn where_nothing_contradicts_the_message_is_noted() {
        let edits = changed("Explain why.", vec![place("Backups")]);
        let text = "Backups are kept 30 days.\n\nNoted by the demo agent: Explain why.\n";
        assert_eq!(edits, [is("a.md", text)]);
    }
}
