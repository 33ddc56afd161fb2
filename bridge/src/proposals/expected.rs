//! What a file is when some of a proposal's hunks are taken: the rule that accepting and taking back both rest on.

use super::text::Text;
use crate::store::{FileRecord, FileState, HunkRecord};
use rex_shared::change::{Lines, Overlap, Replacement, apply};
use rex_shared::ids::HunkId;
use rex_shared::wire::proposal::{FileChange, HunkKind, HunkState};
use std::collections::HashMap;
use std::sync::Arc;

/// The bytes of both sides of a file; empty where there is none.
#[derive(Debug, Clone)]
pub(super) struct Sides {
    /// As the proposal was made from it.
    pub(super) before: Arc<[u8]>,
    /// As it would be with every hunk.
    pub(super) after: Arc<[u8]>,
}

/// A file at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expected {
    /// Workspace-relative path with `/`.
    pub(super) path: String,
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
    /// Permission bits.
    pub(super) mode: u32,
}

/// Hunks that are taken, with the person's own text where there is one.
pub(super) type Taken = HashMap<HunkId, Option<String>>;

/// The hunks of a file that are in the document already.
pub(super) fn accepted(file: &FileRecord) -> Taken {
    let accepted = file
        .hunks
        .iter()
        .filter(|hunk| hunk.state == HunkState::Accepted);
    accepted
        .map(|hunk| (hunk.hunk_id.clone(), hunk.text.clone()))
        .collect()
}

/// The file with these hunks taken; `None` when there is no file then.
pub(super) fn expected(
    file: &FileRecord,
    sides: &Sides,
    taken: &Taken,
) -> Result<Option<Expected>, Overlap> {
    let whole = file.hunks.iter().find(|hunk| hunk.kind == HunkKind::File);
    let whole = whole.filter(|hunk| taken.contains_key(&hunk.hunk_id));
    let at = |state: &FileState, bytes: Vec<u8>| {
        Some(Expected {
            path: state.path.clone(),
            bytes,
            mode: state.mode,
        })
    };
    Ok(match (&file.before, &file.after) {
        (None, Some(after)) => match whole {
            Some(hunk) => at(after, own_text(hunk, taken, &sides.after)),
            None => None,
        },
        (Some(before), None) => match whole {
            Some(_) => None,
            None => at(before, sides.before.to_vec()),
        },
        (Some(before), Some(after)) => {
            let state = if whole.is_some() { after } else { before };
            let bytes = if file.is_text {
                with_lines(file, sides, taken)?
            } else if whole.is_some() && file.change != FileChange::Mode {
                sides.after.to_vec()
            } else {
                sides.before.to_vec()
            };
            at(state, bytes)
        }
        (None, None) => None,
    })
}

/// The old text with the taken stretches of the new one.
fn with_lines(file: &FileRecord, sides: &Sides, taken: &Taken) -> Result<Vec<u8>, Overlap> {
    let (Some(old), Some(new)) = (Text::of(&sides.before), Text::of(&sides.after)) else {
        return Ok(sides.before.to_vec());
    };
    let (old_lines, new_lines) = (Lines::of(&old.source), Lines::of(&new.source));
    let whole = |range: &std::ops::Range<u32>| range.start as usize..range.end as usize;
    let taken = file
        .hunks
        .iter()
        .filter(|hunk| hunk.kind == HunkKind::Lines)
        .filter_map(|hunk| {
            let own = taken.get(&hunk.hunk_id)?;
            Some(Replacement {
                lines: whole(&hunk.old_lines),
                text: match own {
                    Some(text) => text,
                    None => new_lines.text(whole(&hunk.new_lines)),
                },
            })
        });
    Ok(old.with(&apply(&old_lines, taken.collect())?))
}

fn own_text(hunk: &HunkRecord, taken: &Taken, proposed: &[u8]) -> Vec<u8> {
    match (taken.get(&hunk.hunk_id), Text::of(proposed)) {
        (Some(Some(text)), Some(proposed)) => proposed.with(text),
        _ => proposed.to_vec(),
    }
}

/// A text that a person typed, with the line ends of the lines it replaces. A browser knows only one kind.
pub(super) fn typed(text: &str, file: &[u8]) -> String {
    let plain = text.replace("\r\n", "\n");
    let ends_so = |file: &Text| {
        let lines = Lines::of(&file.source);
        lines
            .iter()
            .next()
            .is_some_and(|line| line.ends_with("\r\n"))
    };
    match Text::of(file) {
        Some(file) if ends_so(&file) => plain.replace('\n', "\r\n"),
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposals::differences::{Difference, Side};
    use crate::proposals::propose::propose;

    fn proposed(before: Option<&str>, after: Option<&str>) -> (FileRecord, Sides) {
        let side = |text: &str| Side {
            bytes: text.as_bytes().to_vec(),
            mode: 0o644,
        };
        let (mut files, _) = propose(vec![Difference {
            path: "a.md".to_owned(),
            before: before.map(side),
            after: after.map(side),
        }]);
        let sides = Sides {
            before: before.unwrap_or_default().as_bytes().into(),
            after: after.unwrap_or_default().as_bytes().into(),
        };
        (files.remove(0), sides)
    }

    fn text(file: &FileRecord, sides: &Sides, taken: &Taken) -> Option<String> {
        let expected = expected(file, sides, taken).unwrap();
        expected.map(|file| String::from_utf8(file.bytes).unwrap())
    }

    #[test]
    fn all_hunks_are_the_new_file_none_the_old_and_one_with_own_words_is_that() {
        let (file, sides) = proposed(Some("a\r\n\r\nb\r\n"), Some("A\r\n\r\nB\r\n"));
        let all: Taken = file
            .hunks
            .iter()
            .map(|hunk| (hunk.hunk_id.clone(), None))
            .collect();
        assert_eq!(text(&file, &sides, &all).unwrap(), "A\r\n\r\nB\r\n");
        assert_eq!(
            text(&file, &sides, &Taken::new()).unwrap(),
            "a\r\n\r\nb\r\n"
        );
        let own = typed("mine\nall mine", &sides.before);
        let one = Taken::from([(file.hunks[0].hunk_id.clone(), Some(own))]);
        assert_eq!(
            text(&file, &sides, &one).unwrap(),
            "mine\r\nall mine\r\n\r\nb\r\n"
        );
    }

    #[test]
    fn a_file_that_is_made_or_removed_is_so_only_once_that_is_taken() {
        let (file, sides) = proposed(None, Some("new\n"));
        let taken = Taken::from([(file.hunks[0].hunk_id.clone(), None)]);
        assert_eq!(text(&file, &sides, &Taken::new()), None);
        assert_eq!(text(&file, &sides, &taken).unwrap(), "new\n");
        let (file, sides) = proposed(Some("old\n"), None);
        let taken = Taken::from([(file.hunks[0].hunk_id.clone(), None)]);
        assert_eq!(text(&file, &sides, &Taken::new()).unwrap(), "old\n");
        assert_eq!(text(&file, &sides, &taken), None);
    }
}
