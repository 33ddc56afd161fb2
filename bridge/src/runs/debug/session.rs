//! One session in the report: what its row says, what the agent and the disk say, and what follows from that.

use super::word;
use crate::runs::Means;
use crate::runs::asking::Unanswered;
use crate::runs::memory::{Choice, next_send, session_facts};
use crate::runs::session_state::{SessionState, session_state};
use crate::store::SessionRecord;
use rex_shared::forecast::{SdkLog, SdkStore};
use rex_shared::utc::utc;
use rex_shared::wire::agent::Gateway;
use rex_shared::wire::message::Mode;
use rex_shared::wire::problem::Problem;
use std::fmt::Write as _;

/// Writing to a text cannot fail.
pub(super) async fn tell(
    report: &mut String,
    means: &Means,
    root: &str,
    session: &SessionRecord,
    unanswered: &[Unanswered],
) -> Result<(), Problem> {
    let gateway = means.store.gateway(&session.gateway_id).await?;
    _ = writeln!(
        report,
        "\nsession       {} through {}",
        session.sdk,
        named(session, gateway.as_ref())
    );
    tell_row(report, session);
    let state = session_state(means, session).await;
    if let (Some(agent), Some(gateway)) = (means.agents.get(&session.sdk), &gateway) {
        let choice = Choice {
            agent: agent.as_ref(),
            gateway,
            mode: Mode::Ask,
            root,
        };
        let facts = session_facts(&choice, session, &state);
        _ = writeln!(
            report,
            "  now         same address: {}, same folder: {}",
            facts.same_base_url, facts.same_folder
        );
    }
    tell_disk(report, &state);
    let why = unanswered
        .iter()
        .find(|other| other.sdk == session.sdk && other.gateway_id == session.gateway_id)
        .map(|other| other.why.as_str());
    tell_facts(report, &state, why);
    let thread = &session.thread_id;
    match next_send(means, thread, &session.sdk, &session.gateway_id, Mode::Ask).await {
        Ok(next) => {
            let memory = word(next.memory);
            _ = writeln!(report, "  next send:  {memory}: {}", next.reason);
        }
        // An agent that is not configured any more.
        Err(problem) => {
            _ = writeln!(report, "  next send:  {}", problem.title);
        }
    }
    Ok(())
}

/// The gateway's id, and its name where it has one of its own.
fn named(session: &SessionRecord, gateway: Option<&Gateway>) -> String {
    let id = &session.gateway_id;
    match gateway {
        Some(gateway) if !id.is_default() => format!("{id} ({})", gateway.name),
        _ => id.to_string(),
    }
}

fn tell_row(report: &mut String, session: &SessionRecord) {
    let id = session.session_id.as_deref().unwrap_or("not named yet");
    _ = writeln!(report, "  id          {id}");
    _ = writeln!(
        report,
        "  opened      {} (number {})",
        utc(session.created_at),
        session.n
    );
    let finished = session.finished_at.map(utc);
    _ = writeln!(
        report,
        "  finished    {}",
        finished.as_deref().unwrap_or("no turn yet")
    );
    _ = writeln!(report, "  folder      {}", session.folder);
    let address = session.base_url.as_deref().unwrap_or("the program's own");
    _ = writeln!(report, "  address     {address}");
}

fn tell_disk(report: &mut String, state: &SessionState) {
    let Some(seen) = &state.seen else {
        _ = writeln!(report, "  config      cannot be seen from outside");
        return;
    };
    _ = writeln!(report, "  config      {}", seen.config_folder.display());
    match &seen.log {
        Some(log) => {
            let (log, bytes) = (log.display(), seen.usable_bytes);
            _ = writeln!(report, "  record      {log} ({bytes} usable bytes)");
        }
        None => _ = writeln!(report, "  record      none below the config folder"),
    }
}

fn tell_facts(report: &mut String, state: &SessionState, why_unanswered: Option<&str>) {
    let store = match state.sdk_store {
        SdkStore::Has => "has it",
        SdkStore::None => "no record",
        SdkStore::NotAsked => "not asked",
    };
    let asked = state.asked_at.map(|at| format!(" (said {})", utc(at)));
    let why = why_unanswered.map(|why| format!(" (asked now and not answered: {why})"));
    _ = writeln!(
        report,
        "  sdk store:  {store}{}{}",
        asked.unwrap_or_default(),
        why.unwrap_or_default()
    );
    let log = match state.sdk_log {
        SdkLog::Present => "present",
        SdkLog::Missing => "missing",
        SdkLog::Unseen => "cannot be seen from outside",
    };
    _ = writeln!(report, "  sdk log:    {log}");
    _ = writeln!(report, "  reading:    {}", state.reading());
}
