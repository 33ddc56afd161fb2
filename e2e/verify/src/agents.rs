//! The real agent programs, installed from npm into the cache and driven against a model server of our own.

use crate::journeys;
use anyhow::bail;
use rex_bundle::machine::{cargo, npm_packages, run as run_program};
use std::path::{Path, PathBuf};

/// Claude Code. Named exactly: without a version npm picks an older one on Node 20, though the binary needs no Node.
const CLAUDE: &str = "@anthropic-ai/claude-code@2.1.332";

/// Runs the adapters' tests and the journey with the real programs.
pub fn run(rex: &Path) -> anyhow::Result<()> {
    let claude = claude()?;
    run_program(cargo().env("REX_CLAUDE", &claude).args([
        "test",
        "--quiet",
        "--locked",
        "--package",
        "rex-verify",
        "--features",
        "real-agents",
        "--test",
        "claude_real",
    ]))?;
    journeys::run_all(rex, Some(&claude))
}

/// The program itself, from the npm package.
fn claude() -> anyhow::Result<PathBuf> {
    let modules = npm_packages("claude", &[CLAUDE])?;
    let program = modules.join(".bin/claude");
    if !program.exists() {
        bail!(
            "{CLAUDE} was installed, but {} is missing",
            program.display()
        );
    }
    Ok(program)
}
