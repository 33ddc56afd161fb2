//! The other side: lines in, lines out.

use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::time::Duration;
use tokio::sync::mpsc;

/// Why a turn does not go on.
#[derive(Debug, thiserror::Error)]
pub(super) enum Stop {
    /// The person stopped it.
    #[error("the turn was cancelled")]
    Cancelled,
    /// There is nobody to answer any more.
    #[error("the other side is gone")]
    Gone,
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Whoever started the agent.
pub(super) struct Peer {
    incoming: mpsc::UnboundedReceiver<String>,
    /// What arrived while something else was waited for.
    later: VecDeque<Value>,
    output: Box<dyn Write + Send>,
    asked: u64,
}

impl Peer {
    pub(super) fn new(
        incoming: mpsc::UnboundedReceiver<String>,
        output: Box<dyn Write + Send>,
    ) -> Self {
        Self {
            incoming,
            later: VecDeque::new(),
            output,
            asked: 0,
        }
    }

    /// The next message; `None` when no more will come. What is no message is passed over.
    pub(super) async fn next(&mut self) -> Option<Value> {
        if let Some(message) = self.later.pop_front() {
            return Some(message);
        }
        self.hear().await
    }

    async fn hear(&mut self) -> Option<Value> {
        loop {
            if let Ok(message) = serde_json::from_str(&self.incoming.recv().await?) {
                return Some(message);
            }
        }
    }

    pub(super) fn send(&mut self, message: &Value) -> io::Result<()> {
        writeln!(self.output, "{message}")?;
        self.output.flush()
    }

    pub(super) fn answer(&mut self, id: &Value, result: &Value) -> io::Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}))
    }

    pub(super) fn fail(
        &mut self,
        id: &Value,
        code: i64,
        message: &str,
        data: &Value,
    ) -> io::Result<()> {
        let error = json!({"code": code, "message": message, "data": data});
        self.send(&json!({"jsonrpc": "2.0", "id": id, "error": error}))
    }

    pub(super) fn update(&mut self, session_id: &str, update: &Value) -> io::Result<()> {
        let params = json!({"sessionId": session_id, "update": update});
        self.send(&json!({"jsonrpc": "2.0", "method": "session/update", "params": params}))
    }

    /// Waits, and notices when the turn is cancelled meanwhile.
    pub(super) async fn pause(&mut self, time: Duration) -> Result<(), Stop> {
        let end = tokio::time::Instant::now() + time;
        loop {
            let message = tokio::select! {
                () = tokio::time::sleep_until(end) => return Ok(()),
                message = self.hear() => message,
            };
            self.keep(message)?;
        }
    }

    /// Asks and waits for the answer.
    pub(super) async fn ask(&mut self, method: &str, params: &Value) -> Result<Value, Stop> {
        self.asked += 1;
        let id = json!(self.asked);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            match self.hear().await {
                Some(message) if message["method"].is_null() && message["id"] == id => {
                    return Ok(message["result"].clone());
                }
                message => self.keep(message)?,
            }
        }
    }

    fn keep(&mut self, message: Option<Value>) -> Result<(), Stop> {
        let message = message.ok_or(Stop::Gone)?;
        if message["method"] == "session/cancel" {
            return Err(Stop::Cancelled);
        }
        self.later.push_back(message);
        Ok(())
    }
}
