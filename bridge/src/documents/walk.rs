//! The file tree: what a workspace holds, without what its `.gitignore` files leave out.
//!
//! Folders are opened beneath the root, one inside the other, following no link. Links are not listed: the file they
//! lead to is, if it is inside. Dot-files are listed, git's own folder is not. Folders without a file are left out.

use crate::workspaces::ignored::{self, Ignored};
use crate::workspaces::name;
use crate::workspaces::root::{Refused, Root, open_folder};
use rex_shared::wire::document::FileNode;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use std::fs::File;
use std::io::Read as _;
use std::os::fd::OwnedFd;

/// Entries of a tree at most; what is more is left out and said.
pub(super) const MOST_ENTRIES: usize = 20_000;
/// Folders inside one another at most: the reader of JSON gives up at 127 nested values, and a folder costs two.
const DEEPEST: usize = 48;

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// The entries at the top, folders first.
    pub(super) entries: Vec<FileNode>,
    /// Link-free paths of all folders that are not ignored, the root (the empty path) first.
    pub(super) folders: Vec<String>,
    /// Whether there is more than this.
    pub(super) truncated: bool,
}

/// Walks a workspace. Takes a while for a big one: off the async threads.
pub(super) fn walk(root: &Root, most: usize) -> Result<Walk, Refused> {
    let top = root.folder("")?;
    let mut walker = Walker {
        walk: Walk::default(),
        left: most,
        ignored: Ignored::default(),
    };
    walker.ignored.enter("", exclude_file(&top).as_deref());
    walker.walk.entries = walker.folder(&top, "", 1);
    Ok(walker.walk)
}

struct Walker {
    walk: Walk,
    left: usize,
    ignored: Ignored,
}

impl Walker {
    /// The entries of one folder; what cannot be read is left out.
    fn folder(&mut self, folder: &OwnedFd, prefix: &str, depth: usize) -> Vec<FileNode> {
        self.walk
            .folders
            .push(prefix.strip_suffix('/').unwrap_or_default().to_owned());
        let rules = ignore_file(folder, ".gitignore");
        let had = self.ignored.enter(prefix, rules.as_deref());
        let (mut folders, mut files) = (Vec::new(), Vec::new());
        for (name, is_folder) in names(folder) {
            let path = format!("{prefix}{name}");
            if name::is_git(&name) || self.ignored.holds(&path, is_folder) {
                continue;
            }
            if self.left == 0 || (is_folder && depth >= DEEPEST) {
                self.walk.truncated = true;
                continue;
            }
            self.left -= 1;
            let to = if is_folder { &mut folders } else { &mut files };
            to.push(FileNode {
                name,
                path,
                children: None,
                threads: 0,
            });
        }
        // A folder's own files count before what is further in, so that a tree is cut at its far ends.
        let mut entries = Vec::with_capacity(folders.len() + files.len());
        for mut node in folders {
            let Ok(inside) = open_folder(folder, node.name.as_str()) else {
                continue;
            };
            let children = self.folder(&inside, &format!("{}/", node.path), depth + 1);
            if !children.is_empty() {
                node.children = Some(children);
                entries.push(node);
            }
        }
        entries.append(&mut files);
        self.ignored.leave(had);
        entries
    }
}

/// The names of a folder's files and folders, by name without regard to case; files first.
pub(super) fn names(folder: &OwnedFd) -> Vec<(String, bool)> {
    let Ok(entries) = Dir::read_from(folder) else {
        return Vec::new();
    };
    let mut names: Vec<(String, bool)> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| {
            // No page can ask for a name that is not UTF-8.
            let name = entry.file_name().to_str().ok()?;
            if matches!(name, "." | "..") {
                return None;
            }
            let kind = match entry.file_type() {
                FileType::Unknown => {
                    let stat = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
                    FileType::from_raw_mode(stat.st_mode)
                }
                known => known,
            };
            match kind {
                FileType::Directory => Some((name.to_owned(), true)),
                FileType::RegularFile => Some((name.to_owned(), false)),
                _ => None,
            }
        })
        .collect();
    names.sort_by_cached_key(|(name, is_folder)| (*is_folder, name.to_lowercase(), name.clone()));
    names
}

fn exclude_file(top: &OwnedFd) -> Option<Vec<u8>> {
    let git = open_folder(top, ".git").ok()?;
    let info = open_folder(&git, "info").ok()?;
    ignore_file(&info, "exclude")
}

/// What an ignore file says, if there is one.
fn ignore_file(folder: &OwnedFd, name: &str) -> Option<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::openat(folder, name, flags, Mode::empty()).ok()?);
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(ignored::LONGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;

    fn tree(files: &[(&str, &str)], most: usize) -> (TempDir, Walk) {
        let folder = TempDir::new().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        symlink("/etc", folder.path().join("etc")).unwrap();
        symlink("a.md", folder.path().join("link.md")).unwrap();
        let walk = walk(&Root::open(folder.path()).unwrap(), most).unwrap();
        (folder, walk)
    }

    fn paths(entries: &[FileNode]) -> Vec<&str> {
        entries
            .iter()
            .flat_map(|entry| match &entry.children {
                Some(children) => paths(children),
                None => vec![entry.path.as_str()],
            })
            .collect()
    }

    #[test]
    fn the_tree_leaves_out_what_git_ignores() {
        let (_folder, walk) = tree(
            &[
                (".git/config", ""),
                (".git/info/exclude", "secret.md\n"),
                (
                    ".gitignore",
                    "\u{feff}target/\n*.log\n!keep.log\n/top.md\n\\[odd\n[bad\n",
                ),
                ("a.md", ""),
                ("B.md", ""),
                ("docs/z.md", ""),
                ("docs/.gitignore", "!z.log\nmine.md\n"),
                ("docs/mine.md", ""),
                ("docs/z.log", ""),
                ("docs/other.log", ""),
                ("docs/top.md", ""),
                ("mine.md", ""),
                ("keep.log", ""),
                ("x.log", ""),
                ("top.md", ""),
                ("secret.md", ""),
                ("[odd", ""),
                ("target/out.md", ""),
                ("src/target/out.md", ""),
                ("empty/target/x", ""),
            ],
            MOST_ENTRIES,
        );
        assert_eq!(
            paths(&walk.entries),
            [
                "docs/.gitignore",
                "docs/top.md",
                "docs/z.log",
                "docs/z.md",
                ".gitignore",
                "a.md",
                "B.md",
                "keep.log",
                "mine.md",
            ]
        );
        assert_eq!(walk.folders, ["", "docs", "empty", "src"]);
        assert!(!walk.truncated);
    }

    #[test]
    fn a_tree_that_is_too_big_or_too_deep_is_cut_and_says_so() {
        let (_folder, walk) = tree(&[("a.md", ""), ("b.md", ""), ("c.md", "")], 2);
        assert_eq!(paths(&walk.entries), ["a.md", "b.md"]);
        assert!(walk.truncated);
        let deep = "d/".repeat(60) + "x.md";
        let (_folder, walk) = tree(&[(deep.as_str(), ""), ("a.md", "")], MOST_ENTRIES);
        assert_eq!(paths(&walk.entries), ["a.md"]);
        assert!(walk.truncated);
    }
}
