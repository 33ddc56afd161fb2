//! The gate's self-test: the bridge is attacked over loopback as a hostile page would, and has to refuse.

use bytes::Bytes;
use http_body_util::Empty;
use hyper::{Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use rex_shared::routes::{HEALTH, WORKSPACES};
use rex_shared::wire::doctor::Check;
use rex_shared::wire::doctor::CheckState::{Bad, Good};
use std::net::Ipv4Addr;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// A bridge that takes longer does not serve.
const LIMIT: Duration = Duration::from_secs(5);
const NAME: &str = "gate";
/// `PORT` is put in.
const HOST: &str = "127.0.0.1:PORT";

/// What is sent besides a method and a path: host, and headers.
type Attack = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const ATTACKS: [Attack; 11] = [
    ("GET", "evil.example:PORT", &[]),
    ("GET", "127.0.0.1", &[]),
    ("GET", "localhost.evil.example:PORT", &[]),
    ("GET", HOST, &[("origin", "http://evil.example")]),
    ("GET", HOST, &[("origin", "null")]),
    ("GET", HOST, &[("origin", "http://127.0.0.1:1")]),
    ("GET", HOST, &[("sec-fetch-site", "cross-site")]),
    ("GET", HOST, &[("sec-fetch-site", "same-site")]),
    ("GET", HOST, &[("authorization", "Bearer guessed")]),
    ("GET", HOST, &[("cookie", "rex-secret=guessed")]),
    ("POST", HOST, &[("content-type", "text/plain")]),
];

/// Attacks the bridge on this port.
pub(super) async fn try_out(port: u16) -> Check {
    // Without this a bridge that is not there would seem to refuse everything.
    match timeout(LIMIT, send(port, &("GET", HOST, &[]), HEALTH)).await {
        Ok(Ok(answer)) if answer.status() == StatusCode::UNAUTHORIZED => {}
        _ => {
            let says = format!("REX does not answer on port {port}");
            return Check::new(NAME, Bad, says).hint("Start REX again.");
        }
    }
    let mut let_in = Vec::new();
    for attack in &ATTACKS {
        let answer = timeout(LIMIT, send(port, attack, WORKSPACES)).await;
        let is_refused = matches!(&answer, Ok(Ok(answer)) if refuses(answer));
        if !is_refused {
            let_in.push(format!("{attack:?}"));
        }
    }
    if let_in.is_empty() {
        let says = format!("refused all of {} attacks", ATTACKS.len());
        return Check::new(NAME, Good, says);
    }
    Check::new(NAME, Bad, format!("did not refuse: {}", let_in.join("; ")))
        .hint("Stop REX, and report this.")
}

/// Refused, and without a header that would let another origin read the answer.
fn refuses<B>(answer: &Response<B>) -> bool {
    let names = answer.headers().keys();
    let tells_others = names
        .into_iter()
        .any(|name| name.as_str().starts_with("access-control-"));
    answer.status().is_client_error() && !tells_others
}

async fn send(
    port: u16,
    (method, host, headers): &Attack,
    path: &str,
) -> Result<Response<hyper::body::Incoming>, Box<dyn std::error::Error + Send + Sync>> {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    // Ends with the answer.
    tokio::spawn(connection);
    let host = host.replace("PORT", &port.to_string());
    let mut request = Request::builder()
        .method(*method)
        .uri(path)
        .header(header::HOST, host);
    for (name, value) in *headers {
        request = request.header(*name, *value);
    }
    Ok(sender
        .send_request(request.body(Empty::<Bytes>::new())?)
        .await?)
}
