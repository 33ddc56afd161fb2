//! How a run will come to know its conversation: the facts, gathered.
//!
//! The decision itself is [`rex_shared::forecast`]. Rows and files are looked at; nothing is started, so the agent's own
//! word is the last one it gave, and the resume itself is the question.

use super::Means;
use super::places::{is_lost, standing};
use super::session_state::{SessionState, session_state};
use crate::agents::seam::Agent;
use crate::store::{Conversation, SessionRecord, StoreError};
use rex_shared::assembly::assemble;
use rex_shared::forecast::{Facts, SessionFacts, forecast};
use rex_shared::ids::{GatewayId, MessageId, Sdk, ThreadId};
use rex_shared::prompt::{BUDGET, Said, weight, words};
use rex_shared::transcript::Entry;
use rex_shared::wire::agent::Gateway;
use rex_shared::wire::message::{Forecast, Memory, Mode, Role};
use rex_shared::wire::place::Place;
use rex_shared::wire::problem::Problem;
use std::collections::HashSet;
use std::path::PathBuf;

/// One message of the conversation so far, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spoken {
    pub(super) role: Role,
    pub(super) text: String,
}

impl Spoken {
    pub(super) fn said(&self) -> Said<'_> {
        Said {
            role: self.role,
            text: &self.text,
        }
    }
}

/// Everything known before a send.
pub(super) struct Outlook {
    pub(super) forecast: Forecast,
    pub(super) session: Option<SessionRecord>,
    pub(super) spoken: Vec<Spoken>,
    /// The messages before this one.
    pub(super) earlier: HashSet<MessageId>,
}

/// Who is to answer, and how.
pub(super) struct Choice<'a> {
    pub(super) agent: &'a dyn Agent,
    pub(super) gateway: &'a Gateway,
    pub(super) mode: Mode,
    /// The workspace's folder.
    pub(super) root: &'a str,
}

/// What the next send of a thread will do. A thread that does not exist yet has everything before it.
pub(super) async fn next_send(
    means: &Means,
    thread: &ThreadId,
    sdk: &Sdk,
    gateway: &GatewayId,
    mode: Mode,
) -> Result<Forecast, Problem> {
    let agent = means.agents.get(sdk).ok_or_else(|| {
        super::refusals::unknown_agent(&crate::agents::Missing::UnknownAgent(sdk.clone()))
    })?;
    let gateway = means
        .store
        .gateway(gateway)
        .await?
        .ok_or(StoreError::UnknownGateway)?;
    let stored = means.store.conversation(thread, None).await?;
    let root = match &stored {
        Some(stored) => root_of(means, stored).await?,
        None => String::new(),
    };
    let choice = Choice {
        agent: agent.as_ref(),
        gateway: &gateway,
        mode,
        root: &root,
    };
    let told: Vec<Place> = stored.map(|stored| stored.places).unwrap_or_default();
    Ok(look(means, thread, &choice, None, &told).await?.forecast)
}

/// The folder of a thread's workspace.
pub(super) async fn root_of(means: &Means, stored: &Conversation) -> Result<String, StoreError> {
    let workspace = means.store.workspace(&stored.workspace_id).await?;
    workspace
        .map(|workspace| workspace.root)
        .ok_or(StoreError::UnknownWorkspace)
}

/// The same by the thread's id.
pub(super) async fn root_of_thread(
    means: &Means,
    thread: &ThreadId,
) -> Result<PathBuf, StoreError> {
    let id = means
        .store
        .workspace_of(thread)
        .await?
        .ok_or(StoreError::UnknownThread)?;
    let workspace = means
        .store
        .workspace(&id)
        .await?
        .ok_or(StoreError::UnknownWorkspace)?;
    Ok(PathBuf::from(workspace.root))
}

/// Looks at everything that decides how `asked`, or the next message, will be sent. `places` are the thread's.
pub(super) async fn look(
    means: &Means,
    thread: &ThreadId,
    choice: &Choice<'_>,
    asked: Option<&MessageId>,
    places: &[Place],
) -> Result<Outlook, StoreError> {
    let sdk = choice.agent.sdk();
    let gateway_id = &choice.gateway.gateway_id;
    let entries = entries_before(means.store.transcript(thread).await?, asked);
    let earlier = entries
        .iter()
        .map(|entry| entry.message_id.clone())
        .collect();
    let spoken = spoken(&entries);
    let session = means.store.session(thread, sdk, gateway_id).await?;
    let facts = match &session {
        Some(session) => Some(session_facts(
            choice,
            session,
            &session_state(means, session).await,
        )),
        None => None,
    };
    let said: Vec<Said<'_>> = spoken.iter().map(Spoken::said).collect();
    let mut facts = Facts {
        agent: choice.agent.label(),
        gateway: (!gateway_id.is_default()).then_some(choice.gateway.name.as_str()),
        mode: choice.mode,
        resumes: choice.agent.capabilities().resume,
        session: facts,
        anything_said: !said.is_empty(),
        weight: weight(&said, BUDGET),
        place_lost: false,
        last_wait_ms: means.store.last_wait(sdk, gateway_id).await?,
    };
    let resumed = forecast(&facts).memory == Memory::Resumed;
    // A resumed session is told only the places that come with the message.
    facts.place_lost = standing(places)
        .into_iter()
        .filter(|place| !resumed || place.message_id.as_ref() == asked)
        .any(is_lost);
    Ok(Outlook {
        forecast: forecast(&facts),
        session,
        spoken,
        earlier,
    })
}

/// The facts of one stored session that the decision rests on.
pub(super) fn session_facts(
    choice: &Choice<'_>,
    session: &SessionRecord,
    state: &SessionState,
) -> SessionFacts {
    SessionFacts {
        finished: session.finished_at.is_some(),
        same_base_url: session.base_url == choice.gateway.base_url,
        same_folder: session.folder == choice.root,
        sdk_store: state.sdk_store,
        sdk_log: state.sdk_log,
    }
}

/// What stands before a message; before the next one when `asked` is `None`.
fn entries_before(mut entries: Vec<Entry>, asked: Option<&MessageId>) -> Vec<Entry> {
    if let Some(at) = entries
        .iter()
        .position(|entry| Some(&entry.message_id) == asked)
    {
        entries.truncate(at);
    }
    entries
}

/// What was said, in words. Prompts that wait were not said yet.
fn spoken(entries: &[Entry]) -> Vec<Spoken> {
    assemble(entries, &[], &[])
        .iter()
        .filter_map(|message| {
            Some(Spoken {
                role: message.role,
                text: words(message)?,
            })
        })
        .collect()
}
