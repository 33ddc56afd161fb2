//! `rex debug THREAD`: the report on one comment, from the bridge that holds the home, or from the home itself when none
//! does.

use super::{failed, say, serve};
use crate::access::Secret;
use crate::control::{self, ControlError, DebugAsked, Report};
use crate::home::{self, Home};
use rex_shared::address::Address;
use rex_shared::ids::ThreadId;
use std::path::Path;
use std::time::Duration;

/// How long what was started for it has to end.
const END: Duration = Duration::from_secs(5);

pub(super) async fn run(named: Option<&Path>, thread: &str, ask: bool) -> anyhow::Result<()> {
    let root = home::locate(named)?;
    let asked = DebugAsked {
        thread_id: thread_of(thread)?,
        ask_agents: ask,
    };
    let call = if ask {
        control::DEBUG_ASKING
    } else {
        control::DEBUG
    };
    let report = match control::ask::<Report>(&root, call, &asked).await {
        Ok((Report { report }, _)) => report,
        Err(ControlError::NotRunning(_)) if root.exists() => alone(&root, &asked).await?,
        Err(error) => return Err(error.into()),
    };
    say(report.trim_end());
    Ok(())
}

/// A thread by its id, or by an address of the page that names one.
fn thread_of(text: &str) -> anyhow::Result<ThreadId> {
    if let Ok(thread) = ThreadId::parse(text) {
        return Ok(thread);
    }
    let query = text.split_once('?').map_or("", |(_, query)| query);
    match Address::parse(query).thread.id() {
        Some(thread) => Ok(thread.clone()),
        None => anyhow::bail!(
            "{text} names no comment. Copy its link in the page (More, Copy link), or its id from the address."
        ),
    }
}

/// With no bridge running this process may open the home, for as long as it holds it.
async fn alone(root: &Path, asked: &DebugAsked) -> anyhow::Result<String> {
    let home = Home::take(root)?;
    let bridge = serve::open(&home, 0, &Secret::new()?)?;
    bridge.agents.look_up_all().await;
    let report = if asked.ask_agents {
        bridge.runs.asked_report(&asked.thread_id).await
    } else {
        bridge.runs.report(&asked.thread_id).await
    };
    bridge.runs.shutdown(END).await;
    bridge.store.close().await;
    report.map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_named_by_its_id_or_by_a_link() {
        const ID: &str = "01890a5d-ac96-774b-bcce-b302099a8057";
        for named in [
            ID.to_owned(),
            format!("http://127.0.0.1:7390/?doc=a.md&thread={ID}"),
        ] {
            assert_eq!(thread_of(&named).unwrap().as_str(), ID);
        }
        for other in ["", "#4", "http://127.0.0.1:7390/?thread=x"] {
            let words = thread_of(other).unwrap_err().to_string();
            assert!(words.contains("Copy its link"), "{words}");
        }
    }
}
