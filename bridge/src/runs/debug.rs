//! The report on one thread: identifiers and facts, no text of documents, prompts or answers.
//!
//! It is meant to be enough: why a thread was told again, or will be, is to be seen here without a debugger.

mod proposal;
mod session;

use super::Means;
use super::asking::Unanswered;
use super::memory::root_of;
use crate::store::{Conversation, StoreError};
use rex_shared::assembly::assemble;
use rex_shared::ids::ThreadId;
use rex_shared::transcript::{Entry, EntryKind, RunRecord};
use rex_shared::utc::utc;
use rex_shared::wire::agent::AgentInfo;
use rex_shared::wire::message::Memory;
use rex_shared::wire::problem::Problem;
use std::fmt::Write as _;
use std::path::Path;

/// Builds the report. Rows and files are looked at; nothing is started. `unanswered` is what was asked just before and
/// not answered.
pub(super) async fn report(
    means: &Means,
    thread: &ThreadId,
    unanswered: &[Unanswered],
) -> Result<String, Problem> {
    let stored = means
        .store
        .conversation(thread, None)
        .await?
        .ok_or(StoreError::UnknownThread)?;
    let number = means.store.row(thread).await?.map(|(_, row)| row.number);
    let root = root_of(means, &stored).await?;
    let mut report = String::new();
    // Writing to a text cannot fail.
    _ = writeln!(
        report,
        "thread        {thread} (#{})",
        number.unwrap_or_default()
    );
    _ = writeln!(report, "workspace     {}", stored.workspace_id);
    _ = writeln!(report, "reported      {}", utc((means.clock)()));
    _ = writeln!(
        report,
        "rex           {}, start {}",
        env!("CARGO_PKG_VERSION"),
        means.boot_id
    );
    let sandbox = means.runner.known_sandbox(Path::new(&root));
    let sandbox = sandbox.unwrap_or_default();
    _ = writeln!(report, "sandbox       {}", sandbox.word());
    let agents = means.agents.infos(sandbox);
    _ = writeln!(report, "agents        {}", versions(&agents));
    tell_now(&mut report, means, thread, &stored);
    for session in means.store.sessions(thread).await? {
        session::tell(&mut report, means, &root, &session, unanswered).await?;
    }
    for run in &stored.runs {
        tell_run(&mut report, run, &stored.entries);
    }
    for proposal in means.store.proposals(thread).await? {
        proposal::tell(&mut report, &proposal);
    }
    Ok(report)
}

/// Each program that was found, and its version.
fn versions(agents: &[AgentInfo]) -> String {
    let found: Vec<String> = agents
        .iter()
        .filter_map(|agent| {
            let version = agent.version.as_deref()?;
            Some(match version {
                "" => agent.sdk.to_string(),
                version => format!("{} {version}", agent.sdk),
            })
        })
        .collect();
    if found.is_empty() {
        "none was found".to_owned()
    } else {
        found.join(", ")
    }
}

fn tell_now(report: &mut String, means: &Means, thread: &ThreadId, stored: &Conversation) {
    let status = means.live.status(thread);
    let now = match (status.live, status.busy) {
        (_, true) => "busy",
        (true, false) => "live, idle",
        (false, false) => "cold",
    };
    _ = writeln!(
        report,
        "now           {now}, generation {}",
        status.generation
    );
    _ = writeln!(
        report,
        "stored        {} places, {} messages on the newest page, {} queued, {} open questions",
        stored.places.len(),
        assemble(&stored.entries, &stored.runs, &stored.places).len(),
        stored.queued.len(),
        stored.open_dialogs.len()
    );
}

fn tell_run(report: &mut String, run: &RunRecord, entries: &[Entry]) {
    _ = writeln!(report, "\nrun           {} ({:?})", run.run_id, run.state);
    _ = write!(report, "  by          {} through {}", run.sdk, run.gateway);
    if let Some(model) = &run.model {
        _ = write!(report, ", {model}");
    }
    _ = writeln!(report, "\n  started     {}", utc(run.started_at));
    if let Some(forecast) = &run.forecast {
        let memory = word(forecast.memory);
        _ = writeln!(report, "  forecast    {memory}: {}", forecast.reason);
    }
    if let Some(memory) = run.memory {
        _ = writeln!(report, "  outcome     {}", word(memory));
    }
    if differs(run) {
        let why = lost(run, entries).unwrap_or("no reason was recorded");
        _ = writeln!(report, "  DIFFERENT   from the forecast: {why}");
    }
    if let Some(waited) = run.first_word_ms {
        _ = writeln!(report, "  first word  after {waited} ms");
    }
    if let Some(failure) = &run.failure {
        _ = writeln!(report, "  failure     {failure}");
    }
    if let Some(refusal) = &run.refusal {
        let status = refusal.status.map(|status| format!(" ({status})"));
        _ = writeln!(
            report,
            "  refused     {:?}{}",
            refusal.class,
            status.unwrap_or_default()
        );
    }
}

/// Whether the run came to know its conversation in another way than was said before it.
fn differs(run: &RunRecord) -> bool {
    let said = run.forecast.as_ref().map(|forecast| forecast.memory);
    said.is_some_and(|said| run.memory.is_some_and(|memory| memory != said))
}

/// What the agent said when the session was not there.
fn lost<'a>(run: &RunRecord, entries: &'a [Entry]) -> Option<&'a str> {
    entries
        .iter()
        .filter(|entry| entry.run_id.as_ref() == Some(&run.run_id))
        .find_map(|entry| match &entry.body {
            EntryKind::Notice { name, detail } if name == "session-lost" => {
                detail["reason"].as_str()
            }
            _ => None,
        })
}

fn word(memory: Memory) -> &'static str {
    match memory {
        Memory::New => "new",
        Memory::Resumed => "resumed",
        Memory::Replayed => "replayed",
        Memory::Seeded => "seeded",
    }
}
