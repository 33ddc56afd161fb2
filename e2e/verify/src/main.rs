//! The host tool behind `cargo verify` and `cargo bench-rex`.

use clap::{Parser, Subcommand, ValueEnum};
use rex_bundle::stage::say;
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "rex-verify", about = "Checks REX, and measures it")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Everything CI runs.
    Verify {
        /// Also drive the real agent programs (installed from npm, hundreds of megabytes).
        #[arg(long, value_enum)]
        agents: Option<Agents>,
        /// Only the stages whose name contains one of these words.
        #[arg(long, value_delimiter = ',')]
        only: Vec<String>,
    },
    /// Measures size and speed; names such as P1 choose what.
    Bench {
        /// Only these.
        only: Vec<String>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Agents {
    /// Every agent program that REX has an adapter for.
    All,
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Verify { agents, only } => rex_verify::verify::run(agents.is_some(), &only),
        Task::Bench { only } => rex_verify::bench::run(&only),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("\n{error:#}"));
            ExitCode::FAILURE
        }
    }
}
