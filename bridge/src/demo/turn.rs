//! One prompt, answered.

use super::answer::{self, Answer};
use super::change;
use super::memory::{Memory, Session, Turn};
use super::peer::{Peer, Stop};
use super::serve::chunk;
use super::wish::{self, Wish};
use super::workspace::Workspace;
use rex_shared::prompt::reading::{self, ReadPrompt};
use serde_json::{Value, json};
use std::io;
use std::time::Duration;

const INTERNAL: i64 = -32603;
/// About a second's reading is spread over so many pieces, so that streaming is seen.
const PIECE: usize = 24;
const PAUSE: Duration = Duration::from_millis(8);
const SLOW_PAUSE: Duration = Duration::from_millis(150);
const CONTEXT_SIZE: usize = 200_000;
/// A file outside every workspace that every machine has and that holds no secret.
const OUTSIDE: &str = "/etc/hostname";

/// One prompt being answered.
pub(super) struct OneTurn<'a> {
    pub(super) peer: &'a mut Peer,
    pub(super) memory: &'a Memory,
    pub(super) session: &'a mut Session,
}

impl OneTurn<'_> {
    /// Answers the prompt, or fails it as it was asked to. What is not finished is not remembered.
    pub(super) async fn answer(&mut self, id: &Value, prompt: &str) -> Result<(), Stop> {
        let read = reading::read(prompt);
        let workspace = Workspace::at(&self.session.cwd);
        let number = self.session.turns.len() + 1;
        let wish = wish::read(&read.message);
        if let Wish::Refusal { status, once } = wish
            && (!once || self.memory.is_first_time(&read.message)?)
        {
            let data = json!({"status": status, "message": "the demo agent was asked to fail"});
            self.peer
                .fail(id, INTERNAL, &format!("API Error: {status}"), &data)?;
            return Ok(());
        }
        let mut said = match wish {
            Wish::ReadOutside => self.read_outside().await?,
            Wish::RunCommand => self.run_command(&workspace).await?,
            _ => String::new(),
        };
        if read.may_change {
            said.push_str(&self.change(&read, &workspace)?);
        }
        let composed = answer::compose(&read, &workspace, number);
        self.tell_reads(&composed)?;
        said.push_str(&composed.text);
        let pause = if wish == Wish::Slowly {
            SLOW_PAUSE
        } else {
            PAUSE
        };
        self.stream(&said, pause, wish == Wish::Crash).await?;
        self.session.turns.push(Turn {
            asked: read.message,
            answered: said.clone(),
        });
        self.memory.keep(self.session)?;
        self.finish(id, prompt, &said)?;
        Ok(())
    }

    fn tell_reads(&mut self, answer: &Answer) -> io::Result<()> {
        for (number, read) in answer.reads.iter().enumerate() {
            let call_id = format!("read-{}-{number}", self.session.turns.len() + 1);
            let locations = json!([{"path": read.path}]);
            self.update(&json!({
                "sessionUpdate": "tool_call", "toolCallId": call_id, "title": "Read", "kind": "read",
                "status": "in_progress", "rawInput": {"path": read.path}, "locations": locations,
            }))?;
            self.update(&json!({
                "sessionUpdate": "tool_call_update", "toolCallId": call_id,
                "status": if read.missing { "failed" } else { "completed" },
                "content": [{"type": "content", "content": {"type": "text", "text": read.seen}}],
            }))?;
        }
        Ok(())
    }

    /// Changes the private copy, and says what it changed.
    fn change(&mut self, read: &ReadPrompt, workspace: &Workspace) -> io::Result<String> {
        let edits = change::edits(read, workspace);
        let mut changed = Vec::new();
        for (number, edit) in edits.iter().enumerate() {
            let call_id = format!("edit-{}-{number}", self.session.turns.len() + 1);
            let call = json!({
                "sessionUpdate": "tool_call", "toolCallId": call_id, "title": "Edit", "kind": "edit",
                "status": "in_progress", "rawInput": {"path": edit.path}, "locations": [{"path": edit.path}],
            });
            self.update(&call)?;
            match change::carry_out(edit, workspace) {
                Ok(()) => {
                    self.done(&call, "Changed in the copy.", false)?;
                    changed.push(format!("`{}`", edit.path));
                }
                Err(error) => self.done(&call, &error.to_string(), true)?,
            }
        }
        Ok(match changed.as_slice() {
            [] => "I found nothing to change.\n\n".to_owned(),
            changed => format!(
                "I changed {} in a private copy; accept what you want of it.\n\n",
                changed.join(", ")
            ),
        })
    }

    async fn stream(&mut self, text: &str, pause: Duration, crash: bool) -> Result<(), Stop> {
        let characters: Vec<char> = text.chars().collect();
        for (number, piece) in characters.chunks(PIECE).enumerate() {
            if crash && number == 2 {
                // To die without a word is what was asked for.
                std::process::exit(70);
            }
            let piece: String = piece.iter().collect();
            self.update(&chunk("agent_message_chunk", &piece))?;
            self.peer.pause(pause).await?;
        }
        Ok(())
    }

    async fn read_outside(&mut self) -> Result<String, Stop> {
        let call = json!({
            "toolCallId": format!("outside-{}", self.session.turns.len() + 1), "title": "Read", "kind": "read",
            "status": "pending", "rawInput": {"path": OUTSIDE}, "locations": [{"path": OUTSIDE}],
        });
        if !self.permitted(&call).await? {
            self.done(&call, "The person said no.", true)?;
            return Ok(
                "You did not let me read outside the workspace, so I go on without it.\n\n"
                    .to_owned(),
            );
        }
        let seen = std::fs::read_to_string(OUTSIDE)
            .map_or_else(|error| error.to_string(), |text| text.trim().to_owned());
        self.done(&call, &seen, false)?;
        Ok(format!("You let me read `{OUTSIDE}`; it says: {seen}\n\n"))
    }

    /// Asks to run a command. The demo agent starts no programs: allowed, it counts the lines itself and says so.
    async fn run_command(&mut self, workspace: &Workspace) -> Result<String, Stop> {
        let call = json!({
            "toolCallId": format!("command-{}", self.session.turns.len() + 1), "title": "Run a command",
            "kind": "execute", "status": "pending", "rawInput": {"command": "wc -l *"},
        });
        if !self.permitted(&call).await? {
            self.done(&call, "The person said no.", true)?;
            return Ok("You did not let me run the command, so I go on without it.\n\n".to_owned());
        }
        let documents = workspace.documents();
        let lines: usize = documents
            .iter()
            .map(|document| document.text.lines().count())
            .sum();
        let counted = format!("{lines} lines in {} files", documents.len());
        self.done(&call, &counted, false)?;
        Ok(format!(
            "You let me run the command. A demo starts no programs, so I counted myself: {counted}.\n\n"
        ))
    }

    async fn permitted(&mut self, call: &Value) -> Result<bool, Stop> {
        let params = json!({
            "sessionId": self.session.session_id, "toolCall": call,
            "options": [
                {"optionId": "once", "name": "Allow once", "kind": "allow_once"},
                {"optionId": "always", "name": "Allow for this session", "kind": "allow_always"},
                {"optionId": "no", "name": "Reject", "kind": "reject_once"},
            ],
        });
        let answer = self.peer.ask("session/request_permission", &params).await?;
        let option = answer["outcome"]["optionId"].as_str().unwrap_or_default();
        Ok(matches!(option, "once" | "always"))
    }

    fn done(&mut self, call: &Value, text: &str, failed: bool) -> io::Result<()> {
        let status = if failed { "failed" } else { "completed" };
        self.update(&json!({
            "sessionUpdate": "tool_call_update", "toolCallId": call["toolCallId"], "status": status,
            "content": [{"type": "content", "content": {"type": "text", "text": text}}],
        }))
    }

    /// Tokens are guessed at four characters each; the price is nothing, and that is known.
    fn finish(&mut self, id: &Value, prompt: &str, said: &str) -> io::Result<()> {
        let told: usize = self
            .session
            .turns
            .iter()
            .map(|turn| turn.asked.len() + turn.answered.len())
            .sum();
        self.update(&json!({
            "sessionUpdate": "usage_update", "used": told / 4, "size": CONTEXT_SIZE,
            "cost": {"amount": 0.0, "currency": "USD"},
        }))?;
        let usage = json!({"inputTokens": prompt.len() / 4, "outputTokens": said.len() / 4});
        self.peer
            .answer(id, &json!({"stopReason": "end_turn", "usage": usage}))
    }

    fn update(&mut self, update: &Value) -> io::Result<()> {
        self.peer.update(&self.session.session_id, update)
    }
}
