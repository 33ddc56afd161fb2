//! Keeps other programs of this person out of the bridge's memory, where secrets of browsers and keys pass through.

/// Makes the bridge's memory and environment unreadable to programs it starts: they run as the same person. Linux only;
/// elsewhere the system has its own rules.
pub(super) fn from_other_programs() {
    #[cfg(target_os = "linux")]
    if let Err(error) =
        rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)
    {
        tracing::warn!(%error, "the bridge's memory can be read by other programs of yours");
    }
}
