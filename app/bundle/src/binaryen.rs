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

/// Optimises for size and strips what only a debugger needs.
pub fn optimise(from: &Path, to: &Path) -> anyhow::Result<()> {
    let modules = npm_packages("binaryen", &[PACKAGE])?;
    run(Command::new("node")
        .arg(modules.join("binaryen/bin/wasm-opt"))
        .args(["-Oz", "--strip-debug", "--strip-producers"])
        .args(FEATURES)
        .arg(from)
        .arg("-o")
        .arg(to))
}
