//! What several files need together: each brought from what is expected to what is wanted, with what is really there.

use super::act::Contents;
use super::expected::Expected;
use super::plan::{OnDisk, Step, step};
use super::writing::{self, Found, hash, nearest_folder};
use crate::documents::version;
use crate::store::{Content, FileWrite};
use crate::workspaces::Root;
use rex_shared::wire::problem::Problem;
use rex_shared::wire::proposal::{ConflictSides, Written};

/// What is to be written, and what stands in the way.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) writes: Vec<FileWrite>,
    pub(super) contents: Contents,
    pub(super) written: Vec<Written>,
    pub(super) conflicts: Vec<ConflictSides>,
}

impl Plan {
    /// Brings one file from what is expected to what is wanted. Blocks.
    pub(super) fn file(
        &mut self,
        root: &Root,
        was: Option<&Expected>,
        wanted: Option<&Expected>,
    ) -> Result<(), Problem> {
        match (was, wanted) {
            (Some(from), Some(to)) if from.path != to.path => self.renamed(root, from, to),
            (None, None) => Ok(()),
            _ => {
                let path = was.or(wanted).map_or("", |file| &file.path);
                self.path(root, path, was, wanted)
            }
        }
    }

    pub(super) fn path(
        &mut self,
        root: &Root,
        path: &str,
        was: Option<&Expected>,
        wanted: Option<&Expected>,
    ) -> Result<(), Problem> {
        let found = writing::read(root, path)?;
        match step(path, on_disk(found.as_ref()).as_ref(), was, wanted) {
            Step::Nothing => {}
            Step::Conflict(sides) => self.conflicts.extend(sides),
            Step::Write { after, merged } => {
                // What a link leads to is written, and the link stays.
                let path = found.as_ref().map_or(path, |found| &found.path).to_owned();
                self.write(root, &path, found, after, merged);
            }
        }
        Ok(())
    }

    /// The new path gets what the old one would have got, and the old one goes.
    fn renamed(&mut self, root: &Root, from: &Expected, to: &Expected) -> Result<(), Problem> {
        let old = writing::read(root, &from.path)?;
        let here = on_disk(old.as_ref());
        let there = writing::read(root, &to.path)?;
        let (content, merged) = match step(&from.path, here.as_ref(), Some(from), Some(to)) {
            Step::Nothing => (here, false),
            Step::Write { after, merged } => (after, merged),
            Step::Conflict(sides) => {
                self.conflicts.extend(sides);
                return Ok(());
            }
        };
        let taken = there.as_ref().map(|there| &there.bytes);
        if taken.is_some() && taken != content.as_ref().map(|content| &content.bytes) {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            self.conflicts.push(ConflictSides {
                document: to.path.clone(),
                line: 1,
                yours: taken.map(|bytes| text(bytes)).unwrap_or_default(),
                base: String::new(),
                proposed: text(&to.bytes),
            });
            return Ok(());
        }
        if there.is_none() {
            self.write(root, &to.path, None, content, merged);
        }
        if old.is_some() {
            self.write(root, &from.path, old, None, false);
        }
        Ok(())
    }

    fn write(
        &mut self,
        root: &Root,
        path: &str,
        before: Option<Found>,
        after: Option<OnDisk>,
        merged: bool,
    ) {
        let folder = nearest_folder(root, path);
        let before = before.map(|found| {
            let content = Content {
                hash: hash(&found),
                mode: found.mode,
            };
            self.contents
                .insert(content.hash.clone(), found.bytes.into());
            content
        });
        let after = after.map(|file| {
            let content = Content {
                hash: version(&file.bytes),
                mode: file.mode,
            };
            self.contents
                .insert(content.hash.clone(), file.bytes.into());
            content
        });
        self.written.push(Written {
            document: path.to_owned(),
            version: after.as_ref().map(|content| content.hash.clone()),
            merged,
        });
        self.writes.push(FileWrite {
            path: path.to_owned(),
            before,
            after,
            // The name itself follows from the act.
            staged_as: if folder.is_empty() {
                String::new()
            } else {
                format!("{folder}/")
            },
        });
    }
}

fn on_disk(found: Option<&Found>) -> Option<OnDisk> {
    found.map(|found| OnDisk {
        bytes: found.bytes.clone(),
        mode: found.mode,
    })
}
