//! The bridge's face on loopback: the gate, the route table, the handlers. The only part that knows axum.
//!
//! Deliberately absent: cookies (browsers share them between all ports of 127.0.0.1), CORS headers, HTML of
//! documents, and any way around the gate.

mod body;
mod choices;
#[cfg(test)]
mod choices_tests;
pub mod extract;
mod gate;
#[cfg(test)]
mod gate_tests;
mod headers;
pub mod listener;
#[cfg(test)]
mod listener_tests;
#[cfg(test)]
mod looking_tests;
mod origin;
pub mod problem;
mod router;
mod routes;
mod shell;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod threads_tests;

pub use router::router;
pub use shell::build;
