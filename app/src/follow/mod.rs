//! The follow: one stream for the whole tab, of the open thread or of its workspace.
//!
//! One loop holds everything: it takes one of four locks, connects, reads, and connects anew when the stream is lost,
//! when another thread is opened or when a frame does not fit. Every connection begins with a snapshot; nothing is
//! resumed by cursor. Deliberately absent: a queue of frames. Each is taken by the model as it comes.

mod backoff;
mod bell;
mod sse;

use crate::api::{self, Failed};
use crate::browser::locks::{self, Lock};
use crate::browser::stream::{Abort, Chunks};
use crate::browser::timer::sleep;
use crate::browser::{clock, page, storage};
use crate::lazy::{self, ThreadCode};
use crate::load;
use crate::model::{Access, Applied, Connection, Model};
use crate::reactive::on_change;
use backoff::Backoff;
use bell::Bell;
use futures_util::future::{Either, join, select};
use gloo_net::http::Method;
use leptos::task::spawn_local;
use rex_shared::address::Epoch;
use rex_shared::ids::{Millis, ThreadId};
use rex_shared::json::from_json;
use rex_shared::routes;
use rex_shared::wire::follow::DocumentFrame;
use rex_shared::wire::problem::ProblemType;
use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;

/// Two pings missed, with a second's grace.
const SILENCE_MS: u32 = 11_000;
/// A hidden tab keeps its stream this long.
const HIDDEN_MS: u32 = 30_000;
/// How often a visible tab without a stream asks.
const POLL_MS: u32 = 2_000;

/// What a connection follows.
#[derive(Debug, Clone, PartialEq)]
struct Target {
    /// Learning the id of the bridge's own workspace is no change of it.
    workspace: Epoch,
    thread: Option<ThreadId>,
}

/// Why a connection ended.
enum End {
    /// Something else is to be followed, or nothing for now.
    Unwanted,
    /// A frame did not fit: connect again for its snapshot.
    Gap,
    /// It broke, or the bridge said no.
    Lost,
}

/// What may have happened since the last frame was read.
#[derive(Clone, Copy)]
enum Missed {
    /// Nothing was read yet; the rest of the page is asked for by boot.
    All,
    /// The stream was changed for another one at once.
    Little,
    /// The stream was lost, perhaps with the bridge.
    Much,
}

#[derive(Clone)]
struct Follow {
    model: Model,
    bell: Bell,
    hidden_since: Rc<Cell<Option<Millis>>>,
}

/// Follows whatever is open, for as long as the page lives.
pub fn start(model: Model) {
    let follow = Follow {
        model,
        bell: Bell::default(),
        hidden_since: Rc::default(),
    };
    let bell = follow.bell.clone();
    on_change(move || {
        model.access.track();
        model.open_thread.track();
        model.address.track();
        bell.ring();
    });
    follow.watch_visibility();
    spawn_local(follow.run());
}

impl Follow {
    fn watch_visibility(&self) {
        let note = {
            let follow = self.clone();
            move || {
                let hidden = page::is_hidden().then(clock::now);
                follow.hidden_since.set(hidden);
                follow.bell.ring();
                if hidden.is_some() {
                    let bell = follow.bell.clone();
                    spawn_local(async move {
                        sleep(HIDDEN_MS).await;
                        bell.ring();
                    });
                }
            }
        };
        note();
        page::on_visibility(note);
    }

    fn is_hidden_long(&self) -> bool {
        self.hidden_since
            .get()
            .is_some_and(|since| clock::now().0 - since.0 >= i64::from(HIDDEN_MS))
    }

    fn target(&self) -> Target {
        Target {
            workspace: self.model.in_workspace(),
            thread: self.model.open_thread.get_untracked(),
        }
    }

    fn is_let_in(&self) -> bool {
        self.model.access.get_untracked() != Access::Unknown && storage::secret().is_some()
    }

    async fn run(self) {
        let mut backoff = Backoff::default();
        let mut lock: Option<Lock> = None;
        // Whether anything may have happened unseen: at first everything has.
        let mut missed = Missed::All;
        loop {
            if !self.is_let_in() || self.is_hidden_long() {
                lock = None;
                self.bell.heard().await;
                continue;
            }
            if lock.is_none() {
                lock = locks::any().await;
            }
            if lock.is_none() {
                self.poll().await;
                select(pin!(sleep(POLL_MS)), pin!(self.bell.heard())).await;
                continue;
            }
            let began = clock::now();
            let end = self.connection(missed).await;
            let lived = clock::now().0 - began.0;
            missed = match end {
                End::Unwanted | End::Gap => Missed::Little,
                End::Lost => Missed::Much,
            };
            match end {
                End::Unwanted => {}
                End::Gap if lived > 1_000 => {}
                End::Gap | End::Lost => {
                    if matches!(end, End::Lost) && self.is_let_in() {
                        self.model.connection.set(Connection::NotConnected);
                    }
                    let wait = sleep(backoff.wait_ms(lived, clock::chance()));
                    select(pin!(wait), pin!(self.bell.heard())).await;
                }
            }
        }
    }

    /// One connection, from its request to its end.
    async fn connection(&self, missed: Missed) -> End {
        let target = self.target();
        let abort = Abort::new();
        let opened = join(Self::code_for(&target), self.open(&target, &abort)).await;
        let (code, mut chunks) = match opened {
            (Ok(code), Ok(chunks)) => (code, chunks),
            (Err(failed), _) | (_, Err(failed)) => {
                self.say(&failed);
                return End::Lost;
            }
        };
        self.model.connection.set(Connection::Connected);
        // What happened while there was no stream is asked for; what happens from now on comes as frames.
        match missed {
            Missed::All => load::rail(self.model),
            Missed::Little => load::newest_rows(self.model),
            Missed::Much => load::again(self.model),
        }
        let mut parser = sse::Parser::default();
        loop {
            let silence = pin!(sleep(SILENCE_MS));
            let rung = pin!(self.bell.heard());
            match select(pin!(chunks.next()), select(silence, rung)).await {
                Either::Left((Ok(Some(bytes)), _)) => {
                    for event in parser.push(&bytes) {
                        if self.take(&event, code) == Applied::WantsSnapshot {
                            return End::Gap;
                        }
                    }
                }
                Either::Left((Ok(None) | Err(_), _)) => return End::Lost,
                Either::Right((Either::Left(_), _)) => return End::Lost,
                Either::Right((Either::Right(_), _)) => {
                    if self.target() != target || self.is_hidden_long() || !self.is_let_in() {
                        return End::Unwanted;
                    }
                }
            }
        }
    }

    async fn open(&self, target: &Target, abort: &Abort) -> Result<Chunks, Failed> {
        let path = routes::follow(self.model.ws().as_ref(), target.thread.as_ref());
        let request = abort
            .tied(api::request(Method::GET, &path))
            .build()
            .map_err(|_| Failed::Unreadable)?;
        let answer = match select(pin!(request.send()), pin!(sleep(SILENCE_MS))).await {
            Either::Left((answer, _)) => answer.map_err(|_| Failed::NotConnected)?,
            Either::Right(_) => return Err(Failed::NotConnected),
        };
        let response = api::accepted(answer).await?;
        Chunks::of(&response).map_err(|_| Failed::NotConnected)
    }

    /// The connection's word says that the bridge is away; an unknown workspace is said by its own answer.
    fn say(&self, failed: &Failed) {
        let is_said =
            *failed == Failed::NotConnected || failed.kind() == Some(ProblemType::UnknownWorkspace);
        if !is_said {
            self.model.failed(failed);
        }
    }

    /// What every visit shows is taken here; the rest is the open thread's.
    fn take(&self, event: &sse::Event, code: Option<ThreadCode>) -> Applied {
        let model = self.model;
        let taken = match event.name.as_str() {
            "rail" => from_json(&event.data).map(|change| model.take_rail(change)),
            "document" => from_json(&event.data).map(|frame: DocumentFrame| {
                if let Some(from) = frame.renamed_from.clone() {
                    let to = frame.document.clone();
                    lazy::with_thread(model, move |code| (code.renamed)(model, &from, &to));
                }
                model.take_document(frame);
            }),
            _ => {
                return code.map_or(Applied::Dropped, |code| {
                    (code.take)(model, &event.name, &event.data)
                });
            }
        };
        match taken {
            Ok(()) => Applied::Taken,
            Err(_) => {
                model.failed(&Failed::Unreadable);
                Applied::Dropped
            }
        }
    }

    /// The code for the frames of what is followed, if that is a thread.
    async fn code_for(target: &Target) -> Result<Option<ThreadCode>, Failed> {
        match target.thread {
            Some(_) => lazy::thread().await.map(Some),
            None => Ok(None),
        }
    }

    /// Reads one snapshot and the rail, and lets the connection go.
    async fn poll(&self) {
        let target = self.target();
        load::rail(self.model);
        if target.thread.is_none() {
            self.model.connection.set(Connection::Polling);
            return;
        }
        let abort = Abort::new();
        let snapshot = pin!(async {
            let code = Self::code_for(&target).await?;
            let mut chunks = self.open(&target, &abort).await?;
            let mut parser = sse::Parser::default();
            while let Ok(Some(bytes)) = chunks.next().await {
                if let Some(event) = parser.push(&bytes).first() {
                    self.take(event, code);
                    break;
                }
            }
            Ok::<_, Failed>(())
        });
        let connection = match select(snapshot, pin!(sleep(SILENCE_MS))).await {
            Either::Left((Ok(()), _)) => Connection::Polling,
            Either::Left((Err(failed), _)) => {
                self.say(&failed);
                Connection::NotConnected
            }
            Either::Right(_) => Connection::NotConnected,
        };
        self.model.connection.set(connection);
    }
}
