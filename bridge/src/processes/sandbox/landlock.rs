//! Landlock: the kernel refuses a thread, and all it starts, to write outside the folders given.
//!
//! Needs no rights and no namespace, so it holds in most containers. Not covered: a file's mode and times, sockets of
//! services, REX's home being readable, processes that leave the group.

use super::super::launch::Launch;
use landlock::{
    ABI, Access as _, AccessFs, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _,
    RulesetCreated, RulesetCreatedAttr as _, RulesetError, Scope, path_beneath_rules,
};
use std::io;
use tokio::process::{Child, Command};
use tokio::runtime::Handle;

/// The first version that also refuses to shorten a file.
const NEEDED: ABI = ABI::V3;
/// The first that keeps signals and abstract sockets inside; used where there is one.
const WANTED: ABI = ABI::V6;
/// Everything writes to these.
const DEVICES: [&str; 2] = ["/dev/null", "/dev/tty"];

/// Starts a command from a thread that is restricted, for what a thread starts is as restricted as it is.
pub(super) fn start(launch: &Launch, command: &mut Command) -> io::Result<Child> {
    let rules = rules(launch).map_err(io::Error::other)?;
    let runtime = Handle::current();
    let start = move || {
        let _runtime = runtime.enter();
        rules.restrict_self().map_err(io::Error::other)?;
        command.spawn()
    };
    std::thread::scope(|threads| threads.spawn(start).join())
        .unwrap_or_else(|_| Err(io::Error::other("the thread that starts it panicked")))
}

fn rules(launch: &Launch) -> Result<RulesetCreated, RulesetError> {
    let folders = [&launch.scratch].into_iter().chain(&launch.records.folders);
    let folders = folders.chain(launch.copy.as_ref().map(|copy| &copy.at));
    let devices = DEVICES.iter().map(std::path::Path::new);
    let writing = AccessFs::from_write(WANTED);
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_write(NEEDED))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(writing)?
        .scope(Scope::from_all(WANTED))?
        .create()?
        .add_rules(path_beneath_rules(folders, writing))?
        .add_rules(path_beneath_rules(devices, writing))
}
