//! What another `rex` command of the same home asks of the running bridge. Its words are in `crate::control`.

use crate::bridge::Bridge;
use crate::control::{Link, LinkAsked, OpenAsked};
use crate::http::extract::Json;
use crate::http::problem::ApiProblem;
use crate::http::router::{Access, Answer, Route};
use axum::extract::State;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        Route::post("/api/local/link", link).access(Access::Local),
        Route::post("/api/local/open", open).access(Access::Local),
    ]
}

async fn link(State(bridge): State<Arc<Bridge>>, Json(asked): Json<LinkAsked>) -> Answer<Link> {
    if asked.rotate {
        bridge.sign_ins.rotate().await?;
    }
    give(&bridge, None, None)
}

async fn open(State(bridge): State<Arc<Bridge>>, Json(asked): Json<OpenAsked>) -> Answer<Link> {
    let workspace = bridge.open_workspace(&asked.folder).await?;
    give(&bridge, Some(workspace.workspace_id), asked.document)
}

fn give(
    bridge: &Bridge,
    workspace: Option<rex_shared::ids::WorkspaceId>,
    document: Option<String>,
) -> Answer<Link> {
    bridge
        .link(workspace, document)
        .map(Json)
        .map_err(|error| ApiProblem::internal(&error))
}
