//! What the tool is doing, told on stderr with a time per stage, so that stdout stays the program's own.

use std::io::Write as _;
use std::time::{Duration, Instant};

/// Runs one stage and says how long it took; a failing one is named in the error.
pub fn stage<T>(name: &str, work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    say(&format!("→ {name}"));
    let began = Instant::now();
    let outcome = work();
    let took = seconds(began.elapsed());
    match outcome {
        Ok(value) => {
            say(&format!("✓ {name} ({took})"));
            Ok(value)
        }
        Err(error) => {
            say(&format!("✗ {name} ({took})"));
            Err(error.context(format!("stage “{name}” failed")))
        }
    }
}

/// One line on stderr. A closed stderr is no reason to stop building.
pub fn say(line: &str) {
    let mut stderr = std::io::stderr().lock();
    drop(writeln!(stderr, "{line}"));
}

/// A duration as a person reads it.
pub fn seconds(time: Duration) -> String {
    if time.as_secs() >= 60 {
        format!("{} min {:02} s", time.as_secs() / 60, time.as_secs() % 60)
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_said_as_minutes() {
        assert_eq!(seconds(Duration::from_millis(1250)), "1.2 s");
        assert_eq!(seconds(Duration::from_secs(125)), "2 min 05 s");
    }

    #[test]
    fn a_failing_stage_is_named_in_its_error() {
        let error = stage("styles", || -> anyhow::Result<()> {
            anyhow::bail!("no such file")
        })
        .unwrap_err();
        assert_eq!(format!("{error:#}"), "stage “styles” failed: no such file");
    }
}
