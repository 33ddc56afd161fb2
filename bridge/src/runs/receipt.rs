//! What a run did to the disk: the workspace's unignored files before and after.
//!
//! Compared by what the file system says of them, never by their content. Deliberately absent: a guess who did it.

use ignore::WalkBuilder;
use rex_shared::wire::agent::Sandbox;
use rex_shared::wire::message::Receipt;
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::Path;

/// Paths a receipt names at most.
const MOST: usize = 1_000;

/// What a run that was kept from writing by `sandbox` did. A difference that such a run cannot have made is not laid to
/// it; what it could have made all the same is.
pub fn between(before: &DiskState, after: &DiskState, sandbox: Sandbox) -> Receipt {
    let could_have = match sandbox {
        Sandbox::Bubblewrap => false,
        Sandbox::Landlock => before.is_marked_otherwise(after),
        Sandbox::None => true,
    };
    Receipt {
        enforced: !could_have,
        changed: before.changed(after),
    }
}

/// The state of a folder at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiskState(BTreeMap<String, FileState>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct FileState {
    size: u64,
    /// Modification and change time, inode and mode where the system has them.
    marks: [i64; 6],
}

impl DiskState {
    /// Looks at the unignored files below `root` and at what names `.git`'s history. Blocks on the disk.
    pub fn of(root: &Path) -> Self {
        let mut files = BTreeMap::new();
        let walk = WalkBuilder::new(root)
            .hidden(false)
            .require_git(false)
            .filter_entry(|entry| entry.file_name() != ".git")
            .build();
        let git = WalkBuilder::new(root.join(".git"))
            .standard_filters(false)
            .filter_entry(|entry| {
                // The folder itself, its HEAD and index, and everything that refs hold.
                let name = entry.file_name();
                entry.depth() != 1
                    || ["HEAD", "index", "packed-refs", "refs"]
                        .iter()
                        .any(|kept| name == *kept)
            })
            .build();
        // A file that vanishes while it is looked at is simply not there.
        for entry in walk.chain(git).flatten() {
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            if metadata.is_dir() {
                continue;
            }
            let Ok(path) = entry.path().strip_prefix(root) else {
                continue;
            };
            files.insert(
                path.to_string_lossy().replace('\\', "/"),
                FileState::of(&metadata),
            );
        }
        Self(files)
    }

    /// Paths that differ between `self` and a later state, made, changed or removed.
    pub fn changed(&self, later: &Self) -> Vec<String> {
        let gone = self.0.keys().filter(|path| !later.0.contains_key(*path));
        let made = later
            .0
            .iter()
            .filter(|(path, state)| self.0.get(*path) != Some(state))
            .map(|(path, _)| path);
        let mut changed: Vec<String> = gone.chain(made).cloned().collect();
        changed.sort_unstable();
        changed.truncate(MOST);
        changed
    }

    /// Whether a file is the same and as long as before, and only its mode or times differ.
    fn is_marked_otherwise(&self, later: &Self) -> bool {
        self.0.iter().any(|(path, state)| {
            let now = later.0.get(path);
            now.is_some_and(|now| {
                state != now && (state.size, state.inode()) == (now.size, now.inode())
            })
        })
    }
}

impl FileState {
    fn inode(&self) -> i64 {
        let [_, _, _, _, inode, _] = self.marks;
        inode
    }

    #[cfg(unix)]
    fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self {
            size: metadata.len(),
            marks: [
                metadata.mtime(),
                metadata.mtime_nsec(),
                metadata.ctime(),
                metadata.ctime_nsec(),
                metadata.ino().cast_signed(),
                i64::from(metadata.mode()),
            ],
        }
    }

    #[cfg(not(unix))]
    fn of(metadata: &Metadata) -> Self {
        let modified = metadata
            .modified()
            .ok()
            .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok())
            .unwrap_or_default();
        Self {
            size: metadata.len(),
            marks: [
                modified.as_secs().cast_signed(),
                i64::from(modified.subsec_nanos()),
                0,
                0,
                0,
                0,
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::time::Duration;

    #[test]
    fn looking_twice_finds_nothing_and_a_change_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join(".git/refs/heads")).unwrap();
        fs::create_dir_all(root.join(".git/objects")).unwrap();
        fs::create_dir_all(root.join("docs")).unwrap();
        for path in [
            "docs/a.md",
            "docs/b.md",
            ".git/HEAD",
            ".git/refs/heads/main",
            "big.log",
        ] {
            fs::write(root.join(path), "text").unwrap();
        }
        fs::write(root.join(".gitignore"), "*.log\n").unwrap();
        let before = DiskState::of(root);
        assert_eq!(before.changed(&DiskState::of(root)), Vec::<String>::new());

        fs::write(root.join("docs/a.md"), "longer text").unwrap();
        fs::remove_file(root.join("docs/b.md")).unwrap();
        fs::write(root.join("docs/c.md"), "new").unwrap();
        fs::write(root.join(".git/refs/heads/main"), "other").unwrap();
        fs::write(root.join(".git/objects/aa"), "object").unwrap();
        fs::write(root.join("big.log"), "more").unwrap();
        assert_eq!(
            before.changed(&DiskState::of(root)),
            [
                ".git/refs/heads/main",
                "docs/a.md",
                "docs/b.md",
                "docs/c.md"
            ]
        );
    }

    #[test]
    fn a_difference_is_laid_to_a_run_that_could_have_made_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.md");
        fs::write(&file, "text").unwrap();
        let before = DiskState::of(folder.path());
        let enforced = |sandbox| {
            let receipt = between(&before, &DiskState::of(folder.path()), sandbox);
            (receipt.enforced, receipt.changed.len())
        };
        assert_eq!(enforced(Sandbox::Landlock), (true, 0));
        assert_eq!(enforced(Sandbox::None), (false, 0));

        let later = fs::metadata(&file).unwrap().modified().unwrap() + Duration::from_secs(9);
        let opened = fs::File::options().append(true).open(&file).unwrap();
        opened.set_modified(later).unwrap();
        assert_eq!(enforced(Sandbox::Bubblewrap), (true, 1));
        assert_eq!(
            enforced(Sandbox::Landlock),
            (false, 1),
            "a time is not kept"
        );
        fs::write(&file, "longer text").unwrap();
        assert_eq!(enforced(Sandbox::Landlock), (true, 1), "what is in it is");
        assert_eq!(enforced(Sandbox::None), (false, 1));
    }

    #[test]
    fn a_folder_that_is_gone_lost_all_its_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.md"), "a").unwrap();
        let before = DiskState::of(folder.path());
        let missing = DiskState::of(&folder.path().join("nowhere"));
        assert_eq!(before.changed(&missing), ["a.md"]);
    }
}
