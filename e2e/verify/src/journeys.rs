//! The browser journeys: Playwright against the real `rex` binary.

use anyhow::bail;
use rex_bundle::machine::{find, install, run, target, workspace};
use rex_bundle::stage::say;
use std::path::Path;
use std::process::Command;

/// Programs of the three browser engines, with the Debian packages that bring them.
const BROWSERS: [(&str, &[&str]); 4] = [
    ("chromium", &["chromium", "fonts-liberation"]),
    ("firefox-esr", &["firefox-esr"]),
    // Without a font of the system's own choice WebKitGTK draws lines that are no pixel high.
    (
        "WebKitWebDriver",
        &["webkit2gtk-driver", "fonts-dejavu-core"],
    ),
    ("xvfb-run", &["xvfb", "xauth", "dbus-x11"]),
];

/// Installs what is missing and runs the journeys; with `claude`, those of the real program instead.
pub fn run_all(rex: &Path, claude: Option<&Path>) -> anyhow::Result<()> {
    let missing: Vec<&str> = BROWSERS
        .iter()
        .filter(|(program, _)| find(&[program]).is_none())
        .flat_map(|(_, packages)| packages.iter().copied())
        .collect();
    if !missing.is_empty() {
        install(&missing)?;
    }
    let folder = workspace().join("e2e");
    packages(&folder)?;
    let mut playwright = Command::new("node");
    playwright
        .current_dir(&folder)
        .env("REX_BINARY", rex)
        // The journey with a real agent starts the scripted model from this program; by its place, for a build of its
        // tests may have put another file there.
        .env("REX_VERIFY", target().join("debug/rex-verify"))
        .arg(folder.join("node_modules/@playwright/test/cli.js"))
        .arg("test");
    match claude {
        Some(claude) => playwright
            .env("REX_CLAUDE", claude)
            .args(["--project", "agents"]),
        None => playwright.args(["--project", "journeys", "--project", "engines"]),
    };
    run(&mut playwright)
}

/// Installs the npm packages of `e2e/package-lock.json`, once.
pub fn packages(folder: &Path) -> anyhow::Result<()> {
    if find(&["npm"]).is_none() {
        bail!("needed: Node 20 or newer with npm. See https://nodejs.org");
    }
    if folder.join("node_modules/.package-lock.json").exists() {
        return Ok(());
    }
    say("  installing the journeys' npm packages");
    run(Command::new("npm").current_dir(folder).args([
        "ci",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        "--loglevel=error",
    ]))
}
