//! The only place that names web-sys: small functions for what the page needs of the browser.
//!
//! Each one is total: where a browser lacks something or a person forbade it, the answer is `None` or nothing happens.

pub mod blob;
pub mod clock;
pub mod focus;
pub mod formula;
pub mod highlight;
pub mod ids;
pub mod keys;
pub mod listen;
pub mod location;
pub mod locks;
pub mod page;
pub mod scroll;
pub mod selection;
pub mod sheet;
pub mod storage;
pub mod stream;
pub mod timer;
