//! Alive, degraded or not.

use crate::bridge::Bridge;
use crate::http::extract::Json;
use crate::http::router::{Answer, Route};
use axum::extract::State;
use rex_shared::routes::HEALTH;
use rex_shared::wire::workspace::Health;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// A database that does not answer within this is said to be slow. Health itself always answers.
const PATIENCE: Duration = Duration::from_millis(500);

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![Route::get(HEALTH, health)]
}

async fn health(State(bridge): State<Arc<Bridge>>) -> Answer<Health> {
    let database = match timeout(PATIENCE, bridge.store.takes_writes()).await {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(format!("Nothing can be stored: {error}.")),
        Err(_) => Some("The database is slow: another program may keep it locked.".to_owned()),
    };
    let reasons: Vec<String> = database
        .into_iter()
        .chain(bridge.documents.reasons())
        .collect();
    Ok(Json(Health {
        alive: true,
        degraded: !reasons.is_empty(),
        reasons,
    }))
}

#[cfg(test)]
mod tests {
    use crate::http::testing::Page;
    use serde_json::json;
    use std::time::Duration;
    use tokio::time::Instant;

    #[tokio::test]
    async fn all_is_well() {
        let page = Page::new().await;
        let health = page.get("/api/health").await.json();
        assert_eq!(
            health,
            json!({ "alive": true, "degraded": false, "reasons": [] })
        );
    }

    #[tokio::test]
    async fn a_locked_database_is_told_within_a_second() {
        let page = Page::new().await;
        let other = rusqlite::Connection::open(page.bridge.home.join("rex.db")).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let started = Instant::now();
        let health = page.get("/api/health").await.json();
        assert!(started.elapsed() < Duration::from_secs(1));
        assert_eq!(health["degraded"], true);
        assert!(health["reasons"][0].as_str().unwrap().contains("locked"));
        other.execute_batch("ROLLBACK").unwrap();
    }
}
