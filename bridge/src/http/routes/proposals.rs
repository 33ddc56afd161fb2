//! Proposals: looking at them, and the person's yes or no to each piece.

use crate::bridge::Bridge;
use crate::http::extract::{Json, Path, Query};
use crate::http::router::{Answer, Route};
use axum::extract::State;
use rex_shared::ids::{ProposalId, ThreadId};
use rex_shared::routes::{ACCEPT, COMPARISON, PROPOSAL, PROPOSALS, REJECT};
use rex_shared::wire::proposal::{Accept, Comparison, Proposal, ProposalChanged, Reject};
use serde::Deserialize;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        Route::get(PROPOSALS, of_thread),
        Route::get(PROPOSAL, proposal),
        Route::get(COMPARISON, comparison),
        Route::post(ACCEPT, accept),
        Route::post(REJECT, reject),
    ]
}

async fn of_thread(
    State(bridge): State<Arc<Bridge>>,
    Path(thread): Path<ThreadId>,
) -> Answer<Vec<Proposal>> {
    Ok(Json(bridge.proposals.of_thread(&thread).await?))
}

async fn proposal(
    State(bridge): State<Arc<Bridge>>,
    Path(proposal): Path<ProposalId>,
) -> Answer<Proposal> {
    Ok(Json(bridge.proposals.proposal(&proposal).await?))
}

#[derive(Deserialize)]
struct Which {
    document: String,
    unfold: Option<u32>,
}

async fn comparison(
    State(bridge): State<Arc<Bridge>>,
    Path(proposal): Path<ProposalId>,
    Query(which): Query<Which>,
) -> Answer<Comparison> {
    let proposals = &bridge.proposals;
    let comparison = proposals.comparison(&proposal, &which.document, which.unfold);
    Ok(Json(comparison.await?))
}

async fn accept(
    State(bridge): State<Arc<Bridge>>,
    Path(proposal): Path<ProposalId>,
    Json(accept): Json<Accept>,
) -> Answer<ProposalChanged> {
    Ok(Json(bridge.proposals.accept(&proposal, accept).await?))
}

async fn reject(
    State(bridge): State<Arc<Bridge>>,
    Path(proposal): Path<ProposalId>,
    Json(reject): Json<Reject>,
) -> Answer<ProposalChanged> {
    Ok(Json(bridge.proposals.reject(&proposal, reject).await?))
}

#[cfg(test)]
mod tests {
    use crate::fresh;
    use crate::http::testing::Page;
    use crate::proposals::PrivateCopy;
    use crate::store::fixture::{ended, prompt};
    use axum::http::StatusCode;
    use rex_shared::ids::ThreadId;
    use rex_shared::transcript::RunState;
    use serde_json::json;
    use std::fs;

    const TERMS: &str = "# Terms\n\nPaid in 14 days.\n\nAsk support.\n";

    #[tokio::test]
    async fn a_proposal_is_looked_at_accepted_in_part_turned_down_and_taken_back() {
        let page = Page::new().await;
        let folder = page.folder("ws");
        fs::write(folder.join("terms.md"), TERMS).unwrap();
        let workspace = page.bridge.open_workspace(&folder).await.unwrap();
        let thread: ThreadId = fresh::id();
        let run = prompt(&workspace.workspace_id, &thread, "Change it.");
        let run = page
            .bridge
            .store
            .begin_run(run, fresh::now())
            .await
            .unwrap()
            .run;
        let copy = PrivateCopy::make(&folder, &page.folder("runs")).unwrap();
        let new = TERMS.replace("14", "30").replace("support", "the desk");
        fs::write(copy.path().join("terms.md"), &new).unwrap();
        let proposed = page
            .bridge
            .proposals
            .propose(&thread, &run.run_id, copy)
            .await;
        let id = proposed.unwrap().unwrap();
        let end = page
            .bridge
            .store
            .finish_run(&run.run_id, ended(RunState::Done), fresh::now());
        end.await.unwrap();

        let listed = page
            .get(&format!("/api/threads/{thread}/proposals"))
            .await
            .json();
        assert_eq!(listed[0]["state"], "open");
        assert_eq!(listed[0]["files"][0]["document"], "terms.md");
        let hunks: Vec<_> = listed[0]["files"][0]["hunks"].as_array().unwrap().clone();
        assert_eq!(
            (&hunks[0]["oldStart"], &hunks[0]["oldEnd"]),
            (&json!(9), &json!(26))
        );
        let at = format!("/api/proposals/{id}");
        assert_eq!(page.get(&at).await.json(), listed[0]);
        let compared = page
            .get(&format!("{at}/comparison?document=terms.md"))
            .await
            .json();
        assert_eq!(compared["stretches"][1]["type"], "hunk");
        assert_eq!(compared["stretches"][1]["words"][1]["text"], "14");

        let one = json!({"hunks": [{"hunkId": hunks[0]["hunkId"]}], "base": listed[0]["files"][0]["base"]});
        let accepted = page.post(&format!("{at}/accept"), one).await.json();
        assert_eq!(accepted["written"][0]["merged"], false, "{accepted}");
        assert_eq!(
            fs::read_to_string(folder.join("terms.md")).unwrap(),
            TERMS.replace("14", "30")
        );
        let rejected = page.post(&format!("{at}/reject"), json!({})).await.json();
        assert_eq!(rejected["proposal"]["state"], "accepted");
        let undo = json!({"undoId": accepted["undoId"]});
        assert_eq!(
            page.post("/api/undo", undo.clone()).await.status,
            StatusCode::OK
        );
        assert_eq!(fs::read_to_string(folder.join("terms.md")).unwrap(), TERMS);
        assert_eq!(
            page.post("/api/undo", undo).await.problem(),
            (409, "moved-on".to_owned())
        );

        fs::write(folder.join("terms.md"), TERMS.replace("14", "21")).unwrap();
        let both = json!({"hunks": [{"hunkId": hunks[0]["hunkId"]}]});
        let refused = page.post(&format!("{at}/accept"), both).await;
        assert_eq!(refused.problem(), (409, "conflict".to_owned()));
        assert_eq!(
            refused.json()["conflicts"][0]["yours"],
            "Paid in 21 days.\n"
        );
    }

    #[tokio::test]
    async fn what_is_not_known_says_so() {
        let page = Page::new().await;
        let id = uuid::Uuid::now_v7();
        for (uri, kind) in [
            (format!("/api/proposals/{id}"), "unknown-proposal"),
            (
                format!("/api/proposals/{id}/comparison?document=a.md"),
                "unknown-proposal",
            ),
            (format!("/api/threads/{id}/proposals"), "unknown-thread"),
        ] {
            assert_eq!(page.get(&uri).await.problem(), (404, kind.to_owned()));
        }
        for act in ["accept", "reject"] {
            let uri = format!("/api/proposals/{id}/{act}");
            let answer = page.post(&uri, json!({"hunks": []})).await;
            assert_eq!(answer.problem(), (404, "unknown-proposal".to_owned()));
        }
    }
}
