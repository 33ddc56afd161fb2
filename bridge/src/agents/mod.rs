//! Agents: adapters that know one program each, and the seam they share.
//!
//! Adapters do no IO: lines and answers in, events and lines out. Nothing outside an adapter branches on an
//! agent's name; adapters declare capabilities. Starting programs is [`crate::processes`]' alone.

mod acp;
mod claude;
mod codex;
mod configuration;
mod deepagents;
mod endpoint;
#[cfg(test)]
mod examples;
mod found;
pub mod inquiry;
mod json_rpc;
#[cfg(test)]
mod noise;
mod opencode;
mod pi;
#[cfg(test)]
mod played;
mod refusal;
mod registry;
pub mod seam;
mod session_locks;
mod session_log;

pub use configuration::{BadConfiguration, CONFIGURATION, Configuration};
pub use endpoint::gateway_key;
pub use found::{Found, Missing, Program};
pub use registry::Registry;
pub use session_locks::{SessionLock, SessionLocks};
pub use session_log::{FileName, RecordPlace, SessionLog};
