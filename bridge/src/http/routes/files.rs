//! The file tree.

use crate::bridge::Bridge;
use crate::http::extract::{Json, Query};
use crate::http::router::{Answer, Route};
use axum::extract::State;
use rex_shared::ids::WorkspaceId;
use rex_shared::routes::FILES;
use rex_shared::wire::document::Files;
use serde::Deserialize;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![Route::get(FILES, files)]
}

#[derive(Deserialize)]
struct Which {
    ws: Option<WorkspaceId>,
}

async fn files(State(bridge): State<Arc<Bridge>>, Query(which): Query<Which>) -> Answer<Files> {
    let workspace = bridge.workspace(which.ws.as_ref()).await?;
    Ok(Json(bridge.documents.files(&workspace.workspace_id).await?))
}
