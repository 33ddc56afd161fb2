//! The streams: one thread and its workspace, or a workspace alone.

use crate::bridge::Bridge;
use crate::http::extract::{Path, Query};
use crate::http::problem::ApiProblem;
use crate::http::router::Route;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use futures_util::stream::{Stream, StreamExt as _};
use rex_shared::ids::{ThreadId, WorkspaceId};
use rex_shared::routes::{FOLLOW, FOLLOW_THREAD};
use rex_shared::wire::follow::Frame;
use serde::Deserialize;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        Route::get(FOLLOW_THREAD, thread),
        Route::get(FOLLOW, workspace),
    ]
}

/// The workspace whose rail is followed while the thread is not known yet.
#[derive(Deserialize)]
struct Which {
    ws: Option<WorkspaceId>,
}

async fn thread(
    State(bridge): State<Arc<Bridge>>,
    Path(thread): Path<ThreadId>,
    Query(which): Query<Which>,
) -> Result<Response, ApiProblem> {
    let workspace = bridge.workspace(which.ws.as_ref()).await?;
    let frames = bridge
        .follow
        .thread(&thread, &workspace.workspace_id)
        .await?;
    Ok(events(frames))
}

async fn workspace(
    State(bridge): State<Arc<Bridge>>,
    Query(which): Query<Which>,
) -> Result<Response, ApiProblem> {
    let workspace = bridge.workspace(which.ws.as_ref()).await?;
    Ok(events(bridge.follow.workspace(&workspace.workspace_id)))
}

/// Server-sent events. Nothing on the way may keep or gather them.
fn events(frames: impl Stream<Item = Arc<Frame>> + Send + 'static) -> Response {
    let body = Body::from_stream(frames.map(|frame| event(&frame)));
    (
        [
            (header::CONTENT_TYPE, "text/event-stream"),
            (header::CACHE_CONTROL, "no-store"),
            (HeaderName::from_static("x-accel-buffering"), "no"),
        ],
        body,
    )
        .into_response()
}

/// One event. Its data is one line of JSON, so no content can begin another.
fn event(frame: &Frame) -> Result<Bytes, serde_json::Error> {
    let data = frame.data()?;
    Ok(Bytes::from(format!(
        "event: {}\ndata: {data}\n\n",
        frame.event()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rex_shared::ids::EntryId;
    use rex_shared::wire::follow::Delta;

    #[test]
    fn no_text_can_forge_an_event() {
        let frame = Frame::Delta(Delta {
            thread_id: ThreadId::parse("00000000-0000-7000-8000-000000000001").unwrap(),
            generation: 1,
            entry_id: EntryId::parse("00000000-0000-7000-8000-000000000002").unwrap(),
            at: 0,
            text: "\n\nevent: snapshot\r\ndata: {}\n\n".to_owned(),
        });
        let bytes = event(&frame).unwrap();
        let text = std::str::from_utf8(&bytes).unwrap();
        assert!(text.starts_with("event: delta\ndata: {"));
        assert_eq!(text.matches('\n').count(), 3);
        assert!(!text.contains('\r'));
    }
}
