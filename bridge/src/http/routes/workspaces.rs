//! Workspaces: all of them, open one, and one with everything the page starts from.

use crate::bridge::Bridge;
use crate::http::extract::{Json, Query};
use crate::http::problem::ApiProblem;
use crate::http::router::{Answer, Route};
use crate::store::WorkspaceRecord;
use axum::extract::State;
use rex_shared::ids::WorkspaceId;
use rex_shared::routes::{WORKSPACE, WORKSPACES};
use rex_shared::wire::problem::ProblemType;
use rex_shared::wire::workspace::{OpenWorkspace, Workspace, WorkspaceInfo};
use serde::Deserialize;
use std::path::Path;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        Route::get(WORKSPACES, all),
        Route::post(WORKSPACES, open),
        Route::get(WORKSPACE, one),
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
        agents: bridge.agents.infos(bridge.runs.known_sandbox(&record)),
        gateways: bridge.store.gateways().await?,
        first_document: bridge
            .documents
            .first(&record.workspace_id)
            .await
            .ok()
            .flatten(),
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

#[cfg(test)]
mod tests {
    use crate::http::testing::Page;
    use serde_json::json;

    #[tokio::test]
    async fn a_folder_is_opened_once_by_whatever_name() {
        let page = Page::new().await;
        let folder = page.folder("docs");
        let link = folder.with_file_name("link");
        std::os::unix::fs::symlink(&folder, &link).unwrap();
        let first = page
            .post("/api/workspaces", json!({ "path": folder }))
            .await
            .json();
        let same = page
            .post("/api/workspaces", json!({ "path": link }))
            .await
            .json();
        assert_eq!(first["workspaceId"], same["workspaceId"]);
        assert_eq!(first["name"], "docs");
        assert_eq!(
            page.get("/api/workspaces")
                .await
                .json()
                .as_array()
                .unwrap()
                .len(),
            1
        );
    }

    #[tokio::test]
    async fn the_first_workspace_is_meant_when_none_is_named() {
        let page = Page::new().await;
        assert_eq!(
            page.get("/api/workspace").await.json()["type"],
            "unknown-workspace"
        );
        let first = page
            .post("/api/workspaces", json!({ "path": page.folder("a") }))
            .await
            .json();
        let second = page
            .post("/api/workspaces", json!({ "path": page.folder("b") }))
            .await
            .json();
        let meant = page.get("/api/workspace").await.json();
        assert_eq!(meant["workspace"]["workspaceId"], first["workspaceId"]);
        assert_eq!(meant["build"], page.bridge.build);
        let id = second["workspaceId"].as_str().unwrap();
        let named = page.get(&format!("/api/workspace?ws={id}")).await.json();
        assert_eq!(named["workspace"]["name"], "b");
    }

    /// S8: a folder that holds the database is never opened, however the wish arrives.
    #[tokio::test]
    async fn the_folder_around_the_home_is_refused() {
        let page = Page::new().await;
        let around = page.bridge.home.parent().unwrap();
        let answer = page
            .post("/api/workspaces", json!({ "path": around }))
            .await;
        assert_eq!(answer.status, 409);
        assert!(answer.body.contains("--home"), "{}", answer.body);
    }

    #[tokio::test]
    async fn what_is_no_folder_is_not_opened() {
        let page = Page::new().await;
        let file = page.folder("docs").join("a.md");
        std::fs::write(&file, "x").unwrap();
        for (path, status) in [
            ("relative".into(), 422),
            ("/no/such/folder".into(), 404),
            (file, 404),
        ] {
            let answer = page.post("/api/workspaces", json!({ "path": path })).await;
            assert_eq!(answer.status, status, "{}", path.display());
        }
    }
}
