//! What handlers take and give: JSON bodies, and ids in paths and queries, with this contract's problems.

use super::problem::ApiProblem;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use rex_shared::ids::BadId;
use rex_shared::wire::problem::ProblemType;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A JSON body, in or out. Coming in: 413 above the route's limit, 408 when it takes too long, 422 when it does not
/// fit. The gate has already refused any other content type.
#[derive(Debug, Clone)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = ApiProblem;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiProblem> {
        let body = Bytes::from_request(request, state)
            .await
            .map_err(|rejection| unreadable(&rejection))?;
        serde_json::from_slice(&body)
            .map(Self)
            .map_err(|error| unfit("The body of this call does not fit", &error.to_string()))
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

/// The ids in a path; 422 `bad-id` when one is none.
#[derive(Debug, Clone)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiProblem> {
        axum::extract::Path::from_request_parts(parts, state)
            .await
            .map(|axum::extract::Path(ids)| Self(ids))
            .map_err(|rejection| {
                unfit(
                    "The address of this call does not fit",
                    &rejection.body_text(),
                )
            })
    }
}

/// The query; 422 when it does not fit, `bad-id` when an id is none.
#[derive(Debug, Clone)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiProblem> {
        axum::extract::Query::from_request_parts(parts, state)
            .await
            .map(|axum::extract::Query(query)| Self(query))
            .map_err(|rejection| {
                unfit(
                    "The query of this call does not fit",
                    &rejection.body_text(),
                )
            })
    }
}

/// What did not fit is told by the parser, which knows the field and never the rest of the body.
fn unfit(title: &str, why: &str) -> ApiProblem {
    let kind = if why.contains(&BadId.to_string()) {
        ProblemType::BadId
    } else {
        ProblemType::BadRequest
    };
    ApiProblem::new(
        kind,
        title,
        why,
        "Nothing was changed. Reload the page and try again.",
    )
}

fn unreadable(rejection: &BytesRejection) -> ApiProblem {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return ApiProblem::new(
            ProblemType::TooLarge,
            "Too large to send",
            "This call is larger than REX takes. Nothing was changed.",
            "Send less at once.",
        );
    }
    ApiProblem::new(
        ProblemType::Timeout,
        "This call did not arrive",
        "Its body ended early or took longer than 30 seconds. Nothing was changed.",
        "Try again.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::body::Body;
    use axum::extract::DefaultBodyLimit;
    use axum::routing::{get, post};
    use rex_shared::ids::ThreadId;
    use rex_shared::wire::workspace::OpenWorkspace;
    use serde::Deserialize;
    use tower::ServiceExt as _;

    #[derive(Deserialize)]
    struct Page {
        ws: Option<ThreadId>,
        count: Option<u32>,
    }

    fn router() -> Router {
        Router::new()
            .route(
                "/t/{id}",
                get(async |Path(id): Path<ThreadId>| id.to_string()),
            )
            .route(
                "/q",
                get(async |Query(page): Query<Page>| format!("{:?} {:?}", page.ws, page.count)),
            )
            .route(
                "/b",
                post(async |Json(body): Json<OpenWorkspace>| body.path)
                    .layer(DefaultBodyLimit::max(100)),
            )
    }

    async fn ask(method: &str, uri: &str, body: &str) -> (u16, String) {
        let request = Request::builder()
            .method(method)
            .uri(uri)
            .body(Body::from(body.to_owned()))
            .unwrap();
        let answer = router().oneshot(request).await.unwrap();
        let status = answer.status().as_u16();
        let body = axum::body::to_bytes(answer.into_body(), 10_000)
            .await
            .unwrap();
        (status, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn an_id_that_is_none_is_422_bad_id_in_path_and_query() {
        for uri in ["/t/NOT-AN-ID", "/q?ws=7"] {
            let (status, body) = ask("GET", uri, "").await;
            assert_eq!(status, 422, "{uri}");
            assert!(body.contains(r#""type":"bad-id""#), "{uri}: {body}");
        }
        let (status, body) = ask("GET", "/q?count=many", "").await;
        assert_eq!(status, 422);
        assert!(body.contains("bad-request"), "{body}");
    }

    #[tokio::test]
    async fn a_body_that_does_not_fit_is_422_and_one_too_large_is_413() {
        assert_eq!(
            ask("POST", "/b", r#"{"path":"/x"}"#).await,
            (200, "/x".to_owned())
        );
        assert_eq!(ask("POST", "/b", r#"{"way":"/x"}"#).await.0, 422);
        assert_eq!(ask("POST", "/b", "no json").await.0, 422);
        let (status, body) = ask(
            "POST",
            "/b",
            &format!(r#"{{"path":"{}"}}"#, "x".repeat(200)),
        )
        .await;
        assert_eq!(status, 413);
        assert!(body.contains("too-large"), "{body}");
    }
}
