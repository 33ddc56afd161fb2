//! Workspaces: all of them, open one, and one with everything the page starts from.

use crate::bridge::Bridge;
use crate::http::extract::{Json, Query};
use crate::http::problem::ApiProblem;
use crate::http::router::{Answer, Route};
use crate::store::WorkspaceRecord;
use axum::extract::State;
use rex_shared::ids::WorkspaceId;
use rex_shared::wire::problem::ProblemType;
use rex_shared::wire::workspace::{OpenWorkspace, Workspace, WorkspaceInfo};
use serde::Deserialize;
use std::path::Path;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/workspaces", all),
        Route::post("/api/workspaces", open),
        Route::get("/api/workspace", one),
    ]
}

#[derive(Deserialize)]
struct Which {
    ws: Option<WorkspaceId>,
}

async fn all(State(bridge): State<Arc<Bridge>>) -> Answer<Vec<WorkspaceInfo>> {
    let workspaces = bridge.store.workspaces().await?;
    let mut infos = Vec::with_capacity(workspaces.len());
    for workspace in &workspaces {
        infos.push(info(workspace).await);
    }
    Ok(Json(infos))
}

async fn open(
    State(bridge): State<Arc<Bridge>>,
    Json(asked): Json<OpenWorkspace>,
) -> Answer<WorkspaceInfo> {
    let path = Path::new(&asked.path);
    if !path.is_absolute() {
        return Err(ApiProblem::new(
            ProblemType::BadRequest,
            "Not a whole path",
            "A folder is opened by its absolute path. Nothing was changed.",
            "Write the path from its first slash.",
        ));
    }
    Ok(Json(info(&bridge.open_workspace(path).await?).await))
}

async fn one(State(bridge): State<Arc<Bridge>>, Query(which): Query<Which>) -> Answer<Workspace> {
    let record = bridge.workspace(which.ws.as_ref()).await?;
    Ok(Json(Workspace {
        counts: bridge.store.lane_counts(&record.workspace_id).await?,
        agents: bridge.agents.infos(),
        gateways: bridge.store.gateways().await?,
        first_document: None,
        unenforced_accepted: record.unenforced_accepted,
        build: bridge.build.clone(),
        workspace: info(&record).await,
    }))
}

async fn info(workspace: &WorkspaceRecord) -> WorkspaceInfo {
    let root = Path::new(&workspace.root);
    WorkspaceInfo {
        workspace_id: workspace.workspace_id.clone(),
        name: root.file_name().map_or_else(
            || workspace.root.clone(),
            |name| name.to_string_lossy().into_owned(),
        ),
        root: workspace.root.clone(),
        available: tokio::fs::read_dir(root).await.is_ok(),
    }
}
