//! The report on one thread, as text for a bug report.

use crate::bridge::Bridge;
use crate::http::extract::Path;
use crate::http::problem::ApiProblem;
use crate::http::router::Route;
use axum::extract::State;
use rex_shared::ids::ThreadId;
use rex_shared::routes::DEBUG;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![Route::get(DEBUG, report), Route::post(DEBUG, asked_report)]
}

/// `text/plain`: axum's answer for a text. Looks at rows and files.
async fn report(
    State(bridge): State<Arc<Bridge>>,
    Path(thread): Path<ThreadId>,
) -> Result<String, ApiProblem> {
    Ok(bridge.runs.report(&thread).await?)
}

/// The same after the agents were asked, which starts their programs.
async fn asked_report(
    State(bridge): State<Arc<Bridge>>,
    Path(thread): Path<ThreadId>,
) -> Result<String, ApiProblem> {
    Ok(bridge.runs.asked_report(&thread).await?)
}
