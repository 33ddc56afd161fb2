//! Export: the comments of a document as a file.

use crate::bridge::Bridge;
use crate::export::{Asked, Format};
use crate::fresh;
use crate::http::extract::Query;
use crate::http::problem::ApiProblem;
use crate::http::router::Route;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use rex_shared::ids::WorkspaceId;
use rex_shared::routes::EXPORT;
use serde::Deserialize;
use std::sync::Arc;

/// Whoever opens the answer as a page gets one that runs and fetches nothing.
const SANDBOX: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![Route::get(EXPORT, export)]
}

#[derive(Deserialize)]
struct Of {
    ws: Option<WorkspaceId>,
    document: String,
    #[serde(default)]
    format: Format,
}

async fn export(
    State(bridge): State<Arc<Bridge>>,
    Query(of): Query<Of>,
) -> Result<Response, ApiProblem> {
    let asked = Asked {
        workspace: bridge.workspace(of.ws.as_ref()).await?,
        documents: vec![of.document],
        format: of.format,
    };
    let text = bridge.exporter().write(&asked, fresh::now()).await?;
    let headers = [
        (header::CONTENT_TYPE, of.format.media_type()),
        (header::CONTENT_DISPOSITION, "attachment"),
        (header::CONTENT_SECURITY_POLICY, SANDBOX),
    ];
    Ok((headers, text).into_response())
}

#[cfg(test)]
mod tests {
    use crate::http::testing::Page;

    #[tokio::test]
    async fn a_document_is_exported_as_a_file_of_each_kind() {
        let page = Page::new().await;
        let folder = page.folder("ws");
        std::fs::write(folder.join("a.md"), "# A\n\nText.\n").unwrap();
        page.bridge.open_workspace(&folder).await.unwrap();
        for (format, kind) in [
            ("md", "text/markdown; charset=utf-8"),
            ("json", "application/json"),
            ("html", "text/html; charset=utf-8"),
        ] {
            let answer = page
                .get(&format!("/api/export?document=a.md&format={format}"))
                .await;
            assert_eq!(answer.status, 200, "{}", answer.body);
            assert_eq!(answer.headers["content-type"], kind);
            assert_eq!(answer.headers["content-disposition"], "attachment");
            assert!(answer.body.contains("a.md"), "{}", answer.body);
        }
        let answer = page.get("/api/export?document=none.md").await;
        assert_eq!(answer.problem(), (404, "unknown-document".to_owned()));
        assert_eq!(
            page.get("/api/export?document=a.md&format=pdf")
                .await
                .status,
            422
        );
    }
}
