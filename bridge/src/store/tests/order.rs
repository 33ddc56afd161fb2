use crate::store::fixture::{Home, at, ended, says};
use proptest::prelude::*;
use rex_shared::transcript::{EntryKind, RunRecord, RunState};
use rex_shared::wire::message::Mode;
use rex_shared::wire::thread::ThreadPatch;

/// What can happen to a thread, in any order.
#[derive(Debug, Clone, Copy)]
enum Step {
    Send,
    Append(usize),
    Finish,
    StartQueued,
    ModeChange(bool),
    Drop,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        Just(Step::Send),
        (1..4_usize).prop_map(Step::Append),
        Just(Step::Finish),
        Just(Step::StartQueued),
        any::<bool>().prop_map(Step::ModeChange),
        Just(Step::Drop),
    ];
    proptest::collection::vec(step, 1..30)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_a_thread_is_dense_whatever_happens(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (seqs, counted, kept) = runtime.block_on(walk(steps));
        prop_assert_eq!(&seqs, &(0..seqs.len() as u64).collect::<Vec<_>>());
        prop_assert_eq!(counted, kept);
    }
}

/// The order afterwards, the number of messages, and the number that the row keeps.
async fn walk(steps: Vec<Step>) -> (Vec<u64>, usize, usize) {
    let home = Home::new().await;
    let store = &home.store;
    let thread = home.draft(&[], at(0)).await;
    let mut going: Option<RunRecord> = None;
    let mut waiting = Vec::new();
    for (step, moment) in steps.into_iter().zip(1..) {
        match step {
            Step::Send => {
                let run = home.send(&thread, "Why?", at(moment)).await;
                match run.state {
                    RunState::Running => going = Some(run),
                    _ => waiting.push(run),
                }
            }
            Step::Append(count) => {
                if let Some(run) = &going {
                    let ops = (0..count).map(|_| says(run, "word")).collect();
                    store.append(&run.run_id, ops, at(moment)).await.unwrap();
                }
            }
            Step::Finish => {
                if let Some(run) = going.take() {
                    store
                        .finish_run(&run.run_id, ended(RunState::Done), at(moment))
                        .await
                        .unwrap();
                }
            }
            Step::StartQueued => {
                if let Some(run) = store.start_queued(&thread, at(moment)).await.unwrap() {
                    waiting.retain(|queued| queued.run_id != run.run_id);
                    going = Some(run);
                }
            }
            Step::ModeChange(act) => {
                let mode = if act { Mode::Act } else { Mode::Ask };
                let patch = ThreadPatch {
                    permission_mode: Some(mode),
                    ..Default::default()
                };
                store
                    .patch_thread(&thread, patch, at(moment))
                    .await
                    .unwrap();
            }
            Step::Drop => {
                if let Some(run) = waiting.pop() {
                    store.drop_queued(&thread, &run.message_id).await.unwrap();
                }
            }
        }
    }
    let entries = store.transcript(&thread).await.unwrap();
    let mut messages: Vec<_> = entries
        .iter()
        .filter(|entry| !matches!(entry.body, EntryKind::Notice { .. }))
        .map(|entry| &entry.message_id)
        .collect();
    messages.sort();
    messages.dedup();
    let row = store.row(&thread).await.unwrap().unwrap().1;
    (
        entries.iter().map(|entry| entry.seq).collect(),
        messages.len(),
        row.message_count as usize,
    )
}
