//! What crosses the wire between bridge and page, one file for each part of the contract.

pub mod agent;
pub mod change;
pub mod doctor;
pub mod document;
pub mod follow;
pub mod message;
mod part;
pub mod place;
pub mod problem;
pub mod prompt;
pub mod proposal;
pub mod thread;
pub mod workspace;
