//! The composition root: everything the bridge is made of, in one place.

use crate::access::{ControlSecret, SignIns};
use crate::follow::{Hub, LiveTable};
use rex_shared::ids::BootId;
use std::path::PathBuf;
use tokio_util::sync::CancellationToken;

/// What one running bridge consists of; the state of every handler.
pub struct Bridge {
    /// This start.
    pub boot_id: BootId,
    /// The loopback port.
    pub port: u16,
    /// `$REX_HOME`.
    pub home: PathBuf,
    /// The build that the page compares itself with.
    pub build: String,
    /// Who listens to what.
    pub hub: Hub,
    /// What is going on right now.
    pub live: LiveTable,
    /// Codes and signed-in browsers.
    pub sign_ins: SignIns,
    /// What the home's own commands show.
    pub control: ControlSecret,
    /// Cancelled when the bridge stops: streams end, nothing new begins.
    pub stop: CancellationToken,
}
