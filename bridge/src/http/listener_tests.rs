//! The accept loop over real sockets: what a slow, a greedy and a stubborn client get.

use super::listener::{Limits, serve};
use super::router::Route;
use super::testing::Page;
use crate::fresh;
use axum::Router;
use axum::body::Body;
use axum::routing::{get, post};
use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

const CAP: Duration = Duration::from_secs(10);

struct Server {
    port: u16,
    stop: CancellationToken,
    ended: JoinHandle<()>,
}

async fn start(router: Router, limits: Limits) -> Server {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let stop = CancellationToken::new();
    let ended = tokio::spawn(serve(vec![listener], router, limits, stop.clone()));
    Server { port, stop, ended }
}

impl Server {
    async fn connect(&self) -> TcpStream {
        TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))
            .await
            .unwrap()
    }

    async fn say(&self, text: &str) -> TcpStream {
        let mut stream = self.connect().await;
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    }
}

/// Reads until `mark` was seen.
async fn hear(stream: &mut TcpStream, mark: &str) -> String {
    let mut heard = Vec::new();
    while !String::from_utf8_lossy(&heard).contains(mark) {
        let read = timeout(CAP, stream.read_buf(&mut heard))
            .await
            .unwrap()
            .unwrap();
        assert!(
            read > 0,
            "ended before {mark:?}: {}",
            String::from_utf8_lossy(&heard)
        );
    }
    String::from_utf8_lossy(&heard).into_owned()
}

/// Reads what is left; a reset is an end as well.
async fn hear_all(stream: &mut TcpStream) -> String {
    let mut heard = Vec::new();
    while let Ok(1..) = stream.read_buf(&mut heard).await {}
    String::from_utf8_lossy(&heard).into_owned()
}

#[tokio::test(start_paused = true)]
async fn a_head_that_never_ends_is_cut_after_ten_seconds() {
    let server = start(Router::new(), Limits::default()).await;
    for beginning in [
        "",
        "GET / HT",
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
    ] {
        let started = Instant::now();
        let mut stream = server.say(beginning).await;
        hear_all(&mut stream).await;
        let took = started.elapsed();
        assert!(
            (10..11).contains(&took.as_secs()),
            "{beginning:?} took {took:?}"
        );
    }
}

#[tokio::test]
async fn a_head_of_more_than_32_kilobytes_is_refused() {
    let server = start(
        Router::new().route("/", get(async || "hello")),
        Limits::default(),
    )
    .await;
    let padded = |bytes: usize| {
        format!(
            "GET / HTTP/1.1\r\nHost: h\r\nX-Pad: {}\r\n\r\n",
            "x".repeat(bytes)
        )
    };
    let mut stream = server.say(&padded(20_000)).await;
    assert!(hear(&mut stream, "hello").await.starts_with("HTTP/1.1 200"));
    let mut stream = server.say(&padded(40_000)).await;
    assert!(
        hear(&mut stream, "\r\n\r\n")
            .await
            .starts_with("HTTP/1.1 431")
    );
}

#[tokio::test]
async fn more_connections_than_the_limit_wait_their_turn() {
    let (arrived, mut arrivals) = mpsc::unbounded_channel();
    let leave = Arc::new(Semaphore::new(0));
    let inside = Arc::new(AtomicUsize::new(0));
    let handler = {
        let (leave, inside) = (leave.clone(), inside.clone());
        async move || {
            arrived
                .send(inside.fetch_add(1, Ordering::SeqCst) + 1)
                .unwrap();
            leave.acquire().await.unwrap().forget();
            inside.fetch_sub(1, Ordering::SeqCst);
            "done"
        }
    };
    let limits = Limits {
        connections: 2,
        ..Limits::default()
    };
    let server = start(Router::new().route("/", get(handler)), limits).await;
    let mut streams = Vec::new();
    for _ in 0..5 {
        streams.push(
            server
                .say("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                .await,
        );
    }
    for _ in 0..5 {
        let most = timeout(CAP, arrivals.recv()).await.unwrap().unwrap();
        assert!(most <= 2, "{most} at once");
        if most == 2 || arrivals.is_empty() {
            leave.add_permits(1);
        }
    }
    leave.add_permits(5);
    for stream in &mut streams {
        hear(stream, "done").await;
    }
}

#[tokio::test]
async fn a_body_that_was_not_asked_for_is_not_waited_for() {
    let page = Page::new().await;
    let server = start(page.router.clone(), Limits::default()).await;
    let head = format!(
        "POST /api/threads HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n",
        page.bridge.port
    );
    let mut stream = server.say(&head).await;
    assert!(
        hear(&mut stream, "\r\n\r\n")
            .await
            .starts_with("HTTP/1.1 401")
    );
}

#[tokio::test(start_paused = true)]
async fn a_body_that_trickles_in_is_given_up_after_thirty_seconds() {
    let router = Router::new().route(
        "/",
        post(async |body: axum::extract::Request| {
            let body = super::body::timed(body.into_body(), Duration::from_secs(30));
            match axum::body::to_bytes(body, 100).await {
                Ok(_) => "whole",
                Err(_) => "given up",
            }
        }),
    );
    let server = start(router, Limits::default()).await;
    let started = Instant::now();
    let mut stream = server
        .say("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nfour")
        .await;
    assert!(hear_all(&mut stream).await.contains("given up"));
    assert!(started.elapsed() >= Duration::from_secs(30));
}

/// A bridge with a stream that never ends by itself.
async fn endless() -> (Page, Server, String) {
    let route = Route::get("/api/endless", async || {
        let first = stream::once(async { Ok::<_, std::io::Error>(Bytes::from_static(b"first")) });
        Body::from_stream(first.chain(stream::pending()))
    });
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let page = Page::with(port, vec![route]).await;
    let stop = page.bridge.stop.clone();
    let ended = tokio::spawn(serve(
        vec![listener],
        page.router.clone(),
        Limits::default(),
        stop.clone(),
    ));
    let request = format!(
        "GET /api/endless HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {}\r\n\r\n",
        page.secret
    );
    (page, Server { port, stop, ended }, request)
}

#[tokio::test]
async fn open_streams_do_not_hold_the_end_up() {
    let (_page, server, request) = endless().await;
    let mut streams = Vec::new();
    for _ in 0..10 {
        let mut stream = server.say(&request).await;
        hear(&mut stream, "first").await;
        streams.push(stream);
    }
    let started = Instant::now();
    server.stop.cancel();
    server.ended.await.unwrap();
    assert!(started.elapsed() < Duration::from_secs(3));
    for stream in &mut streams {
        assert!(hear_all(stream).await.ends_with("0\r\n\r\n"));
    }
    assert!(
        TcpStream::connect((Ipv4Addr::LOCALHOST, server.port))
            .await
            .is_err()
    );
}

#[tokio::test]
async fn rotating_ends_every_stream_and_every_sign_in_within_a_second() {
    let (page, server, request) = endless().await;
    let mut stream = server.say(&request).await;
    hear(&mut stream, "first").await;
    let code = page.bridge.sign_ins.issue(fresh::now()).unwrap().reveal();
    let started = Instant::now();
    page.bridge.sign_ins.rotate().await.unwrap();
    hear(&mut stream, "0\r\n\r\n").await;
    assert!(started.elapsed() < Duration::from_secs(1));
    let mut again = server.say(&request).await;
    assert!(
        hear(&mut again, "\r\n\r\n")
            .await
            .starts_with("HTTP/1.1 401")
    );
    assert!(
        page.bridge
            .sign_ins
            .exchange(&code, "Test", fresh::now())
            .await
            .unwrap()
            .is_none()
    );
}

#[tokio::test]
async fn a_browser_that_is_put_out_takes_its_streams_along_and_no_others() {
    let (page, server, request) = endless().await;
    let code = page.bridge.sign_ins.issue(fresh::now()).unwrap().reveal();
    let other = page
        .bridge
        .sign_ins
        .exchange(&code, "Other", fresh::now())
        .await
        .unwrap()
        .unwrap();
    let mut mine = server.say(&request).await;
    hear(&mut mine, "first").await;
    let mut theirs = server
        .say(&request.replace(&page.secret, other.reveal()))
        .await;
    hear(&mut theirs, "first").await;
    let admitted = page
        .bridge
        .sign_ins
        .admit(other.reveal(), fresh::now())
        .await
        .unwrap()
        .unwrap();
    assert!(
        page.bridge
            .sign_ins
            .put_out(&admitted.browser)
            .await
            .unwrap()
    );
    hear(&mut theirs, "0\r\n\r\n").await;
    let still = page
        .bridge
        .sign_ins
        .admit(&page.secret, fresh::now())
        .await
        .unwrap()
        .unwrap();
    assert!(!still.end.is_cancelled());
}
