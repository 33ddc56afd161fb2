//! The host tool behind `cargo verify` and `cargo bench-rex`.

use clap::{Parser, Subcommand, ValueEnum};
use rex_bundle::stage::say;
use rex_verify::agents::Extent;
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
        /// Also drive the real agent programs (installed from their registries, hundreds of megabytes each).
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
    /// Serves a scripted model on loopback until it is ended, and prints its address as the first line.
    ModelServer {
        /// The port; 0 is a free one.
        #[arg(long, default_value_t = 0)]
        port: u16,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Agents {
    /// Every agent program that REX has an adapter for.
    All,
    /// The same, and what takes long: broken records, moved folders, kills.
    Full,
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Verify { agents, only } => {
            let extent = agents.map(|agents| match agents {
                Agents::All => Extent::All,
                Agents::Full => Extent::Full,
            });
            rex_verify::verify::run(extent, &only)
        }
        Task::Bench { only } => rex_verify::bench::run(&only),
        Task::ModelServer { port } => model_server(port),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("\n{error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn model_server(port: u16) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
        let server = rex_verify::model_server::ModelServer::serve(listener)?;
        #[expect(clippy::print_stdout, reason = "the address is this program's answer")]
        {
            println!("{}", server.url());
        }
        server.ended().await;
        Ok(())
    })
}
