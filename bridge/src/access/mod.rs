//! Who may talk to the bridge: one-time codes, one secret for each browser, and the secret of the home's own commands.
//!
//! A secret is handed over once and stored as a hash only. Deliberately absent: cookies, passwords, a secret in any
//! address, and a way to read a secret back.

mod code;
mod control;
mod secret;
mod sign_in;

pub use code::Code;
pub use control::ControlSecret;
pub use secret::{Hash, Secret};
pub use sign_in::{Admitted, SignInError, SignIns};
