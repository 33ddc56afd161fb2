use crate::store::NewRun;
use crate::store::fixture::{Home, at, columns, entry, place, sdk, standing, texts};
use rex_shared::ids::GatewayId;
use rex_shared::lane::{Lane, lane_of};
use rex_shared::transcript::EntryKind;
use rex_shared::wire::place::PlaceState;
use rex_shared::wire::thread::ThreadStatus;

/// S12: no column holds a conversation as one blob.
#[tokio::test]
async fn no_cell_holds_more_than_one_turn() {
    let home = Home::new().await;
    let thread = home.draft(&["Every seat costs 12 euros."], at(1)).await;
    home.turn(&thread, "first-question", "first-answer", at(2))
        .await;
    home.turn(&thread, "second-question", "second-answer", at(3))
        .await;
    home.store
        .delete_thread(&home.draft(&[], at(4)).await, at(5))
        .await
        .unwrap();
    let turns = [
        "first-question",
        "first-answer",
        "second-question",
        "second-answer",
    ];
    let texts = texts(&home.store).await;
    for (column, text) in &texts {
        let held = turns.iter().filter(|turn| text.contains(**turn)).count();
        assert!(held <= 1, "{column} holds {held} turns: {text}");
    }
    // One row for each: the fourth turn is nowhere but in its own.
    let rows: Vec<_> = texts
        .iter()
        .filter(|(_, text)| text == "second-answer")
        .collect();
    assert_eq!(
        rows,
        [&("message.text".to_owned(), "second-answer".to_owned())]
    );
}

/// S16: nothing stores which version a comment is about.
#[tokio::test]
async fn no_column_says_which_version_a_comment_is_about() {
    let home = Home::new().await;
    let columns = columns(&home.store).await;
    let about = [
        "version", "hash", "pane", "side", "proposal", "revision", "commit",
    ];
    for table in ["thread", "thread_target"] {
        for column in &columns[table] {
            assert!(
                !about.iter().any(|word| column.contains(word)),
                "{table}.{column}"
            );
        }
    }
    // What is there is the text a place was made on, which never changes, and a cache of where it was found.
    assert!(columns["thread_target"].contains(&"snapshot".to_owned()));
    assert!(columns["place_resolution"].contains(&"content_hash".to_owned()));
}

/// S9 S10 S11: a thread has its status, note, name and group; a place its document, anchor, state and message; a
/// message its role, kind, text, tool call, model and cost.
#[tokio::test]
async fn the_tables_carry_what_a_conversation_is_made_of() {
    let home = Home::new().await;
    let columns = columns(&home.store).await;
    for (table, wanted) in [
        (
            "thread",
            &["status", "note", "name", "group_id", "is_note"][..],
        ),
        (
            "thread_target",
            &[
                "document_id",
                "start",
                "end",
                "quote",
                "state",
                "message_id",
            ],
        ),
        (
            "message",
            &[
                "role",
                "kind",
                "text",
                "tool_name",
                "tool_call_id",
                "tool_input",
                "model",
                "cost_usd",
                "mode",
            ],
        ),
        (
            "thread_session",
            &[
                "thread_id",
                "sdk",
                "gateway_id",
                "base_url",
                "session_id",
                "created_at",
            ],
        ),
        ("agent_gateway", &["name", "base_url", "key_ref"]),
        ("document", &["workspace_id", "path"]),
    ] {
        for column in wanted {
            assert!(
                columns[table].contains(&(*column).to_owned()),
                "{table}.{column}"
            );
        }
    }
}

/// S69: each thread is in exactly one lane, and the database derives the same one as the rule that everybody reads.
#[tokio::test]
async fn the_database_derives_the_lane_of_the_shared_rule() {
    let home = Home::new().await;
    let states = [PlaceState::Exact, PlaceState::Gone, PlaceState::Unknown];
    for status in [ThreadStatus::Open, ThreadStatus::Resolved] {
        for is_note in [false, true] {
            for sent in [false, true] {
                for state in states {
                    let thread = home.draft(&[], at(1)).await;
                    let mut place = place("pricing.md", "seat");
                    place.standing = standing(state, "seat");
                    home.store
                        .add_places(&thread, vec![place], at(2))
                        .await
                        .unwrap();
                    let id = thread.clone();
                    home.store
                        .write(crate::store::writer::Durability::Streamed, move |db| {
                            db.execute(
                                "UPDATE thread SET status = ?2, is_note = ?3, sent_at = ?4 WHERE id = ?1",
                                rusqlite::params![
                                    id.as_str(),
                                    crate::store::columns::word(&status),
                                    is_note,
                                    sent.then_some(1)
                                ],
                            )?;
                            Ok(())
                        })
                        .await
                        .unwrap();
                    let (_, row) = home.store.row(&thread).await.unwrap().unwrap();
                    assert_eq!(row.lane, lane_of(status, is_note, sent, [state]));
                }
            }
        }
    }
}

/// S104: looking writes nothing: whatever is read, every row stays as it was.
#[tokio::test]
async fn looking_writes_nothing() {
    let home = Home::new().await;
    let thread = home.draft(&["Every seat costs 12 euros."], at(1)).await;
    let run = home.send(&thread, "Why?", at(2)).await;
    let call = EntryKind::ToolCall {
        call_id: "1".to_owned(),
        name: "Read".to_owned(),
        input: serde_json::json!({"path": "pricing.md"}),
    };
    home.store
        .append(&run.run_id, vec![entry(&run.reply_id, call)], at(3))
        .await
        .unwrap();
    let before = texts(&home.store).await;
    let store = &home.store;
    let (demo, default) = (sdk("demo"), GatewayId::default_gateway());
    store.thread(&thread).await.unwrap();
    store.row(&thread).await.unwrap();
    store.rows(super::listing::all(&home)).await.unwrap();
    store.lane_counts(&home.workspace).await.unwrap();
    store.conversation(&thread, None).await.unwrap();
    store.transcript(&thread).await.unwrap();
    store
        .document_places(&home.workspace, "pricing.md")
        .await
        .unwrap();
    store.document_counts(&home.workspace).await.unwrap();
    store.anchors(&home.workspace, "pricing.md").await.unwrap();
    store
        .document_version(&home.workspace, "pricing.md")
        .await
        .unwrap();
    store.changes(&home.workspace, "pricing.md").await.unwrap();
    store.change(&crate::fresh::id()).await.unwrap();
    store.rename_offers(&home.workspace).await.unwrap();
    let place = store.thread(&thread).await.unwrap().unwrap().places[0]
        .place_id
        .clone();
    store.place_record(&thread, &place).await.unwrap();
    store.session(&thread, &demo, &default).await.unwrap();
    store.sessions(&thread).await.unwrap();
    store.last_wait(&demo, &default).await.unwrap();
    store.newest_run(&thread).await.unwrap();
    store.unfinished_runs().await.unwrap();
    store.queued(&thread).await.unwrap();
    store.stored_prompt(&thread, &run.message_id).await.unwrap();
    store.gateways().await.unwrap();
    store.browsers(at(9)).await.unwrap();
    store.workspaces().await.unwrap();
    assert_eq!(before, texts(store).await);
}

/// A prompt's lane is open from the moment it is stored.
#[tokio::test]
async fn a_prompt_to_an_unknown_thread_makes_it_and_opens_it() {
    let home = Home::new().await;
    let NewRun { thread_id, .. } = home.prompt(&crate::fresh::id(), "");
    home.send(&thread_id, "Where is the price?", at(1)).await;
    let (_, row) = home.store.row(&thread_id).await.unwrap().unwrap();
    assert_eq!((row.lane, row.number), (Lane::Open, 1));
}
