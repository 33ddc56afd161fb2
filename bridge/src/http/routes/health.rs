//! Alive, degraded or not.

use crate::bridge::Bridge;
use crate::http::extract::Json;
use crate::http::router::{Answer, Route};
use axum::extract::State;
use rex_shared::wire::workspace::Health;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// A database that does not answer within this is said to be slow. Health itself always answers.
const PATIENCE: Duration = Duration::from_millis(500);

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![Route::get("/api/health", health)]
}

async fn health(State(bridge): State<Arc<Bridge>>) -> Answer<Health> {
    let mut reasons: Vec<String> = bridge.store.read_only().into_iter().collect();
    match timeout(PATIENCE, bridge.store.setting("health")).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => reasons.push(format!("the database cannot be read: {error}")),
        Err(_) => reasons.push("the database does not answer".to_owned()),
    }
    reasons.extend(bridge.documents.reasons());
    Ok(Json(Health {
        alive: true,
        degraded: !reasons.is_empty(),
        reasons,
    }))
}
