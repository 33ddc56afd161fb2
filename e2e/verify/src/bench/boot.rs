//! P1: from spawn to the first answer, on an empty home.

use super::report::Report;
use crate::bridge::{client, command};
use anyhow::bail;
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

const RUNS: usize = 20;

pub(super) fn measure(binary: &Path, report: &mut Report) -> anyhow::Result<()> {
    let mut samples = Vec::new();
    for _ in 0..RUNS {
        samples.push(once(binary)?.as_secs_f64() * 1000.0);
    }
    report.add(
        "P1 spawn to first 200, empty database",
        "ms",
        150.0,
        samples,
    );
    Ok(())
}

fn once(binary: &Path) -> anyhow::Result<Duration> {
    let (home, folder) = (tempfile::tempdir()?, tempfile::tempdir()?);
    std::fs::write(folder.path().join("a.md"), "# A\n")?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let mut command = command(binary, home.path(), folder.path());
    command.args(["--port", &port.to_string()]);
    let client = client();
    let began = Instant::now();
    let mut child = command.spawn()?;
    let took = loop {
        let answer = client.get(format!("http://127.0.0.1:{port}/")).call();
        if answer.is_ok_and(|answer| answer.status() == 200) {
            break began.elapsed();
        }
        if began.elapsed() > Duration::from_secs(10) || child.try_wait()?.is_some() {
            drop(child.kill());
            bail!("rex gave no answer");
        }
        std::thread::park_timeout(Duration::from_millis(5));
    };
    child.kill()?;
    child.wait()?;
    Ok(took)
}
