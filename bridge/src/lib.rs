//! The bridge: the only process with the database and the only one that starts agents.

#![warn(missing_docs)]

pub mod access;
pub mod agents;
pub mod bridge;
pub mod cli;
pub mod control;
pub mod documents;
pub mod follow;
pub mod fresh;
pub mod home;
pub mod http;
pub mod port;
pub mod processes;
pub mod runs;
pub mod sample;
pub mod store;
pub mod workspaces;
