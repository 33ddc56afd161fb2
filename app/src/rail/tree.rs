//! The file tree as rows: which are visible, what stands on them, where the arrows go.

use rex_shared::lane::Lane;
use rex_shared::wire::document::{FileNode, Files};
use rex_shared::wire::thread::ThreadRow;
use rex_shared::wire::workspace::LaneCounts;
use std::collections::{BTreeSet, HashMap};

/// Up to this many files every folder starts open.
const SMALL: usize = 40;

/// What a row of the tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Folder {
        is_open: bool,
    },
    File,
    /// A document that has comments but no file.
    Missing,
}

/// One visible row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TreeRow {
    pub(crate) path: String,
    pub(crate) name: String,
    /// 1 is the top.
    pub(crate) level: usize,
    pub(crate) kind: Kind,
}

/// All files in the order of the tree.
pub(crate) fn paths(files: &Files) -> Vec<String> {
    fn walk(entries: &[FileNode], out: &mut Vec<String>) {
        for entry in entries {
            match &entry.children {
                Some(children) => walk(children, out),
                None => out.push(entry.path.clone()),
            }
        }
    }
    let mut out = Vec::new();
    walk(&files.entries, &mut out);
    out
}

/// The visible rows. `folders` holds what the person opened or closed; a folder that was not touched is open in a
/// small tree, and on the way to the open document.
pub(crate) fn rows(
    files: &Files,
    folders: &HashMap<String, bool>,
    open_document: Option<&str>,
) -> Vec<TreeRow> {
    let mut walk = Walk {
        files,
        folders,
        open_document,
        is_small: paths(files).len() <= SMALL,
        out: Vec::new(),
        placed: BTreeSet::new(),
    };
    walk.entries(&files.entries, "", 1);
    let homeless = files
        .missing
        .iter()
        .filter(|path| !walk.placed.contains(path.as_str()));
    let homeless: Vec<_> = homeless
        .map(|path| TreeRow {
            path: path.clone(),
            name: path.clone(),
            level: 1,
            kind: Kind::Missing,
        })
        .collect();
    walk.out.extend(homeless);
    walk.out
}

struct Walk<'a> {
    files: &'a Files,
    folders: &'a HashMap<String, bool>,
    open_document: Option<&'a str>,
    is_small: bool,
    out: Vec<TreeRow>,
    /// Missing documents whose folder exists, shown or not.
    placed: BTreeSet<&'a str>,
}

impl<'a> Walk<'a> {
    fn entries(&mut self, entries: &'a [FileNode], folder: &str, level: usize) {
        for entry in entries {
            let kind = match &entry.children {
                Some(_) => Kind::Folder {
                    is_open: self.is_open(&entry.path),
                },
                None => Kind::File,
            };
            self.out.push(TreeRow {
                path: entry.path.clone(),
                name: entry.name.clone(),
                level,
                kind,
            });
            if let Some(children) = &entry.children {
                let before = self.out.len();
                self.entries(children, &entry.path, level + 1);
                if kind == (Kind::Folder { is_open: false }) {
                    self.out.truncate(before);
                }
            }
        }
        for path in &self.files.missing {
            let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
            if parent == folder {
                self.placed.insert(path);
                self.out.push(TreeRow {
                    path: path.clone(),
                    name: name.to_owned(),
                    level,
                    kind: Kind::Missing,
                });
            }
        }
    }

    fn is_open(&self, folder: &str) -> bool {
        let is_on_the_way = || {
            self.open_document
                .and_then(|path| path.strip_prefix(folder))
                .is_some_and(|rest| rest.starts_with('/'))
        };
        match self.folders.get(folder) {
            Some(chosen) => *chosen,
            None => self.is_small || is_on_the_way(),
        }
    }
}

/// Threads in each lane for every document and folder. A thread counts once on each, however many places it has there.
pub(super) fn lanes_by_path<'a>(
    threads: impl IntoIterator<Item = &'a ThreadRow>,
) -> HashMap<String, LaneCounts> {
    let mut counts: HashMap<String, LaneCounts> = HashMap::new();
    for thread in threads {
        let mut paths = BTreeSet::new();
        for place in &thread.places {
            let mut path = place.document.as_str();
            paths.insert(path);
            while let Some((folder, _)) = path.rsplit_once('/') {
                paths.insert(folder);
                path = folder;
            }
        }
        for path in paths {
            let counts = counts.entry(path.to_owned()).or_default();
            *match thread.lane {
                Lane::Draft => &mut counts.draft,
                Lane::Note => &mut counts.note,
                Lane::Open => &mut counts.open,
                Lane::Gone => &mut counts.gone,
                Lane::Resolved => &mut counts.resolved,
            } += 1;
        }
    }
    counts
}

/// What a key does in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// This row gets focus.
    Focus(String),
    /// This folder opens or closes.
    Fold(String, bool),
}

/// Where an arrow goes from the row at `path`, as trees do everywhere: right opens or goes in, left closes or goes out.
pub(super) fn step(rows: &[TreeRow], path: &str, key: &str) -> Option<Step> {
    let at = rows.iter().position(|row| row.path == path)?;
    let row = rows.get(at)?;
    let to = match (key, row.kind) {
        ("ArrowDown", _) => rows.get(at + 1)?,
        ("ArrowUp", _) => rows.get(at.checked_sub(1)?)?,
        ("Home", _) => rows.first()?,
        ("End", _) => rows.last()?,
        ("ArrowRight", Kind::Folder { is_open: false }) => {
            return Some(Step::Fold(path.to_owned(), true));
        }
        ("ArrowRight", Kind::Folder { is_open: true }) => {
            rows.get(at + 1).filter(|next| next.level > row.level)?
        }
        ("ArrowLeft", Kind::Folder { is_open: true }) => {
            return Some(Step::Fold(path.to_owned(), false));
        }
        ("ArrowLeft", _) => rows
            .get(..at)?
            .iter()
            .rev()
            .find(|before| before.level < row.level)?,
        _ => return None,
    };
    Some(Step::Focus(to.path.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> FileNode {
        FileNode {
            name: path.rsplit('/').next().unwrap().to_owned(),
            path: path.to_owned(),
            children: None,
            threads: 0,
        }
    }

    fn folder(path: &str, children: Vec<FileNode>) -> FileNode {
        FileNode {
            children: Some(children),
            ..file(path)
        }
    }

    fn files() -> Files {
        Files {
            entries: vec![
                folder(
                    "docs",
                    vec![
                        folder("docs/api", vec![file("docs/api/a.md")]),
                        file("docs/b.md"),
                    ],
                ),
                file("README.md"),
            ],
            missing: vec!["docs/lost.md".to_owned(), "old/lost.md".to_owned()],
            renames: Vec::new(),
            truncated: false,
        }
    }

    fn shown(rows: &[TreeRow]) -> Vec<&str> {
        rows.iter().map(|row| row.path.as_str()).collect()
    }

    #[test]
    fn missing_documents_stand_where_they_were() {
        let rows = rows(&files(), &HashMap::new(), None);
        assert_eq!(
            shown(&rows),
            [
                "docs",
                "docs/api",
                "docs/api/a.md",
                "docs/b.md",
                "docs/lost.md",
                "README.md",
                "old/lost.md"
            ]
        );
        assert_eq!(rows[4].kind, Kind::Missing);
        assert_eq!(rows[6].name, "old/lost.md", "its folder is gone too");
    }

    #[test]
    fn arrows_open_go_in_go_out_and_close() {
        let mut folders = HashMap::from([("docs".to_owned(), false)]);
        let closed = rows(&files(), &folders, None);
        assert_eq!(shown(&closed), ["docs", "README.md", "old/lost.md"]);
        assert_eq!(
            step(&closed, "docs", "ArrowRight"),
            Some(Step::Fold("docs".to_owned(), true))
        );

        folders.insert("docs".to_owned(), true);
        let open = rows(&files(), &folders, None);
        let focus = |path: &str| Some(Step::Focus(path.to_owned()));
        assert_eq!(step(&open, "docs", "ArrowRight"), focus("docs/api"));
        assert_eq!(step(&open, "docs/b.md", "ArrowLeft"), focus("docs"));
        assert_eq!(
            step(&open, "docs", "ArrowLeft"),
            Some(Step::Fold("docs".to_owned(), false))
        );
        assert_eq!(step(&open, "docs", "ArrowUp"), None);
        assert_eq!(step(&open, "docs", "End"), focus("old/lost.md"));
    }

    #[test]
    fn a_thread_counts_once_in_each_document_and_folder() {
        use crate::model::fixture;
        let mut row = fixture::row(1, 0);
        row.places = ["docs/api/a.md", "docs/api/a.md", "docs/b.md"]
            .map(fixture::place_in)
            .to_vec();
        let counts = lanes_by_path([&row]);
        for path in ["docs", "docs/api", "docs/api/a.md", "docs/b.md"] {
            assert_eq!(counts[path].open, 1, "{path}");
        }
    }
}
