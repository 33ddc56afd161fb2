//! Follow: frames on their way to the tabs, after the rows they tell of were stored.

mod hub;
mod live;

pub use hub::{Hub, Subscription};
pub use live::{Live, LiveTable};
