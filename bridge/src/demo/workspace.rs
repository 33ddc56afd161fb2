//! Reading the workspace and writing into it, and nothing outside it.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Bounds that keep an answer quick in a large folder.
const MAX_FILES: usize = 400;
const MAX_BYTES: u64 = 512 * 1024;

/// The folder the agent was started for.
pub(super) struct Workspace(PathBuf);

/// A text file of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Document {
    /// Relative, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

impl Workspace {
    pub(super) fn at(folder: &Path) -> Self {
        Self(folder.canonicalize().unwrap_or_else(|_| folder.to_owned()))
    }

    /// A document by its path in the workspace; `None` when it is no text, too large, or not inside.
    pub(super) fn read(&self, path: &str) -> Option<Document> {
        let relative = Path::new(path);
        let inside = relative
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let file = self.0.join(relative).canonicalize().ok()?;
        if !inside || !file.starts_with(&self.0) {
            return None;
        }
        let data = file.metadata().ok()?;
        if !data.is_file() || data.len() > MAX_BYTES {
            return None;
        }
        Some(Document {
            path: path.to_owned(),
            text: String::from_utf8(fs::read(file).ok()?).ok()?,
        })
    }

    /// Writes a text, or removes it; nothing outside the folder.
    pub(super) fn put(&self, path: &str, text: Option<&str>) -> io::Result<()> {
        let relative = Path::new(path);
        let inside = relative
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        let file = self.0.join(relative);
        let folder = file.parent().filter(|_| inside).unwrap_or(&self.0);
        if text.is_some() {
            fs::create_dir_all(folder)?;
        }
        if !inside || !folder.canonicalize()?.starts_with(&self.0) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        match text {
            Some(text) => fs::write(file, text),
            None => fs::remove_file(file),
        }
    }

    /// Its text files in the order of their paths, without what git ignores.
    pub(super) fn documents(&self) -> Vec<Document> {
        let mut paths: Vec<String> = ignore::WalkBuilder::new(&self.0)
            .require_git(false)
            // A private copy lies in REX's own home, which no git may take anything of.
            .parents(false)
            .sort_by_file_name(|one, other| one.cmp(other))
            .build()
            .filter_map(Result::ok)
            .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
            .filter_map(|entry| {
                let relative = entry.path().strip_prefix(&self.0).ok()?;
                Some(relative.to_str()?.to_owned())
            })
            .take(MAX_FILES)
            .collect();
        paths.sort();
        paths.iter().filter_map(|path| self.read(path)).collect()
    }
}

impl Document {
    /// The lines `first..=last`, counted from 1.
    pub(super) fn lines(&self, first: u32, last: u32) -> Vec<&str> {
        let skipped = first.saturating_sub(1) as usize;
        let count = (last.saturating_sub(first) as usize).saturating_add(1);
        self.text.lines().skip(skipped).take(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_texts_inside_the_workspace_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("workspace");
        fs::create_dir_all(root.join("docs")).unwrap();
        fs::write(root.join("docs/a.md"), "one\ntwo\nthree\n").unwrap();
        fs::write(root.join("picture"), b"\xff\xfe\x00").unwrap();
        fs::write(root.join(".gitignore"), "target\n").unwrap();
        fs::create_dir(root.join("target")).unwrap();
        fs::write(root.join("target/out.txt"), "built").unwrap();
        fs::write(folder.path().join("secret"), "outside").unwrap();
        std::os::unix::fs::symlink(folder.path().join("secret"), root.join("link")).unwrap();

        let workspace = Workspace::at(&root);
        let document = workspace.read("docs/a.md").unwrap();
        assert_eq!(document.lines(2, 3), ["two", "three"]);
        for outside in [
            "../secret",
            "/etc/hostname",
            "link",
            "docs",
            "picture",
            "absent",
        ] {
            assert_eq!(workspace.read(outside), None, "{outside}");
        }
        let paths: Vec<String> = workspace
            .documents()
            .into_iter()
            .map(|document| document.path)
            .collect();
        assert_eq!(paths, ["docs/a.md"]);
    }
}
