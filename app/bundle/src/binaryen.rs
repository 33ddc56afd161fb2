//! `wasm-opt`, from the npm package `binaryen`.

use crate::machine::{npm_packages, run};
use std::path::Path;
use std::process::Command;

/// The package and its version; it must know every feature that the compiler uses.
const PACKAGE: &str = "binaryen@132.0.0";

/// What the compiler may have used. Not all features: that would turn on garbage-collected types.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// The compiler has optimised for size already. `-Oz` makes a module a tenth smaller still and its brotli six in a
/// hundred larger, and it is brotli that travels.
const PASSES: [&str; 5] = [
    "--strip-debug",
    "--strip-producers",
    "-O1",
    "--dae-optimizing",
    "--duplicate-function-elimination",
];

/// Optimises for what travels and strips what only a debugger needs.
pub fn optimise(from: &Path, to: &Path) -> anyhow::Result<()> {
    let modules = npm_packages("binaryen", &[PACKAGE])?;
    run(Command::new("node")
        .arg(modules.join("binaryen/bin/wasm-opt"))
        .args(PASSES)
        .args(FEATURES)
        .arg(from)
        .arg("-o")
        .arg(to))
}
