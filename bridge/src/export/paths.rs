//! From paths of the machine to documents of a workspace.

use crate::store::WorkspaceRecord;
use rex_shared::wire::problem::{Problem, ProblemType};
use std::path::{Path, PathBuf};

/// The workspace that all these paths lie in, and their names in it. Where workspaces lie in one another it is the
/// innermost. The paths are absolute; there need not be a file any more.
pub fn within(
    workspaces: &[WorkspaceRecord],
    paths: &[PathBuf],
) -> Result<(WorkspaceRecord, Vec<String>), Problem> {
    let mut fitting: Vec<_> = workspaces
        .iter()
        .filter_map(|workspace| Some((workspace, names(Path::new(&workspace.root), paths)?)))
        .collect();
    fitting.sort_by_key(|(workspace, _)| workspace.root.len());
    match fitting.pop() {
        Some((workspace, names)) => Ok((workspace.clone(), names)),
        None => Err(Problem::new(
            ProblemType::UnknownDocument,
            "No review here",
            "These documents do not lie in one folder that REX was opened on. Nothing was written.",
            "Open the folder once (rex FOLDER), or name the right home with --home.",
        )),
    }
}

fn names(root: &Path, paths: &[PathBuf]) -> Option<Vec<String>> {
    paths
        .iter()
        .map(|path| path.strip_prefix(root).ok()?.to_str().map(str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fresh;
    use rex_shared::ids::Millis;

    fn workspace(root: &str) -> WorkspaceRecord {
        WorkspaceRecord {
            workspace_id: fresh::id(),
            root: root.to_owned(),
            unenforced_accepted: false,
            opened_at: Millis(0),
        }
    }

    #[test]
    fn the_innermost_folder_that_holds_them_all() {
        let known = [workspace("/a/b"), workspace("/a"), workspace("/a/bc")];
        let found = |paths: &[&str]| {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            within(&known, &paths).map(|(workspace, names)| (workspace.root, names))
        };
        assert_eq!(
            found(&["/a/b/c.md"]).unwrap(),
            ("/a/b".into(), vec!["c.md".into()])
        );
        let both = found(&["/a/b/c.md", "/a/d/e.md"]).unwrap();
        assert_eq!(both, ("/a".into(), vec!["b/c.md".into(), "d/e.md".into()]));
        let problem = found(&["/a/b/c.md", "/z.md"]).unwrap_err();
        assert_eq!(problem.kind, ProblemType::UnknownDocument);
    }
}
