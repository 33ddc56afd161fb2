//! P8 and P10: memory, and the first rows of 10,000 threads.

use super::client::Client;
use super::fixture::{Fixture, THREADS};
use super::report::{MEGABYTE, Report};
use crate::bridge::Bridge;
use anyhow::ensure;
use rex_shared::routes;
use rex_shared::wire::thread::ThreadRow;
use std::path::Path;
use std::time::Instant;

const RUNS: usize = 200;

pub(super) fn measure(binary: &Path, fixture: &Fixture, report: &mut Report) -> anyhow::Result<()> {
    let (empty, folder) = (tempfile::tempdir()?, tempfile::tempdir()?);
    std::fs::write(folder.path().join("a.md"), "# A\n")?;
    let idle = Bridge::start(binary, empty.path(), folder.path())?;
    let weight = idle.memory()? / MEGABYTE;
    report.add("P8 memory idle", "MB", 25.0, vec![weight]);
    drop(idle);

    let bridge = Bridge::start(binary, &fixture.home, &fixture.folder)?;
    let client = Client::sign_in(&bridge)?;
    let mut samples = Vec::new();
    for _ in 0..RUNS {
        let began = Instant::now();
        let body = client.get("/api/stored-threads?limit=50")?;
        samples.push(began.elapsed().as_secs_f64() * 1000.0);
        let rows: Vec<ThreadRow> = serde_json::from_str(&body)?;
        ensure!(rows.len() == 50, "the listing gave {} rows", rows.len());
    }
    report.add("P10 first 50 of 10,000 threads, API", "ms", 5.0, samples);

    list_all(&client)?;
    let weight = bridge.memory()? / MEGABYTE;
    report.add("P8 memory after listing 10,000", "MB", 80.0, vec![weight]);
    Ok(())
}

/// Lists every thread, page by page, as the page of a browser does.
pub(super) fn list_all(client: &Client) -> anyhow::Result<()> {
    let mut listed = 0;
    let mut last = None;
    loop {
        let body = client.get(&routes::stored_threads(None, last.as_ref()))?;
        let rows: Vec<ThreadRow> = serde_json::from_str(&body)?;
        listed += rows.len();
        match rows.into_iter().next_back() {
            Some(row) => last = Some(row.thread_id),
            None => break,
        }
    }
    ensure!(
        listed as u64 >= THREADS,
        "only {listed} threads were listed"
    );
    Ok(())
}
