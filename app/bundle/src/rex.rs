//! The `rex` binary with the page inside.

use crate::machine::{cargo, run, target};
use crate::stage::stage;
use std::path::{Path, PathBuf};

/// Builds `rex` in release with the bundle of `page`. Gives the binary.
pub fn build(page: &Path) -> anyhow::Result<PathBuf> {
    stage("rex: compile", || {
        run(cargo().env("REX_BUNDLE", page).args([
            "build",
            "--quiet",
            "--locked",
            "--release",
            "--package",
            "rex-bridge",
            "--bin",
            "rex",
        ]))
    })?;
    Ok(binary())
}

/// Where the binary lies once it is built.
pub fn binary() -> PathBuf {
    target()
        .join("release")
        .join(if cfg!(windows) { "rex.exe" } else { "rex" })
}
