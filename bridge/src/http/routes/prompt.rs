//! Send, stop, try again.

use crate::bridge::Bridge;
use crate::http::choices::{check_images, check_model};
use crate::http::extract::{Json, Path};
use crate::http::problem::ApiProblem;
use crate::http::router::Route;
use axum::extract::State;
use axum::http::StatusCode;
use rex_shared::ids::ThreadId;
use rex_shared::routes::{PROMPT, RETRY, STOP};
use rex_shared::wire::prompt::{Accepted, Prompt};
use std::sync::Arc;

/// Bytes of a prompt, which may bring images.
const PROMPT_BODY: usize = 20 * 1024 * 1024;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        Route::post(PROMPT, prompt).limit(PROMPT_BODY),
        Route::post(STOP, stop),
        Route::post(RETRY, retry),
    ]
}

/// A thread that exists keeps its workspace; one that does not is made in the one named.
async fn prompt(
    State(bridge): State<Arc<Bridge>>,
    Path(thread): Path<ThreadId>,
    Json(prompt): Json<Prompt>,
) -> Result<(StatusCode, Json<Accepted>), ApiProblem> {
    check_model(prompt.model.as_deref())?;
    check_images(&prompt.images)?;
    let stored = bridge.store.workspace_of(&thread).await?;
    let workspace = bridge
        .workspace(stored.as_ref().or(prompt.ws.as_ref()))
        .await?;
    let places = bridge
        .documents
        .check_places(&workspace.workspace_id, &prompt.places)
        .await?;
    let accepted = bridge
        .runs
        .prompt(&thread, &workspace, prompt, places)
        .await?;
    Ok((StatusCode::ACCEPTED, Json(accepted)))
}

async fn stop(
    State(bridge): State<Arc<Bridge>>,
    Path(thread): Path<ThreadId>,
) -> Result<StatusCode, ApiProblem> {
    bridge.runs.stop(&thread).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn retry(
    State(bridge): State<Arc<Bridge>>,
    Path(thread): Path<ThreadId>,
) -> Result<(StatusCode, Json<Accepted>), ApiProblem> {
    Ok((
        StatusCode::ACCEPTED,
        Json(bridge.runs.retry(&thread).await?),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::testing::Page;
    use rex_shared::routes;
    use serde_json::json;

    const THREAD: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

    async fn sends(page: &Page, change: serde_json::Value) -> (StatusCode, serde_json::Value) {
        let mut body = json!({
            "messageId": "01890a5d-ac96-774b-bcce-b302099a8058",
            "text": "Why?", "places": [], "mode": "ask", "sdk": "nobody", "gateway": "default",
        });
        for (name, value) in change.as_object().unwrap() {
            body[name] = value.clone();
        }
        let thread = ThreadId::parse(THREAD).unwrap();
        let answer = page.post(&routes::prompt(&thread), body).await;
        (answer.status, answer.json())
    }

    #[tokio::test]
    async fn a_prompt_that_cannot_be_sent_is_refused_with_its_reason_and_stores_nothing() {
        let page = Page::new().await;
        let folder = page.folder("docs");
        std::fs::write(folder.join("a.md"), "Ten per cent.\n").unwrap();
        page.bridge.open_workspace(&folder).await.unwrap();
        let elsewhere = json!([{
            "placeId": "01890a5d-ac96-774b-bcce-b302099a8059", "document": "a.md", "kind": "text",
            "start": 0, "end": 3, "version": "0".repeat(64), "quote": "Ten",
        }]);
        for (change, kind) in [
            (json!({"mode": "act", "sdk": "codex"}), "mode-unavailable"),
            (json!({"sdk": "nobody"}), "unknown-agent"),
            (json!({"messageId": "7"}), "bad-id"),
            (
                json!({"ws": "01890a5d-ac96-774b-bcce-b302099a805a"}),
                "unknown-workspace",
            ),
            (json!({"places": elsewhere}), "stale-version"),
        ] {
            let (status, answer) = sends(&page, change).await;
            assert_eq!(answer["type"], kind, "{status} {answer}");
            assert_eq!(answer["status"], status.as_u16());
        }
        let thread = ThreadId::parse(THREAD).unwrap();
        assert!(page.bridge.store.row(&thread).await.unwrap().is_none());
        for uri in [routes::stop(&thread), routes::retry(&thread)] {
            assert_eq!(page.post(&uri, json!({})).await.status, 404, "{uri}");
        }
        assert_eq!(page.get(&routes::debug(&thread)).await.status, 404);
    }
}
