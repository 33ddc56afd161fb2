//! What a program in a namespace of its own sees of the disk, as mounts over a disk that is read-only.

use super::super::environment::Environment;
use super::super::launch::Launch;
use std::io;
use std::path::{Path, PathBuf};

/// Sockets of the machine's services lie in the first, where being read-only does not keep anybody from using them;
/// other programs' files in the second.
const HIDDEN: [&str; 2] = ["/run", "/tmp"];
/// Where a machine may keep what names are looked up with, below a hidden folder.
const NAME_SERVERS: &str = "/etc/resolv.conf";

/// One mount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mount {
    /// As it is, read-only.
    Shown,
    /// Empty, and gone with the run.
    Hidden,
    /// As it is, to be written to.
    Written,
    /// The private copy in the place of the workspace, to be written to.
    Copied,
}

/// The mounts of a launch in the order in which they have to be made, an outer one before an inner one. Paths are
/// canonical and exist, for a mount of anything else fails.
pub(super) fn of(
    launch: &Launch,
    environment: &Environment,
    home: &Path,
) -> io::Result<Vec<(PathBuf, Mount)>> {
    // What of these is there, is there.
    let there = |path: &Path| path.canonicalize().ok();
    let programs = environment.get("PATH").map(std::env::split_paths);
    let useful = programs.into_iter().flatten();
    let useful = useful.chain(environment.get("HOME").map(PathBuf::from));
    let useful = useful.chain([PathBuf::from(NAME_SERVERS)]);
    let mut mounts: Vec<(PathBuf, Mount)> = Vec::new();
    let mut add = |path: PathBuf, mount| mounts.push((path, mount));
    for path in useful.filter_map(|path| there(&path)) {
        add(path, Mount::Shown);
    }
    let hidden = HIDDEN.iter().map(Path::new).chain([home]);
    for path in hidden.filter_map(there) {
        add(path, Mount::Hidden);
    }
    add(launch.scratch.canonicalize()?, Mount::Written);
    for folder in &launch.records.folders {
        add(folder.canonicalize()?, Mount::Written);
    }
    // A program may be a link, in a folder of links: where it is named and where it lies are both needed.
    let program = there(&launch.program);
    let named = [
        launch.program.parent(),
        program.as_deref().and_then(Path::parent),
    ];
    for path in named.into_iter().flatten().filter_map(there) {
        add(path, Mount::Shown);
    }
    for path in launch.records.kept.iter().filter_map(|path| there(path)) {
        add(path, Mount::Shown);
    }
    match &launch.copy {
        Some(copy) => {
            for folder in &copy.left_out {
                add(copy.of.join(folder).canonicalize()?, Mount::Shown);
            }
            add(copy.of.canonicalize()?, Mount::Copied);
        }
        None => add(launch.folder.canonicalize()?, Mount::Shown),
    }
    Ok(ordered(mounts))
}

/// Outer paths before inner ones; of several mounts of one path the last is meant. What is shown already is left out.
fn ordered(mounts: Vec<(PathBuf, Mount)>) -> Vec<(PathBuf, Mount)> {
    let mut by_path = std::collections::BTreeMap::new();
    by_path.extend(mounts);
    let mut made: Vec<(PathBuf, Mount)> = Vec::new();
    for (path, mount) in by_path {
        let around = made.iter().rfind(|(outer, _)| path.starts_with(outer));
        let is_so = around.map_or(Mount::Shown, |(_, mount)| *mount) == mount;
        if !is_so {
            made.push((path, mount));
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::Mount::{Hidden, Shown, Written};
    use super::*;

    fn in_order(mounts: &[(&str, Mount)]) -> Vec<(String, Mount)> {
        let mounts = mounts.iter().map(|(path, mount)| (path.into(), *mount));
        ordered(mounts.collect())
            .into_iter()
            .map(|(path, mount)| (path.display().to_string(), mount))
            .collect()
    }

    fn owned(mounts: &[(&str, Mount)]) -> Vec<(String, Mount)> {
        let mounts = mounts.iter();
        mounts
            .map(|(path, mount)| ((*path).to_owned(), *mount))
            .collect()
    }

    #[test]
    fn an_outer_folder_is_mounted_before_what_lies_in_it() {
        let mounts = in_order(&[
            ("/home/a/.rex/runs/1", Written),
            ("/home/a/.codex/config.toml", Shown),
            ("/home/a/.rex", Hidden),
            ("/home/a/.codex", Written),
        ]);
        let wanted = [
            ("/home/a/.codex", Written),
            ("/home/a/.codex/config.toml", Shown),
            ("/home/a/.rex", Hidden),
            ("/home/a/.rex/runs/1", Written),
        ];
        assert_eq!(mounts, owned(&wanted));
    }

    #[test]
    fn what_is_read_only_already_needs_no_mount() {
        let mounts = [
            ("/home/a/docs", Shown),
            ("/usr/bin", Shown),
            ("/tmp", Hidden),
            ("/tmp/docs", Shown),
            ("/tmp/docs/bin", Shown),
        ];
        assert_eq!(
            in_order(&mounts),
            owned(&[("/tmp", Hidden), ("/tmp/docs", Shown)])
        );
    }

    #[test]
    fn a_workspace_in_a_folder_that_is_written_or_hidden_is_still_shown_and_no_more_than_that() {
        for outer in [Written, Hidden] {
            let mounts = [("/a/state", outer), ("/a/state/docs", Shown)];
            assert_eq!(in_order(&mounts), owned(&mounts), "{outer:?}");
            let same = [("/a/state", outer), ("/a/state", Shown)];
            assert_eq!(in_order(&same), [], "{outer:?}");
        }
    }
}
