//! The report on one thread: identifiers and facts, no text of documents, prompts or answers.

use super::Means;
use super::memory::{Choice, next_send, root_of, session_facts};
use crate::store::{Conversation, SessionRecord, StoreError};
use rex_shared::assembly::assemble;
use rex_shared::forecast::{SdkLog, SdkStore, SessionFacts};
use rex_shared::ids::ThreadId;
use rex_shared::transcript::RunRecord;
use rex_shared::wire::message::Mode;
use rex_shared::wire::problem::Problem;
use std::fmt::Write as _;

/// Builds the report. Rows and files are looked at; nothing is started.
pub(super) async fn report(means: &Means, thread: &ThreadId) -> Result<String, Problem> {
    let stored = means
        .store
        .conversation(thread, None)
        .await?
        .ok_or(StoreError::UnknownThread)?;
    let root = root_of(means, &stored).await?;
    let mut report = String::new();
    // Writing to a text cannot fail.
    _ = writeln!(report, "thread      {thread}");
    _ = writeln!(report, "workspace   {}", stored.workspace_id);
    _ = writeln!(report, "boot        {}", means.boot_id);
    let status = means.live.status(thread);
    _ = writeln!(
        report,
        "now         {}, generation {}",
        match (status.live, status.busy) {
            (_, true) => "busy",
            (true, false) => "live, idle",
            (false, false) => "cold",
        },
        status.generation
    );
    _ = writeln!(
        report,
        "stored      {} places, {} messages on the newest page, {} queued, {} open questions",
        stored.places.len(),
        assemble(&stored.entries, &stored.runs, &stored.places).len(),
        stored.queued.len(),
        stored.open_dialogs.len()
    );
    for session in means.store.sessions(thread).await? {
        tell_session(&mut report, means, thread, &root, &session).await?;
    }
    tell_runs(&mut report, &stored);
    Ok(report)
}

async fn tell_session(
    report: &mut String,
    means: &Means,
    thread: &ThreadId,
    root: &str,
    session: &SessionRecord,
) -> Result<(), Problem> {
    _ = writeln!(
        report,
        "\nsession     {} through {}",
        session.sdk, session.gateway_id
    );
    _ = writeln!(
        report,
        "  id        {}",
        session.session_id.as_deref().unwrap_or("not named yet")
    );
    _ = writeln!(
        report,
        "  opened    {} (number {})",
        session.created_at.0, session.n
    );
    match session.finished_at {
        Some(at) => _ = writeln!(report, "  finished  {}", at.0),
        None => _ = writeln!(report, "  finished  no turn yet"),
    }
    _ = writeln!(report, "  folder    {}", session.folder);
    _ = writeln!(
        report,
        "  address   {}",
        session.base_url.as_deref().unwrap_or("the program's own")
    );
    let gateway = means.store.gateway(&session.gateway_id).await?;
    if let (Some(agent), Some(gateway)) = (means.agents.get(&session.sdk), gateway) {
        let choice = Choice {
            agent: agent.as_ref(),
            gateway: &gateway,
            mode: Mode::Ask,
            root,
        };
        tell_facts(report, session_facts(means, &choice, session).await);
    }
    if let Some(id) = &session.session_id
        && let Some(seen) = means.agents.session_state(&session.sdk, id).await
    {
        _ = writeln!(report, "  config    {}", seen.config_folder.display());
        if let Some(log) = seen.log {
            _ = writeln!(
                report,
                "  log file  {} ({} usable bytes)",
                log.display(),
                seen.usable_bytes
            );
        }
    }
    let next = next_send(means, thread, &session.sdk, &session.gateway_id, Mode::Ask).await?;
    _ = writeln!(report, "  next send {:?}: {}", next.memory, next.reason);
    Ok(())
}

fn tell_facts(report: &mut String, facts: SessionFacts) {
    let store = match facts.sdk_store {
        SdkStore::Has => "has it",
        SdkStore::None => "no record",
        SdkStore::NotAsked => "not asked",
    };
    let log = match facts.sdk_log {
        SdkLog::Present => "present",
        SdkLog::Missing => "missing",
        SdkLog::Unseen => "cannot be seen from outside",
    };
    _ = writeln!(report, "  sdk store {store}");
    _ = writeln!(report, "  sdk log   {log}");
    _ = writeln!(
        report,
        "  reading   same address: {}, same folder: {}",
        facts.same_base_url, facts.same_folder
    );
}

fn tell_runs(report: &mut String, stored: &Conversation) {
    for RunRecord {
        run_id,
        state,
        sdk,
        gateway,
        model,
        memory,
        forecast,
        first_word_ms,
        ..
    } in &stored.runs
    {
        _ = write!(
            report,
            "\nrun         {run_id}\n  {state:?}, {sdk} through {gateway}"
        );
        if let Some(model) = model {
            _ = write!(report, ", {model}");
        }
        let said = forecast.as_ref().map(|forecast| forecast.memory);
        _ = writeln!(
            report,
            "\n  memory    {memory:?}, forecast {said:?}, first word after {first_word_ms:?} ms"
        );
    }
}
