//! Whether this installation is sound: looking, and trying out.

use crate::bridge::Bridge;
use crate::http::extract::Json;
use crate::http::router::{Answer, Route};
use axum::extract::State;
use rex_shared::routes::DOCTOR;
use rex_shared::wire::doctor::{Diagnosis, TryOut};
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![Route::get(DOCTOR, look), Route::post(DOCTOR, try_out)]
}

/// Starts nothing.
async fn look(State(bridge): State<Arc<Bridge>>) -> Answer<Diagnosis> {
    Ok(Json(bridge.doctor.look().await))
}

/// Starts programs, and asks the agents named something, so it is no GET. Answers when all of them did.
async fn try_out(
    State(bridge): State<Arc<Bridge>>,
    Json(asked): Json<TryOut>,
) -> Answer<Diagnosis> {
    Ok(Json(bridge.doctor.try_out(&asked.sdks).await))
}

#[cfg(test)]
mod tests {
    use crate::http::testing::Page;
    use serde_json::json;
    use std::net::TcpListener;

    fn names(checked: &serde_json::Value) -> Vec<&str> {
        let checks = checked["checks"].as_array().unwrap();
        checks
            .iter()
            .map(|check| check["name"].as_str().unwrap())
            .collect()
    }

    #[tokio::test]
    async fn looking_tries_nothing_and_what_was_tried_is_shown_from_then_on() {
        let free = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr();
        let page = Page::with(free.unwrap().port(), Vec::new()).await;
        let seen = page.get("/api/doctor").await.json();
        assert_eq!(seen["tried"], json!(null));
        let looked_at = names(&seen["seen"]).join(" ");
        assert!(
            looked_at.starts_with("home lock database disk space"),
            "{looked_at}"
        );

        let tried = page.post("/api/doctor", json!({ "sdks": [] })).await.json();
        assert_eq!(names(&tried["tried"]), ["sandbox", "gate"]);
        // Nobody serves in this test, and doctor says so.
        assert_eq!(tried["tried"]["checks"][1]["state"], "bad");
        let again = page.get("/api/doctor").await.json();
        assert_eq!(again["tried"], tried["tried"]);
    }
}
