//! Starting programs: the only module that does.
//!
//! Every program starts in its own process group with an environment made from an allow-list, a run's in a sandbox, is
//! heard line by line with bounds, and is ended by a ladder that leaves nothing behind. A program that is a server is kept between turns and
//! talked to by HTTP, also line by line. What the lines mean is not known here.

mod connection;
mod environment;
mod family;
mod guardian;
mod launch;
mod lines;
mod look_up;
mod pipes;
mod room;
mod runner;
mod sandbox;
mod server;
#[cfg(test)]
mod tests;
mod visit;

pub use connection::Connection;
pub use environment::{Environment, RUN_VARIABLE};
pub use launch::{Copied, Exit, Launch, Serving, StartError, Talk};
pub use look_up::find_program;
pub use room::Place;
pub use runner::{Heard, Identity, Process, Runner, sweep};
pub use sandbox::{RecordFolders, Sandboxes};
pub use visit::Visit;
