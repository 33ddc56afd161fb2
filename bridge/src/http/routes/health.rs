//! Alive, degraded or not.

use crate::bridge::Bridge;
use crate::http::extract::Json;
use crate::http::router::{Answer, Route};
use axum::extract::State;
use rex_shared::wire::workspace::Health;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![Route::get("/api/health", health)]
}

async fn health(State(_): State<Arc<Bridge>>) -> Answer<Health> {
    Ok(Json(Health {
        alive: true,
        degraded: false,
        reasons: Vec::new(),
    }))
}
