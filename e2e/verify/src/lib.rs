//! What `cargo verify` checks and `cargo bench-rex` measures.
//!
//! Checks that a compiler cannot make live in [`gates`]; everything else is other programs run in order, cheap ones first.

#![expect(
    clippy::disallowed_methods,
    reason = "a host tool: starting cargo, npm and rex is what it is for"
)]

pub mod agents;
pub mod bench;
pub mod bridge;
pub mod budget;
pub mod gates;
pub mod journeys;
pub mod model_server;
pub mod verify;
