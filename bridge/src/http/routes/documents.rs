//! Documents: as a typed tree for the page, and as bytes that nothing runs.

use crate::bridge::Bridge;
use crate::documents::Ask;
use crate::http::extract::{Json, Query};
use crate::http::problem::ApiProblem;
use crate::http::router::{Answer, Route};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use rex_shared::ids::{Version, WorkspaceId};
use rex_shared::routes::{DOCUMENTS, DOCUMENTS_RAW, DOCUMENTS_RENAMED};
use rex_shared::wire::document::{Document, Files, Renamed};
use serde::Deserialize;
use std::sync::Arc;

/// For bytes of a workspace: no script, no fetch, no form, an origin of their own.
const SANDBOX: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        Route::get(DOCUMENTS, document),
        Route::get(DOCUMENTS_RAW, raw),
        Route::post(DOCUMENTS_RENAMED, renamed),
    ]
}

#[derive(Deserialize)]
struct Page {
    ws: Option<WorkspaceId>,
    document: String,
    from: Option<u32>,
    count: Option<u32>,
    since: Option<Version>,
    version: Option<Version>,
}

async fn document(State(bridge): State<Arc<Bridge>>, Query(page): Query<Page>) -> Answer<Document> {
    let workspace = bridge.workspace(page.ws.as_ref()).await?;
    let ask = Ask {
        document: page.document,
        from: page.from,
        count: page.count,
        since: page.since,
        version: page.version,
    };
    let document = bridge.documents.page(&workspace.workspace_id, ask).await?;
    Ok(Json(document))
}

#[derive(Deserialize)]
struct Bytes {
    ws: Option<WorkspaceId>,
    document: String,
}

async fn raw(
    State(bridge): State<Arc<Bridge>>,
    Query(asked): Query<Bytes>,
) -> Result<Response, ApiProblem> {
    let workspace = bridge.workspace(asked.ws.as_ref()).await?;
    let raw = bridge
        .documents
        .raw(&workspace.workspace_id, &asked.document)
        .await?;
    let shown = if raw.image.is_some() {
        "inline"
    } else {
        "attachment"
    };
    let headers = [
        (
            header::CONTENT_TYPE,
            raw.image.unwrap_or("application/octet-stream"),
        ),
        (header::CONTENT_DISPOSITION, shown),
        (header::CONTENT_SECURITY_POLICY, SANDBOX),
    ];
    Ok((headers, raw.bytes).into_response())
}

/// Nothing happens on the disk: the file is another one already.
async fn renamed(State(bridge): State<Arc<Bridge>>, Json(renamed): Json<Renamed>) -> Answer<Files> {
    let workspace = bridge.workspace(renamed.ws.as_ref()).await?.workspace_id;
    bridge
        .documents
        .rename(&workspace, &renamed.from, &renamed.to)
        .await?;
    Ok(Json(bridge.documents.files(&workspace).await?))
}

#[cfg(test)]
mod tests {
    use crate::http::testing::{Answer, Page};
    use axum::http::StatusCode;

    async fn page() -> Page {
        let page = Page::new().await;
        let folder = page.folder("ws");
        for (name, bytes) in [
            ("a.md", b"# A\n\nText.\n".as_slice()),
            ("evil.html", b"<script>alert(1)</script>"),
            (
                "logo.svg",
                b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
            ),
            ("logo.PNG", b"\x89PNG\r\n\x1a\n\0"),
        ] {
            std::fs::write(folder.join(name), bytes).unwrap();
        }
        page.bridge.open_workspace(&folder).await.unwrap();
        page
    }

    fn header<'a>(answer: &'a Answer, name: &str) -> &'a str {
        answer.headers[name].to_str().unwrap()
    }

    #[tokio::test]
    async fn a_document_comes_as_a_typed_tree() {
        let page = page().await;
        let answer = page.get("/api/documents?document=a.md&from=1").await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        let json = answer.json();
        assert_eq!(json["document"], "a.md");
        assert_eq!(json["format"], "markdown");
        assert_eq!(json["total"], 2);
        assert_eq!(json["blocks"][0]["node"]["type"], "paragraph");
        let answer = page.get("/api/files").await;
        assert_eq!(answer.json()["entries"][0]["path"], "a.md");
        let answer = page.get("/api/workspace").await;
        assert_eq!(answer.json()["firstDocument"], "a.md");
    }

    #[tokio::test]
    async fn a_name_that_leads_nowhere_or_outside_says_so() {
        let page = page().await;
        for (name, status, slug) in [
            ("none.md", 404, "unknown-document"),
            ("..%2Frex.db", 422, "bad-request"),
            ("%2Fetc%2Fpasswd", 422, "bad-request"),
            ("", 422, "bad-request"),
            ("a.md%00", 422, "bad-request"),
            ("logo.PNG", 415, "unsupported-media-type"),
        ] {
            let answer = page.get(&format!("/api/documents?document={name}")).await;
            assert_eq!(answer.status.as_u16(), status, "{name}: {}", answer.body);
            assert_eq!(answer.json()["type"], slug, "{name}");
        }
    }

    #[tokio::test]
    async fn bytes_of_a_workspace_never_run() {
        let page = page().await;
        for (name, kind, shown) in [
            ("logo.PNG", "image/png", "inline"),
            ("logo.svg", "image/svg+xml", "inline"),
            ("evil.html", "application/octet-stream", "attachment"),
            ("a.md", "application/octet-stream", "attachment"),
        ] {
            let answer = page
                .get(&format!("/api/documents/raw?document={name}"))
                .await;
            assert_eq!(answer.status, StatusCode::OK, "{name}");
            assert_eq!(header(&answer, "content-type"), kind, "{name}");
            assert_eq!(header(&answer, "content-disposition"), shown, "{name}");
            assert!(header(&answer, "content-security-policy").starts_with("sandbox;"));
            assert_eq!(header(&answer, "x-content-type-options"), "nosniff");
        }
    }
}
