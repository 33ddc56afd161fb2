//! One turn at a server that is kept: requests go out, answers and events come back, each on a line.
//!
//! Said: `{"id": 1, "method": "POST", "path": "/a", "body": {…}}`, without a body for none. Heard: `{"id": 1, "status":
//! 200, "body": …}`, where a body that is no JSON is a text; `{"id": 1, "error": "…"}` when there was no answer; and for
//! an answer that is a stream of events, after its status, `{"event": …}` for each.

#[cfg(test)]
mod tests;

use super::launch::Exit;
use super::lines::Lines;
use super::runner::{Heard, Identity};
use super::server::{Presence, Server, State};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::{Request, Response, header};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

/// The longest answer that is taken.
const MAX_ANSWER: usize = 8 * 1024 * 1024;
/// How many lines wait until they are asked for; the rest waits in the connection.
const WAITING: usize = 64;
/// How long a server may take to do what it was told last.
const OBEDIENCE: Duration = Duration::from_secs(2);

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// One turn's visit. Dropping it ends what it had asked for.
#[derive(Debug)]
pub struct Visit {
    server: Server,
    state: watch::Receiver<State>,
    heard: mpsc::Receiver<Heard>,
    sender: mpsc::Sender<Heard>,
    asked: Mutex<JoinSet<()>>,
    until: watch::Sender<Option<Until>>,
    until_receiver: watch::Receiver<Option<Until>>,
    over: bool,
    _present: Presence,
}

/// When a visit ends, and whether the server has not done what it was told then.
#[derive(Debug, Clone, Copy)]
struct Until {
    at: Instant,
    ends_server: bool,
}

/// A request as it is said.
#[derive(Debug, Deserialize)]
struct Said {
    id: u64,
    method: String,
    path: String,
    #[serde(default)]
    body: Option<Box<RawValue>>,
}

impl Visit {
    pub(super) fn new(server: Server) -> Self {
        let (sender, heard) = mpsc::channel(WAITING);
        let (until, until_receiver) = watch::channel(None);
        Self {
            state: server.state.clone(),
            _present: server.visited(),
            server,
            heard,
            sender,
            asked: Mutex::default(),
            until,
            until_receiver,
            over: false,
        }
    }

    pub(super) fn identity(&self) -> Identity {
        self.server.identity
    }

    pub(super) async fn next(&mut self) -> Option<Heard> {
        if self.over {
            return None;
        }
        let exit = tokio::select! {
            biased;
            Some(heard) = self.heard.recv() => return Some(heard),
            exit = gone(&mut self.state) => exit,
            ends_server = passed(&mut self.until_receiver) => {
                if ends_server {
                    tracing::warn!("a server did not stop when it was told and is ended");
                    self.server.end();
                }
                Exit { code: Some(0), ..Exit::default() }
            }
        };
        self.over = true;
        self.requests().abort_all();
        Some(Heard::Exited(exit))
    }

    /// A line that is no request is a mistake of ours, and told as an answer that never came.
    pub(super) fn say(&self, line: &str) {
        let Ok(said) = serde_json::from_str::<Said>(line) else {
            tracing::error!("something was said to a server that is no request");
            return;
        };
        let server = self.server.clone();
        let sender = self.sender.clone();
        self.requests().spawn(async move {
            let id = said.id;
            if let Err(error) = perform(said, server, &sender).await {
                let line = json!({"id": id, "error": error.to_string()}).to_string();
                // Whoever listened has gone.
                drop(sender.send(Heard::Line(line)).await);
            }
        });
    }

    pub(super) fn close(&self) {
        self.until.send_replace(Some(Until {
            at: Instant::now(),
            ends_server: false,
        }));
    }

    pub(super) fn stop(&self) {
        self.until.send_modify(|until| {
            until.get_or_insert(Until {
                at: Instant::now() + OBEDIENCE,
                ends_server: true,
            });
        });
    }

    fn requests(&self) -> std::sync::MutexGuard<'_, JoinSet<()>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn gone(state: &mut watch::Receiver<State>) -> Exit {
    match state
        .wait_for(|state| matches!(state, State::Gone(_)))
        .await
    {
        Ok(state) => match &*state {
            State::Gone(exit) => exit.clone(),
            State::Starting | State::Ready(_) => Exit::default(),
        },
        Err(_) => Exit::default(),
    }
}

/// Waits until the visit's end, if one is set.
async fn passed(until: &mut watch::Receiver<Option<Until>>) -> bool {
    loop {
        let set = *until.borrow_and_update();
        let at = set.map(|until| until.at);
        tokio::select! {
            () = sleep_until(at.unwrap_or_else(Instant::now)), if at.is_some() => {
                return set.is_some_and(|until| until.ends_server);
            }
            // The sender lives as long as the visit.
            _changed = until.changed() => {}
        }
    }
}

async fn perform(
    said: Said,
    mut server: Server,
    heard: &mpsc::Sender<Heard>,
) -> Result<(), Failure> {
    let address = match &*server
        .state
        .wait_for(|state| *state != State::Starting)
        .await?
    {
        State::Ready(address) => *address,
        State::Starting | State::Gone(_) => return Ok(()),
    };
    let id = said.id;
    let response = answer(address, &server.authorization, said).await?;
    let status = response.status().as_u16();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_stream = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    if is_stream {
        let begun = json!({"id": id, "status": status, "body": null});
        heard.send(Heard::Line(begun.to_string())).await?;
        return events(response.into_body(), heard).await;
    }
    let limited = Limited::new(response.into_body(), MAX_ANSWER);
    let body = limited.collect().await?.to_bytes();
    let body = serde_json::from_slice(&body)
        .unwrap_or_else(|_| Value::from(String::from_utf8_lossy(&body)));
    let line = json!({"id": id, "status": status, "body": body});
    heard.send(Heard::Line(line.to_string())).await?;
    Ok(())
}

async fn answer(
    address: SocketAddr,
    authorization: &str,
    said: Said,
) -> Result<Response<Incoming>, Failure> {
    let stream = TcpStream::connect(address).await?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    // Ends with the answer's body, or with what asks for it.
    tokio::spawn(connection);
    let mut request = Request::builder()
        .method(said.method.as_str())
        .uri(said.path)
        .header(header::HOST, address.to_string())
        .header(header::AUTHORIZATION, authorization);
    if said.body.is_some() {
        request = request.header(header::CONTENT_TYPE, "application/json");
    }
    let body = said
        .body
        .map(|body| body.get().to_owned())
        .unwrap_or_default();
    let request = request.body(Full::new(Bytes::from(body)))?;
    Ok(sender.send_request(request).await?)
}

/// Passes the events of a stream on, each the one line that it is.
async fn events(mut body: Incoming, heard: &mpsc::Sender<Heard>) -> Result<(), Failure> {
    let mut lines = Lines::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame?.into_data() else {
            continue;
        };
        lines.room().extend_from_slice(&data);
        while let Some(line) = lines.next() {
            let line = match line {
                Heard::Line(line) => match line.strip_prefix("data:") {
                    Some(data) => Heard::Line(format!("{{\"event\":{data}}}")),
                    None => continue,
                },
                cut => cut,
            };
            heard.send(line).await?;
        }
    }
    Err("the stream of events has ended".into())
}
