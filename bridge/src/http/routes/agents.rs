//! What an agent program is asked without a turn.

use crate::bridge::Bridge;
use crate::http::extract::{Json, Path, Query};
use crate::http::router::{Answer, Route};
use axum::extract::State;
use rex_shared::ids::{Sdk, WorkspaceId};
use rex_shared::routes::AGENT_MODELS;
use serde::Deserialize;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![Route::post(AGENT_MODELS, models)]
}

#[derive(Deserialize)]
struct Which {
    ws: Option<WorkspaceId>,
}

/// Starts the program, so it is no GET. The names are offered to every page from then on.
async fn models(
    State(bridge): State<Arc<Bridge>>,
    Path(sdk): Path<Sdk>,
    Query(which): Query<Which>,
) -> Answer<Vec<String>> {
    let workspace = bridge.workspace(which.ws.as_ref()).await?;
    let folder = std::path::Path::new(&workspace.root);
    Ok(Json(bridge.runs.ask_for_models(&sdk, folder).await?))
}
