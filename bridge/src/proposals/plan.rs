//! What has to be written so that a file goes from what was expected to what is wanted, with what is really there. Pure.

use super::expected::Expected;
use super::text::Text;
use rex_shared::change::{Lines, Merge, merge};
use rex_shared::wire::proposal::ConflictSides;

/// A file as it is on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OnDisk {
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
    /// Permission bits.
    pub(super) mode: u32,
}

/// What is to be done at one path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// It is as it should be.
    Nothing,
    /// It gets this; `None` removes it.
    Write {
        /// What is to be there.
        after: Option<OnDisk>,
        /// It had changed meanwhile, and both changes are in it.
        merged: bool,
    },
    /// It was changed where it was to be changed.
    Conflict(Vec<ConflictSides>),
}

/// Decides for one path. `was` is what it should be now, `wanted` what it should become.
pub(super) fn step(
    path: &str,
    disk: Option<&OnDisk>,
    was: Option<&Expected>,
    wanted: Option<&Expected>,
) -> Step {
    let is = |expected: Option<&Expected>| match (disk, expected) {
        (Some(disk), Some(expected)) => disk.bytes == expected.bytes,
        (None, None) => true,
        _ => false,
    };
    let mode = |wanted: &Expected| match (disk, was) {
        (Some(disk), Some(was)) if was.mode == wanted.mode => disk.mode,
        _ => wanted.mode,
    };
    let write = |bytes: &[u8], mode, merged| {
        let after = OnDisk {
            bytes: bytes.to_vec(),
            mode,
        };
        match disk {
            Some(disk) if *disk == after => Step::Nothing,
            _ => Step::Write {
                after: Some(after),
                merged,
            },
        }
    };
    match wanted {
        _ if is(wanted) && wanted.is_none() => Step::Nothing,
        None if is(was) => Step::Write {
            after: None,
            merged: false,
        },
        Some(wanted) if is(was) || is(Some(wanted)) => write(&wanted.bytes, mode(wanted), false),
        Some(wanted) if was.is_some_and(|was| was.bytes == wanted.bytes) && disk.is_some() => {
            // Only the mode is to change; what is in the file is the person's.
            let bytes = disk.map_or(&wanted.bytes, |disk| &disk.bytes);
            write(bytes, mode(wanted), false)
        }
        Some(_) | None => match both(path, disk, was, wanted) {
            Ok(text) => write(&text, wanted.map_or(0o644, mode), true),
            Err(conflicts) => Step::Conflict(conflicts),
        },
    }
}

/// Both changes of a text in one, or where they meet.
fn both(
    path: &str,
    disk: Option<&OnDisk>,
    was: Option<&Expected>,
    wanted: Option<&Expected>,
) -> Result<Vec<u8>, Vec<ConflictSides>> {
    let text = |bytes: Option<&[u8]>| bytes.and_then(Text::of);
    let disk_text = text(disk.map(|disk| &*disk.bytes));
    let was_text = text(was.map(|was| &*was.bytes));
    let wanted_text = text(wanted.map(|wanted| &*wanted.bytes));
    let source = |text: &Option<Text>| {
        text.as_ref()
            .map(|text| text.source.clone())
            .unwrap_or_default()
    };
    let (Some(disk), Some(base), Some(wanted)) = (&disk_text, &was_text, &wanted_text) else {
        return Err(vec![ConflictSides {
            document: path.to_owned(),
            line: 1,
            yours: source(&disk_text),
            base: source(&was_text),
            proposed: source(&wanted_text),
        }]);
    };
    match merge(&base.source, &disk.source, &wanted.source) {
        Merge::Clean(merged) => Ok(disk.with(&merged)),
        Merge::Conflicts(conflicts) => {
            let lines = (
                Lines::of(&base.source),
                Lines::of(&disk.source),
                Lines::of(&wanted.source),
            );
            let sides = conflicts.into_iter().map(|conflict| ConflictSides {
                document: path.to_owned(),
                line: u32::try_from(conflict.ours.start + 1).unwrap_or(u32::MAX),
                yours: lines.1.text(conflict.ours).to_owned(),
                base: lines.0.text(conflict.base).to_owned(),
                proposed: lines.2.text(conflict.theirs).to_owned(),
            });
            Err(sides.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disk(text: &str) -> OnDisk {
        OnDisk {
            bytes: text.as_bytes().to_vec(),
            mode: 0o640,
        }
    }

    fn file(text: &str) -> Expected {
        Expected {
            path: "a.md".to_owned(),
            bytes: text.as_bytes().to_vec(),
            mode: 0o644,
        }
    }

    fn decided(on_disk: Option<&str>, was: Option<&str>, wanted: Option<&str>) -> Step {
        let (was, wanted) = (was.map(file), wanted.map(file));
        step(
            "a.md",
            on_disk.map(disk).as_ref(),
            was.as_ref(),
            wanted.as_ref(),
        )
    }

    fn written(text: &str, merged: bool) -> Step {
        Step::Write {
            after: Some(disk(text)),
            merged,
        }
    }

    #[test]
    fn a_file_that_is_as_expected_gets_what_is_wanted_and_keeps_its_own_mode() {
        assert_eq!(
            decided(Some("a"), Some("a"), Some("b")),
            written("b", false)
        );
        assert_eq!(decided(Some("b"), Some("a"), Some("b")), Step::Nothing);
        let removed = Step::Write {
            after: None,
            merged: false,
        };
        assert_eq!(decided(Some("a"), Some("a"), None), removed);
        assert_eq!(decided(None, Some("a"), None), Step::Nothing);
    }

    /// R26: what the person wrote meanwhile is kept, or shown as a conflict; it is never written over.
    #[test]
    fn a_file_that_moved_on_is_merged_or_left_alone() {
        let was = "one\n\ntwo\n";
        let step = decided(Some("mine\none\n\ntwo\n"), Some(was), Some("one\n\n2\n"));
        assert_eq!(step, written("mine\none\n\n2\n", true));
        let Step::Conflict(sides) = decided(Some("one\n\nmine\n"), Some(was), Some("one\n\n2\n"))
        else {
            panic!("both changed the same line");
        };
        assert_eq!(
            (sides[0].line, &*sides[0].yours, &*sides[0].proposed),
            (3, "mine\n", "2\n")
        );
        for (on_disk, was, wanted) in [
            (Some("mine"), Some("a"), None),
            (Some("mine"), None, Some("b")),
            (None, Some("a"), Some("b")),
        ] {
            assert!(matches!(decided(on_disk, was, wanted), Step::Conflict(_)));
        }
    }
}
