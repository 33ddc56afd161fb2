//! Follow: frames on their way to the tabs, after the rows they tell of were stored.
//!
//! Nothing is resumed by a cursor. A connection begins with a snapshot and ends rather than leave a frame out.

mod hub;
mod live;
mod rail;
mod snapshot;
mod stream;

pub use hub::{Hub, Subscription};
pub use live::{Live, LiveTable};
pub use rail::{decorate, rail_changed, rail_removed};
pub use snapshot::snapshot;
pub use stream::Follow;
