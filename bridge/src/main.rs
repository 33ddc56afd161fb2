//! The `rex` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    rex_bridge::cli::run()
}
