//! Problems on their way out: `application/problem+json`.

use crate::store::StoreError;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rex_shared::wire::problem::{Problem, ProblemType};

/// A refusal or failure as a handler returns it.
#[derive(Debug)]
pub struct ApiProblem(Box<Problem>);

impl ApiProblem {
    /// A problem of this kind: what happened, what is safe, and the next step.
    pub fn new(kind: ProblemType, title: &str, detail: &str, hint: &str) -> Self {
        Problem::new(kind, title, detail, hint).into()
    }

    /// A failure that nobody expected. The cause goes to the log under an id that the answer names; the answer
    /// itself says nothing of it.
    pub fn internal(cause: &(impl std::error::Error + ?Sized)) -> Self {
        let report = uuid::Uuid::now_v7();
        let mut causes = vec![cause.to_string()];
        let mut next = cause.source();
        while let Some(cause) = next {
            causes.push(cause.to_string());
            next = cause.source();
        }
        tracing::error!(%report, cause = causes.join(": "), "a call failed");
        Self::reported(&report.to_string())
    }

    /// A failure that is already in the log under `report`.
    pub(super) fn reported(report: &str) -> Self {
        Problem::new(
            ProblemType::Internal,
            "Something went wrong in REX",
            "This call failed. What was stored before it is safe.",
            format!("Try again. The bridge's log has more under {report}."),
        )
        .into()
    }

    /// What is sent.
    pub fn problem(&self) -> &Problem {
        &self.0
    }
}

impl From<Problem> for ApiProblem {
    fn from(problem: Problem) -> Self {
        Self(Box::new(problem))
    }
}

impl From<StoreError> for ApiProblem {
    fn from(error: StoreError) -> Self {
        Problem::from(error).into()
    }
}

impl IntoResponse for ApiProblem {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let content_type = HeaderValue::from_static("application/problem+json");
        match serde_json::to_vec(&self.0) {
            Ok(body) => (status, [(header::CONTENT_TYPE, content_type)], body).into_response(),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_problem_carries_its_status_its_slug_and_its_facts() {
        let problem = Problem::new(ProblemType::StaleVersion, "Moved on", "d", "h")
            .with("currentVersion", "abc");
        let answer = ApiProblem::from(problem).into_response();
        assert_eq!(answer.status(), 409);
        assert_eq!(
            answer.headers()[header::CONTENT_TYPE],
            "application/problem+json"
        );
        let body = axum::body::to_bytes(answer.into_body(), 1000)
            .await
            .unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["type"], "stale-version");
        assert_eq!(body["currentVersion"], "abc");
    }

    #[tokio::test]
    async fn an_unexpected_failure_tells_its_cause_to_the_log_only() {
        let cause = std::io::Error::other("the secret path /home/somebody");
        let answer = ApiProblem::internal(&cause);
        assert!(!format!("{:?}", answer.problem()).contains("somebody"));
        assert_eq!(answer.into_response().status(), 500);
    }
}
