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
    use crate::http::testing::Page;
    use axum::http::Request;
    use http_body_util::BodyExt as _;
    use rex_shared::ids::EntryId;
    use rex_shared::routes;
    use rex_shared::wire::follow::Delta;
    use tower::ServiceExt as _;

    const THREAD: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

    /// S118: an id that nothing is stored under can be followed: an empty snapshot, not a 404.
    #[tokio::test]
    async fn a_stream_begins_with_a_snapshot_is_never_kept_and_ends_with_the_bridge() {
        let page = Page::new().await;
        let folder = page.folder("docs");
        page.bridge.open_workspace(&folder).await.unwrap();
        let thread = ThreadId::parse(THREAD).unwrap();
        let request = Request::get(routes::follow(None, Some(&thread)))
            .header("host", "127.0.0.1:7390")
            .header("sec-fetch-site", "same-origin")
            .header("authorization", format!("Bearer {}", page.secret))
            .body(Body::empty())
            .unwrap();
        let answer = page.router.clone().oneshot(request).await.unwrap();
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "text/event-stream");
        assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-store");
        assert_eq!(answer.headers()["x-accel-buffering"], "no");
        let mut body = answer.into_body();
        let first = body.frame().await.unwrap().unwrap().into_data().unwrap();
        let first = String::from_utf8(first.to_vec()).unwrap();
        let data = first.strip_prefix("event: snapshot\ndata: ").unwrap();
        let snapshot: serde_json::Value = serde_json::from_str(data.trim_end()).unwrap();
        assert_eq!(snapshot["threadId"], THREAD);
        assert_eq!(snapshot["live"], false);
        assert_eq!(snapshot["bootId"], page.bridge.boot_id.as_str());
        page.bridge.stop.cancel();
        assert!(body.frame().await.is_none());
    }

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
