//! The bridge: the only process with the database and the only one that starts agents.

#![warn(missing_docs)]

pub mod agents;
pub mod follow;
pub mod processes;
