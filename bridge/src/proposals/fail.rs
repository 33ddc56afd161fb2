//! Points at which a test may kill the bridge.
//!
//! Only in builds with debug assertions: a release has none of this. The point is named in `REX_KILL_AT`.

/// Ends this process as a power cut would, if a test asked for it here.
pub(super) fn point(name: &str) {
    #[cfg(debug_assertions)]
    if std::env::var_os("REX_KILL_AT").is_some_and(|wanted| wanted == name) {
        use rustix::process::{Signal, getpid, kill_process};
        let _killed = kill_process(getpid(), Signal::KILL);
    }
    #[cfg(not(debug_assertions))]
    let _unused = name;
}
