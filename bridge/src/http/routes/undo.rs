//! Undo: takes an act back within 24 hours, when the world still fits.

use super::threads::whole;
use crate::bridge::Bridge;
use crate::fresh;
use crate::http::extract::Json;
use crate::http::router::{Answer, Route};
use axum::extract::State;
use rex_shared::routes::UNDO;
use rex_shared::wire::thread::{Thread, Undo};
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![Route::post(UNDO, undo)]
}

/// Answers with the thread the act was about.
async fn undo(State(bridge): State<Arc<Bridge>>, Json(undo): Json<Undo>) -> Answer<Thread> {
    let accept = bridge.proposals.undo(&undo.undo_id).await?;
    let thread = match accept {
        Some(thread) => thread,
        None => bridge.store.undo(&undo.undo_id, fresh::now()).await?,
    };
    bridge.rail_changed(&thread).await;
    Ok(Json(whole(&bridge, &thread).await?))
}
