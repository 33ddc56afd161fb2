//! P3 and P6: a usable page in a new browser profile, and what it weighs on the wire.

use super::report::Report;
use crate::bridge::Bridge;
use anyhow::Context as _;
use rex_bundle::machine::{output, workspace};
use serde::Deserialize;
use std::path::Path;
use std::process::Command;

const RUNS: usize = 20;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Seen {
    usable_ms: f64,
    bytes: f64,
    requests: f64,
}

pub(super) fn measure(binary: &Path, report: &mut Report) -> anyhow::Result<()> {
    let (home, folder) = (tempfile::tempdir()?, tempfile::tempdir()?);
    std::fs::write(folder.path().join("a.md"), "# A\n\nOne sentence to read.\n")?;
    let bridge = Bridge::start(binary, home.path(), folder.path())?;
    let (_, bearer) = bridge.sign_in()?;
    let e2e = workspace().join("e2e");
    crate::journeys::packages(&e2e)?;
    let text = output(
        Command::new("node")
            .current_dir(&e2e)
            .arg("bench/page.mjs")
            .arg(format!("{}?doc=a.md", bridge.ready.url))
            .arg(bearer.trim_start_matches("Bearer "))
            .arg(RUNS.to_string()),
    )?;
    let seen: Vec<Seen> = serde_json::from_str(&text).context("bench/page.mjs printed no list")?;
    report.add(
        "P3 page usable, cold profile",
        "ms",
        700.0,
        seen.iter().map(|seen| seen.usable_ms).collect(),
    );
    report.add(
        "P6 first page on the wire",
        "kB",
        350.0,
        seen.iter().map(|seen| seen.bytes / 1000.0).collect(),
    );
    report.add(
        "P7 requests before usable",
        "",
        24.0,
        seen.iter().map(|seen| seen.requests).collect(),
    );
    Ok(())
}
