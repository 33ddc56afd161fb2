//! A code becomes a secret.

use crate::bridge::Bridge;
use crate::fresh;
use crate::http::extract::Json;
use crate::http::problem::ApiProblem;
use crate::http::router::{Access, Answer, Route};
use axum::extract::State;
use axum::http::{HeaderMap, header};
use rex_shared::wire::problem::ProblemType;
use rex_shared::wire::workspace::{SignIn, SignedIn};
use std::sync::Arc;

/// A code and the JSON around it are far below this.
const LIMIT: usize = 1024;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        Route::post("/api/sign-in", sign_in)
            .access(Access::Open)
            .limit(LIMIT),
    ]
}

async fn sign_in(
    State(bridge): State<Arc<Bridge>>,
    headers: HeaderMap,
    Json(body): Json<SignIn>,
) -> Answer<SignedIn> {
    let label = browser_name(&headers);
    let secret = bridge
        .sign_ins
        .exchange(&body.code, label, fresh::now())
        .await
        .map_err(|error| ApiProblem::internal(&error))?;
    let Some(secret) = secret else {
        return Err(ApiProblem::new(
            ProblemType::BadCode,
            "This code is not valid",
            "It was used, is older than ten minutes, or was mistyped too often.",
            "Run rex link for a new one.",
        ));
    };
    Ok(Json(SignedIn {
        secret: secret.reveal().to_owned(),
    }))
}

/// What a person calls the browser, from what it calls itself. The order matters: each of them also names those after it.
fn browser_name(headers: &HeaderMap) -> &'static str {
    let agent = headers
        .get(header::USER_AGENT)
        .and_then(|agent| agent.to_str().ok())
        .unwrap_or_default();
    [
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ]
    .into_iter()
    .find(|(mark, _)| agent.contains(mark))
    .map_or("Another program", |(_, name)| name)
}
