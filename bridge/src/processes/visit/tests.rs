//! Visits at a server that is a shell script for the runner and a few lines of this test for HTTP.

use crate::processes::{
    Connection, Environment, Exit, Heard, Identity, Launch, RecordFolders, Runner, Serving, Talk,
    family,
};
use bytes::Bytes;
use http_body_util::{Either, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, header};
use hyper_util::rt::TokioIo;
use rex_shared::ids::{BootId, RunId};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::time::timeout;

const LIMIT: Duration = Duration::from_secs(10);

type Stream = StreamBody<
    futures_util::stream::Iter<std::array::IntoIter<Result<Frame<Bytes>, Infallible>, 2>>,
>;

/// Tells the path and who asked; `/events` tells two events and ends, `/never` is not answered.
async fn respond(
    request: Request<Incoming>,
) -> Result<Response<Either<Full<Bytes>, Stream>>, Infallible> {
    let path = request.uri().path().to_owned();
    let may = request.headers().contains_key(header::AUTHORIZATION);
    match path.as_str() {
        "/never" => std::future::pending().await,
        "/events" => {
            let pieces = ["data: {\"n\":1}\n\nda", "ta: {\"n\":2}\n\n"];
            let frames = pieces.map(|piece| Ok(Frame::data(Bytes::from(piece))));
            let stream = StreamBody::new(futures_util::stream::iter(frames));
            let mut response = Response::new(Either::Right(stream));
            let kind = header::HeaderValue::from_static("text/event-stream");
            response.headers_mut().insert(header::CONTENT_TYPE, kind);
            Ok(response)
        }
        _ => {
            let body = json!({"path": path, "method": request.method().as_str(), "may": may});
            Ok(Response::new(Either::Left(Full::new(
                body.to_string().into(),
            ))))
        }
    }
}

struct World {
    folder: TempDir,
    runner: Runner,
    port: u16,
}

impl World {
    async fn new() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let serving = hyper::server::conn::http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), service_fn(respond));
                tokio::spawn(serving);
            }
        });
        Self {
            folder: tempfile::tempdir().unwrap(),
            runner: Runner::new(Environment::of([("PATH", "/usr/bin:/bin")])),
            port,
        }
    }

    /// A turn at the server that `script` is.
    fn connect(&self, script: &str) -> Connection {
        let scratch = self.folder.path().join("run");
        std::fs::create_dir_all(&scratch).unwrap();
        let launch = Launch {
            program: PathBuf::from("/bin/sh"),
            arguments: vec![
                "-c".to_owned(),
                script.replace("PORT", &self.port.to_string()),
            ],
            environment: BTreeMap::new(),
            folder: self.folder.path().to_owned(),
            scratch,
            talk: Talk::Http(Serving {
                user: "somebody",
                password_variable: "PASSWORD",
            }),
            files: BTreeMap::new(),
            records: RecordFolders::default(),
            copy: None,
        };
        let run = RunId::parse("0198c0de-0000-7000-8000-000000000001").unwrap();
        let boot = BootId::parse("0198c0de-0000-7000-8000-000000000002").unwrap();
        self.runner.connect(&launch, &run, &boot).unwrap()
    }
}

const SERVES: &str = "test -n \"$PASSWORD\" && echo serving on http://127.0.0.1:PORT && exec cat";

async fn line(connection: &mut Connection) -> Value {
    match timeout(LIMIT, connection.next()).await.unwrap().unwrap() {
        Heard::Line(line) => serde_json::from_str(&line).unwrap(),
        other => panic!("a line: {other:?}"),
    }
}

fn ask(connection: &Connection, id: u64, path: &str) {
    connection.say(json!({"id": id, "method": "GET", "path": path}).to_string());
}

#[tokio::test]
async fn turns_share_a_server_and_each_hears_its_own_answers() {
    let world = World::new().await;
    let mut one = world.connect(SERVES);
    let mut two = world.connect(SERVES);
    assert_eq!(one.identity(), two.identity());
    ask(&one, 7, "/a");
    ask(&two, 8, "/b");
    for (connection, id, path) in [(&mut one, 7, "/a"), (&mut two, 8, "/b")] {
        let body = json!({"path": path, "method": "GET", "may": true});
        let expected = json!({"id": id, "status": 200, "body": body});
        assert_eq!(line(connection).await, expected);
    }
    one.finish();
    let exit = Exit {
        code: Some(0),
        ..Exit::default()
    };
    assert_eq!(
        timeout(LIMIT, one.next()).await.unwrap(),
        Some(Heard::Exited(exit))
    );
    assert_eq!(one.next().await, None);
    let other = world.connect("echo on http://127.0.0.1:PORT; exec cat");
    assert_ne!(other.identity(), two.identity(), "another launch");
}

#[tokio::test]
async fn events_come_one_a_line_and_their_end_is_told() {
    let world = World::new().await;
    let mut visit = world.connect(SERVES);
    ask(&visit, 1, "/events");
    let mut heard = Vec::new();
    for _ in 0..4 {
        heard.push(line(&mut visit).await);
    }
    assert_eq!(
        heard,
        [
            json!({"id": 1, "status": 200, "body": null}),
            json!({"event": {"n": 1}}),
            json!({"event": {"n": 2}}),
            json!({"id": 1, "error": "the stream of events has ended"}),
        ]
    );
}

#[tokio::test]
async fn a_server_that_does_not_stop_is_ended_and_the_next_turn_has_another() {
    let world = World::new().await;
    let mut visit = world.connect(SERVES);
    ask(&visit, 1, "/never");
    visit.stop();
    let end = timeout(LIMIT, visit.next()).await.unwrap();
    assert!(matches!(end, Some(Heard::Exited(_))), "{end:?}");
    let mut server = visit;
    let gone = async {
        while world.connect(SERVES).identity() == server.identity() {
            tokio::task::yield_now().await;
        }
    };
    timeout(LIMIT, gone).await.unwrap();
    assert_eq!(server.next().await, None);
}

#[tokio::test]
async fn all_servers_go_with_the_bridge() {
    let world = World::new().await;
    let mut visit = world.connect(SERVES);
    let Identity { pid, started } = visit.identity();
    assert_eq!(family::started(pid), Some(started));
    timeout(LIMIT, world.runner.end_servers()).await.unwrap();
    assert_ne!(family::started(pid), Some(started));
    let end = timeout(LIMIT, visit.next()).await.unwrap();
    assert!(matches!(end, Some(Heard::Exited(_))), "{end:?}");
}

#[tokio::test]
async fn a_server_that_goes_ends_the_turns_at_it_and_says_why() {
    let world = World::new().await;
    let mut visit = world.connect("echo no room >&2; exit 3");
    ask(&visit, 1, "/a");
    let end = timeout(LIMIT, visit.next()).await.unwrap();
    let exit = Exit {
        code: Some(3),
        signal: None,
        stderr: "no room".to_owned(),
    };
    assert_eq!(end, Some(Heard::Exited(exit)));
}
