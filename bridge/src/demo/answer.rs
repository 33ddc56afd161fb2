//! The words of an answer: what was read, quoted with its file and lines, and what else shares its words.

use super::evidence::{self, Passage};
use super::workspace::{Document, Workspace};
use rex_shared::prompt::reading::{ReadPlace, ReadPrompt};
use std::fmt::Write as _;

/// What stands at the beginning of every answer.
const PLAIN_WORDS: &str = "I am REX's demo agent: I read your files and find where the same words stand, but I do not think.";
const MAX_PLACES: usize = 5;
const MAX_QUOTED_LINES: usize = 12;

/// A file that was read for the answer, as the page shows it.
pub(super) struct Read {
    pub(super) path: String,
    /// What was seen of it.
    pub(super) seen: String,
    pub(super) missing: bool,
}

/// An answer and what was read for it, in this order.
pub(super) struct Answer {
    pub(super) reads: Vec<Read>,
    pub(super) text: String,
}

/// Answers `prompt` as the turn of that number. Reads files; the same files give the same answer.
pub(super) fn compose(prompt: &ReadPrompt, workspace: &Workspace, number: usize) -> Answer {
    let mut answer = Answer {
        reads: Vec::new(),
        text: format!("{PLAIN_WORDS} This is turn {number} of what I remember"),
    };
    answer.text.push_str(if prompt.continues {
        "; what was said before was told to me again.\n\n"
    } else {
        ".\n\n"
    });
    let documents = workspace.documents();
    for place in prompt.places.iter().take(MAX_PLACES) {
        answer.about(place, workspace, &documents);
    }
    if prompt.places.len() > MAX_PLACES {
        _ = write!(
            answer.text,
            "({} more passages I did not look at.)\n\n",
            prompt.places.len() - MAX_PLACES
        );
    }
    if prompt.places.is_empty() {
        let passage = Passage {
            path: "",
            lines: None,
            text: &prompt.message,
        };
        answer.evidence("Your words stand here:", &passage, &documents);
    }
    answer
}

impl Answer {
    fn about(&mut self, place: &ReadPlace, workspace: &Workspace, documents: &[Document]) {
        let Some(document) = workspace.read(&place.document) else {
            self.reads.push(Read {
                path: place.document.clone(),
                seen: "no such text in the workspace".to_owned(),
                missing: true,
            });
            _ = write!(self.text, "I could not read `{}`.\n\n", place.document);
            return;
        };
        let lines = place.lines.or_else(|| find_quote(&document, &place.quote));
        let Some((first, last)) = lines else {
            self.read(&document, document.text.lines().count());
            _ = write!(
                self.text,
                "I read `{}` ({} lines), and the passage is not in it as it was quoted.\n\n",
                document.path,
                document.text.lines().count()
            );
            return;
        };
        let quoted = document.lines(first, last);
        self.read(&document, quoted.len());
        _ = write!(
            self.text,
            "`{}:{}` says:\n\n",
            document.path,
            line_range(first, last)
        );
        for line in quoted.iter().take(MAX_QUOTED_LINES) {
            _ = writeln!(self.text, "> {line}");
        }
        if quoted.len() > MAX_QUOTED_LINES {
            _ = writeln!(
                self.text,
                "> … ({} more lines)",
                quoted.len() - MAX_QUOTED_LINES
            );
        }
        self.text.push('\n');
        let passage = Passage {
            path: &document.path,
            lines: Some((first, last)),
            text: if place.quote.is_empty() {
                &document.text
            } else {
                &place.quote
            },
        };
        self.evidence("The same words stand here too:", &passage, documents);
    }

    fn read(&mut self, document: &Document, lines: usize) {
        self.reads.push(Read {
            path: document.path.clone(),
            seen: format!("{lines} of {} lines", document.text.lines().count()),
            missing: false,
        });
    }

    fn evidence(&mut self, title: &str, passage: &Passage<'_>, documents: &[Document]) {
        let found = evidence::find(passage, documents);
        if found.is_empty() {
            self.text
                .push_str("I found nothing else in this workspace that shares its words.\n\n");
            return;
        }
        _ = write!(self.text, "{title}\n\n");
        for line in &found {
            let shared: Vec<&str> = line.shared.iter().take(3).map(String::as_str).collect();
            let differs = if line.differs {
                ", with other numbers"
            } else {
                ""
            };
            _ = writeln!(
                self.text,
                "- `{}:{}` — {} ({}{differs})",
                line.path,
                line.line,
                line.text.chars().take(160).collect::<String>(),
                shared.join(", "),
            );
            if !self.reads.iter().any(|read| read.path == line.path) {
                self.reads.push(Read {
                    path: line.path.clone(),
                    seen: format!("line {}", line.line),
                    missing: false,
                });
            }
        }
        self.text.push('\n');
    }
}

/// First and last line of a quote that stands in the document as it is.
fn find_quote(document: &Document, quote: &str) -> Option<(u32, u32)> {
    if quote.is_empty() {
        let count = u32::try_from(document.text.lines().count()).ok()?;
        return Some((1, count.max(1)));
    }
    let at = document.text.find(quote)?;
    let first = document.text.get(..at)?.matches('\n').count() + 1;
    let last = first + quote.trim_end_matches('\n').matches('\n').count();
    Some((u32::try_from(first).ok()?, u32::try_from(last).ok()?))
}
/// `12`, or `12-14` for several lines.
fn line_range(first: u32, last: u32) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first}-{last}")
    }
}
