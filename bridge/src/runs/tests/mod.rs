//! Conversations as they go on, with the real store and real processes.

mod acting;
mod agent;
mod faults;
mod going_on;
mod meanwhile;
mod memory;
mod refused;
mod restart;
mod sandboxed;
mod stream;
mod world;
