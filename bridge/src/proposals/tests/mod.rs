//! Copies, proposals and accepts on real files.

mod accepting;
mod copying;
mod crashing;
mod places;
mod world;
