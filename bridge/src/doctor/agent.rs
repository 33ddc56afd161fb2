//! An agent: whether its program is here, and whether it answers and remembers.
//!
//! Trying it out is two turns of a conversation that nobody keeps, in an empty folder, in two processes. The agent's own
//! record of them stays where the agent put it.

use super::Doctor;
use super::home::gateways;
use crate::agents::seam::{Agent, Dialogue, Event, Input, Secret, SessionStart, Step, Turn};
use crate::agents::{Found, Registry, gateway_key};
use crate::fresh;
use crate::processes::{Connection, Heard};
use rex_shared::ids::{BootId, GatewayId, RunId, Sdk};
use rex_shared::wire::agent::{Gateway, Sandbox};
use rex_shared::wire::doctor::Check;
use rex_shared::wire::doctor::CheckState::{Bad, Good, Notice};
use rex_shared::wire::message::Mode;
use rex_shared::wire::prompt::Answer;
use std::time::Duration;
use uuid::Uuid;

/// The coldest program takes ten seconds to begin, and a local model minutes to its first word.
const LIMIT: Duration = Duration::from_secs(300);
const PROMPT: &str = "Answer with the one word: ready";

/// Which agents are here, without starting any.
pub(super) fn look(agents: &Registry) -> Vec<Check> {
    let infos = agents.infos(Sandbox::None).into_iter();
    infos
        .map(|info| {
            let name = format!("agent {}", info.sdk);
            match (info.version.as_deref(), info.hint) {
                (Some(""), _) => Check::new(name, Good, "found; its version was not asked yet"),
                (Some(version), _) => Check::new(name, Good, format!("found, version {version}")),
                (None, hint) => {
                    let missing = Check::new(name, Notice, "not found");
                    hint.iter().fold(missing, |check, hint| check.hint(hint))
                }
            }
        })
        .collect()
}

/// What a turn came to.
struct Turned {
    session: Option<String>,
    text: String,
}

impl Doctor {
    /// Two turns in two processes.
    pub(super) async fn try_agent(&self, sdk: &Sdk) -> Check {
        let name = format!("agent {sdk}, asked");
        match self.two_turns(sdk).await {
            Ok(says) => Check::new(name, Good, says),
            Err(says) => Check::new(name, Bad, says),
        }
    }

    async fn two_turns(&self, sdk: &Sdk) -> Result<String, String> {
        let found = self.agents.found(sdk).await;
        let found = found.map_err(|missing| missing.to_string())?;
        let Some(agent) = self.agents.get(sdk) else {
            return Err("REX knows no such agent".to_owned());
        };
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let folder = folder.path().canonicalize().map(|path| (folder, path));
        let (_folder, folder) = folder.map_err(|error| error.to_string())?;
        let (gateway, key) = self.gateway_for(sdk).await?;
        let capabilities = agent.capabilities();
        let chosen = capabilities.chosen_id.then(|| Uuid::now_v7().to_string());
        let mut turn = Turn {
            folder,
            scratch: std::env::temp_dir(),
            prompt: PROMPT.to_owned(),
            images: Vec::new(),
            session: SessionStart::New { id: chosen },
            mode: Mode::Ask,
            model: None,
            gateway,
            key,
        };
        let first = self.turn(agent.as_ref(), &found, &mut turn).await?;
        if first.text.trim().is_empty() {
            return Err("it answered without a word".to_owned());
        }
        let Some(session) = first.session.filter(|_| capabilities.resume) else {
            return Ok("it answers; it is told the conversation each time".to_owned());
        };
        let seen = self.agents.session_log(sdk, &session).await;
        if seen.is_some_and(|seen| seen.usable_bytes == 0) {
            return Err("it answers, but keeps no record that it could go on from".to_owned());
        }
        turn.session = SessionStart::Resume {
            id: session.clone(),
        };
        let second = self.turn(agent.as_ref(), &found, &mut turn).await?;
        match second.session {
            Some(other) if other != session => {
                Err("it answers, but began a new conversation instead of going on".to_owned())
            }
            _ => Ok("it answers, and another process of it went on from there".to_owned()),
        }
    }

    /// The program's own sign-in, or the first gateway that is for this agent.
    async fn gateway_for(&self, sdk: &Sdk) -> Result<(Gateway, Option<Secret>), String> {
        let home = self.home.clone();
        let known = tokio::task::spawn_blocking(move || gateways(&home)).await;
        let known = known.unwrap_or_default().into_iter();
        let gateway = known
            .filter(|gateway| gateway.sdks.contains(sdk))
            .find(|gateway| gateway.base_url.is_some())
            .unwrap_or_else(|| Gateway {
                gateway_id: GatewayId::default_gateway(),
                name: "default".to_owned(),
                sdks: Vec::new(),
                base_url: None,
                key_ref: None,
                models: Vec::new(),
            });
        let Some(key_ref) = &gateway.key_ref else {
            return Ok((gateway, None));
        };
        match gateway_key(&self.environment, key_ref) {
            Some(key) => Ok((gateway, Some(key))),
            None => Err(format!("the key of {} is not in {key_ref}", gateway.name)),
        }
    }

    /// One turn in a process of its own.
    async fn turn(
        &self,
        agent: &dyn Agent,
        found: &Found,
        turn: &mut Turn,
    ) -> Result<Turned, String> {
        let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
        scratch.path().clone_into(&mut turn.scratch);
        let launch = agent.launch(found, turn).map_err(|bad| bad.to_string())?;
        self.runner.sandbox(&turn.folder).await;
        let (run, boot): (RunId, BootId) = (fresh::id(), fresh::id());
        let connection = self.runner.connect(&launch, &run, &boot);
        let mut connection = connection.map_err(|error| error.to_string())?;
        let talk = talk(&mut connection, agent.dialogue(turn));
        let outcome = tokio::time::timeout(LIMIT, talk).await;
        let outcome = outcome.unwrap_or_else(|_| {
            let seconds = LIMIT.as_secs();
            Err(format!("it did not answer within {seconds} s"))
        });
        if outcome.is_ok() {
            connection.finish();
        } else {
            connection.stop();
        }
        while connection.next().await.is_some() {}
        outcome
    }
}

async fn talk(
    connection: &mut Connection,
    mut dialogue: Box<dyn Dialogue>,
) -> Result<Turned, String> {
    let mut turned = Turned {
        session: None,
        text: String::new(),
    };
    let mut step = dialogue.open();
    loop {
        let mut answers = Step::default();
        let events = say(connection, step);
        for event in events {
            match event {
                Event::Session { id } => turned.session = Some(id),
                Event::Text { delta, .. } => turned.text.push_str(&delta),
                Event::TextWhole { text, .. } => turned.text.push_str(&text),
                Event::Asked(asked) => {
                    let told = dialogue.told(Input::Answer {
                        ask_id: asked.ask_id,
                        answer: Answer::Deny,
                        text: None,
                    });
                    answers.say.extend(told.say);
                }
                Event::Finished => return Ok(turned),
                Event::Refused(refusal) => {
                    return Err(format!("{} refused: {}", refusal.provider, refusal.reason));
                }
                Event::Failed(why) | Event::SessionLost { reason: why } => return Err(why),
                end if end.is_end() => return Err("it ended early".to_owned()),
                _ => {}
            }
        }
        say(connection, answers);
        step = match connection.next().await {
            Some(Heard::Line(line)) => dialogue.heard(&line),
            Some(Heard::Exited(exit)) => dialogue.ended(&exit),
            Some(Heard::Cut { .. } | Heard::Quiet(_)) => Step::default(),
            None => return Err("it ended early".to_owned()),
        };
    }
}

/// Says what a dialogue wants said, and gives what it understood.
fn say(connection: &Connection, step: Step) -> Vec<Event> {
    for line in step.say {
        connection.say(line);
    }
    if step.close {
        connection.close();
    }
    step.events
}
