//! What another `rex` command of the same home asks of the running bridge. Its words are in `crate::control`.

use crate::bridge::Bridge;
use crate::control::{self, DebugAsked, ExportAsked, Exported, Link, LinkAsked, OpenAsked, Report};
use crate::fresh;
use crate::http::extract::Json;
use crate::http::problem::ApiProblem;
use crate::http::router::{Access, Answer, Route};
use axum::extract::State;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        Route::post(control::LINK.path, link).access(Access::Local),
        Route::post(control::OPEN.path, open).access(Access::Local),
        Route::post(control::EXPORT.path, export).access(Access::Local),
        Route::post(control::DEBUG.path, debug).access(Access::Local),
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

async fn debug(State(bridge): State<Arc<Bridge>>, Json(asked): Json<DebugAsked>) -> Answer<Report> {
    let report = if asked.ask_agents {
        bridge.runs.asked_report(&asked.thread_id).await?
    } else {
        bridge.runs.report(&asked.thread_id).await?
    };
    Ok(Json(Report { report }))
}

async fn export(
    State(bridge): State<Arc<Bridge>>,
    Json(asked): Json<ExportAsked>,
) -> Answer<Exported> {
    let text = bridge.export(asked, fresh::now()).await?;
    Ok(Json(Exported { text }))
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

#[cfg(test)]
mod tests {
    use crate::fresh;
    use crate::http::testing::Page;
    use serde_json::{Value, json};

    async fn local(page: &Page, path: &str, body: &Value) -> Value {
        let bearer = format!("Bearer {}", page.control);
        let headers = [
            ("host", "127.0.0.1:7390"),
            ("authorization", bearer.as_str()),
            ("content-type", "application/json"),
        ];
        page.send("POST", path, &headers, body.to_string())
            .await
            .json()
    }

    #[tokio::test]
    async fn a_second_folder_has_an_address_of_its_own() {
        let page = Page::new().await;
        let open = async |name: &str, document: Option<&str>| {
            let body = json!({ "folder": page.folder(name), "document": document });
            local(&page, "/api/local/open", &body).await
        };
        let first = open("docs", None).await;
        assert_eq!(first["url"], "http://127.0.0.1:7390/");
        let second = open("other docs", Some("a b.md")).await;
        let url = second["url"].as_str().unwrap();
        assert!(
            url.contains("?ws=") && url.contains("&doc=a%20b.md"),
            "{url}"
        );
        let code = second["code"].as_str().unwrap();
        assert_eq!(second["signInUrl"], format!("{url}#code={code}"));
        assert!(
            page.bridge
                .sign_ins
                .exchange(code, "Test", fresh::now())
                .await
                .unwrap()
                .is_some()
        );
    }

    #[tokio::test]
    async fn rotating_puts_everyone_out_and_gives_a_new_code() {
        let page = Page::new().await;
        let link = local(&page, "/api/local/link", &json!({ "rotate": true })).await;
        assert_eq!(page.get("/api/health").await.status, 401);
        let code = link["code"].as_str().unwrap();
        assert!(
            page.bridge
                .sign_ins
                .exchange(code, "Test", fresh::now())
                .await
                .unwrap()
                .is_some()
        );
    }
}
