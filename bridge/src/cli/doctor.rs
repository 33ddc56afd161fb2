//! `rex doctor`: whether this installation is sound, also when no bridge runs or none can.

use super::say;
use crate::agents::{Configuration, Registry};
use crate::control::Notice;
use crate::doctor::{Doctor, text};
use crate::home;
use crate::processes::{Environment, Runner, Sandboxes};
use anyhow::Context as _;
use rex_shared::ids::Sdk;
use rex_shared::wire::doctor::CheckState;
use std::path::Path;

pub(super) async fn run(named: Option<&Path>, ask: &[String], json: bool) -> anyhow::Result<()> {
    let root = home::locate(named)?;
    let sdks = ask.iter().map(|sdk| Sdk::parse(sdk));
    let sdks = sdks.collect::<Result<Vec<_>, _>>()?;
    let environment = Environment::of_this_process();
    let program = std::env::current_exe().context("the rex binary cannot be found")?;
    let configuration = Configuration::read(&root)?;
    let agents = Registry::standard(environment.clone(), &program, &root, &configuration);
    let runner = Runner::new(environment.clone()).within(Sandboxes::of(&environment, &root));
    // What a dead bridge left behind says nothing.
    let notice = home::is_held(&root).then(|| Notice::read(&root)).flatten();
    let port = notice.map(|notice| notice.port);
    let doctor = Doctor::new(root, port, environment, agents, runner.clone());
    let diagnosis = doctor.try_out(&sdks).await;
    runner.end_servers().await;
    if json {
        say(&serde_json::to_string(&diagnosis)?);
    } else {
        say(text(&diagnosis).trim_end());
    }
    if diagnosis
        .checks()
        .any(|check| check.state == CheckState::Bad)
    {
        anyhow::bail!(
            "something is not as it should be; it is marked BAD, with what to do below it"
        );
    }
    Ok(())
}
