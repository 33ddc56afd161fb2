//! A model server on loopback that says what the test wants it to say.
//!
//! Real agent programs are driven against it, so that their whole path is exercised with nothing outside this machine
//! and no key. It speaks as much of three interfaces as they need: Anthropic's Messages, OpenAI's Responses and Chat
//! Completions. What it answers stands in the user's own text ([`script`]); every answer begins with `turns=N`, the
//! number of user turns the request held, which is the honest test of a resume. Deliberately absent: any thought, any
//! check of a key.

mod answer;
mod form;
mod request;
pub mod script;

use answer::Answer;
use bytes::Bytes;
use form::Form;
use http_body_util::{BodyExt as _, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::body::{Frame, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use request::Asked;
use script::Script;
use serde::Serialize;
use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::TcpListener;
use tokio::sync::watch;

type Body = UnsyncBoxBody<Bytes, io::Error>;

/// One request as the server saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Logged {
    /// The path without the query.
    pub path: String,
    /// The model asked for.
    pub model: String,
    /// How many user turns it held.
    pub turns: usize,
    /// The newest user text.
    pub last: String,
    /// The tools offered to the model.
    pub tools: Vec<String>,
    /// The key it came with, whichever header it was in.
    pub key: Option<String>,
    /// What was answered.
    pub status: u16,
    /// The client closed the connection before the answer was complete.
    pub client_gone: bool,
}

/// A running server; it ends with its handle.
pub struct ModelServer {
    address: SocketAddr,
    state: Arc<State>,
    task: tokio::task::JoinHandle<()>,
}

struct State {
    log: watch::Sender<Vec<Logged>>,
    /// How often each failing text was failed already.
    failed: Mutex<HashMap<String, u32>>,
}

impl ModelServer {
    /// Starts on a free port of 127.0.0.1.
    pub async fn start() -> io::Result<Self> {
        Self::serve(TcpListener::bind(("127.0.0.1", 0)).await?)
    }

    /// Serves `listener` until the handle is dropped.
    pub fn serve(listener: TcpListener) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let state = Arc::new(State {
            log: watch::Sender::new(Vec::new()),
            failed: Mutex::default(),
        });
        let task = tokio::spawn(accept(listener, Arc::clone(&state)));
        Ok(Self {
            address,
            state,
            task,
        })
    }

    /// What an agent gets as its base URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request so far, oldest first.
    pub fn log(&self) -> Vec<Logged> {
        self.state.log.borrow().clone()
    }

    /// Waits until the log satisfies `wanted`; the caller sets the limit.
    pub async fn log_until(&self, wanted: impl Fn(&[Logged]) -> bool) -> Vec<Logged> {
        let mut log = self.state.log.subscribe();
        match log.wait_for(|log| wanted(log)).await {
            Ok(log) => log.clone(),
            // The sender lives as long as the server.
            Err(_) => Vec::new(),
        }
    }

    /// Waits for ever; for the server as a program of its own.
    pub async fn ended(mut self) {
        // Aborted or panicked, it has ended.
        let _ended = (&mut self.task).await;
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, state: Arc<State>) {
    while let Ok((stream, _)) = listener.accept().await {
        let state = Arc::clone(&state);
        tokio::spawn(async move {
            let answer = service_fn(move |request| {
                let state = Arc::clone(&state);
                async move { Ok::<_, Infallible>(respond(request, &state).await) }
            });
            // A client that goes away in the middle is what some tests are about.
            let _served = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), answer)
                .await;
        });
    }
}

async fn respond(request: Request<Incoming>, state: &Arc<State>) -> Response<Body> {
    let path = request.uri().path().to_owned();
    let key = ["x-api-key", "authorization"]
        .iter()
        .find_map(|name| request.headers().get(*name)?.to_str().ok())
        .map(|key| key.trim_start_matches("Bearer ").to_owned());
    if path == "/log" && request.method() == Method::GET {
        let log = serde_json::to_string(&*state.log.borrow()).unwrap_or_default();
        return whole(StatusCode::OK, log);
    }
    let body = match request.into_body().collect().await {
        Ok(body) => body.to_bytes(),
        Err(_) => return whole(StatusCode::BAD_REQUEST, String::new()),
    };
    let form = Form::of(&path);
    let read = form.and_then(|form| Some((form, Asked::read(form, &body)?)));
    let Some((form, asked)) = read else {
        let reason = Form::Chat.error(404, "not served here");
        return whole(StatusCode::NOT_FOUND, reason.to_string());
    };
    if path.ends_with("/count_tokens") {
        let count = serde_json::json!({"input_tokens": asked.length / 4});
        return whole(StatusCode::OK, count.to_string());
    }
    let script = state.script(&asked);
    let status = match script {
        Script::Fail { status, .. } => status,
        _ => 200,
    };
    let entry = state.note(Logged {
        path,
        model: asked.model.clone(),
        turns: asked.turns,
        last: asked.last.clone(),
        tools: asked.tools.clone(),
        key,
        status,
        client_gone: false,
    });
    match script {
        Script::Fail { status, .. } => whole(
            StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            form.error(status, &format!("scripted failure {status}"))
                .to_string(),
        ),
        script if asked.stream => streamed(
            form,
            &Answer::new(&asked, &script),
            Watched {
                state: Arc::clone(state),
                entry,
                complete: false,
            },
        ),
        script => {
            let answer = Answer::new(&asked, &script);
            whole(StatusCode::OK, form.whole(&answer).to_string())
        }
    }
}

impl State {
    /// What the newest text asks for. A failure that is over, or a tool that has answered, leaves plain words.
    fn script(&self, asked: &Asked) -> Script {
        let script = script::read(asked);
        let Script::Fail { times, .. } = script else {
            return script;
        };
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        let count = failed.entry(asked.last.clone()).or_default();
        *count += 1;
        if *count > times {
            Script::Words
        } else {
            script
        }
    }

    fn note(&self, entry: Logged) -> usize {
        let mut at = 0;
        self.log.send_modify(|log| {
            at = log.len();
            log.push(entry);
        });
        at
    }
}

/// Notices when an answer is dropped before it was complete.
struct Watched {
    state: Arc<State>,
    entry: usize,
    complete: bool,
}

impl Watched {
    fn complete(&mut self) {
        self.complete = true;
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if self.complete {
            return;
        }
        self.state.log.send_modify(|log| {
            if let Some(entry) = log.get_mut(self.entry) {
                entry.client_gone = true;
            }
        });
    }
}

fn whole(status: StatusCode, body: String) -> Response<Body> {
    let body = Full::new(Bytes::from(body))
        .map_err(|never| match never {})
        .boxed_unsync();
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(
        "content-type",
        hyper::header::HeaderValue::from_static("application/json"),
    );
    response
}

fn streamed(form: Form, answer: &Answer, watched: Watched) -> Response<Body> {
    let begin = (form.pieces(answer).into_iter(), answer.broken_off, watched);
    let stream =
        futures_util::stream::unfold(begin, |(mut pieces, broken_off, mut watched)| async move {
            if let Some(piece) = pieces.next() {
                tokio::time::sleep(piece.after).await;
                let frame = Frame::data(Bytes::from(piece.text));
                return Some((Ok(frame), (pieces, broken_off, watched)));
            }
            watched.complete();
            // An error closes the connection without the end that would make the answer look whole.
            broken_off.then(|| {
                (
                    Err(io::Error::other("as scripted")),
                    (pieces, false, watched),
                )
            })
        });
    let mut response = Response::new(StreamBody::new(stream).boxed_unsync());
    response.headers_mut().insert(
        "content-type",
        hyper::header::HeaderValue::from_static("text/event-stream"),
    );
    response
}
