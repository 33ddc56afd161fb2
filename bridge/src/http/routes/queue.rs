//! Prompts that wait behind a run: edit one, take one away.

use crate::bridge::Bridge;
use crate::http::extract::{Json, Path};
use crate::http::problem::ApiProblem;
use crate::http::router::Route;
use axum::extract::State;
use axum::http::StatusCode;
use rex_shared::ids::{MessageId, ThreadId};
use rex_shared::routes::QUEUE;
use rex_shared::wire::prompt::QueueEdit;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![Route::patch(QUEUE, edit), Route::delete(QUEUE, take_away)]
}

async fn edit(
    State(bridge): State<Arc<Bridge>>,
    Path((thread, message)): Path<(ThreadId, MessageId)>,
    Json(edit): Json<QueueEdit>,
) -> Result<StatusCode, ApiProblem> {
    bridge
        .runs
        .edit_queued(&thread, &message, edit.text)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn take_away(
    State(bridge): State<Arc<Bridge>>,
    Path((thread, message)): Path<(ThreadId, MessageId)>,
) -> Result<StatusCode, ApiProblem> {
    bridge.runs.drop_queued(&thread, &message).await?;
    Ok(StatusCode::NO_CONTENT)
}
