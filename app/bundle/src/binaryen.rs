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

/// As small as it gets, but for one habit: a large function that is called once is not put into its caller. Doing so
/// makes the module smaller and its brotli larger by one part in twenty, and it is brotli that travels.
const PASSES: [&str; 4] = [
    "--strip-debug",
    "--strip-producers",
    "-Oz",
    "--one-caller-inline-max-function-size=20",
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
