//! Whether anything changed: one hash over the files that the page is made from.

use anyhow::Context as _;
use std::path::{Path, PathBuf};

/// What the page is made from, below the workspace's root.
const INPUTS: [&str; 8] = [
    "app",
    "shared",
    "style",
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    ".cargo/config.toml",
    "clippy.toml",
];

/// Hash of names and contents of all inputs.
pub fn of_inputs(workspace: &Path) -> anyhow::Result<String> {
    let mut files = Vec::new();
    for input in INPUTS {
        collect(&workspace.join(input), &mut files)?;
    }
    files.sort();
    let mut hasher = blake3::Hasher::new();
    for file in files {
        let content =
            std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let name = file.strip_prefix(workspace).unwrap_or(&file);
        hasher.update(name.as_os_str().as_encoded_bytes());
        hasher.update(&(content.len() as u64).to_le_bytes());
        hasher.update(&content);
    }
    Ok(hasher.finalize().to_hex().to_string())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if path.is_dir() {
        for entry in std::fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else if path.is_file() {
        files.push(path.to_path_buf());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_changes_with_a_content_and_with_a_name() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("app")).unwrap();
        std::fs::write(folder.path().join("app/a.rs"), "x").unwrap();
        let first = of_inputs(folder.path()).unwrap();
        assert_eq!(first, of_inputs(folder.path()).unwrap());
        std::fs::write(folder.path().join("app/a.rs"), "y").unwrap();
        let second = of_inputs(folder.path()).unwrap();
        std::fs::rename(
            folder.path().join("app/a.rs"),
            folder.path().join("app/b.rs"),
        )
        .unwrap();
        let third = of_inputs(folder.path()).unwrap();
        assert!(first != second && second != third);
    }
}
