//! P8 and P10: memory, and the first rows of 10,000 threads.

use super::report::Report;
use crate::bridge::Bridge;
use anyhow::ensure;
use std::path::Path;
use std::time::Instant;

const RUNS: usize = 200;
const MEGABYTE: f64 = 1_000_000.0;

pub(super) fn measure(binary: &Path, home: &Path, report: &mut Report) -> anyhow::Result<()> {
    let (empty, folder) = (tempfile::tempdir()?, tempfile::tempdir()?);
    std::fs::write(folder.path().join("a.md"), "# A\n")?;
    let idle = Bridge::start(binary, empty.path(), folder.path())?;
    report.add(
        "P8 memory idle",
        "MB",
        25.0,
        vec![idle.memory()? / MEGABYTE],
    );
    drop(idle);

    let bridge = Bridge::start(binary, home, &super::fixture::folder(home))?;
    let (client, bearer) = bridge.sign_in()?;
    let address = format!(
        "{}/api/stored-threads?limit=50",
        bridge.ready.url.trim_end_matches('/')
    );
    let mut samples = Vec::new();
    for _ in 0..RUNS {
        let began = Instant::now();
        let body = client
            .get(&address)
            .header("authorization", &bearer)
            .call()?
            .body_mut()
            .read_to_string()?;
        samples.push(began.elapsed().as_secs_f64() * 1000.0);
        let rows: Vec<serde_json::Value> = serde_json::from_str(&body)?;
        ensure!(rows.len() == 50, "the listing gave {} rows", rows.len());
    }
    report.add("P10 first 50 of 10,000 threads, API", "ms", 5.0, samples);
    report.add(
        "P8 memory after listing 10,000",
        "MB",
        80.0,
        vec![bridge.memory()? / MEGABYTE],
    );
    Ok(())
}
