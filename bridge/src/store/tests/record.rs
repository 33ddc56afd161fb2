use crate::fresh;
use crate::store::fixture::{Home, at, ended, entry, says};
use crate::store::{NewEntry, ProcessMark, RecordOp, RunEnd, RunUpdate, StoreError};
use rex_shared::ids::EntryId;
use rex_shared::transcript::{EntryKind, RunRecord, RunState};
use rex_shared::wire::message::{Memory, Role, Tokens};
use rex_shared::wire::thread::LastRun;

fn text(entry_id: &EntryId, run: &RunRecord, text: &str) -> RecordOp {
    RecordOp::Insert(NewEntry {
        entry_id: entry_id.clone(),
        message_id: run.reply_id.clone(),
        role: Role::Assistant,
        body: EntryKind::Text {
            text: text.to_owned(),
        },
    })
}

/// S13: rows are written as the stream arrives: after a kill all of it is there, and the run is known to be cut off.
#[tokio::test]
async fn what_was_appended_is_there_after_the_process_is_gone() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let run = home.send(&thread, "Why?", at(2)).await;
    let process = ProcessMark {
        pid: 4242,
        started: 99,
    };
    let started = RunUpdate {
        process: Some(process),
        memory: Some(Memory::New),
        ..RunUpdate::default()
    };
    home.store.update_run(&run.run_id, started).await.unwrap();
    let id: EntryId = fresh::id();
    home.store
        .append(&run.run_id, vec![text(&id, &run, "Because ")], at(3))
        .await
        .unwrap();
    let more = RecordOp::Append {
        entry_id: id.clone(),
        text: "seats are".to_owned(),
    };
    home.store
        .append(&run.run_id, vec![more], at(4))
        .await
        .unwrap();

    let home = home.killed();
    let left = home.store.unfinished_runs().await.unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!(
        (left[0].process, left[0].run.memory),
        (Some(process), Some(Memory::New))
    );
    home.store
        .finish_run(&run.run_id, ended(RunState::Interrupted), at(5))
        .await
        .unwrap();
    let conversation = home
        .store
        .conversation(&thread, None)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(conversation.last_run, Some(LastRun::Interrupted));
    assert_eq!(
        conversation.entries[1].body,
        EntryKind::Text {
            text: "Because seats are".to_owned()
        }
    );
    assert!(home.store.unfinished_runs().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_stretch_of_a_stream_is_whole_or_not_at_all() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let run = home.send(&thread, "Why?", at(2)).await;
    let unknown = RecordOp::Append {
        entry_id: fresh::id(),
        text: "?".to_owned(),
    };
    let refused = home
        .store
        .append(&run.run_id, vec![says(&run, "Because"), unknown], at(3))
        .await;
    assert!(refused.is_err());
    assert_eq!(home.store.transcript(&thread).await.unwrap().len(), 1);
}

/// S11 S128: every kind of entry comes back as it was stored, in order, the unknown one too.
#[tokio::test]
async fn every_kind_of_entry_comes_back_as_it_was() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let run = home.send(&thread, "Why?", at(2)).await;
    let kinds = [
        EntryKind::Thinking {
            text: "hm".to_owned(),
        },
        EntryKind::ToolCall {
            call_id: "c1".to_owned(),
            name: "Read".to_owned(),
            input: serde_json::json!({"path": "pricing.md", "lines": [1, 2]}),
        },
        EntryKind::ToolResult {
            call_id: "c1".to_owned(),
            text: "no such file".to_owned(),
            is_error: true,
        },
        EntryKind::Image {
            media_type: "image/png".to_owned(),
            data_base64: "iVBORw0KGgo=".to_owned(),
        },
        EntryKind::Notice {
            name: "retry".to_owned(),
            detail: serde_json::json!({"attempt": 2}),
        },
        EntryKind::Other {
            original_type: "plan".to_owned(),
            payload: serde_json::json!({"steps": 3}),
        },
        EntryKind::Text {
            text: "Because.".to_owned(),
        },
    ];
    let ops = kinds
        .iter()
        .map(|kind| entry(&run.reply_id, kind.clone()))
        .collect();
    let seqs = home.store.append(&run.run_id, ops, at(3)).await.unwrap();
    assert_eq!(seqs, [1, 2, 3, 4, 5, 6, 7]);
    let stored: Vec<_> = home
        .store
        .transcript(&thread)
        .await
        .unwrap()
        .into_iter()
        .skip(1)
        .map(|entry| entry.body)
        .collect();
    assert_eq!(stored, kinds);
    assert_eq!(
        home.store
            .row(&thread)
            .await
            .unwrap()
            .unwrap()
            .1
            .message_count,
        2
    );
}

#[tokio::test]
async fn a_text_can_be_replaced_whole_and_a_tools_input_become_known() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let run = home.send(&thread, "Why?", at(2)).await;
    let (words, call): (EntryId, EntryId) = (fresh::id(), fresh::id());
    let called = RecordOp::Insert(NewEntry {
        entry_id: call.clone(),
        message_id: run.reply_id.clone(),
        role: Role::Assistant,
        body: EntryKind::ToolCall {
            call_id: "c".to_owned(),
            name: "Read".to_owned(),
            input: serde_json::Value::Null,
        },
    });
    let ops = vec![
        text(&words, &run, "Becaus"),
        called,
        RecordOp::Replace {
            entry_id: words,
            text: "Because.".to_owned(),
        },
        RecordOp::ToolInput {
            entry_id: call,
            input: serde_json::json!({"path": "a.md"}),
        },
    ];
    home.store.append(&run.run_id, ops, at(3)).await.unwrap();
    let entries = home.store.transcript(&thread).await.unwrap();
    assert_eq!(
        entries[1].body,
        EntryKind::Text {
            text: "Because.".to_owned()
        }
    );
    assert!(
        matches!(&entries[2].body, EntryKind::ToolCall { input, .. } if input["path"] == "a.md")
    );
}

/// S11 S122: unknown cost is nothing, never zero; what is known is kept with the message and summed for the thread.
#[tokio::test]
async fn unknown_cost_is_never_zero() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    home.turn(&thread, "Why?", "Because.", at(2)).await;
    let usage = home
        .store
        .conversation(&thread, None)
        .await
        .unwrap()
        .unwrap()
        .usage;
    assert_eq!(
        (usage.cost_usd, usage.tokens, usage.context),
        (None, None, None)
    );
    let tokens = Tokens {
        input: 10,
        output: 5,
        cache_read: 3,
        cache_write: 1,
    };
    for (cost, moment) in [(0.25, 3), (0.5, 4)] {
        let run = home.send(&thread, "And?", at(moment)).await;
        home.store
            .append(
                &run.run_id,
                vec![says(&run, "So."), says(&run, "There.")],
                at(moment),
            )
            .await
            .unwrap();
        let end = RunEnd {
            cost_usd: Some(cost),
            tokens: Some(tokens),
            duration_ms: Some(1200),
            ..ended(RunState::Done)
        };
        home.store
            .finish_run(&run.run_id, end, at(moment))
            .await
            .unwrap();
    }
    let conversation = home
        .store
        .conversation(&thread, None)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(conversation.usage.cost_usd, Some(0.75));
    assert_eq!(
        conversation.usage.tokens.map(|tokens| tokens.input),
        Some(20)
    );
    let last = conversation.entries.last().unwrap();
    assert_eq!(
        (last.cost_usd, last.duration_ms, last.tokens),
        (Some(0.5), Some(1200), Some(tokens))
    );
}

#[tokio::test]
async fn a_run_has_one_end_and_takes_nothing_after_it() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let run = home.send(&thread, "Why?", at(2)).await;
    home.store
        .finish_run(&run.run_id, ended(RunState::Stopped), at(3))
        .await
        .unwrap();
    let late = home
        .store
        .append(&run.run_id, vec![says(&run, "late")], at(4))
        .await;
    assert!(matches!(late, Err(StoreError::RunEnded)));
    let again = home
        .store
        .finish_run(&run.run_id, ended(RunState::Done), at(5))
        .await
        .unwrap();
    assert_eq!(
        (again.state, again.ended_at),
        (RunState::Stopped, Some(at(3)))
    );
    let row = home.store.row(&thread).await.unwrap().unwrap().1;
    assert_eq!(
        (row.last_run, row.last_activity_at),
        (Some(LastRun::Stopped), at(3))
    );
}

#[tokio::test]
async fn the_last_wait_for_a_first_word_is_remembered() {
    let home = Home::new().await;
    let thread = home.draft(&[], at(1)).await;
    let run = home.send(&thread, "Why?", at(2)).await;
    let wait = async || home.store.last_wait(&run.sdk, &run.gateway).await.unwrap();
    assert_eq!(wait().await, None);
    let spoke = RunUpdate {
        first_word_ms: Some(830),
        ..RunUpdate::default()
    };
    home.store.update_run(&run.run_id, spoke).await.unwrap();
    assert_eq!(wait().await, Some(830));
}
