//! Asking agents without a turn. It starts their programs, so only a person's own act does it.

use super::Means;
use super::prepare::key;
use crate::agents::inquiry::{Answer, Heard, Inquiry, Question};
use crate::agents::seam::{SessionStart, Turn};
use crate::fresh;
use crate::processes::{self, Connection};
use crate::store::{SessionAnswer, SessionRecord, StoreError};
use rex_shared::ids::{GatewayId, Sdk, ThreadId};
use rex_shared::wire::agent::Gateway;
use rex_shared::wire::message::Mode;
use rex_shared::wire::problem::Problem;
use std::path::Path;
use std::time::Duration;

/// The slowest program takes ten seconds to begin on a quiet machine.
const LIMIT: Duration = Duration::from_secs(60);

/// A session whose agent gave no answer, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unanswered {
    pub(super) sdk: Sdk,
    pub(super) gateway_id: GatewayId,
    pub(super) why: String,
}

/// Asks the agents of a thread for its sessions, one after the other, and stores what they say.
pub(super) async fn ask_for_sessions(
    means: &Means,
    thread: &ThreadId,
) -> Result<Vec<Unanswered>, Problem> {
    let mut unanswered = Vec::new();
    for session in means.store.sessions(thread).await? {
        let why = match ask_for(means, &session).await {
            Ok(has) => {
                let asked_at = (means.clock)();
                let answer = SessionAnswer { has, asked_at };
                means.store.answer_session(&session, answer).await?;
                continue;
            }
            Err(why) => why,
        };
        unanswered.push(Unanswered {
            sdk: session.sdk,
            gateway_id: session.gateway_id,
            why,
        });
    }
    Ok(unanswered)
}

async fn ask_for(means: &Means, session: &SessionRecord) -> Result<bool, String> {
    let Some(id) = &session.session_id else {
        return Err("the session has no id yet".to_owned());
    };
    let Some(_lock) = means.agents.sessions().try_hold(&session.sdk, id) else {
        return Err("a process is in the session right now".to_owned());
    };
    let gateway = means.store.gateway(&session.gateway_id).await;
    let gateway = gateway
        .map_err(|error| error.to_string())?
        .ok_or_else(|| StoreError::UnknownGateway.to_string())?;
    let question = Question::Session(id.clone());
    match ask(
        means,
        &session.sdk,
        &gateway,
        Path::new(&session.folder),
        question,
    )
    .await?
    {
        Answer::Has => Ok(true),
        Answer::HasNot(words) => {
            tracing::info!(sdk = %session.sdk, words, "an agent does not have a session");
            Ok(false)
        }
        Answer::Unclear(why) => Err(why),
        Answer::Models(_) => Err("it answered another question".to_owned()),
    }
}

/// Asks an agent which models it offers through a gateway.
pub(super) async fn ask_for_models(
    means: &Means,
    sdk: &Sdk,
    gateway: &Gateway,
    folder: &Path,
) -> Result<Vec<String>, String> {
    match ask(means, sdk, gateway, folder, Question::Models).await? {
        Answer::Models(models) => Ok(models),
        Answer::Unclear(why) => Err(why),
        Answer::Has | Answer::HasNot(_) => Err("it answered another question".to_owned()),
    }
}

async fn ask(
    means: &Means,
    sdk: &Sdk,
    gateway: &Gateway,
    folder: &Path,
    question: Question,
) -> Result<Answer, String> {
    let found = means
        .agents
        .found(sdk)
        .await
        .map_err(|missing| missing.to_string())?;
    let agent = means
        .agents
        .get(sdk)
        .ok_or("REX does not know this agent")?;
    let of_this_start = means.scratch_of_this_start();
    let scratch = async {
        tokio::fs::create_dir_all(&of_this_start).await?;
        tempfile::Builder::new()
            .prefix("ask-")
            .tempdir_in(&of_this_start)
    };
    let scratch = scratch
        .await
        .map_err(|error| format!("its temp folder could not be made ({error})"))?;
    let turn = Turn {
        folder: folder.to_owned(),
        scratch: scratch.path().to_owned(),
        prompt: String::new(),
        images: Vec::new(),
        session: match &question {
            Question::Session(id) => SessionStart::Resume { id: id.clone() },
            Question::Models => SessionStart::New { id: None },
        },
        mode: Mode::Ask,
        model: None,
        key: key(means, gateway).map_err(|why| why.to_string())?,
        gateway: gateway.clone(),
    };
    let inquiry = agent
        .inquiry(&turn, question)
        .ok_or_else(|| format!("{} cannot be asked without a turn", agent.label()))?;
    means.runner.sandbox(folder).await;
    let launch = agent.launch(&found, &turn).map_err(|bad| bad.to_string())?;
    let connection = means
        .runner
        .connect(&launch, &fresh::id(), &means.boot_id)
        .map_err(|why| why.to_string())?;
    Ok(talk(connection, inquiry).await)
}

/// Holds the conversation and sees the program out.
async fn talk(mut connection: Connection, mut inquiry: Box<dyn Inquiry>) -> Answer {
    for line in inquiry.open() {
        connection.say(line);
    }
    let answer = tokio::time::timeout(LIMIT, answer(&mut connection, inquiry.as_mut())).await;
    let Ok(answer) = answer else {
        connection.stop();
        let seconds = LIMIT.as_secs();
        return Answer::Unclear(format!("it did not answer within {seconds} s"));
    };
    connection.close();
    connection.finish();
    while connection.next().await.is_some() {}
    answer
}

async fn answer(connection: &mut Connection, inquiry: &mut dyn Inquiry) -> Answer {
    while let Some(heard) = connection.next().await {
        match heard {
            processes::Heard::Line(line) => {
                let Ok(line) = serde_json::from_str(&line) else {
                    continue;
                };
                match inquiry.heard(&line) {
                    Heard::Nothing => {}
                    Heard::Say(lines) => lines.into_iter().for_each(|line| connection.say(line)),
                    Heard::Answer(answer) => return answer,
                }
            }
            processes::Heard::Exited(exit) => return inquiry.ended(&exit),
            processes::Heard::Cut { .. } | processes::Heard::Quiet(_) => {}
        }
    }
    Answer::Unclear("the program is gone".to_owned())
}
