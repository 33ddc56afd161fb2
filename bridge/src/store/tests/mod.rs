//! What the store promises, by example.

mod changes;
mod conversations;
mod dialogs;
mod gateways;
mod listing;
mod opening;
mod order;
mod places;
mod prompts;
mod record;
mod schema;
mod sessions;
mod threads;
mod turns;
mod undo;
