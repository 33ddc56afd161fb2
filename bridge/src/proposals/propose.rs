//! From what differs to what is proposed: files with their hunks. Pure, but for new ids.

use super::differences::{Difference, Side};
use super::text::Text;
use crate::documents::version;
use crate::fresh;
use crate::store::{FileRecord, FileState, HunkRecord};
use rex_shared::change::{Hunk, Lines, hunks, keep_form};
use rex_shared::wire::proposal::{FileChange, HunkKind, HunkState};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// How much of two texts must be the same for the one to be the other under a new name, in percent of their lines.
const RENAMED: usize = 60;
/// Removed and made files that are compared with each other for that.
const MOST_COMPARED: usize = 50;
/// Who may run a file.
const RUN: u32 = 0o111;

/// The contents that a proposal refers to, by their hashes.
pub(super) type Contents = HashMap<rex_shared::ids::Version, Arc<[u8]>>;

/// What is proposed, by path, and the contents it refers to.
pub(super) fn propose(differences: Vec<Difference>) -> (Vec<FileRecord>, Contents) {
    let mut contents = Contents::new();
    let mut files: Vec<FileRecord> = renames(differences)
        .into_iter()
        .filter_map(|change| file(change, &mut contents))
        .collect();
    files.sort_by(|one, other| one.document().cmp(other.document()));
    (files, contents)
}

/// One file before and after, each under its path.
type Change = (Option<(String, Side)>, Option<(String, Side)>);

/// Brings a removed file and a made one together where the one became the other.
fn renames(differences: Vec<Difference>) -> Vec<Change> {
    let (mut removed, mut made, mut changes) = (Vec::new(), Vec::new(), Vec::new());
    for Difference {
        path,
        before,
        after,
    } in differences
    {
        match (before, after) {
            (Some(before), None) => removed.push((path, before)),
            (None, Some(after)) => made.push((path, after)),
            (before, after) => changes.push((
                before.map(|before| (path.clone(), before)),
                after.map(|after| (path, after)),
            )),
        }
    }
    let mut matches = Vec::new();
    for (from, (_, before)) in removed.iter().enumerate().take(MOST_COMPARED) {
        for (to, (_, after)) in made.iter().enumerate().take(MOST_COMPARED) {
            let alike = likeness(&before.bytes, &after.bytes);
            if alike >= RENAMED {
                matches.push((alike, from, to));
            }
        }
    }
    matches.sort_by_key(|(alike, from, to)| (std::cmp::Reverse(*alike), *from, *to));
    let mut removed: Vec<_> = removed.into_iter().map(Some).collect();
    let mut made: Vec<_> = made.into_iter().map(Some).collect();
    for (_, from, to) in matches {
        if removed[from].is_some() && made[to].is_some() {
            changes.push((removed[from].take(), made[to].take()));
        }
    }
    changes.extend(
        removed
            .into_iter()
            .flatten()
            .map(|removed| (Some(removed), None)),
    );
    changes.extend(made.into_iter().flatten().map(|made| (None, Some(made))));
    changes
}

/// How much of two files is the same, in percent; blank ones are alike to nothing.
fn likeness(before: &[u8], after: &[u8]) -> usize {
    if before.trim_ascii().is_empty() {
        return 0;
    }
    if before == after {
        return 100;
    }
    let (Some(before), Some(after)) = (Text::of(before), Text::of(after)) else {
        return 0;
    };
    let (before, after) = (Lines::of(&before.source), Lines::of(&after.source));
    let changed: usize = hunks(&before, &after)
        .iter()
        .map(|hunk| hunk.old.len())
        .sum();
    (before.len() - changed) * 200 / (before.len() + after.len()).max(1)
}

fn file((before, after): Change, contents: &mut Contents) -> Option<FileRecord> {
    let change = match (&before, &after) {
        (None, _) => FileChange::Create,
        (_, None) => FileChange::Delete,
        (Some((was, _)), Some((is, _))) if was != is => FileChange::Rename,
        (Some((_, was)), Some((_, is))) if was.bytes == is.bytes => FileChange::Mode,
        _ => FileChange::Edit,
    };
    let old = before.as_ref().map(|(_, side)| Text::of(&side.bytes));
    let new = after.as_ref().map(|(_, side)| Text::of(&side.bytes));
    let is_text = [&old, &new].into_iter().flatten().all(Option::is_some);
    let (old, new) = (old.flatten(), new.flatten());
    let mut after = after;
    let mut lines = Vec::new();
    let mut other_mode = false;
    if let (Some((_, was)), Some((_, is))) = (&before, &mut after) {
        is.mode = kept_mode(was.mode, is.mode);
        other_mode = is.mode != was.mode;
        if let (true, Some(old), Some(new)) = (is_text, &old, &new) {
            let kept = keep_form(&old.source, &new.source);
            is.bytes = old.with(&kept);
            lines = line_hunks(&old.source, &kept);
        }
    } else if let Some((_, made)) = &mut after {
        made.mode = kept_mode(0o644, made.mode);
    }
    let whole = match change {
        FileChange::Create | FileChange::Delete | FileChange::Rename => true,
        FileChange::Edit | FileChange::Mode => other_mode || !is_text,
    };
    let same = before.as_ref().zip(after.as_ref());
    let same = same.is_some_and(|((was, old), (is, new))| was == is && old == new);
    if same {
        return None;
    }
    let whole = whole.then(whole_file);
    let mut state = |(path, side): (String, Side)| {
        let hash = version(&side.bytes);
        contents.insert(hash.clone(), side.bytes.into());
        FileState {
            path,
            hash,
            mode: side.mode,
        }
    };
    let (before, after) = (before.map(&mut state), after.map(&mut state));
    let change = match change {
        FileChange::Edit if lines.is_empty() && is_text => FileChange::Mode,
        change => change,
    };
    Some(FileRecord {
        change,
        before,
        after,
        is_text,
        hunks: whole.into_iter().chain(lines).collect(),
        stands: Vec::new(),
    })
}

/// The mode a file has after its content was written anew by a program that only knows whether it can be run.
fn kept_mode(was: u32, is: u32) -> u32 {
    match (was & RUN != 0, is & RUN != 0) {
        (false, true) => was | (was & 0o444) >> 2,
        (true, false) => was & !RUN,
        _ => was,
    }
}

fn line_hunks(old: &str, new: &str) -> Vec<HunkRecord> {
    let (old, new) = (Lines::of(old), Lines::of(new));
    hunks(&old, &new)
        .into_iter()
        .map(|Hunk { old: was, new: is }| HunkRecord {
            old_bytes: short(old.bytes(was.clone())),
            new_bytes: short(new.bytes(is.clone())),
            old_lines: short(was),
            new_lines: short(is),
            kind: HunkKind::Lines,
            ..whole_file()
        })
        .collect()
}

fn whole_file() -> HunkRecord {
    HunkRecord {
        hunk_id: fresh::id(),
        kind: HunkKind::File,
        old_lines: 0..0,
        new_lines: 0..0,
        old_bytes: 0..0,
        new_bytes: 0..0,
        state: HunkState::Open,
        text: None,
    }
}

fn short(range: Range<usize>) -> Range<u32> {
    let short = |at| u32::try_from(at).unwrap_or(u32::MAX);
    short(range.start)..short(range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(text: &str, mode: u32) -> Option<Side> {
        Some(Side {
            bytes: text.as_bytes().to_vec(),
            mode,
        })
    }

    fn difference(path: &str, before: Option<Side>, after: Option<Side>) -> Difference {
        Difference {
            path: path.to_owned(),
            before,
            after,
        }
    }

    fn proposed(differences: Vec<Difference>) -> Vec<(String, FileChange, usize)> {
        let (files, _) = propose(differences);
        let told = files
            .iter()
            .map(|file| (file.document().to_owned(), file.change, file.hunks.len()));
        told.collect()
    }

    #[test]
    fn edits_creations_deletions_renames_and_modes_are_told_apart() {
        let long = "one\ntwo\nthree\nfour\nfive\n";
        let files = proposed(vec![
            difference("a.md", side("a\n\nb\n", 0o644), side("A\n\nB\n", 0o644)),
            difference("gone.md", side("gone", 0o644), None),
            difference("made.md", None, side("made", 0o600)),
            difference("old.md", side(long, 0o644), None),
            difference("new.md", None, side(&format!("{long}six\n"), 0o644)),
            difference("run.sh", side("x", 0o640), side("x", 0o755)),
            difference("picture", side("\0one", 0o644), side("\0two", 0o644)),
        ]);
        let expected = [
            ("a.md", FileChange::Edit, 2),
            ("gone.md", FileChange::Delete, 1),
            ("made.md", FileChange::Create, 1),
            ("new.md", FileChange::Rename, 2),
            ("picture", FileChange::Edit, 1),
            ("run.sh", FileChange::Mode, 1),
        ];
        assert_eq!(
            files,
            expected.map(|(path, change, hunks)| (path.to_owned(), change, hunks))
        );
    }

    #[test]
    fn only_whether_a_file_can_be_run_is_a_change_of_its_mode() {
        assert_eq!(
            proposed(vec![difference("a", side("a", 0o600), side("a", 0o644))]),
            []
        );
        assert_eq!(kept_mode(0o640, 0o755), 0o750);
        assert_eq!(kept_mode(0o755, 0o644), 0o644);
    }

    #[test]
    fn line_ends_and_a_mark_are_kept_and_the_words_alone_differ() {
        let before = side("\u{feff}one\r\ntwo\r\n", 0o644);
        let (files, contents) = propose(vec![difference("a.md", before, side("one\n2\n", 0o644))]);
        let after = files[0].after.as_ref().unwrap();
        assert_eq!(&*contents[&after.hash], "\u{feff}one\r\n2\r\n".as_bytes());
        assert_eq!(files[0].hunks.len(), 1);
        assert_eq!(files[0].hunks[0].old_bytes, 5..10);
    }
}
