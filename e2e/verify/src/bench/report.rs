//! Numbers with their goals, the load of the machine, and no verdict where the load spoils it.

use rex_bundle::stage::say;
use serde::Serialize;

/// Load above which a time says more about the neighbours than about REX.
const QUIET: f64 = 1.5;

pub(super) const MEGABYTE: f64 = 1_000_000.0;

/// All measured lines.
#[derive(Default, Serialize)]
pub(super) struct Report {
    lines: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    name: &'static str,
    unit: &'static str,
    median: f64,
    p95: f64,
    n: usize,
    goal: f64,
    load: f64,
    verdict: &'static str,
}

impl Report {
    /// Takes the samples of one measurement; the goal is held against the 95th percentile.
    pub(super) fn add(
        &mut self,
        name: &'static str,
        unit: &'static str,
        goal: f64,
        mut samples: Vec<f64>,
    ) {
        samples.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let rank = (samples.len() as f64 * share).ceil() as usize;
            samples
                .get(rank.clamp(1, samples.len().max(1)) - 1)
                .copied()
                .unwrap_or(f64::NAN)
        };
        let (median, p95, load) = (at(0.5), at(0.95), load());
        let is_time = unit == "ms";
        let verdict = match p95 <= goal {
            true => "met",
            false if is_time && load > QUIET => "not judged: the machine is busy",
            false => "missed",
        };
        self.lines.push(Line {
            name,
            unit,
            median,
            p95,
            n: samples.len(),
            goal,
            load,
            verdict,
        });
    }

    /// A table for a person on stderr, JSON for a program on stdout.
    pub(super) fn print(&self) -> anyhow::Result<()> {
        say(&format!(
            "\n{:<44} {:>10} {:>10} {:>5} {:>10} {:>6}  {}",
            "", "median", "p95", "n", "goal", "load", "verdict"
        ));
        for line in &self.lines {
            say(&format!(
                "{:<44} {:>10.2} {:>10.2} {:>5} {:>10.2} {:>6.2}  {}",
                format!("{} ({})", line.name, line.unit),
                line.median,
                line.p95,
                line.n,
                line.goal,
                line.load,
                line.verdict
            ));
        }
        serde_json::to_writer_pretty(std::io::stdout().lock(), self)?;
        Ok(())
    }
}

/// The one-minute load average, where the system tells it.
fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ')
        .next()
        .and_then(|load| load.parse().ok())
        .unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_goal_is_held_against_the_slow_end() {
        let mut report = Report::default();
        let mut samples = vec![1.0; 18];
        samples.extend([50.0, 60.0]);
        report.add("P0", "B", 10.0, samples);
        let line = &report.lines[0];
        assert_eq!(
            (line.median, line.p95, line.n, line.verdict),
            (1.0, 50.0, 20, "missed")
        );
    }
}
