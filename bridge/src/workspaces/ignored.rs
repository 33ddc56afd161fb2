//! What a workspace's own ignore files leave out.
//!
//! Only `.gitignore` files inside the root are honoured, and `.git/info/exclude`; a person's own global one is not read.

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Bytes of an ignore file that are read.
pub(crate) const LONGEST: u64 = 1024 * 1024;

/// The ignore files from the root down to the present folder.
#[derive(Debug, Default)]
pub(crate) struct Ignored {
    /// Each with the length of its folder's prefix.
    rules: Vec<(usize, Gitignore)>,
}

impl Ignored {
    /// Goes into the folder of this prefix, which is empty or ends with `/`; `bytes` are those of its ignore file. Gives
    /// what leaves it again.
    pub(crate) fn enter(&mut self, prefix: &str, bytes: Option<&[u8]>) -> usize {
        let had = self.rules.len();
        if let Some(rules) = bytes.and_then(rules_of) {
            self.rules.push((prefix.len(), rules));
        }
        had
    }

    /// Goes out of a folder.
    pub(crate) fn leave(&mut self, had: usize) {
        self.rules.truncate(had);
    }

    /// Whether a path is left out: the nearest ignore file that says anything about it decides.
    pub(crate) fn holds(&self, path: &str, is_folder: bool) -> bool {
        for (prefix, rules) in self.rules.iter().rev() {
            match rules.matched(&path[*prefix..], is_folder) {
                Match::None => {}
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
            }
        }
        false
    }
}

fn rules_of(bytes: &[u8]) -> Option<Gitignore> {
    let text = String::from_utf8_lossy(bytes);
    let mut rules = GitignoreBuilder::new("");
    for line in text.trim_start_matches('\u{feff}').lines() {
        // A line that is no pattern is skipped, as git does.
        drop(rules.add_line(None, line));
    }
    rules.build().ok()
}
