//! The accept loop.
//!
//! Our own, because `axum::serve` installs no timer, which makes hyper's header timeout inert.

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What one client may take of the bridge.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections at once; further ones wait in the system's queue.
    pub connections: usize,
    /// How long a request's head may take, and how long a connection may lie idle.
    pub head_time: Duration,
    /// Bytes of a request's head.
    pub head_size: usize,
    /// How long open connections may take to end once the bridge stops.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 256,
            head_time: Duration::from_secs(10),
            head_size: 32 * 1024,
            drain: Duration::from_secs(2),
        }
    }
}

/// Serves until `stop`, then waits at most `limits.drain` for what is under way. Streams end by themselves: the gate
/// ties them to the same token.
pub async fn serve(
    listeners: Vec<TcpListener>,
    router: Router,
    limits: Limits,
    stop: CancellationToken,
) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let connections = TaskTracker::new();
    let mut accepting = JoinSet::new();
    for listener in listeners {
        accepting.spawn(stop.clone().run_until_cancelled_owned(accept(
            listener,
            router.clone(),
            limits,
            places.clone(),
            connections.clone(),
            stop.clone(),
        )));
    }
    while accepting.join_next().await.is_some() {}
    connections.close();
    if tokio::time::timeout(limits.drain, connections.wait())
        .await
        .is_err()
    {
        tracing::warn!(left = connections.len(), "connections were cut");
    }
}

async fn accept(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    places: Arc<Semaphore>,
    connections: TaskTracker,
    stop: CancellationToken,
) {
    // The semaphore is never closed.
    while let Ok(place) = places.clone().acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                let connection = connection(stream, router.clone(), limits, stop.clone());
                connections.spawn(async move {
                    connection.await;
                    drop(place);
                });
            }
            Err(error) => {
                if !is_of_one_connection(&error) {
                    // Out of file descriptors, most likely: others have to end first.
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }
}

fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
    )
}

async fn connection(stream: TcpStream, router: Router, limits: Limits, stop: CancellationToken) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "no TCP_NODELAY");
    }
    let service = TowerToHyperService::new(tower::ServiceExt::map_request(
        router,
        |request: Request<Incoming>| request.map(axum::body::Body::new),
    ));
    let serving = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_time)
        .max_header_size(limits.head_size)
        .serve_connection(TokioIo::new(stream), service);
    tokio::pin!(serving);
    let ended = tokio::select! {
        ended = serving.as_mut() => ended,
        () = stop.cancelled() => {
            serving.as_mut().graceful_shutdown();
            serving.await
        }
    };
    if let Err(error) = ended {
        // A tab that was closed, a head that never came: ordinary, and never worth a person's attention.
        tracing::debug!(%error, "a connection ended early");
    }
}
