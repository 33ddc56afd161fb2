//! What is to be reviewed, and which home keeps the review.

use crate::{home, sample};
use anyhow::{Context as _, bail};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A review about to begin.
pub(super) struct Target {
    /// The folder, with links followed.
    pub(super) folder: PathBuf,
    /// The document to show, by workspace-relative path.
    pub(super) document: Option<String>,
    /// `$REX_HOME`. It may not exist yet.
    pub(super) home: PathBuf,
    /// The folder around a sample and its home. Dropped, both are removed.
    _around: Option<TempDir>,
}

/// Finds out what `path` means: a folder, a folder by one of its files, or left out the sample.
pub(super) fn find(path: Option<&Path>, named_home: Option<&Path>) -> anyhow::Result<Target> {
    let Some(path) = path else {
        return unpack_sample(named_home);
    };
    let real = path
        .canonicalize()
        .with_context(|| format!("{} cannot be opened", path.display()))?;
    let (folder, document) = if real.is_dir() {
        (real, None)
    } else {
        let name = real.file_name().and_then(|name| name.to_str());
        let (Some(folder), Some(name)) = (real.parent(), name) else {
            bail!(
                "{} is neither a folder nor a file with a name in UTF-8",
                path.display()
            );
        };
        (folder.to_owned(), Some(name.to_owned()))
    };
    Ok(Target {
        folder,
        document,
        home: home::locate(named_home)?,
        _around: None,
    })
}

/// The sample in a fresh folder. Its home lies beside it and goes with it, unless one was named: that will know the
/// folder again, so then the folder stays.
fn unpack_sample(named_home: Option<&Path>) -> anyhow::Result<Target> {
    let around = tempfile::Builder::new().prefix("rex-sample-").tempdir()?;
    let root = around.path().canonicalize()?;
    let folder = root.join("sample");
    std::fs::create_dir(&folder)?;
    sample::unpack(&folder).context("the sample could not be unpacked")?;
    let (home, around) = match named_home {
        Some(_) => {
            drop(around.keep());
            (home::locate(named_home)?, None)
        }
        None => (root.join("home"), Some(around)),
    };
    Ok(Target {
        folder,
        document: Some(sample::FIRST.to_owned()),
        home,
        _around: around,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_opens_its_folder_and_that_document() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().canonicalize().unwrap();
        std::fs::write(folder.join("api.md"), "# API").unwrap();
        let target = find(Some(&folder.join("api.md")), None).unwrap();
        assert_eq!(target.folder, folder);
        assert_eq!(target.document.as_deref(), Some("api.md"));
        assert!(find(Some(Path::new("/no/such/folder")), None).is_err());
    }

    #[test]
    fn the_sample_has_a_home_of_its_own_that_lies_apart_and_both_go_with_it() {
        let sample = find(None, None).unwrap();
        home::keep_apart(&sample.home, &sample.folder).unwrap();
        assert!(sample.folder.join("pricing.md").exists());
        let folder = sample.folder.clone();
        drop(sample);
        assert!(!folder.exists());
    }
}
