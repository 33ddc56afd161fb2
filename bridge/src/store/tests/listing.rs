use crate::store::fixture::{Home, at, ended, new_thread, place, says};
use crate::store::rows::{COUNTS, PLACES, select};
use crate::store::writer::Durability;
use crate::store::{RowQuery, StoreError};
use rex_shared::ids::ThreadId;
use rex_shared::lane::Lane;
use rex_shared::transcript::RunState;
use rex_shared::wire::thread::{ThreadPatch, ThreadRow, ThreadStatus};

pub(super) fn all(home: &Home) -> RowQuery {
    RowQuery {
        workspace_id: home.workspace.clone(),
        lane: None,
        document: None,
        limit: 0,
        after: None,
    }
}

fn ids(rows: &[ThreadRow]) -> Vec<ThreadId> {
    rows.iter().map(|row| row.thread_id.clone()).collect()
}

/// S94 S95: a row gives id, title, last activity and message count; newest activity stands first.
#[tokio::test]
async fn the_rail_is_newest_first_and_says_how_much_was_said() {
    let home = Home::new().await;
    let first = home.draft(&["per seat"], at(1)).await;
    let second = home.draft(&["12 euros"], at(2)).await;
    assert_eq!(
        ids(&home.store.rows(all(&home)).await.unwrap()),
        [second.clone(), first.clone()]
    );
    home.turn(&first, "Is this per month?", "Yes.", at(3)).await;
    let rows = home.store.rows(all(&home)).await.unwrap();
    assert_eq!(ids(&rows), [first.clone(), second]);
    assert_eq!(rows[0].title.as_deref(), Some("Is this per month?"));
    assert_eq!(
        (rows[0].message_count, rows[0].last_activity_at),
        (2, at(3))
    );
    assert_eq!(rows[0].places[0].quote, "per seat");
    assert!(!rows[0].busy);
}

/// S68: the list is of the whole workspace: every document, every lane, and threads without a place.
#[tokio::test]
async fn the_list_covers_the_whole_workspace() {
    let home = Home::new().await;
    let mut made = vec![
        home.draft(&["per seat"], at(1)).await,
        home.draft(&[], at(2)).await,
    ];
    let elsewhere = new_thread();
    made.push(elsewhere.thread_id.clone());
    let places = vec![place("deep/down/api.md", "one call")];
    home.store
        .create_thread(&home.workspace, elsewhere, places, at(3))
        .await
        .unwrap();
    home.turn(&made[0], "Why?", "Because.", at(4)).await;
    let resolved = ThreadPatch {
        status: Some(ThreadStatus::Resolved),
        ..ThreadPatch::default()
    };
    home.store
        .patch_thread(&made[1], resolved, at(5))
        .await
        .unwrap();
    let mut listed = ids(&home.store.rows(all(&home)).await.unwrap());
    listed.sort();
    made.sort();
    assert_eq!(listed, made);
    let other = home.store.open_workspace("/other", at(6)).await.unwrap();
    let query = RowQuery {
        workspace_id: other.workspace_id,
        ..all(&home)
    };
    assert_eq!(home.store.rows(query).await.unwrap(), []);
}

#[tokio::test]
async fn an_agents_words_move_no_row() {
    let home = Home::new().await;
    let first = home.draft(&[], at(1)).await;
    let run = home.send(&first, "Why?", at(2)).await;
    let second = home.draft(&[], at(3)).await;
    home.store
        .append(&run.run_id, vec![says(&run, "Because")], at(4))
        .await
        .unwrap();
    assert_eq!(
        ids(&home.store.rows(all(&home)).await.unwrap()),
        [second.clone(), first.clone()]
    );
    home.store
        .finish_run(&run.run_id, ended(RunState::Done), at(5))
        .await
        .unwrap();
    assert_eq!(
        ids(&home.store.rows(all(&home)).await.unwrap()),
        [first, second]
    );
}

#[tokio::test]
async fn the_rail_is_paged_and_filtered() {
    let home = Home::new().await;
    let mut threads = Vec::new();
    for moment in 0..7 {
        threads.push(home.draft(&["per seat"], at(moment)).await);
    }
    threads.reverse();
    let mut paged = Vec::new();
    let mut query = RowQuery {
        limit: 3,
        ..all(&home)
    };
    loop {
        let rows = home.store.rows(query.clone()).await.unwrap();
        let Some(last) = rows.last() else { break };
        query.after = Some(last.thread_id.clone());
        paged.extend(ids(&rows));
    }
    assert_eq!(paged, threads);

    home.store
        .add_places(&threads[2], vec![place("components.md", "Seat")], at(1))
        .await
        .unwrap();
    let elsewhere = RowQuery {
        document: Some("components.md".to_owned()),
        ..all(&home)
    };
    assert_eq!(
        ids(&home.store.rows(elsewhere).await.unwrap()),
        [threads[2].clone()]
    );
    let nowhere = RowQuery {
        document: Some("none.md".to_owned()),
        ..all(&home)
    };
    assert!(home.store.rows(nowhere).await.unwrap().is_empty());

    let resolve = ThreadPatch {
        status: Some(ThreadStatus::Resolved),
        ..ThreadPatch::default()
    };
    home.store
        .patch_thread(&threads[0], resolve, at(9))
        .await
        .unwrap();
    let resolved = RowQuery {
        lane: Some(Lane::Resolved),
        ..all(&home)
    };
    assert_eq!(
        ids(&home.store.rows(resolved).await.unwrap()),
        [threads[0].clone()]
    );
    let counts = home.store.lane_counts(&home.workspace).await.unwrap();
    assert_eq!((counts.draft, counts.resolved, counts.open), (6, 1, 0));

    let lost = RowQuery {
        after: Some(crate::fresh::id()),
        ..all(&home)
    };
    assert!(matches!(
        home.store.rows(lost).await,
        Err(StoreError::UnknownThread)
    ));
}

/// S101: the list reads one indexed row for each thread it shows, however many threads and messages there are.
#[tokio::test]
async fn listing_ten_thousand_threads_reads_fifty_rows_by_their_index() {
    let home = Home::new().await;
    let workspace = home.workspace.clone();
    home.store
        .write(Durability::Streamed, move |db| {
            let mut insert = db.prepare(
                "INSERT INTO thread (id, workspace_id, number, created_at, last_activity_at) VALUES (?1, ?2, ?3, ?3, ?3)",
            )?;
            for number in 1..=10_000 {
                let id: ThreadId = crate::fresh::id();
                insert.execute(rusqlite::params![id.as_str(), workspace.as_str(), number])?;
            }
            Ok(())
        })
        .await
        .unwrap();
    let rows = home.store.rows(all(&home)).await.unwrap();
    assert_eq!(rows.len(), 50);
    assert_eq!(rows[0].number, 10_000);
    let after = RowQuery {
        after: Some(rows[49].thread_id.clone()),
        ..all(&home)
    };
    for (query, index) in [
        (all(&home), "thread_by_activity"),
        (after.clone(), "thread_by_activity"),
        (
            RowQuery {
                lane: Some(Lane::Draft),
                ..after
            },
            "thread_by_lane",
        ),
    ] {
        let plan = plan(&home, select(&query)).await;
        assert!(plan[0].contains(index), "{plan:?}");
        // Reading in the order of the index, the limit ends the search: nothing is scanned or sorted.
        assert!(
            !plan
                .iter()
                .any(|step| step.contains("SCAN") || step.contains("TEMP")),
            "{plan:?}"
        );
    }
    let places = plan(&home, PLACES.to_owned()).await;
    assert!(
        !places
            .iter()
            .any(|step| step.contains("SCAN") || step.contains("message")),
        "{places:?}"
    );
    let counts = plan(&home, COUNTS.to_owned()).await;
    assert!(
        counts[0].contains("INDEX thread_by_lane (workspace_id=?)"),
        "{counts:?}"
    );
}

async fn plan(home: &Home, sql: String) -> Vec<String> {
    home.store
        .read(move |db| {
            let mut plan = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
            let marks = plan.parameter_count();
            let nothing = vec![rusqlite::types::Value::Null; marks];
            let plan =
                plan.query_map(rusqlite::params_from_iter(nothing), |row| row.get("detail"))?;
            Ok(plan.collect::<Result<_, _>>()?)
        })
        .await
        .unwrap()
}
