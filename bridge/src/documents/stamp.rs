//! What the file system says of a file's content, for not reading it again.

use rex_shared::ids::Millis;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;

/// A file whose times are at least this old can no longer change without changing them.
const SETTLED_AFTER_MS: i128 = 2000;

/// Device, inode, size and times of an open file. Two equal ones mean equal content only when they are settled:
/// within a tick of the file system's clock a file can change and keep its times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    modified_ns: i128,
    changed_ns: i128,
    mode: u32,
}

impl Stamp {
    pub(super) fn of(metadata: &Metadata) -> Self {
        let ns = |seconds: i64, ns: i64| i128::from(seconds) * 1_000_000_000 + i128::from(ns);
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.len(),
            modified_ns: ns(metadata.mtime(), metadata.mtime_nsec()),
            changed_ns: ns(metadata.ctime(), metadata.ctime_nsec()),
            mode: metadata.mode(),
        }
    }

    /// Whether the file was left alone for so long that an equal stamp means equal content.
    pub(super) fn is_settled(&self, now: Millis) -> bool {
        let newest = self.changed_ns.max(self.modified_ns) / 1_000_000;
        i128::from(now.0) - newest > SETTLED_AFTER_MS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_stamp_is_believed_only_after_a_while() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("a.md");
        fs::write(&path, "one").unwrap();
        let before = Stamp::of(&fs::metadata(&path).unwrap());
        let now = crate::fresh::now();
        assert!(!before.is_settled(now));
        assert!(before.is_settled(Millis(now.0 + 3000)));
        fs::write(&path, "three").unwrap();
        assert_ne!(before, Stamp::of(&fs::metadata(&path).unwrap()));
    }
}
