//! `rex [FOLDER|FILE]`: serve until told to stop, or hand over to the bridge that already serves the home.

use super::target::{self, Target};
use super::{Serve, failed, hidden, say};
use crate::access::{ControlSecret, Secret};
use crate::agents::Configuration;
use crate::bridge::{Bridge, Setup};
use crate::control::{self, ControlError, Link, Notice, OpenAsked};
use crate::home::{self, Home, HomeError};
use crate::http::{self, listener};
use crate::port;
use crate::processes::Environment;
use anyhow::Context as _;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// How often a home is tried that ends being held just when its bridge is asked.
const TRIES: u32 = 3;
/// How long all of it may take.
const ALL_ENDS: Duration = Duration::from_millis(2_700);
/// How long runs have to store their end when the bridge stops.
const RUNS_END: Duration = Duration::from_secs(2);

pub(super) async fn run(arguments: Serve) -> anyhow::Result<()> {
    hidden::from_other_programs();
    let target = target::find(
        arguments.target.as_deref(),
        arguments.home.folder.as_deref(),
    )?;
    home::keep_apart(&target.home, &target.folder)?;
    for _ in 0..TRIES {
        match Home::take(&target.home) {
            Ok(home) => return serve(&home, &target, &arguments).await,
            Err(HomeError::Held { .. }) => match hand_over(&target, &arguments).await {
                // It ended between the two.
                Err(ControlError::NotRunning(_)) => {}
                handed => return Ok(handed?),
            },
            Err(error) => return Err(error.into()),
        }
    }
    anyhow::bail!(
        "the home {} is taken and let go again and again; try once more",
        target.home.display()
    )
}

async fn serve(home: &Home, target: &Target, arguments: &Serve) -> anyhow::Result<()> {
    // Before anything else: what a dead bridge left must not be taken for this one.
    Notice::take_down(home);
    let mut signals = Signals::listen()?;
    let bound = port::bind(home, arguments.port)?;
    let secret = Secret::new()?;
    let bridge = open(home, bound.port, &secret)?;
    bridge.runs.recover().await?;
    let workspace = bridge
        .open_workspace(&target.folder)
        .await
        .map_err(failed)?;
    bridge.watch_known_workspaces().await?;
    let agents = bridge.agents.clone();
    // In the background: programs may take a second to say their version.
    drop(tokio::spawn(async move { agents.look_up_all().await }));
    let listeners = bound
        .listeners
        .into_iter()
        .map(TcpListener::from_std)
        .collect::<Result<_, _>>()?;
    let serving = tokio::spawn(listener::serve(
        listeners,
        http::router(bridge.clone()),
        listener::Limits::default(),
        bridge.stop.clone(),
    ));
    let notice = Notice::new(bound.port, bridge.boot_id.clone(), &secret);
    notice.put_up(home).context("the home cannot be written")?;
    let link = bridge.link(Some(workspace.workspace_id), target.document.clone())?;
    if let Some(taken) = bound.instead_of {
        let port = bound.port;
        let said =
            format!("Port {taken} is taken by another program; this home uses {port} from now on.");
        if arguments.json {
            tracing::warn!(said);
        } else {
            say(&said);
        }
    }
    ready(&link, &notice, &target.home, &target.folder, arguments);
    signals.next().await;
    Notice::take_down(home);
    end(&bridge, serving, signals).await;
    Ok(())
}

/// The bridge of a home that is held. It does nothing yet, and listens to nobody.
pub(super) fn open(home: &Home, port: u16, secret: &Secret) -> anyhow::Result<Arc<Bridge>> {
    Ok(Bridge::open(Setup {
        home: home.root().to_owned(),
        database: home.database(),
        port,
        environment: Environment::of_this_process(),
        configuration: Configuration::read(home.root())?,
        program: std::env::current_exe().context("the rex binary cannot be found")?,
        control: ControlSecret::of(secret),
        stop: CancellationToken::new(),
    })?)
}

/// Stops in order: no new calls, streams and runs end, the database is folded together. Told a second time, it stops
/// at once: everything that was shown is stored already.
async fn end(bridge: &Bridge, serving: tokio::task::JoinHandle<()>, mut signals: Signals) {
    tracing::info!("stopping");
    let stopping = async {
        bridge.stop.cancel();
        bridge.runs.shutdown(RUNS_END).await;
        if let Err(error) = serving.await {
            tracing::error!(%error, "the listener ended badly");
        }
        if let Err(error) = bridge.sign_ins.note_last_uses().await {
            tracing::warn!(%error, "when browsers were last seen could not be stored");
        }
        bridge.store.close().await;
    };
    tokio::select! {
        ended = tokio::time::timeout(ALL_ENDS, stopping) => {
            if ended.is_err() {
                tracing::warn!("not all ended in time; what was shown is stored");
            }
        }
        () = signals.next() => tracing::warn!("stopped at once"),
    }
}

/// Asks the bridge that holds the home to open the folder.
async fn hand_over(target: &Target, arguments: &Serve) -> Result<(), ControlError> {
    let asked = OpenAsked {
        folder: target.folder.clone(),
        document: target.document.clone(),
    };
    let (link, notice) = control::ask::<Link>(&target.home, control::OPEN, &asked).await?;
    if !arguments.json {
        say(&format!(
            "REX already serves {} (process {}, port {}).",
            target.home.display(),
            notice.pid,
            notice.port
        ));
    }
    ready(&link, &notice, &target.home, &target.folder, arguments);
    Ok(())
}

fn ready(link: &Link, notice: &Notice, home: &Path, folder: &Path, arguments: &Serve) {
    if arguments.json {
        say(&json!({
            "url": link.url,
            "signInUrl": link.sign_in_url,
            "pid": notice.pid,
            "home": home,
            "version": notice.version,
        })
        .to_string());
    } else {
        say(&format!("Reviewing {}", folder.display()));
        say(&format!("Open {}", link.sign_in_url));
        say("The link signs one browser in, once, within ten minutes; rex link makes another.");
    }
    if !arguments.no_open
        && let Err(error) = open::that_detached(&link.sign_in_url)
    {
        tracing::warn!(%error, "no browser could be opened; open the address yourself");
    }
}

/// The ways a bridge is told to stop.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hang_up.recv() => {}
        }
    }
}
