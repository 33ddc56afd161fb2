//! A code becomes a secret.

use crate::access::SignInError;
use crate::bridge::Bridge;
use crate::fresh;
use crate::http::extract::Json;
use crate::http::problem::ApiProblem;
use crate::http::router::{Access, Answer, Route};
use axum::extract::State;
use axum::http::{HeaderMap, header};
use rex_shared::routes::SIGN_IN;
use rex_shared::wire::problem::ProblemType;
use rex_shared::wire::workspace::{SignIn, SignedIn};
use std::sync::Arc;

/// A code and the JSON around it are far below this.
const LIMIT: usize = 1024;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        Route::post(SIGN_IN, sign_in)
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
        .map_err(|error| match error {
            SignInError::Store(error) => error.into(),
            SignInError::Random(error) => ApiProblem::internal(&error),
        })?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::testing::Page;
    use serde_json::json;

    #[tokio::test]
    async fn a_code_becomes_a_secret_once() {
        let page = Page::new().await;
        let code = page.bridge.sign_ins.issue(fresh::now()).unwrap().reveal();
        let answer = page.post("/api/sign-in", json!({ "code": code })).await;
        let secret = answer.json()["secret"].as_str().unwrap().to_owned();
        let headers = [
            ("host", "127.0.0.1:7390"),
            ("authorization", &format!("Bearer {secret}")),
        ];
        assert_eq!(
            page.send("GET", "/api/health", &headers, "").await.status,
            200
        );
        let again = page.post("/api/sign-in", json!({ "code": code })).await;
        assert_eq!(
            (again.status.as_u16(), &again.json()["type"]),
            (401, &"bad-code".into())
        );
    }

    #[tokio::test]
    async fn a_full_disk_is_said_and_the_code_stays_good() {
        let page = Page::new().await;
        page.bridge.store.let_grow(false).await;
        // What is left of the last page holds a few more.
        let (code, refused) = loop {
            let code = page.bridge.sign_ins.issue(fresh::now()).unwrap().reveal();
            let answer = page.post("/api/sign-in", json!({ "code": code })).await;
            if answer.status != 200 {
                break (code, answer);
            }
        };
        assert_eq!(refused.problem(), (503, "read-only".to_owned()));
        assert_eq!(refused.json()["title"], "The disk is full");
        let again = page.post("/api/sign-in", json!({ "code": code })).await;
        assert_eq!(again.problem(), (503, "read-only".to_owned()));
        page.bridge.store.let_grow(true).await;
        let signed_in = page.post("/api/sign-in", json!({ "code": code })).await;
        assert_eq!(signed_in.status, 200);
    }

    #[tokio::test]
    async fn a_sign_in_takes_little() {
        let page = Page::new().await;
        let answer = page
            .post("/api/sign-in", json!({ "code": "x".repeat(2000) }))
            .await;
        assert_eq!(answer.status, 413);
    }

    #[test]
    fn browsers_are_called_by_the_names_people_use() {
        for (agent, name) in [
            (
                "Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36",
                "Chrome",
            ),
            (
                "Mozilla/5.0 (Windows) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36 Edg/156.0",
                "Edge",
            ),
            (
                "Mozilla/5.0 (X11; Linux; rv:153.0) Gecko/20100101 Firefox/153.0",
                "Firefox",
            ),
            (
                "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
                "Safari",
            ),
            ("curl/8", "Another program"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::USER_AGENT, agent.parse().unwrap());
            assert_eq!(browser_name(&headers), name);
        }
    }
}
