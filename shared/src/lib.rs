//! The vocabulary of REX: ids, places, messages, documents, addresses, and the pure rules over them.
//!
//! Pure means: no IO, no clock, no randomness, no panic on any text. The crate compiles for the browser without
//! feature flags and names nothing of axum, leptos, rusqlite or web-sys.

#![warn(missing_docs)]

pub mod address;
pub mod assembly;
pub mod change;
pub mod document;
pub mod endpoint;
pub mod forecast;
pub mod ids;
pub mod json;
pub mod lane;
pub mod locate;
pub mod percent;
pub mod prompt;
pub mod routes;
pub mod settle;
pub mod title;
pub mod transcript;
pub mod utc;
pub mod wire;
