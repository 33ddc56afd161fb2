//! The log: to stderr, and never a text, a key or a secret in it.

use tracing_subscriber::EnvFilter;

/// Begins logging; `RUST_LOG` says how much.
///
/// A panic is logged by its place only: its message may quote what was being worked on.
pub(super) fn begin() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map(ToString::to_string)
            .unwrap_or_default();
        tracing::error!(place, "something panicked");
    }));
}
