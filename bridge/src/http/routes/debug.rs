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
    vec![Route::get(DEBUG, report)]
}

/// `text/plain`: axum's answer for a text.
async fn report(
    State(bridge): State<Arc<Bridge>>,
    Path(thread): Path<ThreadId>,
) -> Result<String, ApiProblem> {
    Ok(bridge.runs.report(&thread).await?)
}
