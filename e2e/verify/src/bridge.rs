//! A `rex` of our own, to be measured or driven: started on a home and a folder in a temp place, ended with it.

use anyhow::{Context as _, bail};
use serde::Deserialize;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use ureq::Agent;

/// What `rex --json` prints.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ready {
    /// Its address.
    pub url: String,
    /// A link that signs a browser in.
    pub sign_in_url: String,
}

/// A running bridge.
pub struct Bridge {
    child: Child,
    /// What it said when it was ready.
    pub ready: Ready,
}

/// The command that starts one, with nothing of the caller's environment but the path.
pub fn command(binary: &Path, home: &Path, folder: &Path) -> Command {
    let mut command = Command::new(binary);
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", home)
        .arg("--no-open")
        .arg("--json")
        .arg("--home")
        .arg(home)
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

impl Bridge {
    /// Starts one and waits for its ready line.
    pub fn start(binary: &Path, home: &Path, folder: &Path) -> anyhow::Result<Self> {
        Self::start_by(&mut command(binary, home, folder))
    }

    /// Starts one by a command that was made by [`command`].
    pub fn start_by(command: &mut Command) -> anyhow::Result<Self> {
        let mut child = command.spawn().context("could not start rex")?;
        let stdout = child.stdout.take().context("rex has no stdout")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        match serde_json::from_str(&line) {
            Ok(ready) => Ok(Self { child, ready }),
            Err(_) => {
                let status = child.wait()?;
                bail!("rex ended with {status} before it was ready");
            }
        }
    }

    /// Asks it to end, as Ctrl+C does, and waits until it has.
    pub fn end(mut self) -> anyhow::Result<()> {
        let pid = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &pid]).status()?;
        self.child.wait()?;
        Ok(())
    }

    /// Proportional set size in bytes: what this process costs the machine.
    pub fn memory(&self) -> anyhow::Result<f64> {
        let text = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", self.child.id()))?;
        let line = text
            .lines()
            .find(|line| line.starts_with("Pss:"))
            .context("the system tells no Pss")?;
        let kilobytes: f64 = line
            .split_whitespace()
            .nth(1)
            .context("Pss has no number")?
            .parse()?;
        Ok(kilobytes * 1024.0)
    }

    /// Signs in as a browser does; gives a keep-alive client and the header to send.
    pub fn sign_in(&self) -> anyhow::Result<(Agent, String)> {
        let client = client();
        let code = self
            .ready
            .sign_in_url
            .split_once("code=")
            .context("the sign-in link has no code")?
            .1;
        let answer: serde_json::Value = client
            .post(format!(
                "{}/api/sign-in",
                self.ready.url.trim_end_matches('/')
            ))
            .send_json(serde_json::json!({ "code": code }))?
            .body_mut()
            .read_json()?;
        let secret = answer["secret"]
            .as_str()
            .context("the sign-in gave no secret")?;
        Ok((client, format!("Bearer {secret}")))
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A client that gives up on one request after half a second.
pub fn client() -> Agent {
    Agent::config_builder()
        .timeout_global(Some(Duration::from_millis(500)))
        .proxy(None)
        .build()
        .into()
}
