//! The only place that names web-sys: small functions for what the page needs of the browser.
//!
//! Each one is total: where a browser lacks something or a person forbade it, the answer is `None` or nothing happens.

pub mod clock;
pub mod focus;
pub mod ids;
pub mod keys;
pub mod location;
pub mod locks;
pub mod page;
pub mod storage;
pub mod stream;
pub mod timer;
