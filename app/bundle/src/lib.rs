//! The host tool behind `cargo rex`: builds the page, then builds and runs `rex` with the page inside.
//!
//! It is a library too, because `cargo verify` builds the same page and holds it to its size budget. It prints what it
//! does with a time per stage, installs what it needs where it can, and otherwise says what is missing and how to get
//! it. It downloads nothing but packages from crates.io, npm and Debian, by their ordinary clients.

#![expect(
    clippy::disallowed_methods,
    reason = "a host tool: starting cargo, npm and apt-get is what it is for"
)]

pub mod assets;
pub mod binaryen;
pub mod fingerprint;
pub mod machine;
pub mod page;
pub mod rex;
pub mod split;
pub mod stage;
pub mod styles;
pub mod wasm_target;
