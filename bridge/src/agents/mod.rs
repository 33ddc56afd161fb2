//! Agents: adapters that know one program each, and the seam they share.
//!
//! Adapters do no IO: lines and answers in, events and lines out. Nothing outside an adapter branches on an
//! agent's name; adapters declare capabilities.

pub mod seam;
