//! `cargo rex [ARGUMENTS]`: builds what changed, then runs `rex` with the arguments as they are.

#![expect(
    clippy::disallowed_methods,
    reason = "a host tool: starting rex is what it is for"
)]

use rex_bundle::stage::say;
use rex_bundle::{page, rex};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    match build_and_run() {
        Ok(code) => code,
        Err(error) => {
            say(&format!("cargo rex: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn build_and_run() -> anyhow::Result<ExitCode> {
    let binary = rex::build(&page::build()?)?;
    let mut command = Command::new(binary);
    command.args(std::env::args_os().skip(1));
    run(command)
}

/// Becomes `rex`, so that signals and the exit code are its own.
#[cfg(unix)]
fn run(mut command: Command) -> anyhow::Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(anyhow::Error::from(command.exec()).context("could not start rex"))
}

#[cfg(not(unix))]
fn run(mut command: Command) -> anyhow::Result<ExitCode> {
    let code = command
        .status()?
        .code()
        .and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
