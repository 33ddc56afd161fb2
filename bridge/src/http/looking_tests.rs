//! Looking builds nothing: every GET of the table, twice, over a workspace with a thread, and nothing is different.

use super::router::table;
use super::testing::Page;
use crate::fresh;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use rex_shared::ids::{ThreadId, WorkspaceId};
use rex_shared::wire::place::{NewPlace, PlaceKind};
use rex_shared::wire::thread::NewThread;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use tower::ServiceExt as _;

/// Where places were found in which version: a cache that may grow at any time.
const CACHES: [&str; 1] = ["place_resolution"];
const TEXT: &str = "# Pricing\n\nNo plan is ever billed for more.\n";

/// Every row of every table but the caches.
fn rows(home: &Path) -> BTreeMap<String, Vec<String>> {
    let db =
        Connection::open_with_flags(home.join("rex.db"), OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let mut tables = db
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .unwrap();
    let names: Vec<String> = tables
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let mut all = BTreeMap::new();
    for name in names
        .into_iter()
        .filter(|name| !CACHES.contains(&name.as_str()))
    {
        let mut rows = db.prepare(&format!("SELECT * FROM \"{name}\"")).unwrap();
        let columns = rows.column_count();
        let mut lines: Vec<String> = rows
            .query_map([], |row| {
                let mut line = String::new();
                for column in 0..columns {
                    match row.get_ref(column)? {
                        ValueRef::Text(text) => line.push_str(&String::from_utf8_lossy(text)),
                        other => write!(line, "{other:?}").unwrap(),
                    }
                    line.push('|');
                }
                Ok(line)
            })
            .unwrap()
            .map(Result::unwrap)
            .collect();
        lines.sort();
        all.insert(name, lines);
    }
    all
}

/// Every file of a folder with its bytes and when it was changed.
fn files(folder: &Path) -> BTreeMap<String, (Vec<u8>, std::time::SystemTime)> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|file| {
            let file = file.unwrap();
            let changed = file.metadata().unwrap().modified().unwrap();
            (
                file.file_name().into_string().unwrap(),
                (std::fs::read(file.path()).unwrap(), changed),
            )
        })
        .collect()
}

async fn open_with_a_thread(page: &Page, folder: &Path) -> ThreadId {
    std::fs::write(folder.join("pricing.md"), TEXT).unwrap();
    let workspace = page.bridge.open_workspace(folder).await.unwrap();
    let document = page.get("/api/documents?document=pricing.md").await.json();
    let quote = "No plan is ever billed for more.";
    let start = TEXT.find(quote).unwrap();
    let place = NewPlace {
        place_id: fresh::id(),
        document: "pricing.md".to_owned(),
        kind: PlaceKind::Text,
        start: u32::try_from(start).unwrap(),
        end: u32::try_from(start + quote.len()).unwrap(),
        version: serde_json::from_value(document["version"].clone()).unwrap(),
        quote: quote.to_owned(),
    };
    let id: WorkspaceId = workspace.workspace_id;
    let checked = page
        .bridge
        .documents
        .check_place(&id, &place)
        .await
        .unwrap();
    let new = NewThread {
        thread_id: fresh::id(),
        ws: None,
        note: None,
        places: vec![place],
        is_note: false,
    };
    let thread = new.thread_id.clone();
    page.bridge
        .store
        .create_thread(&id, new, vec![checked], fresh::now())
        .await
        .unwrap();
    thread
}

/// Looks at an address: all of an answer, the first frame of a stream.
async fn look(page: &Page, uri: &str) -> StatusCode {
    let request = Request::get(uri)
        .header("host", "127.0.0.1:7390")
        .header("authorization", format!("Bearer {}", page.secret))
        .body(Body::empty())
        .unwrap();
    let response = page.router.clone().oneshot(request).await.unwrap();
    let status = response.status();
    let mut body = response.into_body();
    while let Some(frame) = body.frame().await {
        frame.unwrap();
        if uri.contains("follow") {
            break;
        }
    }
    status
}

/// S104: any set of GETs and follows leaves all rows and the workspace as they were.
#[tokio::test]
async fn looking_changes_no_row_and_no_file() {
    let page = Page::new().await;
    let folder = page.folder("docs");
    let thread = open_with_a_thread(&page, &folder).await;
    let (rows_before, files_before) = (rows(&page.bridge.home), files(&folder));
    assert_eq!(rows_before["thread"].len(), 1);
    let mut answered = 0;
    for _ in 0..2 {
        for route in table().iter().filter(|route| route.method == Method::GET) {
            let path = route.path.replacen("{id}", thread.as_str(), 1);
            let uri = format!("{path}?document=pricing.md&sdk=demo&gateway=default&mode=ask");
            // A quiet workspace's stream says nothing before its first ping.
            if path == "/api/follow" {
                continue;
            }
            let status = look(&page, &uri).await;
            assert!(!status.is_server_error(), "{uri}: {status}");
            answered += usize::from(status.is_success());
        }
    }
    assert!(answered > 10, "only {answered} were answered");
    assert_eq!(rows(&page.bridge.home), rows_before);
    assert_eq!(files(&folder), files_before);
    assert!(page.bridge.live.peek(&thread).is_none_or(|live| !live.busy));
}
