//! Changes of documents, and what each did to the places.

use crate::bridge::Bridge;
use crate::http::extract::{Json, Path, Query};
use crate::http::router::{Answer, Route};
use axum::extract::State;
use rex_shared::ids::{ChangeId, WorkspaceId};
use rex_shared::routes::{CHANGE, CHANGES};
use rex_shared::wire::change::{Change, ChangeReport};
use serde::Deserialize;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![Route::get(CHANGES, changes), Route::get(CHANGE, change)]
}

#[derive(Deserialize)]
struct Which {
    ws: Option<WorkspaceId>,
    document: String,
}

async fn changes(
    State(bridge): State<Arc<Bridge>>,
    Query(which): Query<Which>,
) -> Answer<Vec<Change>> {
    let workspace = bridge.workspace(which.ws.as_ref()).await?;
    let documents = &bridge.documents;
    let changes = documents.changes(&workspace.workspace_id, &which.document);
    Ok(Json(changes.await?))
}

async fn change(
    State(bridge): State<Arc<Bridge>>,
    Path(change): Path<ChangeId>,
) -> Answer<ChangeReport> {
    Ok(Json(bridge.documents.change(&change).await?))
}

#[cfg(test)]
mod tests {
    use crate::http::testing::Page;
    use axum::http::StatusCode;
    use rex_shared::wire::follow::Frame;
    use serde_json::{Value, json};
    use std::time::Duration;

    const BEFORE: &str =
        "# Terms\n\nRefunds are paid within 14 days of the invoice.\n\nAsk support.\n";
    const AFTER: &str = "# Terms\n\nAsk support, or ask the people who support us.\n";

    /// A place on `quote` of what the page was shown.
    async fn pick(page: &Page, quote: &str) -> Value {
        let shown = page.get("/api/documents?document=terms.md").await.json();
        let start = BEFORE.find(quote).unwrap();
        json!({
            "placeId": uuid::Uuid::now_v7().to_string(),
            "document": "terms.md",
            "kind": "text",
            "start": start,
            "end": start + quote.len(),
            "version": shown["version"],
            "quote": quote,
        })
    }

    /// S73 S82: a change on disk is told with what it did; a lost place says what it was, since when it is gone and
    /// where it may be; put onto other text it counts there, and taking that back leaves it as it was.
    #[tokio::test]
    async fn a_lost_passage_is_told_shown_put_elsewhere_and_taken_back() {
        let page = Page::new().await;
        let folder = page.folder("ws");
        std::fs::write(folder.join("terms.md"), BEFORE).unwrap();
        let workspace = page.bridge.open_workspace(&folder).await.unwrap();
        let place = pick(&page, "Refunds are paid within 14 days of the invoice.").await;
        let thread = uuid::Uuid::now_v7().to_string();
        let made = json!({"threadId": thread, "places": [place]});
        let made = page.post("/api/threads", made).await;
        assert_eq!(made.status, StatusCode::OK, "{}", made.body);
        let mut told = page.bridge.hub.follow_workspace(&workspace.workspace_id);
        std::fs::write(folder.join("terms.md"), AFTER).unwrap();
        let change = loop {
            let frame = tokio::time::timeout(Duration::from_secs(10), told.recv());
            if let Frame::Document(frame) = &*frame.await.unwrap().unwrap()
                && let Some(change) = &frame.change
            {
                break change.clone();
            }
        };
        assert_eq!(change.outcomes.gone, 1);

        let listed = page.get("/api/changes?document=terms.md").await.json();
        assert_eq!(listed[0], serde_json::to_value(&change).unwrap());
        let at = format!("/api/changes/{}", change.change_id);
        let report = page.get(&at).await.json();
        assert_eq!(report["places"][0]["outcome"], "gone");
        assert_eq!(report["places"][0]["origin"]["line"], 3);

        let old = place["placeId"].as_str().unwrap();
        let at = format!("/api/threads/{thread}/places/{old}");
        let detail = page.get(&at).await.json();
        assert_eq!(detail["place"]["state"], "gone");
        assert_eq!(
            detail["place"]["vanished"]["version"],
            change.after.as_str()
        );
        assert_eq!(detail["origin"]["quote"], place["quote"]);

        let said = format!("{at}/gone");
        let now = page.post(&said, json!({"gone": true})).await.json();
        assert_eq!(now["row"]["lane"], "gone", "it is no less gone");
        assert!(now["places"][0]["vanished"]["saidAt"].is_i64());
        let report = page
            .get(&format!("/api/changes/{}", change.change_id))
            .await
            .json();
        assert_eq!(report["places"][0]["saidGone"], true);
        let now = page.post(&said, json!({"gone": false})).await.json();
        assert_eq!(now["places"][0]["vanished"].get("saidAt"), None);

        let quote = "ask the people who support us";
        let start = AFTER.find(quote).unwrap();
        let onto = json!({
            "document": "terms.md",
            "start": start,
            "end": start + quote.len(),
            "version": change.after.as_str(),
            "quote": quote,
        });
        let now = page
            .post(&format!("{at}/reattach"), onto.clone())
            .await
            .json();
        assert_eq!(now["row"]["places"][0]["state"], "exact");
        assert_eq!(now["places"][1]["replaces"], old);
        let again = page.post(&format!("{at}/reattach"), onto).await;
        assert_eq!(again.problem(), (409, "moved-on".to_owned()));
        let there = now["places"][1]["placeId"].as_str().unwrap();
        let there = format!("/api/threads/{thread}/places/{there}/gone");
        let refused = page.post(&there, json!({"gone": true})).await;
        assert_eq!(refused.problem(), (409, "moved-on".to_owned()));
        let new = now["places"][1]["placeId"].as_str().unwrap();
        let new = format!("/api/threads/{thread}/places/{new}");
        let undo = page.call("DELETE", &new, None).await;
        assert_eq!(undo.status, StatusCode::OK);
        let now = page.get(&format!("/api/threads/{thread}")).await.json();
        assert_eq!(now["row"]["lane"], "gone");
        assert_eq!(now["row"]["places"][0]["placeId"], old);
    }

    #[tokio::test]
    async fn what_is_not_known_says_so() {
        let page = Page::new().await;
        let folder = page.folder("ws");
        page.bridge.open_workspace(&folder).await.unwrap();
        let id = uuid::Uuid::now_v7();
        let answer = page.get(&format!("/api/changes/{id}")).await;
        assert_eq!(answer.problem(), (404, "unknown-change".to_owned()));
        let answer = page.get("/api/changes?document=none.md").await;
        assert_eq!(answer.json(), json!([]));
        let answer = page.get(&format!("/api/threads/{id}/places/{id}")).await;
        assert_eq!(answer.problem(), (404, "unknown-place".to_owned()));
        let renamed = json!({"from": "a.md", "to": "b.md"});
        let answer = page.post("/api/documents/renamed", renamed).await;
        assert_eq!(answer.problem(), (404, "unknown-document".to_owned()));
    }
}
