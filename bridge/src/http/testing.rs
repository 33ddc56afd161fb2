//! For the tests of the handlers: a bridge on a home of its own, a signed-in browser, and the ways to attack both.

use super::router::{self, Route};
use crate::access::{ControlSecret, Secret};
use crate::agents::Configuration;
use crate::bridge::{Bridge, Setup};
use crate::fresh;
use crate::processes::Environment;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode};
use std::path::PathBuf;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

/// The port that the bridge of a test believes to have.
pub(crate) const PORT: u16 = 7390;

/// A signed-in browser and its bridge.
pub(crate) struct Page {
    pub(crate) bridge: Arc<Bridge>,
    pub(crate) router: Router,
    /// The browser's secret.
    pub(crate) secret: String,
    /// The secret of the home's own commands.
    pub(crate) control: String,
    pub(crate) temp: tempfile::TempDir,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Answer {
    /// The body as JSON; null when it is none.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// The status and the problem's slug.
    pub(crate) fn problem(&self) -> (u16, String) {
        let slug = self.json()["type"].as_str().unwrap_or_default().to_owned();
        (self.status.as_u16(), slug)
    }
}

impl Page {
    /// A bridge with nothing in it, and a browser that is signed in.
    pub(crate) async fn new() -> Self {
        Self::with(PORT, Vec::new()).await
    }

    /// The same on another port and with more routes.
    pub(in crate::http) async fn with(port: u16, more: Vec<Route>) -> Self {
        let temp = tempfile::tempdir().unwrap();
        let home = temp.path().canonicalize().unwrap().join("home");
        std::fs::create_dir(&home).unwrap();
        let control = Secret::new().unwrap();
        let bridge = Bridge::open(Setup {
            database: home.join("rex.db"),
            home,
            port,
            environment: Environment::of([("PATH", "/nowhere")]),
            configuration: Configuration::default(),
            program: PathBuf::from("/nowhere/rex"),
            control: ControlSecret::of(&control),
            stop: CancellationToken::new(),
        })
        .unwrap();
        let code = bridge.sign_ins.issue(fresh::now()).unwrap().reveal();
        let secret = bridge
            .sign_ins
            .exchange(&code, "Test", fresh::now())
            .await
            .unwrap()
            .unwrap();
        let mut table = router::table();
        table.extend(more);
        Self {
            router: router::build(bridge.clone(), table),
            bridge,
            secret: secret.reveal().to_owned(),
            control: control.reveal().to_owned(),
            temp,
        }
    }

    /// A folder beside the home, as a workspace would be.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        let folder = self.temp.path().canonicalize().unwrap().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// GET as the page does it.
    pub(crate) async fn get(&self, uri: &str) -> Answer {
        self.call("GET", uri, None).await
    }

    /// POST as the page does it.
    pub(crate) async fn post(&self, uri: &str, body: serde_json::Value) -> Answer {
        self.call("POST", uri, Some(body)).await
    }

    /// Any method, as the page does it.
    pub(crate) async fn call(
        &self,
        method: &str,
        uri: &str,
        body: Option<serde_json::Value>,
    ) -> Answer {
        let bearer = format!("Bearer {}", self.secret);
        let host = format!("127.0.0.1:{}", self.bridge.port);
        let mut headers = vec![
            ("host", host.as_str()),
            ("sec-fetch-site", "same-origin"),
            ("authorization", bearer.as_str()),
        ];
        if body.is_some() {
            headers.push(("content-type", "application/json"));
        }
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        self.send(method, uri, &headers, body).await
    }

    /// Exactly these headers.
    pub(crate) async fn send(
        &self,
        method: &str,
        uri: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri(uri)
            .body(body.into())
            .unwrap();
        for (name, value) in headers {
            request.headers_mut().append(
                HeaderName::from_bytes(name.as_bytes()).unwrap(),
                HeaderValue::from_bytes(value.as_bytes()).unwrap(),
            );
        }
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (head, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        Answer {
            status: head.status,
            headers: head.headers,
            body: String::from_utf8_lossy(&body).into_owned(),
        }
    }
}

/// Every way to name another host, or this one not exactly. Also used by the walk over all routes.
pub(crate) const HOSTILE_HOSTS: &[&str] = &[
    "",
    "evil.com",
    "evil.com:7390",
    "127.0.0.1",
    "localhost",
    "[::1]",
    "127.0.0.1:7391",
    "127.0.0.1:07390",
    "127.0.0.1:7390.",
    "127.0.0.1:7390.evil.com",
    "127.0.0.1.:7390",
    "127.0.0.1.evil.com:7390",
    "127.0.0.1:7390@evil.com",
    "evil.com@127.0.0.1:7390",
    "127.0.0.1:7390, evil.com",
    "127.0.0.1:7390:7390",
    "127.1:7390",
    "127.0.0.2:7390",
    "0.0.0.0:7390",
    "2130706433:7390",
    "0x7f000001:7390",
    "0177.0.0.1:7390",
    "localhost.:7390",
    "LOCALHOST:7390",
    "localhost.evil.com:7390",
    "sub.localhost:7390",
    "localhost:7390/",
    "http://localhost:7390",
    "::1:7390",
    "[::1]:7391",
    "[0:0:0:0:0:0:0:1]:7390",
    "[::ffff:127.0.0.1]:7390",
    "[::]:7390",
    "127.0.0.1:7390\t",
    "127.0.0.1:7390\u{e9}",
];

/// Origins that are not the page of 127.0.0.1:7390.
pub(crate) const HOSTILE_ORIGINS: &[&str] = &[
    "null",
    "",
    "http://evil.com",
    "https://127.0.0.1:7390",
    "http://127.0.0.1",
    "http://127.0.0.1:7391",
    "http://localhost:7390",
    "http://127.0.0.1:7390/",
    "http://127.0.0.1:7390.evil.com",
    "http://user@127.0.0.1:7390",
    "HTTP://127.0.0.1:7390",
    "127.0.0.1:7390",
];

/// Values of `Sec-Fetch-Site` that are not the page's own.
pub(crate) const HOSTILE_SITES: &[&str] = &[
    "cross-site",
    "same-site",
    "",
    "Same-Origin",
    "same-origin, none",
    "unknown",
];
