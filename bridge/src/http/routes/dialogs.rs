//! The person's answers to what agents ask.

use crate::bridge::Bridge;
use crate::http::extract::{Json, Path};
use crate::http::problem::ApiProblem;
use crate::http::router::Route;
use axum::extract::State;
use axum::http::StatusCode;
use rex_shared::ids::{DialogId, ThreadId};
use rex_shared::routes::DIALOG;
use rex_shared::wire::prompt::DialogAnswer;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![Route::post(DIALOG, answer)]
}

async fn answer(
    State(bridge): State<Arc<Bridge>>,
    Path((thread, dialog)): Path<(ThreadId, DialogId)>,
    Json(answer): Json<DialogAnswer>,
) -> Result<StatusCode, ApiProblem> {
    bridge.runs.answer(&thread, &dialog, answer).await?;
    Ok(StatusCode::NO_CONTENT)
}
