//! `cargo bench-rex`: what the budget of size and speed is about, measured and printed with the load beside it.
//!
//! Wall-clock numbers are never part of a test: they are printed, compared with their goals, and judged only when the
//! machine is quiet. The numbers P1… are those of the design's performance page.

mod boot;
mod change;
mod client;
mod fixture;
mod hour;
mod listing;
mod page;
mod report;
mod spawn;
mod words;

use crate::budget;
use report::Report;
use rex_bundle::stage::stage;
use rex_bundle::{page as bundle, rex};

/// Builds what is to be measured, measures it, prints a table on stderr and JSON on stdout.
pub fn run(only: &[String]) -> anyhow::Result<()> {
    let folder = bundle::build()?;
    let binary = rex::build(&folder)?;
    let mut report = Report::default();
    let wanted =
        |name: &str| only.is_empty() || only.iter().any(|word| word.eq_ignore_ascii_case(name));
    if wanted("P1") {
        stage("P1: spawn to the first answer", || {
            boot::measure(&binary, &mut report)
        })?;
    }
    if wanted("P3") || wanted("P6") {
        stage("P3, P6: a usable page in a new browser", || {
            page::measure(&binary, &mut report)
        })?;
    }
    if wanted("P7") {
        stage("P7: size of the bundle", || budget::check(&folder))?;
    }
    if wanted("P8") || wanted("P10") {
        let fixture = stage("fixture: 10,000 threads, 200,000 messages", || {
            fixture::ten_thousand(&binary)
        })?;
        stage("P8, P10: memory and the first rows of 10,000", || {
            listing::measure(&binary, &fixture, &mut report)
        })?;
        stage("P8: memory after an hour of use", || {
            hour::measure(&binary, &fixture, &mut report)
        })?;
    }
    if wanted("P17") {
        stage("P17: from a send to the agent's start", || {
            spawn::measure(&binary, &mut report)
        })?;
    }
    if wanted("P22") {
        stage("P22: an outside change of 1 MB with 1,000 comments", || {
            change::measure(&binary, &mut report)
        })?;
    }
    report.print()
}
