//! The command line: `rex [FOLDER|FILE]` and what goes with it.
//!
//! People read stdout, or with `--json` one program does; the log goes to stderr. Exit codes: 0 done, 1 failed, 2 usage.

mod backup;
mod debug;
mod doctor;
mod export;
mod hidden;
mod link;
mod log;
mod serve;
mod target;

use crate::export::Format;
use clap::{Args, Parser, Subcommand};
use rex_shared::wire::problem::Problem;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Threads that answer, and threads that read files and folders meanwhile. More would not be quicker, and the system's
/// allocator keeps memory for each.
const WORKERS: usize = 2;
const FILE_THREADS: usize = 4;
/// How long work on other threads may go on once all is said; the rest of the three seconds is the bridge's.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Review documents with coding agents.
#[derive(Debug, Parser)]
#[command(name = "rex", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: Serve,
}

#[derive(Debug, Args)]
struct Serve {
    /// What to review; left out, a sample with a demo agent
    #[arg(value_name = "FOLDER|FILE")]
    target: Option<PathBuf>,
    /// Listen on this port, or fail
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Print one line of JSON when ready, and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    home: HomeArgument,
}

#[derive(Debug, Args)]
struct HomeArgument {
    /// Where the database is; left out, `$REX_HOME`, else `~/.rex`
    #[arg(long = "home", value_name = "DIR")]
    folder: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print a sign-in link and its code for another browser
    Link {
        /// End every sign-in first
        #[arg(long)]
        rotate: bool,
        #[command(flatten)]
        home: HomeArgument,
    },
    /// Be the built-in demo agent, an ACP program on stdin and stdout
    DemoAgent,
    /// Write documents and their comments as one file
    Export(Export),
    /// Check this installation: home, database, port, sandbox, agents, gateways
    Doctor {
        /// Print one line of JSON
        #[arg(long)]
        json: bool,
        /// Ask this agent something too, twice, which may cost; can be given several times
        #[arg(long, value_name = "AGENT")]
        ask: Vec<String>,
        #[command(flatten)]
        home: HomeArgument,
    },
    /// Report on one comment: what REX and its agents know of it
    Debug {
        /// Its id, or a copied link to it
        #[arg(value_name = "THREAD")]
        thread: String,
        /// Ask the agents too, which starts their programs
        #[arg(long)]
        ask: bool,
        #[command(flatten)]
        home: HomeArgument,
    },
    /// Copy the database into a new file; a REX that uses it may go on
    Backup {
        /// Where to
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        home: HomeArgument,
    },
}

#[derive(Debug, Args)]
struct Export {
    /// Files of a folder that was reviewed
    #[arg(required = true, value_name = "DOCUMENT")]
    documents: Vec<PathBuf>,
    /// What to write
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write to this file; left out, to stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    home: HomeArgument,
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    match start(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The last word of a command that failed; with nobody to hear it nothing can be done.
            drop(writeln!(std::io::stderr(), "rex: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn start(cli: Cli) -> anyhow::Result<()> {
    log::begin();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .max_blocking_threads(FILE_THREADS)
        .enable_all()
        .build()?;
    let done = runtime.block_on(async {
        match cli.command {
            None => serve::run(cli.serve).await,
            Some(Command::Link { rotate, home }) => link::run(home.folder.as_deref(), rotate).await,
            Some(Command::DemoAgent) => crate::demo::run().await,
            Some(Command::Export(arguments)) => export::run(arguments).await,
            Some(Command::Doctor { json, ask, home }) => {
                doctor::run(home.folder.as_deref(), &ask, json).await
            }
            Some(Command::Debug { thread, ask, home }) => {
                debug::run(home.folder.as_deref(), &thread, ask).await
            }
            Some(Command::Backup { file, home }) => backup::run(home.folder.as_deref(), &file),
        }
    });
    runtime.shutdown_timeout(LAST_WORDS);
    done
}

/// What went wrong, for a person at a terminal.
#[expect(clippy::needless_pass_by_value, reason = "made for map_err")]
fn failed(problem: Problem) -> anyhow::Error {
    anyhow::anyhow!("{}. {} {}", problem.title, problem.detail, problem.hint)
}

/// A line for the person, or for the program that reads stdout.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // Whoever started us may have closed it; the bridge serves all the same.
    drop(writeln!(out, "{line}").and_then(|()| out.flush()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_arguments_fit_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_folder_or_a_command() {
        let cli = Cli::try_parse_from(["rex", "docs", "--port", "8000", "--json"]).unwrap();
        assert_eq!(cli.serve.target, Some(PathBuf::from("docs")));
        assert_eq!(cli.serve.port, Some(8000));
        let cli = Cli::try_parse_from(["rex", "link", "--rotate", "--home", "/h"]).unwrap();
        assert!(matches!(
            cli.command,
            Some(Command::Link { rotate: true, .. })
        ));
        let usage = Cli::try_parse_from(["rex", "--port", "many"]).unwrap_err();
        assert_eq!(usage.exit_code(), 2);
    }
}
