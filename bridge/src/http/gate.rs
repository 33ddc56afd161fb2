//! The gate: the first layer of every request, before routing.
//!
//! In this order: where the request comes from (`origin`), who sends it, what kind of body it has. Only then is it
//! routed, and only a handler reads a body. What the table does not open needs a secret, an address that does not
//! exist included: from outside, REX looks the same everywhere.

use super::problem::ApiProblem;
use super::router::{Access, Route};
use super::{body, headers, origin, shell};
use crate::access::Admitted;
use crate::bridge::Bridge;
use crate::fresh;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;
use hyper::body::Body as _;
use rex_shared::wire::problem::ProblemType;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tower::Layer as _;

/// How long a request's body may take.
const BODY_TIME: Duration = Duration::from_secs(30);

/// What the gate knows.
pub(super) struct Gate {
    bridge: Arc<Bridge>,
    /// Rows that need something other than a browser's secret.
    exceptions: Vec<(Method, &'static str, Access)>,
}

impl Gate {
    /// Learns the exceptions of the table; everything else needs a secret.
    pub(super) fn new(bridge: Arc<Bridge>, table: &[Route]) -> Self {
        let exceptions = table
            .iter()
            .filter(|route| route.access != Access::Secret)
            .map(|route| (route.method.clone(), route.path, route.access))
            .collect();
        Self { bridge, exceptions }
    }

    fn needed(&self, method: &Method, path: &str) -> Access {
        let method = if method == Method::HEAD {
            &Method::GET
        } else {
            method
        };
        if method == Method::GET && shell::has(path) {
            return Access::Open;
        }
        self.exceptions
            .iter()
            .find(|(open, exactly, _)| open == method && *exactly == path)
            .map_or(Access::Secret, |(_, _, access)| *access)
    }

    /// Lets a request in, or says why not. A signed-in browser comes back with what ends its streams.
    async fn admit(&self, head: &Parts, empty: bool) -> Result<Option<Admitted>, ApiProblem> {
        origin::check(&head.method, &head.uri, &head.headers, self.bridge.port)
            .map_err(|origin::Foreign| foreign())?;
        let admitted = match self.needed(&head.method, head.uri.path()) {
            Access::Open => None,
            Access::Local => {
                let secret = bearer(&head.headers).ok_or_else(unknown)?;
                if !self.bridge.control.is(secret) {
                    return Err(unknown());
                }
                None
            }
            Access::Secret => {
                let secret = bearer(&head.headers).ok_or_else(unknown)?;
                let admitted = self.bridge.sign_ins.admit(secret, fresh::now()).await?;
                Some(admitted.ok_or_else(unknown)?)
            }
        };
        takes_only_json(&head.method, &head.headers, empty)?;
        Ok(admitted)
    }
}

/// Puts the gate before the router.
pub(super) fn before(gate: Gate, router: Router) -> Router {
    let guarded = from_fn_with_state(Arc::new(gate), guard).layer(router);
    Router::new().fallback_service(guarded)
}

async fn guard(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let (mut head, incoming) = request.into_parts();
    let mut response = match gate.admit(&head, incoming.is_end_stream()).await {
        Err(refusal) => refusal.into_response(),
        Ok(admitted) => {
            let end = admitted
                .as_ref()
                .map_or(&gate.bridge.stop, |admitted| &admitted.end)
                .clone();
            if let Some(admitted) = admitted {
                head.extensions.insert(admitted);
            }
            let request = Request::from_parts(head, body::timed(incoming, BODY_TIME));
            answer(request, next)
                .await
                .map(|outgoing| body::until(outgoing, end))
        }
    };
    headers::protect(response.headers_mut());
    response
}

/// Runs the handler; a panic costs this call only.
async fn answer(request: Request, next: Next) -> Response {
    let what = format!("{} {}", request.method(), request.uri().path());
    match AssertUnwindSafe(next.run(request)).catch_unwind().await {
        Ok(response) => response,
        Err(_) => {
            let report = uuid::Uuid::now_v7().to_string();
            tracing::error!(report, what, "a handler panicked");
            ApiProblem::reported(&report).into_response()
        }
    }
}

/// The secret of `Authorization: Bearer …`, sent once.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next()?.to_str().ok()?;
    if values.next().is_some() {
        return None;
    }
    value.strip_prefix("Bearer ")
}

/// A page can send a form or plain text anywhere without asking; JSON it cannot.
fn takes_only_json(method: &Method, headers: &HeaderMap, empty: bool) -> Result<(), ApiProblem> {
    if method == Method::GET || method == Method::HEAD {
        return Ok(());
    }
    let mut kinds = headers.get_all(header::CONTENT_TYPE).iter();
    let json = match (kinds.next(), kinds.next()) {
        (None, _) => empty,
        (Some(kind), None) => kind.to_str().is_ok_and(is_json),
        _ => false,
    };
    if json {
        return Ok(());
    }
    Err(ApiProblem::new(
        ProblemType::UnsupportedMediaType,
        "Only JSON is taken here",
        "The body of this call is not application/json. Nothing was changed.",
        "Reload the page and try again.",
    ))
}

fn is_json(kind: &str) -> bool {
    let essence = kind.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
}

fn unknown() -> ApiProblem {
    ApiProblem::new(
        ProblemType::UnknownBrowser,
        "Not signed in",
        "REX does not know this browser.",
        "Run rex link and open the link that it prints.",
    )
}

fn foreign() -> ApiProblem {
    ApiProblem::new(
        ProblemType::ForbiddenOrigin,
        "Not from here",
        "REX answers its own page only.",
        "Open the address that rex printed.",
    )
}
