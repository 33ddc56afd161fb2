//! What differs between two versions of a text, taken over piece by piece.
//!
//! A text is its lines, each with its own line end, so that whatever is put together from them is the text byte for
//! byte. [`hunks()`] finds the stretches that differ, [`apply()`] takes any of them over, [`merge()`] brings two changes
//! of one text together and never guesses, [`words()`] shows a person what differs inside a stretch, and [`keep_form`]
//! keeps line ends and the last line's end as they were.
//!
//! Deliberately absent: a clock. A comparison has a bound on its work instead of a deadline, so that the same texts
//! always give the same hunks; what it did not look into is told ([`Hunk::is_coarse`]).

mod apply;
mod form;
mod hunks;
mod lines;
mod merge;
mod words;

pub use apply::{Overlap, Replacement, apply};
pub use form::keep_form;
pub use hunks::{Hunk, hunks};
pub use lines::Lines;
pub use merge::{Conflict, Merge, merge};
pub use words::words;

#[cfg(test)]
mod properties;
