//! The rail: stored threads, newest activity first.

use crate::bridge::Bridge;
use crate::follow::decorate;
use crate::http::extract::{Json, Query};
use crate::http::router::{Answer, Route};
use crate::store::RowQuery;
use axum::extract::State;
use rex_shared::ids::{ThreadId, WorkspaceId};
use rex_shared::lane::Lane;
use rex_shared::routes::STORED_THREADS;
use rex_shared::wire::thread::ThreadRow;
use serde::Deserialize;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![Route::get(STORED_THREADS, stored_threads)]
}

#[derive(Deserialize)]
struct Which {
    ws: Option<WorkspaceId>,
    lane: Option<Lane>,
    document: Option<String>,
    limit: Option<u32>,
    after: Option<ThreadId>,
}

/// `after` is the last thread of the page before.
async fn stored_threads(
    State(bridge): State<Arc<Bridge>>,
    Query(which): Query<Which>,
) -> Answer<Vec<ThreadRow>> {
    let workspace = bridge.workspace(which.ws.as_ref()).await?;
    let query = RowQuery {
        workspace_id: workspace.workspace_id,
        lane: which.lane,
        document: which.document,
        limit: which.limit.unwrap_or_default(),
        after: which.after,
    };
    let rows = bridge.store.rows(query).await?;
    let rows = rows.into_iter().map(|row| decorate(&bridge.live, row));
    Ok(Json(rows.collect()))
}
