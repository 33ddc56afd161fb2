//! The secret by which another `rex` command of the same home talks to the running bridge.

use super::secret::{Hash, Secret};

/// New at each start, written only to the home's own file (mode 0600), kept here as a hash.
#[derive(Debug)]
pub struct ControlSecret(Hash);

impl ControlSecret {
    /// Keeps what is needed to recognise `secret`.
    pub fn of(secret: &Secret) -> Self {
        Self(secret.hash())
    }

    /// Whether `text` is the secret.
    pub fn is(&self, text: &str) -> bool {
        self.0.is(&Hash::of(text))
    }
}
