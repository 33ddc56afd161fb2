//! P17: from a person's send to the start of the agent's program, without a sandbox and in the one this machine has.
//!
//! The agent is a script that writes down when it began and ends. What it takes to begin itself is measured with it.

use super::client::Client;
use super::report::Report;
use crate::bridge::{Bridge, command};
use anyhow::Context as _;
use rex_bundle::stage::say;
use rex_shared::ids::{GatewayId, MessageId, Sdk, ThreadId};
use rex_shared::routes;
use rex_shared::wire::agent::Sandbox;
use rex_shared::wire::message::Mode;
use rex_shared::wire::prompt::Prompt;
use rex_shared::wire::workspace::Workspace;
use std::path::Path;
use std::time::{Duration, SystemTime};

const RUNS: u64 = 30;
const SCRIPT: &str = "date +%s%N > $HOME/stamps/begun";

pub(super) fn measure(binary: &Path, report: &mut Report) -> anyhow::Result<()> {
    let (_, samples) = sends(binary, "off")?;
    report.add("P17 send to spawn, no sandbox", "ms", 20.0, samples);
    let (sandbox, samples) = sends(binary, "")?;
    match sandbox {
        Sandbox::Bubblewrap => {
            report.add("P17 send to spawn, bubblewrap", "ms", 40.0, samples);
        }
        Sandbox::Landlock => report.add("P17 send to spawn, Landlock", "ms", 40.0, samples),
        Sandbox::None => say("  no sandbox holds on this machine: NOT MEASURED"),
    }
    Ok(())
}

/// The sandbox, and how long each send took, in milliseconds.
fn sends(binary: &Path, choice: &str) -> anyhow::Result<(Sandbox, Vec<f64>)> {
    let place = tempfile::tempdir()?;
    let (home, folder) = (place.path().join("home"), place.path().join("folder"));
    for made in [&home, &folder] {
        std::fs::create_dir(made)?;
    }
    std::fs::write(folder.join("a.md"), "# A\n")?;
    let stanza = format!(
        "[acp.stamp]\nprogram = \"/bin/sh\"\narguments = [\"-c\", \"{SCRIPT}\"]\nwrites = [\"stamps\"]\n"
    );
    std::fs::write(home.join("config.toml"), stanza)?;
    let mut command = command(binary, &home, &folder);
    command.env("HOME", place.path()).env("REX_SANDBOX", choice);
    let bridge = Bridge::start_by(&mut command)?;
    let client = Client::sign_in(&bridge)?;
    let workspace: Workspace = serde_json::from_str(&client.get(routes::WORKSPACE)?)?;
    let agent = workspace.agents.first().context("no agent is offered")?;
    let mut samples = Vec::new();
    for run in 0..RUNS {
        let took = once(&client, run, &place.path().join("stamps/begun"))?;
        samples.push(took.as_secs_f64() * 1000.0);
    }
    Ok((agent.sandbox, samples))
}

/// One send in a new thread.
fn once(client: &Client, run: u64, stamp: &Path) -> anyhow::Result<Duration> {
    let thread = ThreadId::parse(&format!("00000000-0000-7000-8000-{run:012x}"))?;
    let prompt = Prompt {
        message_id: MessageId::parse(&format!("00000009-0000-7000-8000-{run:012x}"))?,
        ws: None,
        text: "Why?".to_owned(),
        places: Vec::new(),
        mode: Mode::Ask,
        sdk: Sdk::parse("acp:stamp")?,
        gateway: GatewayId::default_gateway(),
        model: None,
        images: Vec::new(),
        accept_unenforced: true,
    };
    let mut frames = client.follow(&routes::follow(None, Some(&thread)))?;
    frames.until("snapshot", |_| true)?;
    let sent = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    client.post(&routes::prompt(&thread), &prompt)?;
    frames.until("status", |frame| frame["busy"] == true)?;
    frames.until("status", |frame| frame["busy"] == false)?;
    let begun: u64 = std::fs::read_to_string(stamp)?.trim().parse()?;
    let began = Duration::from_nanos(begun);
    began.checked_sub(sent).context("the clock was set back")
}
