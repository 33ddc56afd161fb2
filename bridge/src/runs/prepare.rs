//! Everything that stands between a stored prompt and its process: what the agent will be told, in which session, and
//! how its program is started. Nothing is started here.

use super::Means;
use super::memory::{Choice, Outlook, Spoken, look, root_of};
use super::places::{standing, told};
use crate::agents::SessionLock;
use crate::agents::gateway_key;
use crate::agents::seam::{Dialogue, Secret, SessionStart, Turn};
use crate::processes::{Copied, Launch};
use crate::proposals::{NotCopied, PrivateCopy};
use crate::store::{Conversation, StoreError};
use rex_shared::ids::{GatewayId, MessageId, ThreadId};
use rex_shared::prompt::{BUDGET, Background, fresh, preamble, resumed};
use rex_shared::transcript::RunRecord;
use rex_shared::wire::agent::{Gateway, Sandbox};
use rex_shared::wire::message::{Forecast, Memory, Mode};
use rex_shared::wire::place::Place;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// Which process of the run this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempt {
    /// The first.
    First,
    /// The session to resume was not there: told again from rows.
    Replay,
    /// The id we chose was taken: the same again under the next one.
    NextId(Memory),
}

/// Ready to start.
pub(super) struct Prepared {
    pub(super) launch: Launch,
    pub(super) dialogue: Box<dyn Dialogue>,
    /// The session gone on with; `None` opens a new one.
    pub(super) resumes: Option<String>,
    pub(super) memory: Memory,
    pub(super) forecast: Forecast,
    /// No other process is in the session; `None` when nobody knows its name yet.
    pub(super) lock: Option<SessionLock>,
    /// What an act run works in.
    pub(super) copy: Option<PrivateCopy>,
}

/// Why a run cannot start, in one sentence.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotReady {
    #[error("{0}. Your message is kept; try again.")]
    Store(#[from] StoreError),
    #[error(transparent)]
    Agent(#[from] crate::agents::Missing),
    #[error("{0}. Your files are as they were; ask instead, or try again.")]
    Copy(#[from] NotCopied),
    #[error("{0}")]
    Proposal(String),
    #[error(transparent)]
    Turn(#[from] crate::agents::seam::BadTurn),
    #[error("The key of {gateway} could not be read from {key_ref}. Set it and try again.")]
    Key { gateway: String, key_ref: String },
}

/// The private copy of an act run, with what waits of the thread's proposal in it; `had` is one made before.
pub(super) async fn copied(
    means: &Means,
    thread: &ThreadId,
    mode: Mode,
    root: &Path,
    had: Option<PrivateCopy>,
) -> Result<Option<PrivateCopy>, NotReady> {
    if mode != Mode::Act || had.is_some() {
        return Ok(had);
    }
    let (root, within) = (root.to_owned(), means.scratch_of_this_start());
    let copy = tokio::task::spawn_blocking(move || PrivateCopy::make(&root, &within));
    let copy = copy.await.map_err(|_| StoreError::Closed)??;
    let refined = means.proposals.put_into(thread, copy).await;
    Ok(Some(
        refined.map_err(|problem| NotReady::Proposal(problem.detail))?,
    ))
}

/// Decides how the run's next process comes to know the conversation, and prepares it. `scratch` exists.
pub(super) async fn prepare(
    means: &Means,
    thread: &ThreadId,
    run: &RunRecord,
    attempt: Attempt,
    scratch: PathBuf,
    copy: Option<PrivateCopy>,
) -> Result<Prepared, NotReady> {
    let found = means.agents.found(&run.sdk).await?;
    let agent = means
        .agents
        .get(&run.sdk)
        .ok_or_else(|| crate::agents::Missing::UnknownAgent(run.sdk.clone()))?;
    let store = &means.store;
    let gateway = store
        .gateway(&run.gateway)
        .await?
        .ok_or(StoreError::UnknownGateway)?;
    let stored = store
        .conversation(thread, None)
        .await?
        .ok_or(StoreError::UnknownThread)?;
    let root = root_of(means, &stored).await?;
    let prompt = store
        .stored_prompt(thread, &run.message_id)
        .await?
        .ok_or(StoreError::UnknownMessage)?;
    let choice = Choice {
        agent: agent.as_ref(),
        gateway: &gateway,
        mode: run.mode,
        root: &root,
    };
    let outlook = look(
        means,
        thread,
        &choice,
        Some(&run.message_id),
        &stored.places,
    )
    .await?;
    let memory = match attempt {
        Attempt::First => outlook.forecast.memory,
        Attempt::Replay => Memory::Replayed,
        Attempt::NextId(memory) => memory,
    };
    let text = text(means, run, memory, &outlook, &stored, &prompt.text).await;
    let session = session(means, thread, &choice, memory, &outlook).await?;
    let copied = copy.as_ref().map(|copy| Copied {
        of: PathBuf::from(&root),
        at: copy.path(),
        left_out: copy.left_out().to_vec(),
    });
    // Where the system puts the copy in the workspace's place, the agent's paths are right by themselves.
    let sandbox = means.runner.known_sandbox(Path::new(&root));
    let folder = match &copied {
        Some(copied) if sandbox != Some(Sandbox::Bubblewrap) => copied.at.clone(),
        _ => PathBuf::from(&root),
    };
    let turn = Turn {
        folder,
        scratch,
        prompt: text,
        images: prompt.images,
        session: session.clone(),
        mode: run.mode,
        model: run.model.clone(),
        key: key(means, &gateway)?,
        gateway,
    };
    let lock = match &session {
        SessionStart::Resume { id } | SessionStart::New { id: Some(id) } => {
            Some(means.agents.sessions().hold(&run.sdk, id).await)
        }
        SessionStart::New { id: None } => None,
    };
    let launch = agent.launch(&found, &turn)?;
    Ok(Prepared {
        launch: Launch {
            copy: copied,
            ..launch
        },
        dialogue: agent.dialogue(&turn),
        resumes: match session {
            SessionStart::Resume { id } => Some(id),
            SessionStart::New { .. } => None,
        },
        memory,
        forecast: outlook.forecast,
        lock,
        copy,
    })
}

/// The id of the n-th session of a thread with a gateway, for agents that take ours: the same after any restart, and
/// another one after a replay, so that it never collides with a file that still exists.
pub(super) fn chosen_id(thread: &ThreadId, gateway: &GatewayId, n: u32) -> String {
    let namespace = Uuid::parse_str(thread.as_str()).unwrap_or_default();
    Uuid::new_v5(&namespace, format!("{gateway} {n}").as_bytes()).to_string()
}

async fn text(
    means: &Means,
    run: &RunRecord,
    memory: Memory,
    outlook: &Outlook,
    stored: &Conversation,
    message: &str,
) -> String {
    let places = standing(&stored.places);
    let of = |wanted: &dyn Fn(&MessageId) -> bool| -> Vec<&Place> {
        places
            .iter()
            .copied()
            .filter(|place| place.message_id.as_ref().is_some_and(wanted))
            .collect()
    };
    let (documents, workspace) = (&means.documents, &stored.workspace_id);
    let new = told(documents, workspace, &of(&|id| *id == run.message_id)).await;
    if memory == Memory::Resumed {
        return resumed(&new, message);
    }
    let known = told(
        documents,
        workspace,
        &of(&|id| outlook.earlier.contains(id)),
    )
    .await;
    let background = Background {
        header: preamble(run.mode),
        places: &known,
        said: outlook.spoken.iter().map(Spoken::said).collect(),
    };
    fresh(&background, &new, message, BUDGET)
}

/// The session to go on with, or a new one with its row written before anything starts.
async fn session(
    means: &Means,
    thread: &ThreadId,
    choice: &Choice<'_>,
    memory: Memory,
    outlook: &Outlook,
) -> Result<SessionStart, StoreError> {
    let known = outlook
        .session
        .as_ref()
        .and_then(|session| session.session_id.clone());
    if let (Memory::Resumed, Some(id)) = (memory, known) {
        return Ok(SessionStart::Resume { id });
    }
    let capabilities = choice.agent.capabilities();
    if choice.mode == Mode::Act {
        // A fresh run on its own: no row, and an id that no later turn knows.
        let id = capabilities.chosen_id.then(|| Uuid::now_v7().to_string());
        return Ok(SessionStart::New { id });
    }
    if !capabilities.resume {
        return Ok(SessionStart::New { id: None });
    }
    let sdk = choice.agent.sdk();
    let gateway = &choice.gateway.gateway_id;
    let base_url = choice.gateway.base_url.clone();
    let row = means
        .store
        .open_session(thread, sdk, gateway, base_url, choice.root, (means.clock)())
        .await?;
    let id = capabilities
        .chosen_id
        .then(|| chosen_id(thread, gateway, row.n));
    Ok(SessionStart::New { id })
}

/// The gateway's key, read at the moment of the send and never kept.
pub(super) fn key(means: &Means, gateway: &Gateway) -> Result<Option<Secret>, NotReady> {
    let Some(key_ref) = &gateway.key_ref else {
        return Ok(None);
    };
    match gateway_key(&means.environment, key_ref) {
        Some(key) => Ok(Some(key)),
        None => Err(NotReady::Key {
            gateway: gateway.name.clone(),
            key_ref: key_ref.clone(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S38: the id follows from the thread and the gateway, so it is the same after a restart, and each session opened
    /// for them has its own.
    #[test]
    fn the_chosen_id_is_the_same_after_a_restart_and_another_for_each_session() {
        let thread = ThreadId::parse("01890a5d-ac96-774b-bcce-b302099a8057").unwrap();
        let gateway = GatewayId::default_gateway();
        let other = GatewayId::parse("01890a5d-ac96-774b-bcce-b302099a8058").unwrap();
        let id = chosen_id(&thread, &gateway, 1);
        assert_eq!(id, "6fb9b047-6132-5c91-9920-0117a1e893f9");
        assert_ne!(id, chosen_id(&thread, &gateway, 2));
        assert_ne!(id, chosen_id(&thread, &other, 1));
        assert!(rex_shared::ids::is_canonical_uuid(&id));
    }
}
