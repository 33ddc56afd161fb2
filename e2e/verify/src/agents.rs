//! The real agent programs, installed from their registries into the cache and driven against a model server of our own.

mod table;

use crate::journeys;
use anyhow::bail;
use rex_bundle::machine::{bubblewrap, cargo, npm_packages, python_packages, run as run_program};
use rex_bundle::stage::say;
use std::path::{Path, PathBuf};

/// A program from npm.
struct Package {
    /// Its folder in the cache.
    name: &'static str,
    /// The package, named exactly.
    package: &'static str,
    /// The program's file below `node_modules`.
    program: &'static str,
    /// Where the tests look for its place.
    variable: &'static str,
}

const CLAUDE: Package = Package {
    name: "claude",
    // Without a version npm picks an older one on Node 20, though the binary needs no Node.
    package: "@anthropic-ai/claude-code@2.1.332",
    // What `.bin` leads to is put there by the package's own script; no package's scripts are run here.
    program: if cfg!(target_arch = "aarch64") {
        "@anthropic-ai/claude-code-linux-arm64/claude"
    } else {
        "@anthropic-ai/claude-code-linux-x64/claude"
    },
    variable: "REX_CLAUDE",
};

const PACKAGES: [Package; 4] = [
    CLAUDE,
    Package {
        name: "codex",
        package: "@openai/codex@0.171.0",
        program: ".bin/codex",
        variable: "REX_CODEX",
    },
    Package {
        name: "opencode",
        package: "opencode-ai@1.18.33",
        // As with Claude Code.
        program: if cfg!(target_arch = "aarch64") {
            "opencode-linux-arm64/bin/opencode"
        } else {
            "opencode-linux-x64/bin/opencode"
        },
        variable: "REX_OPENCODE",
    },
    Package {
        name: "pi",
        // The last that runs on Node 20.
        package: "@mariozechner/pi-coding-agent@0.73.1",
        program: ".bin/pi",
        variable: "REX_PI",
    },
];

/// Deep Agents is a library; its script is REX's own.
const DEEP_AGENTS: [&str; 3] = [
    "deepagents==0.7.6",
    "deepagents-acp==0.0.13",
    "langchain-openai==1.7.4",
];

/// How much the real programs have to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// What every change of REX is held to.
    All,
    /// Everything: also what takes long.
    Full,
}

/// Runs the adapters' tests and the journey with the real programs; then tells what the forecasts came to.
pub fn run(rex: &Path, extent: Extent) -> anyhow::Result<()> {
    bubblewrap()?;
    let sent = tempfile::NamedTempFile::new()?;
    let tested = test(rex, extent, sent.path());
    say(&table::told(&std::fs::read_to_string(sent.path())?));
    tested?;
    journeys::run_all(rex, Some(&CLAUDE.installed()?))
}

fn test(rex: &Path, extent: Extent, sent: &Path) -> anyhow::Result<()> {
    let mut tests = cargo();
    for package in &PACKAGES {
        tests.env(package.variable, package.installed()?);
    }
    tests.env(
        "REX_DEEPAGENTS_PYTHON",
        python_packages("deepagents", &DEEP_AGENTS)?,
    );
    tests.env("REX_BINARY", rex).env("REX_TABLE", sent).args([
        "test",
        "--quiet",
        "--locked",
        "--package",
        "rex-verify",
        "--features",
        "real-agents",
        "--test",
        "claude_real",
        "--test",
        "agents_real",
        "--",
        // Each starts a bridge and a program of some hundred megabytes.
        "--test-threads=2",
    ]);
    if extent == Extent::Full {
        tests.arg("--include-ignored");
    }
    run_program(&mut tests)
}

impl Package {
    /// The program itself.
    fn installed(&self) -> anyhow::Result<PathBuf> {
        let modules = npm_packages(self.name, &[self.package])?;
        let program = modules.join(self.program);
        if !program.exists() {
            bail!(
                "{} was installed, but {} is missing",
                self.package,
                program.display()
            );
        }
        Ok(program)
    }
}
