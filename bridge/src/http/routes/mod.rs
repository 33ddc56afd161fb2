//! The handlers, one file for each resource. Each file has a `routes()` that `router::table` collects.

pub(super) mod agents;
pub(super) mod browsers;
pub(super) mod changes;
pub(super) mod debug;
pub(super) mod dialogs;
pub(super) mod doctor;
pub(super) mod documents;
pub(super) mod export;
pub(super) mod files;
pub(super) mod follow;
pub(super) mod forecast;
pub(super) mod gateways;
pub(super) mod health;
pub(super) mod history;
pub(super) mod local;
pub(super) mod places;
pub(super) mod prompt;
pub(super) mod proposals;
pub(super) mod queue;
pub(super) mod rail;
pub(super) mod sign_in;
pub(super) mod threads;
pub(super) mod undo;
pub(super) mod workspaces;
