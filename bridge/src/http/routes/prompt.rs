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
