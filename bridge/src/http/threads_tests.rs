//! Threads, their places, the rail, history, gateways and undo, as the page calls them.

use super::testing::Page;
use crate::follow::snapshot;
use crate::fresh;
use crate::store::fixture::{at, ended, prompt, says, texts, version};
use rex_shared::ids::{ThreadId, WorkspaceId};
use rex_shared::transcript::RunState;
use rex_shared::wire::follow::{Frame, Rail};
use serde_json::{Value, json};
use std::path::Path;

const PRICING: &str = "# Pricing\n\nEvery seat costs 12 euros.\n";
const COMPONENTS: &str = "# Components\n\nA team pays once.\n";

/// A page on a workspace with two documents.
pub(super) async fn review() -> (Page, WorkspaceId) {
    let page = Page::new().await;
    let folder = page.folder("review");
    std::fs::write(folder.join("pricing.md"), PRICING).unwrap();
    std::fs::write(folder.join("components.md"), COMPONENTS).unwrap();
    let workspace = page.bridge.open_workspace(&folder).await.unwrap();
    (page, workspace.workspace_id)
}

/// A place on these words of a document.
fn place(document: &str, source: &str, quote: &str) -> Value {
    let start = source.find(quote).unwrap();
    json!({
        "placeId": fresh::id::<ThreadId>(),
        "document": document,
        "kind": "text",
        "start": start,
        "end": start + quote.len(),
        "version": version(source),
        "quote": quote,
    })
}

fn draft(places: &[Value]) -> (String, Value) {
    let id = fresh::id::<ThreadId>().to_string();
    let body = json!({"threadId": id, "places": places});
    (id, body)
}

async fn make(page: &Page, quote: &str) -> String {
    let (id, body) = draft(&[place("pricing.md", PRICING, quote)]);
    let made = page.post("/api/threads", body).await;
    assert_eq!(made.status, 200, "{}", made.body);
    id
}

/// S110: the page's id is the thread's in every answer.
#[tokio::test]
async fn a_picked_passage_becomes_a_draft_under_the_pages_id() {
    let (page, _) = review().await;
    let (id, body) = draft(&[place("pricing.md", PRICING, "12 euros")]);
    for _ in 0..2 {
        let made = page.post("/api/threads", body.clone()).await.json();
        assert_eq!(made["row"]["threadId"], id);
        assert_eq!(made["row"]["lane"], "draft");
        assert_eq!(made["places"][0]["quote"], "12 euros");
        assert_eq!(made["places"][0]["messageId"], Value::Null);
    }
    let rail = page
        .get("/api/stored-threads?lane=draft&document=pricing.md")
        .await
        .json();
    assert_eq!(rail.as_array().map(Vec::len), Some(1));
    assert_eq!(rail[0]["threadId"], id);
    assert_eq!(
        page.get(&format!("/api/threads/{id}")).await.json()["row"]["number"],
        1
    );
    let other = json!({"threadId": id, "note": "Something else"});
    assert_eq!(
        page.post("/api/threads", other).await.problem(),
        (409, "id-reused".to_owned())
    );
}

/// S1: one comment is one thread: its id is the same in the document's margin, the rail, its history and its stream.
#[tokio::test]
async fn a_comment_has_one_id_wherever_it_shows() {
    let (page, workspace) = review().await;
    let id = make(&page, "12 euros").await;
    let thread = ThreadId::parse(&id).unwrap();
    let store = &page.bridge.store;
    store
        .begin_run(prompt(&workspace, &thread, "Per month?"), at(1))
        .await
        .unwrap();
    let margin = page.get("/api/documents?document=pricing.md").await.json();
    assert_eq!(margin["places"][0]["threadId"], id);
    let rail = page.get("/api/stored-threads").await.json();
    assert_eq!(rail.as_array().map(Vec::len), Some(1));
    assert_eq!(rail[0]["threadId"], id);
    assert_eq!(rail[0]["number"], margin["places"][0]["number"]);
    let history = page.get(&format!("/api/threads/{id}/history")).await.json();
    assert_eq!(history["threadId"], id);
    let bridge = &page.bridge;
    let snapshot = snapshot(store, &bridge.live, &bridge.boot_id, &thread).await;
    assert_eq!(snapshot.unwrap().thread_id, thread);
}

/// S64: a passage without its address is no place: the words must stand where the page says.
#[tokio::test]
async fn a_quote_that_stands_elsewhere_is_refused() {
    let (page, _) = review().await;
    let mut wrong = place("pricing.md", PRICING, "12 euros");
    wrong["quote"] = json!("13 euros");
    let (_, body) = draft(&[wrong]);
    assert_eq!(
        page.post("/api/threads", body).await.problem(),
        (422, "quote-mismatch".to_owned())
    );
    let rail = page.get("/api/stored-threads").await.json();
    assert_eq!(rail, json!([]));
}

/// S57 S58: passages of any document join a comment later, new ones and those of a draft, which is then gone.
#[tokio::test]
async fn a_comment_grows() {
    let (page, workspace) = review().await;
    let open = make(&page, "Every seat").await;
    let tray = make(&page, "12 euros").await;
    let picked =
        page.get(&format!("/api/threads/{tray}")).await.json()["places"][0]["placeId"].clone();
    let mut frames = page.bridge.hub.follow_workspace(&workspace);
    let body = json!({
        "places": [place("components.md", COMPONENTS, "A team pays once.")],
        "placeIds": [picked],
    });
    let grown = page
        .post(&format!("/api/threads/{open}/places"), body)
        .await
        .json();
    let quotes: Vec<_> = grown["places"]
        .as_array()
        .unwrap()
        .iter()
        .map(|place| place["quote"].clone())
        .collect();
    assert_eq!(quotes, ["Every seat", "A team pays once.", "12 euros"]);
    assert_eq!(page.get(&format!("/api/threads/{tray}")).await.status, 404);
    let removed = frames.recv().await.unwrap();
    assert!(
        matches!(&*removed, Frame::Rail(Rail::Removed { removed }) if removed.as_str() == tray)
    );
    let row = frames.recv().await.unwrap();
    assert!(matches!(&*row, Frame::Rail(Rail::Row { row }) if row.places.len() == 3));
}

#[tokio::test]
async fn a_removed_place_can_be_brought_back_and_a_lost_one_put_elsewhere() {
    let (page, _) = review().await;
    let id = make(&page, "12 euros").await;
    let place_id =
        page.get(&format!("/api/threads/{id}")).await.json()["places"][0]["placeId"].clone();
    let uri = format!("/api/threads/{id}/places/{}", place_id.as_str().unwrap());
    let undo = page.call("DELETE", &uri, None).await.json();
    assert!(undo["undoId"].is_string());
    assert_eq!(
        page.post("/api/undo", undo).await.json()["places"][0]["quote"],
        "12 euros"
    );

    let onto = place("components.md", COMPONENTS, "A team pays once.");
    let reattached = page.post(&format!("{uri}/reattach"), onto).await.json();
    assert_eq!(reattached["places"][1]["replaces"], place_id);
    assert_eq!(
        reattached["row"]["places"].as_array().map(Vec::len),
        Some(1)
    );
    let unknown = format!("/api/threads/{id}/places/{}", fresh::id::<ThreadId>());
    assert_eq!(
        page.call("DELETE", &unknown, None).await.problem(),
        (404, "unknown-place".to_owned())
    );
}

#[tokio::test]
async fn a_thread_is_changed_by_what_the_page_names_and_the_rail_is_told() {
    let (page, workspace) = review().await;
    let id = make(&page, "12 euros").await;
    let uri = format!("/api/threads/{id}");
    let mut frames = page.bridge.hub.follow_workspace(&workspace);
    let change = json!({"name": "Price", "draft": {"text": "Per month?", "model": "large"}});
    let changed = page.call("PATCH", &uri, Some(change)).await.json();
    assert_eq!(changed["row"]["title"], "Price");
    assert_eq!(changed["draft"]["text"], "Per month?");
    let told = frames.recv().await.unwrap();
    assert!(
        matches!(&*told, Frame::Rail(Rail::Row { row }) if row.title.as_deref() == Some("Price"))
    );

    let option = json!({"draft": {"text": "", "model": "--danger"}});
    assert_eq!(
        page.call("PATCH", &uri, Some(option)).await.problem().0,
        422
    );
    let act = json!({"permissionMode": "act"});
    let changed = page.call("PATCH", &uri, Some(act)).await.json();
    assert_eq!(changed["permissionMode"], "act");
    let nobody = format!("/api/threads/{}", fresh::id::<ThreadId>());
    assert_eq!(
        page.call("PATCH", &nobody, Some(json!({}))).await.problem(),
        (404, "unknown-thread".to_owned())
    );
}

#[tokio::test]
async fn a_deleted_thread_comes_back_once() {
    let (page, _) = review().await;
    let id = make(&page, "12 euros").await;
    let undo = page
        .call("DELETE", &format!("/api/threads/{id}"), None)
        .await
        .json();
    assert_eq!(page.get("/api/stored-threads").await.json(), json!([]));
    assert_eq!(
        page.post("/api/undo", undo.clone()).await.json()["row"]["threadId"],
        id
    );
    assert_eq!(
        page.post("/api/undo", undo).await.problem(),
        (409, "moved-on".to_owned())
    );
}

/// S102 S105: history gives messages, mode, and whether the last run was cut off; neither live nor stored is 404.
#[tokio::test]
async fn history_is_read_from_the_rows() {
    let (page, workspace) = review().await;
    let unknown = format!("/api/threads/{}/history", fresh::id::<ThreadId>());
    assert_eq!(
        page.get(&unknown).await.problem(),
        (404, "unknown-thread".to_owned())
    );

    let id = ThreadId::parse(&make(&page, "12 euros").await).unwrap();
    let store = &page.bridge.store;
    let run = store
        .begin_run(prompt(&workspace, &id, "Per month?"), at(1))
        .await
        .unwrap()
        .run;
    store
        .append(&run.run_id, vec![says(&run, "Per ye")], at(2))
        .await
        .unwrap();
    store
        .finish_run(&run.run_id, ended(RunState::Interrupted), at(3))
        .await
        .unwrap();
    let uri = format!("/api/threads/{id}/history");
    let history = page.get(&uri).await.json();
    assert_eq!(history["threadId"], id.as_str());
    assert_eq!(history["permissionMode"], "ask");
    assert_eq!(history["interrupted"], true);
    assert_eq!(history["hasEarlier"], false);
    let texts: Vec<_> = history["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["parts"][0]["text"].clone())
        .collect();
    assert_eq!(texts, ["Per month?", "Per ye"]);

    // The page before an answer ends with its prompt; the answer is not there a second time.
    let before = format!("{uri}?before={}", run.reply_id);
    assert_eq!(
        page.get(&before).await.json()["messages"]
            .as_array()
            .map(Vec::len),
        Some(1)
    );
    assert_eq!(page.get(&format!("{uri}?before=x")).await.status, 422);
}

/// Every file below a folder with its bytes.
fn tree(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .map(|path| (path.display().to_string(), std::fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

/// Every cell of every row, the cache of resolutions apart.
async fn cells(page: &Page) -> Vec<(String, String)> {
    let mut cells = texts(&page.bridge.store).await;
    cells.retain(|(column, _)| !column.starts_with("place_resolution."));
    cells
}

/// S104 S115: whatever is looked at, known or not, no row and no file changes and nothing becomes live.
#[tokio::test]
async fn looking_changes_no_row_and_no_file() {
    let (page, workspace) = review().await;
    let id = make(&page, "12 euros").await;
    let unknown = fresh::id::<ThreadId>();
    let folder = page.folder("review");
    let before = (cells(&page).await, tree(&folder));
    for uri in [
        "/api/workspaces",
        "/api/workspace",
        "/api/files",
        "/api/documents?document=pricing.md",
        "/api/documents?document=missing.md",
        "/api/documents/raw?document=pricing.md",
        "/api/stored-threads",
        "/api/gateways",
        "/api/browsers",
        "/api/health",
        &format!("/api/stored-threads?ws={workspace}&limit=1"),
        &format!("/api/threads/{id}"),
        &format!("/api/threads/{id}/history"),
        &format!("/api/threads/{id}/debug"),
        &format!("/api/threads/{unknown}"),
        &format!("/api/threads/{unknown}/history"),
    ] {
        let answer = page.get(uri).await;
        assert!(answer.status.as_u16() < 500, "{uri}: {}", answer.body);
    }
    assert_eq!(before, (cells(&page).await, tree(&folder)));
    for thread in [ThreadId::parse(&id).unwrap(), unknown] {
        assert_eq!(page.bridge.live.peek(&thread), None);
    }
}
