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
use rex_shared::routes::{DOCUMENTS, DOCUMENTS_RAW};
use rex_shared::wire::document::Document;
use serde::Deserialize;
use std::sync::Arc;

/// For bytes of a workspace: no script, no fetch, no form, an origin of their own.
const SANDBOX: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        Route::get(DOCUMENTS, document),
        Route::get(DOCUMENTS_RAW, raw),
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
