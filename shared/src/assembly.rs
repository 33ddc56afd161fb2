//! From stored entries to the messages that the page shows.
//!
//! The only reader of a conversation, cold or live: it assembles and never decodes. A message is the entries of one
//! speaker in one run. What is deliberately absent: any look at an agent's own log.

use crate::ids::{MessageId, RunId};
use crate::transcript::{Entry, EntryKind, RunRecord, RunState};
use crate::wire::message::{Message, Part, Role, ToolResult, ToolStatus};
use crate::wire::place::Place;
use std::collections::HashMap;

/// Assembles the messages of a thread, or of a run of whole messages of it.
///
/// `entries` stand in stored order, `runs` in the order they were made, `places` are the thread's. Each answer follows
/// the message it answers, so that a prompt which waited behind a run does not push itself in between. Prompts that
/// still wait are left out: they are the queue's.
pub fn assemble(entries: &[Entry], runs: &[RunRecord], places: &[Place]) -> Vec<Message> {
    let mut groups = group(entries);
    let mut answers: HashMap<&MessageId, Vec<&RunRecord>> = HashMap::new();
    for run in runs {
        answers.entry(&run.message_id).or_default().push(run);
    }
    let by_reply: HashMap<&MessageId, &RunRecord> =
        runs.iter().map(|run| (&run.reply_id, run)).collect();
    let order: Vec<(MessageId, Role)> = groups
        .order
        .iter()
        .map(|id| (id.clone(), groups.of[id].role))
        .collect();
    let said: Vec<&MessageId> = order
        .iter()
        .filter(|(_, role)| *role == Role::User)
        .map(|(id, _)| id)
        .collect();

    let mut messages = Vec::new();
    for (id, role) in &order {
        match role {
            Role::User => {
                let runs = answers.get(id).map_or(&[][..], Vec::as_slice);
                let begun = runs.iter().rfind(|run| run.state != RunState::Queued);
                let Some(group) = groups.of.remove(id) else {
                    continue;
                };
                if begun.is_none() && (group.run_id.is_none() || !runs.is_empty()) {
                    continue;
                }
                messages.push(user_message(group, begun.copied(), places));
                for run in runs.iter().filter(|run| run.state != RunState::Queued) {
                    messages.push(reply(run, groups.of.remove(&run.reply_id)));
                }
            }
            Role::Assistant => {
                let run = by_reply.get(id).copied();
                if run.is_some_and(|run| said.contains(&&run.message_id)) {
                    continue;
                }
                if let Some(group) = groups.of.remove(id) {
                    messages.push(match run {
                        Some(run) => reply(run, Some(group)),
                        None => of_entries(group, RunState::Done),
                    });
                }
            }
        }
    }
    messages
}

/// The header of a run's reply, as it stands before anything was said.
pub fn reply_header(run: &RunRecord) -> Message {
    reply(run, None)
}

/// The status of a tool call that has no result, by how far its run is.
pub fn unanswered(state: Option<RunState>) -> ToolStatus {
    match state {
        Some(RunState::Queued | RunState::Running) => ToolStatus::Running,
        Some(RunState::Done) | None => ToolStatus::Done,
        Some(_) => ToolStatus::Failed,
    }
}

/// The entries of one message.
struct Group<'a> {
    role: Role,
    run_id: Option<RunId>,
    first: &'a Entry,
    last: &'a Entry,
    parts: Vec<Part>,
}

struct Groups<'a> {
    order: Vec<MessageId>,
    of: HashMap<MessageId, Group<'a>>,
}

fn group(entries: &[Entry]) -> Groups<'_> {
    let mut order = Vec::new();
    let mut of: HashMap<MessageId, Group<'_>> = HashMap::new();
    // Agents number their calls anew in each run, so a result belongs to the newest call of that id before it.
    let mut calls: HashMap<&str, (MessageId, usize)> = HashMap::new();
    for entry in entries {
        // A notice is never part of a message, so it cannot begin one.
        if matches!(entry.body, EntryKind::Notice { .. }) {
            continue;
        }
        let group = of.entry(entry.message_id.clone()).or_insert_with(|| {
            order.push(entry.message_id.clone());
            Group {
                role: entry.role,
                run_id: entry.run_id.clone(),
                first: entry,
                last: entry,
                parts: Vec::new(),
            }
        });
        group.last = entry;
        if let EntryKind::ToolResult {
            call_id,
            text,
            is_error,
        } = &entry.body
        {
            let holder = calls
                .get(call_id.as_str())
                .and_then(|(message, at)| of.get_mut(message)?.parts.get_mut(*at));
            if let Some(Part::Tool { status, result, .. }) = holder {
                *status = if *is_error {
                    ToolStatus::Failed
                } else {
                    ToolStatus::Done
                };
                *result = Some(ToolResult {
                    text: text.clone(),
                    is_error: *is_error,
                });
            }
        } else if let Some(part) = part_of(entry) {
            if let EntryKind::ToolCall { call_id, .. } = &entry.body {
                calls.insert(call_id, (entry.message_id.clone(), group.parts.len()));
            }
            group.parts.push(part);
        }
    }
    Groups { order, of }
}

/// The part an entry stands for; `None` for what is no part: results, notices, unknown entries.
pub fn part_of(entry: &Entry) -> Option<Part> {
    let entry_id = entry.entry_id.clone();
    match &entry.body {
        EntryKind::Text { text } => Some(Part::Text {
            entry_id,
            text: text.clone(),
        }),
        EntryKind::Thinking { text } => Some(Part::Thinking {
            entry_id,
            text: text.clone(),
        }),
        EntryKind::ToolCall {
            call_id,
            name,
            input,
        } => Some(Part::Tool {
            entry_id,
            call_id: call_id.clone(),
            name: name.clone(),
            input: input.clone(),
            status: ToolStatus::Running,
            result: None,
        }),
        EntryKind::Image {
            media_type,
            data_base64,
        } => Some(Part::Image {
            entry_id,
            media_type: media_type.clone(),
            data_url: format!("data:{media_type};base64,{data_base64}"),
        }),
        EntryKind::Other { original_type, .. } => original_type
            .strip_prefix(EntryKind::UNKNOWN_PART)
            .map(|kind| Part::Unknown {
                entry_id,
                original_type: kind.to_owned(),
            }),
        EntryKind::ToolResult { .. } | EntryKind::Notice { .. } => None,
    }
}

fn user_message(group: Group<'_>, run: Option<&RunRecord>, places: &[Place]) -> Message {
    let brought = places
        .iter()
        .filter(|place| place.message_id.as_ref() == Some(&group.first.message_id))
        .cloned()
        .collect();
    Message {
        run_id: run.map(|run| run.run_id.clone()).or(group.run_id.clone()),
        places: brought,
        ..of_entries(group, RunState::Done)
    }
}

fn reply(run: &RunRecord, group: Option<Group<'_>>) -> Message {
    let said = group.map(|group| of_entries(group, run.state));
    let (cost_usd, tokens, duration_ms, model, parts) = match said {
        Some(said) => (
            said.cost_usd,
            said.tokens,
            said.duration_ms,
            said.model,
            said.parts,
        ),
        None => (None, None, None, None, Vec::new()),
    };
    Message {
        message_id: run.reply_id.clone(),
        role: Role::Assistant,
        run_id: Some(run.run_id.clone()),
        mode: run.mode,
        sdk: run.sdk.clone(),
        gateway: run.gateway.clone(),
        model: run.model.clone().or(model),
        cost_usd,
        tokens,
        duration_ms: duration_ms.or_else(|| lasted(run)),
        memory: run.memory,
        forecast: run.forecast.clone(),
        receipt: run.receipt.clone(),
        refusal: run.refusal.clone(),
        interrupted: matches!(run.state, RunState::Stopped | RunState::Interrupted),
        failure: run.failure.clone(),
        places: Vec::new(),
        version: None,
        parts,
        created_at: run.started_at,
    }
}

fn lasted(run: &RunRecord) -> Option<u64> {
    let ended = run.ended_at?;
    u64::try_from(ended.0 - run.started_at.0).ok()
}

/// A message from its entries alone; `state` is how far its run is.
fn of_entries(group: Group<'_>, state: RunState) -> Message {
    let Group {
        role,
        run_id,
        first,
        last,
        mut parts,
    } = group;
    for part in &mut parts {
        if let Part::Tool {
            status,
            result: None,
            ..
        } = part
        {
            *status = unanswered(Some(state));
        }
    }
    Message {
        message_id: first.message_id.clone(),
        role,
        run_id,
        mode: first.mode,
        sdk: first.sdk.clone(),
        gateway: first.gateway.clone(),
        model: last.model.clone(),
        cost_usd: last.cost_usd,
        tokens: last.tokens,
        duration_ms: last.duration_ms,
        memory: None,
        forecast: None,
        receipt: None,
        refusal: None,
        interrupted: false,
        failure: None,
        places: Vec::new(),
        version: first.version.clone(),
        parts,
        created_at: first.created_at,
    }
}

#[cfg(test)]
mod tests;
