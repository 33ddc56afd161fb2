//! Runs: how a conversation goes on.
//!
//! One task for each live thread owns everything that happens in it, so that prompts, stops and answers of several tabs
//! are serialised. What an event means is decided by the pure [`machine`]; rows are written before anybody is shown them.
//! Deliberately absent: a queue of events to replay, a cursor, and any reading of an agent's own log.

pub mod machine;
pub mod receipt;
