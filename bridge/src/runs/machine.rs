//! The machine of one run: what happened goes in, what is to be done comes out as data.
//!
//! Pure: no process, no database, no clock, no randomness. It is the one place that decides what an event of an agent
//! means for the conversation, and it gives each run exactly one end; what comes after that changes nothing.

mod change;
mod effect;
mod reply;

pub use change::{Change, Show};
pub use effect::{Effect, End, Input};

use crate::agents::seam::{Asked, Event, Input as Said};
use change::{TooLong, Voice, derived};
use reply::Reply;
use rex_shared::ids::{DialogId, Millis};
use rex_shared::transcript::{RunRecord, RunState};
use rex_shared::wire::follow::Stage;
use rex_shared::wire::message::{Refusal, Tokens};
use rex_shared::wire::prompt::{Answer, Dialog, DialogState};
use serde_json::json;
use uuid::Uuid;

/// Ids that we choose and the agent refuses as taken before the run gives up.
const MOST_TAKEN: u32 = 3;

/// The question is not open (any more).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotOpen;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Starting,
    Going,
    Stopping,
    Ended,
}

/// One run.
#[derive(Debug)]
pub struct Machine {
    run: Uuid,
    state: State,
    stage: Stage,
    reply: Reply,
    resumes: Option<String>,
    replayed: bool,
    taken: u32,
    asked: u64,
    open: Vec<(String, Dialog)>,
    tokens: Option<Tokens>,
    cost_usd: Option<f64>,
}

impl Machine {
    /// A run that is about to start its process.
    pub fn new(run: &RunRecord) -> Self {
        Self {
            run: Uuid::parse_str(run.run_id.as_str()).unwrap_or_default(),
            state: State::Starting,
            stage: Stage::Starting,
            reply: Reply::new(&run.run_id, run.reply_id.clone()),
            resumes: None,
            replayed: false,
            taken: 0,
            asked: 0,
            open: Vec::new(),
            tokens: None,
            cost_usd: None,
        }
    }

    /// Takes what happened and says what is to be done.
    pub fn on(&mut self, input: Input) -> Vec<Effect> {
        if self.state == State::Ended {
            return Vec::new();
        }
        match input {
            Input::Started { resumes } => {
                self.resumes = resumes;
                self.state = State::Going;
                self.reply.new_process();
                self.go_to(Stage::Waiting)
            }
            Input::NotStarted(why) => self.fail(why),
            Input::Stop if self.state == State::Going => {
                let mut effects = self.go_to(Stage::Stopping);
                self.state = State::Stopping;
                effects.extend([Effect::Tell(Said::Interrupt), Effect::Halt]);
                effects
            }
            Input::Stop if self.state == State::Starting => self.end(RunState::Stopped, None, None),
            Input::Stop => Vec::new(),
            Input::Shutdown => self.end(RunState::Interrupted, None, None),
            Input::Event(event, now) => self.on_event(event, now),
        }
    }

    /// The person answers a question.
    pub fn answer(
        &mut self,
        id: &DialogId,
        answer: Answer,
        text: Option<String>,
    ) -> Result<Vec<Effect>, NotOpen> {
        let at = self
            .open
            .iter()
            .position(|(_, dialog)| dialog.dialog_id == *id)
            .ok_or(NotOpen)?;
        let (ask_id, dialog) = self.open.remove(at);
        let mut effects = vec![
            Effect::Dialog(Dialog {
                state: DialogState::Answered,
                ..dialog
            }),
            Effect::Tell(Said::Answer {
                ask_id,
                answer,
                text,
            }),
        ];
        effects.extend(self.after_asking());
        Ok(effects)
    }

    fn on_event(&mut self, event: Event, now: Millis) -> Vec<Effect> {
        match event {
            Event::Session { id } => match &self.resumes {
                // An agent that silently starts another session has lost the one asked for.
                Some(asked) if *asked != id => {
                    self.lost("the agent opened another session".to_owned())
                }
                _ => vec![Effect::Session(id)],
            },
            Event::Model(model) => vec![Effect::Model(model)],
            Event::Text { key, delta } => {
                let changes = self.reply.append(Voice::Text, key, delta);
                self.grown(changes, Stage::Writing)
            }
            Event::TextWhole { key, text } => {
                let changes = self.reply.whole(Voice::Text, key, text);
                self.grown(changes, Stage::Writing)
            }
            Event::Thinking { key, delta } => {
                let changes = self.reply.append(Voice::Thinking, key, delta);
                self.grown(changes, Stage::Thinking)
            }
            Event::ThinkingWhole { key, text } => {
                let changes = self.reply.whole(Voice::Thinking, key, text);
                self.grown(changes, Stage::Thinking)
            }
            Event::ToolStarted {
                call_id,
                name,
                input,
            } => {
                let changes = self.reply.tool_started(call_id, name, input);
                self.grown(changes, Stage::Tool)
            }
            Event::ToolDone {
                call_id,
                text,
                is_error,
            } => {
                let changes = self.reply.tool_done(call_id, text, is_error);
                let stage = if self.reply.tool_runs() {
                    Stage::Tool
                } else {
                    Stage::Waiting
                };
                self.grown(changes, stage)
            }
            Event::Asked(asked) => self.ask(*asked, now),
            Event::AskWithdrawn { ask_id } => {
                let mut effects = self.expire(|(id, _)| *id == ask_id);
                effects.extend(self.after_asking());
                effects
            }
            Event::Retrying { attempt, reason } => {
                let changes = self
                    .reply
                    .notice("retry", json!({ "attempt": attempt, "reason": reason }));
                self.grown(Ok(changes), Stage::Waiting)
            }
            Event::Usage {
                tokens,
                cost_usd,
                context,
            } => {
                self.tokens = tokens.or(self.tokens);
                self.cost_usd = cost_usd.or(self.cost_usd);
                context.map(Effect::Context).into_iter().collect()
            }
            Event::Other {
                original_type,
                payload,
            } => changes(self.reply.other(original_type, payload)),
            Event::Diagnostic(line) => {
                changes(self.reply.other("diagnostic".to_owned(), json!(line)))
            }
            Event::SessionLost { reason } => self.lost(reason),
            Event::SessionTaken { id } => self.taken(id),
            Event::Refused(refusal) => self.end(RunState::Refused, Some(refusal), None),
            Event::Failed(why) => self.fail(why),
            Event::Finished => self.end(RunState::Done, None, None),
            Event::Interrupted => self.end(RunState::Interrupted, None, None),
        }
    }

    fn grown(&mut self, grown: Result<Vec<Change>, TooLong>, stage: Stage) -> Vec<Effect> {
        let Ok(grown) = grown else {
            return self.fail(
                "The answer grew beyond 16 MB and was cut here. What came before is kept."
                    .to_owned(),
            );
        };
        let mut effects = changes(grown);
        effects.extend(self.go_to(stage));
        effects
    }

    fn ask(&mut self, asked: Asked, now: Millis) -> Vec<Effect> {
        self.asked += 1;
        let dialog = Dialog {
            dialog_id: derived(&self.run, &format!("dialog {}", self.asked)),
            kind: asked.kind,
            title: asked.title,
            action: asked.action,
            command: asked.command,
            path: asked.path,
            diff: asked.diff,
            options: asked.options,
            state: DialogState::Open,
            opened_at: now,
        };
        self.open.push((asked.ask_id, dialog.clone()));
        let mut effects = vec![Effect::Dialog(dialog)];
        effects.extend(self.go_to(Stage::Asking));
        effects
    }

    fn after_asking(&mut self) -> Vec<Effect> {
        if !self.open.is_empty() {
            return Vec::new();
        }
        let stage = if self.reply.tool_runs() {
            Stage::Tool
        } else {
            Stage::Waiting
        };
        self.go_to(stage)
    }

    fn expire(&mut self, which: impl Fn(&(String, Dialog)) -> bool) -> Vec<Effect> {
        self.open
            .extract_if(.., |open| which(open))
            .map(|(_, dialog)| {
                Effect::Dialog(Dialog {
                    state: DialogState::Expired,
                    ..dialog
                })
            })
            .collect()
    }

    /// The session to go on with is not there: told again, once, if nothing of an answer was seen yet.
    fn lost(&mut self, reason: String) -> Vec<Effect> {
        if self.state == State::Stopping {
            return self.end(RunState::Stopped, None, None);
        }
        if self.replayed || !self.reply.is_empty() {
            return self.fail(format!("The agent lost its session: {reason}. Try again."));
        }
        self.replayed = true;
        let mut effects = changes(
            self.reply
                .notice("session-lost", json!({ "reason": reason })),
        );
        effects.extend(self.another_process(Effect::Replay));
        effects
    }

    fn taken(&mut self, id: String) -> Vec<Effect> {
        if self.state == State::Stopping {
            return self.end(RunState::Stopped, None, None);
        }
        self.taken += 1;
        if self.taken > MOST_TAKEN || !self.reply.is_empty() {
            return self.fail(
                "The agent says that each session id REX chose is taken. Try again.".to_owned(),
            );
        }
        let mut effects = changes(self.reply.notice("session-taken", json!({ "id": id })));
        effects.extend(self.another_process(Effect::NextId));
        effects
    }

    fn another_process(&mut self, effect: Effect) -> Vec<Effect> {
        let mut effects = self.expire(|_| true);
        self.state = State::Starting;
        self.resumes = None;
        effects.extend(self.go_to(Stage::Starting));
        effects.push(effect);
        effects
    }

    fn fail(&mut self, why: String) -> Vec<Effect> {
        self.end(RunState::Failed, None, Some(why))
    }

    /// The one end. What ends because the person said stop is stopped, however the agent puts it; an answer that was
    /// complete before the word arrived stays done.
    fn end(
        &mut self,
        state: RunState,
        refusal: Option<Refusal>,
        failure: Option<String>,
    ) -> Vec<Effect> {
        let stopped = self.state == State::Stopping
            && matches!(state, RunState::Interrupted | RunState::Failed);
        let (state, failure) = if stopped {
            (RunState::Stopped, None)
        } else {
            (state, failure)
        };
        self.state = State::Ended;
        let mut effects = self.expire(|_| true);
        effects.extend(changes(self.reply.close(state)));
        effects.push(Effect::End(End {
            state,
            refusal,
            failure,
            tokens: self.tokens,
            cost_usd: self.cost_usd,
        }));
        effects
    }

    fn go_to(&mut self, stage: Stage) -> Vec<Effect> {
        // Stopping stays until the end; a question stays while it is open.
        let held =
            self.state == State::Stopping || (!self.open.is_empty() && stage != Stage::Asking);
        if held || self.stage == stage {
            return Vec::new();
        }
        self.stage = stage;
        vec![Effect::Stage(stage)]
    }
}

fn changes(changes: Vec<Change>) -> Vec<Effect> {
    changes.into_iter().map(Effect::Change).collect()
}

#[cfg(test)]
mod tests;
