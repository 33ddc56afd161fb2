//! The workspace's own text files.

use anyhow::Context as _;
use std::path::Path;

/// One text file, by its path from the root with `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Path from the root.
    pub path: String,
    /// Content.
    pub text: String,
}

impl Source {
    /// Whether it is a Rust file below one of `folders`.
    pub fn is_rust_in(&self, folders: &[&str]) -> bool {
        self.path.ends_with(".rs") && folders.iter().any(|folder| self.path.starts_with(folder))
    }

    /// Lines of code without tests and comments, with their numbers from 1.
    ///
    /// Everything from `#[cfg(test)]` on counts as tests, and so does a file whose name ends in `tests.rs`, or one below a folder `tests`.
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let all_tests = self.path.ends_with("tests.rs") || self.path.contains("/tests/");
        self.text
            .lines()
            .take_while(move |_| !all_tests)
            .take_while(|line| line.trim() != "#[cfg(test)]")
            .enumerate()
            .map(|(at, line)| (at + 1, line))
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
    }
}

const ENDINGS: [&str; 7] = [".rs", ".ts", ".css", ".sql", ".md", ".toml", ".txt"];
const SKIPPED: [&str; 4] = ["target", "node_modules", ".git", "test-results"];

/// Reads every text file below `root` that is the project's own.
pub fn all(root: &Path) -> anyhow::Result<Vec<Source>> {
    let mut sources = Vec::new();
    collect(root, root, &mut sources)?;
    sources.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(sources)
}

fn collect(root: &Path, folder: &Path, sources: &mut Vec<Source>) -> anyhow::Result<()> {
    for entry in
        std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            if !SKIPPED.contains(&name.as_str()) {
                collect(root, &path, sources)?;
            }
        } else if ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            let path = path
                .strip_prefix(root)
                .unwrap_or(&path)
                .to_string_lossy()
                .replace('\\', "/");
            sources.push(Source { path, text });
        }
    }
    Ok(())
}
