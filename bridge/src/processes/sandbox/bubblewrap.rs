//! Bubblewrap's command line.
//!
//! Each option stands here because something got out without it. The program gets a user other than root, for root's
//! rights would open any mount again; and `/proc/sys`, which belongs to the real root whoever the program is, a mount of
//! its own. It dies with the bridge. No new terminal session is made: the runner starts a process group, and a signal to
//! that would not reach the program any more.

use super::super::launch::Launch;
use super::mounts::Mount;
use rustix::process::{getgid, getuid};
use std::ffi::OsString;
use std::path::PathBuf;

/// Whom root becomes.
const ANOTHER: u32 = 1000;
const DISK: [&str; 10] = [
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--ro-bind",
    "/proc/sys",
    "/proc/sys",
];
const APART: [&str; 4] = [
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--die-with-parent",
];

/// What bubblewrap is started with to start `launch`.
pub(super) fn arguments(launch: &Launch, mounts: &[(PathBuf, Mount)]) -> Vec<OsString> {
    let (user, group) = match getuid() {
        user if user.is_root() => (ANOTHER, ANOTHER),
        user => (user.as_raw(), getgid().as_raw()),
    };
    let mut arguments: Vec<OsString> = vec!["--unshare-user".into()];
    arguments.extend(["--uid".into(), user.to_string().into()]);
    arguments.extend(["--gid".into(), group.to_string().into()]);
    arguments.extend(DISK.map(OsString::from));
    for (path, mount) in mounts {
        let path = path.clone().into_os_string();
        match mount {
            Mount::Shown => arguments.extend(["--ro-bind".into(), path.clone(), path]),
            Mount::Written => arguments.extend(["--bind".into(), path.clone(), path]),
            Mount::Hidden => arguments.extend(["--tmpfs".into(), path]),
            Mount::Copied => {
                let copy = launch.copy.as_ref().map_or(&launch.folder, |copy| &copy.at);
                arguments.extend(["--bind".into(), copy.clone().into(), path]);
            }
        }
    }
    arguments.extend(APART.map(OsString::from));
    arguments.extend(["--chdir".into(), launch.folder.clone().into(), "--".into()]);
    arguments.push(launch.program.clone().into());
    arguments.extend(launch.arguments.iter().map(OsString::from));
    arguments
}
