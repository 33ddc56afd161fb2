//! History: a thread's stored messages, a page at a time. The same rows answer, whether it is live or cold.

use crate::bridge::Bridge;
use crate::http::extract::{Json, Path, Query};
use crate::http::router::{Answer, Route};
use crate::store::StoreError;
use axum::extract::State;
use rex_shared::assembly::assemble;
use rex_shared::ids::{MessageId, ThreadId};
use rex_shared::routes::HISTORY;
use rex_shared::wire::message::{History, Mode};
use rex_shared::wire::thread::LastRun;
use serde::Deserialize;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![Route::get(HISTORY, history)]
}

#[derive(Deserialize)]
struct Page {
    before: Option<MessageId>,
}

async fn history(
    State(bridge): State<Arc<Bridge>>,
    Path(thread): Path<ThreadId>,
    Query(page): Query<Page>,
) -> Answer<History> {
    let stored = bridge
        .store
        .conversation(&thread, page.before.as_ref())
        .await?;
    let live = bridge.live.peek(&thread);
    let Some(stored) = stored else {
        if live.is_none() {
            return Err(StoreError::UnknownThread.into());
        }
        return Ok(Json(History {
            thread_id: thread,
            messages: Vec::new(),
            permission_mode: Mode::default(),
            interrupted: false,
            has_earlier: false,
        }));
    };
    let cut_off = matches!(
        stored.last_run,
        Some(LastRun::Interrupted | LastRun::Stopped)
    );
    Ok(Json(History {
        messages: assemble(&stored.entries, &stored.runs, &stored.places),
        permission_mode: stored.permission_mode,
        interrupted: cut_off && !live.is_some_and(|live| live.busy),
        has_earlier: stored.has_earlier,
        thread_id: thread,
    }))
}
