//! Threads: make a draft or a note, read one whole, change it, delete it.

use crate::bridge::Bridge;
use crate::follow::{decorate, rail_removed};
use crate::fresh;
use crate::http::choices::check_model;
use crate::http::extract::{Json, Path};
use crate::http::router::{Answer, Route};
use crate::store::StoreError;
use axum::extract::State;
use rex_shared::ids::ThreadId;
use rex_shared::routes::{THREAD, THREADS};
use rex_shared::wire::problem::Problem;
use rex_shared::wire::thread::{NewThread, Thread, ThreadPatch, Undo};
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        Route::post(THREADS, make),
        Route::get(THREAD, one),
        Route::patch(THREAD, change),
        Route::delete(THREAD, delete),
    ]
}

async fn make(State(bridge): State<Arc<Bridge>>, Json(new): Json<NewThread>) -> Answer<Thread> {
    let workspace = bridge.workspace(new.ws.as_ref()).await?;
    let places = bridge
        .documents
        .check_places(&workspace.workspace_id, &new.places)
        .await?;
    let thread = new.thread_id.clone();
    bridge
        .store
        .create_thread(&workspace.workspace_id, new, places, fresh::now())
        .await?;
    bridge.rail_changed(&thread).await;
    Ok(Json(whole(&bridge, &thread).await?))
}

async fn one(State(bridge): State<Arc<Bridge>>, Path(thread): Path<ThreadId>) -> Answer<Thread> {
    Ok(Json(whole(&bridge, &thread).await?))
}

async fn change(
    State(bridge): State<Arc<Bridge>>,
    Path(thread): Path<ThreadId>,
    Json(patch): Json<ThreadPatch>,
) -> Answer<Thread> {
    check_model(
        patch
            .draft
            .as_ref()
            .and_then(|draft| draft.model.as_deref()),
    )?;
    bridge
        .store
        .patch_thread(&thread, patch, fresh::now())
        .await?;
    bridge.rail_changed(&thread).await;
    Ok(Json(whole(&bridge, &thread).await?))
}

async fn delete(State(bridge): State<Arc<Bridge>>, Path(thread): Path<ThreadId>) -> Answer<Undo> {
    let workspace = bridge.store.workspace_of(&thread).await?;
    let undo = bridge.store.delete_thread(&thread, fresh::now()).await?;
    if let Some(workspace) = workspace {
        rail_removed(&bridge.hub, &workspace, &thread);
    }
    Ok(Json(undo))
}

/// A thread as the page shows it, with what only memory knows.
pub(in crate::http) async fn whole(bridge: &Bridge, thread: &ThreadId) -> Result<Thread, Problem> {
    let stored = bridge.store.thread(thread).await?;
    let stored = stored.ok_or(StoreError::UnknownThread)?;
    Ok(Thread {
        row: decorate(&bridge.live, stored.row),
        ..stored
    })
}
