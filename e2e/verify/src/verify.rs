//! The stages of `cargo verify`, in order.

use crate::agents::Extent;
use crate::{budget, gates, journeys};
use anyhow::bail;
use rex_bundle::machine::{self, cargo};
use rex_bundle::stage::{say, seconds, stage};
use rex_bundle::{page, rex};
use std::time::Instant;

type Work = Box<dyn FnOnce() -> anyhow::Result<()>>;

/// Runs the stages whose names contain one of `only`, or all of them; the real agents only when asked for.
pub fn run_stages(stages: Vec<(&'static str, Work)>, only: &[String]) -> anyhow::Result<usize> {
    let mut ran = 0;
    for (name, work) in stages {
        if only.is_empty() || only.iter().any(|word| name.contains(word.as_str())) {
            stage(name, work)?;
            ran += 1;
        }
    }
    if ran == 0 {
        bail!("no stage is named like {}", only.join(", "));
    }
    Ok(ran)
}

/// Everything CI runs.
pub fn run(agents: Option<Extent>, only: &[String]) -> anyhow::Result<()> {
    let began = Instant::now();
    let mut stages: Vec<(&'static str, Work)> = vec![
        (
            "format",
            Box::new(|| run_cargo(&["fmt", "--all", "--check"])),
        ),
        ("gates", Box::new(gates::check)),
        (
            "lints",
            Box::new(|| {
                run_cargo(&[
                    "clippy",
                    "--quiet",
                    "--locked",
                    "--workspace",
                    "--all-targets",
                    "--",
                    "-D",
                    "warnings",
                ])
            }),
        ),
        (
            "tests",
            Box::new(|| {
                machine::bubblewrap()?;
                run_cargo(&["test", "--quiet", "--locked", "--workspace"])
            }),
        ),
        ("documentation", Box::new(documentation)),
        (
            "bundle and its budget",
            Box::new(|| budget::check(&page::build()?)),
        ),
        (
            "rex binary",
            Box::new(|| rex::build(&page::folder()).map(drop)),
        ),
        (
            "journeys",
            Box::new(|| journeys::run_all(&rex::binary(), None)),
        ),
    ];
    if let Some(extent) = agents {
        stages.push((
            "agents: the real programs",
            Box::new(move || crate::agents::run(&rex::binary(), extent)),
        ));
    }
    let ran = run_stages(stages, only)?;
    say(&format!(
        "\nverified: {ran} stages in {}",
        seconds(began.elapsed())
    ));
    if agents.is_none() {
        say("the real agent programs were not run: cargo verify --agents all");
    }
    Ok(())
}

fn run_cargo(arguments: &[&str]) -> anyhow::Result<()> {
    machine::run(cargo().args(arguments))
}

fn documentation() -> anyhow::Result<()> {
    machine::run(cargo().env("RUSTDOCFLAGS", "-D warnings").args([
        "doc",
        "--quiet",
        "--locked",
        "--workspace",
        "--no-deps",
        "--document-private-items",
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    #[test]
    fn the_first_failing_stage_ends_it() {
        let log = Rc::new(RefCell::new(Vec::new()));
        let note = |name: &'static str, good: bool| -> (&'static str, Work) {
            let log = Rc::clone(&log);
            (
                name,
                Box::new(move || {
                    log.borrow_mut().push(name);
                    if good { Ok(()) } else { bail!("broken") }
                }),
            )
        };
        let outcome = run_stages(
            vec![note("a", true), note("b", false), note("c", true)],
            &[],
        );
        assert!(format!("{:#}", outcome.unwrap_err()).contains("“b”"));
        assert_eq!(*log.borrow(), ["a", "b"]);
    }

    #[test]
    fn asking_for_a_stage_that_is_not_there_is_an_error() {
        assert!(run_stages(vec![("a", Box::new(|| Ok(())))], &["zzz".to_owned()]).is_err());
    }
}
