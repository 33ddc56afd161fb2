use crate::store::fixture::{Home, at, ended, record, says, standing, version};
use crate::store::open::only_reading;
use crate::store::{Store, StoreError, migrate};
use rex_shared::ids::WorkspaceId;
use rex_shared::lane::Lane;
use rex_shared::transcript::RunState;
use rex_shared::wire::place::PlaceState;
use rex_shared::wire::problem::{Problem, ProblemType};
use rusqlite::Connection;
use std::path::Path;
use tempfile::TempDir;

fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

/// S8: the record is one database file in the home; nothing of it lies anywhere else.
#[tokio::test]
async fn the_record_is_one_file_in_the_home() {
    let home = Home::new().await;
    let thread = home.draft(&["Every seat costs 12 euros."], at(1)).await;
    home.turn(&thread, "Is this so?", "Yes.", at(2)).await;
    home.store.close().await;
    let folder = home.folder;
    drop(home.store);
    let mut files: Vec<String> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.ends_with("-wal") && !name.ends_with("-shm"))
        .collect();
    files.sort();
    assert_eq!(files, ["rex.db"]);
}

#[tokio::test]
async fn a_second_start_finds_everything_and_the_same_workspace() {
    let home = Home::new().await;
    let thread = home.draft(&["Every seat costs 12 euros."], at(1)).await;
    let home = home.killed();
    let again = home.store.open_workspace("/review", at(9)).await.unwrap();
    assert_eq!(again.workspace_id, home.workspace);
    assert!(home.store.thread(&thread).await.unwrap().is_some());
}

/// A database of the first schema, with a comment whose text is gone, opens as it was and goes on.
#[tokio::test]
async fn a_database_of_the_first_schema_is_brought_up_to_date_with_all_its_rows() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("rex.db");
    drop(crate::store::open::open(&path, &migrate::MIGRATIONS[..1]).unwrap());
    let id = |n: u32| format!("00000000-0000-7000-8000-{n:012}");
    let (workspace, thread, hash) = (id(1), id(2), version("per seat"));
    let db = Connection::open(&path).unwrap();
    db.execute_batch(&format!(
        "INSERT INTO workspace (id, root, created_at, opened_at) VALUES ('{workspace}', '/review', 0, 0);
         INSERT INTO document (id, workspace_id, path) VALUES (7, '{workspace}', 'pricing.md');
         INSERT INTO snapshot (hash, size, content) VALUES ('{hash}', 8, x'00');
         INSERT INTO thread (id, workspace_id, number, created_at, last_activity_at, sent_at, gone_places)
           VALUES ('{thread}', '{workspace}', 1, 0, 0, 0, 1);
         INSERT INTO thread_target
           (id, thread_id, ordinal, document_id, kind, start, \"end\", snapshot, quote, state, created_at)
           VALUES ('{}', '{thread}', 0, 7, 'text', 0, 8, '{hash}', 'per seat', 'gone', 0);",
        id(3)
    ))
    .unwrap();
    db.close().unwrap();
    let store = Store::open(&path, at(1)).unwrap();
    let workspace = WorkspaceId::parse(&workspace).unwrap();
    let places = store
        .document_places(&workspace, "pricing.md")
        .await
        .unwrap();
    let [shown] = places.as_slice() else {
        panic!("{places:?}");
    };
    assert_eq!(
        (shown.lane, shown.place.quote.as_str()),
        (Lane::Gone, "per seat")
    );
    assert_eq!(shown.place.vanished, None, "nobody noted when");
    let place = shown.place.place_id.clone();
    let home = Home {
        store,
        workspace,
        folder,
    };
    let back = record(
        &home,
        &place,
        standing(PlaceState::Exact, "per seat"),
        at(2),
    )
    .await;
    assert_eq!((back.change, back.counts.exact), (None, 1));
    let next = standing(PlaceState::Gone, "else");
    assert!(record(&home, &place, next, at(3)).await.change.is_some());
}

#[tokio::test]
async fn a_newer_schema_is_refused_with_both_versions_and_nothing_changed() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("rex.db");
    drop(Store::open(&path, at(0)).unwrap());
    let db = Connection::open(&path).unwrap();
    db.pragma_update(None, "user_version", 999).unwrap();
    db.close().unwrap();
    let before = bytes(&path);
    let error = Store::open(&path, at(0)).err().unwrap();
    assert!(matches!(error, StoreError::NewerSchema { found: 999, .. }));
    let sentence = error.to_string();
    assert!(sentence.contains("999"), "{sentence}");
    assert!(
        sentence.contains(&migrate::newest(migrate::MIGRATIONS).to_string()),
        "{sentence}"
    );
    assert_eq!(before, bytes(&path));
}

#[test]
fn what_is_no_database_is_refused_and_left_as_it_is() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("rex.db");
    let text = "This is a letter, not a database. ".repeat(100);
    std::fs::write(&path, &text).unwrap();
    let error = Store::open(&path, at(0)).err().unwrap();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert_eq!(bytes(&path), text.as_bytes());
}

#[test]
fn a_database_of_another_program_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("rex.db");
    let db = Connection::open(&path).unwrap();
    db.execute_batch("CREATE TABLE bookmarks (url TEXT)")
        .unwrap();
    db.close().unwrap();
    let error = Store::open(&path, at(0)).err().unwrap();
    assert!(matches!(error, StoreError::NotOurs { .. }), "{error}");
}

#[test]
fn an_empty_file_becomes_a_database() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("rex.db");
    std::fs::write(&path, "").unwrap();
    assert!(Store::open(&path, at(0)).unwrap().read_only().is_none());
}

#[tokio::test]
async fn a_damaged_page_is_reported_and_never_a_crash() {
    let home = Home::new().await;
    for at_time in 0..20 {
        home.draft(&["Every seat costs 12 euros."], at(at_time))
            .await;
    }
    home.store.close().await;
    let whole = bytes(&home.path());
    let folder = TempDir::new().unwrap();
    for offset in (0..whole.len()).step_by(4096) {
        let path = folder.path().join(format!("{offset}.db"));
        let mut damaged = whole.clone();
        damaged[offset..offset + 4096].fill(0xA5);
        std::fs::write(&path, &damaged).unwrap();
        let Ok(store) = Store::open(&path, at(0)) else {
            continue;
        };
        // Opened or not, read or not: an answer or an error in words.
        if let Err(error) = store.lane_counts(&home.workspace).await {
            assert!(!error.to_string().is_empty());
        }
    }
    let cut = folder.path().join("cut.db");
    std::fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    if let Ok(store) = Store::open(&cut, at(0)) {
        drop(store.lane_counts(&home.workspace).await);
    }
}

#[tokio::test]
async fn a_database_that_cannot_be_written_is_read_and_says_so() {
    let home = Home::new().await;
    let thread = home.draft(&["Every seat costs 12 euros."], at(1)).await;
    let path = home.path();
    let opened = only_reading(&path, Some(1), 1).unwrap();
    let store = Store::of(&path, opened).unwrap();
    assert!(store.read_only().unwrap().contains("cannot be written"));
    assert!(store.thread(&thread).await.unwrap().is_some());
    let refused = store.begin_run(home.prompt(&thread, "Why?"), at(2)).await;
    let problem = Problem::from(refused.unwrap_err());
    assert_eq!((problem.kind, problem.status), (ProblemType::ReadOnly, 503));
}

#[test]
fn an_older_database_that_cannot_be_written_is_refused() {
    let error = only_reading(Path::new("/nowhere/rex.db"), Some(1), 2).err();
    assert!(matches!(
        error,
        Some(StoreError::OlderSchemaReadOnly {
            found: 1,
            known: 2,
            ..
        })
    ));
}

#[tokio::test]
async fn a_full_disk_takes_back_the_write_and_nothing_else() {
    let home = Home::new().await;
    let thread = home.draft(&["Every seat costs 12 euros."], at(1)).await;
    let run = home.send(&thread, "Why?", at(2)).await;
    home.store.let_grow(false).await;
    let error = loop {
        let long = says(&run, &"more ".repeat(10_000));
        if let Err(error) = home.store.append(&run.run_id, vec![long], at(3)).await {
            break error;
        }
    };
    assert!(matches!(error, StoreError::DiskFull), "{error}");
    let before = home.store.transcript(&thread).await.unwrap();
    home.store.let_grow(true).await;
    home.store
        .append(&run.run_id, vec![says(&run, "Because.")], at(4))
        .await
        .unwrap();
    let after = home.store.transcript(&thread).await.unwrap();
    assert_eq!(after.len(), before.len() + 1);
    assert_eq!(sound(&home.store).await, "ok");
}

async fn sound(store: &Store) -> String {
    store
        .read(|db| Ok(db.query_row("PRAGMA integrity_check", [], |row| row.get(0))?))
        .await
        .unwrap()
}

#[tokio::test]
async fn a_database_replaced_under_a_running_bridge_is_not_written_to() {
    let home = Home::new().await;
    std::fs::rename(home.path(), home.folder.path().join("elsewhere.db")).unwrap();
    std::fs::write(home.path(), "somebody's file").unwrap();
    let refused = home.store.set_setting("a", "b").await.unwrap_err();
    assert!(
        refused.to_string().contains("moved or replaced"),
        "{refused}"
    );
    assert_eq!(bytes(&home.path()), b"somebody's file");
    assert!(home.store.read_only().is_some());
}

#[tokio::test]
async fn readers_cannot_write() {
    let home = Home::new().await;
    let refused = home
        .store
        .read(|db| Ok(db.execute("DELETE FROM workspace", [])?))
        .await;
    assert!(refused.is_err());
    assert_eq!(home.store.workspaces().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_panic_in_one_write_takes_back_that_write_alone() {
    let home = Home::new().await;
    let lost = home
        .store
        .write(
            crate::store::writer::Durability::Streamed,
            |db| -> Result<(), StoreError> {
                db.execute("DELETE FROM workspace", [])?;
                panic!("on purpose")
            },
        )
        .await;
    assert!(matches!(lost, Err(StoreError::Closed)));
    assert_eq!(home.store.workspaces().await.unwrap().len(), 1);
    home.store.set_setting("theme", "dark").await.unwrap();
}

#[tokio::test]
async fn after_close_nothing_is_written_and_the_log_is_folded_in() {
    let home = Home::new().await;
    let thread = home.draft(&["Every seat costs 12 euros."], at(1)).await;
    let run = home.send(&thread, "Why?", at(2)).await;
    home.store.close().await;
    let log = std::fs::metadata(home.folder.path().join("rex.db-wal"));
    assert_eq!(log.map_or(0, |log| log.len()), 0);
    let late = home
        .store
        .finish_run(&run.run_id, ended(RunState::Done), at(3));
    assert!(matches!(late.await, Err(StoreError::ReadOnly(_))));
    assert_eq!(
        home.killed().store.unfinished_runs().await.unwrap().len(),
        1
    );
}
