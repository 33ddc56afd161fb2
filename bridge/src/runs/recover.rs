//! What a start does with what the last bridge left.

use super::thread::Command;
use super::{Means, Runs};
use crate::processes::{Identity, sweep};
use crate::store::{ProcessMark, RunEnd, StoreError};
use rex_shared::transcript::RunState;

/// No process has this number.
const UNKNOWN: ProcessMark = ProcessMark { pid: 0, started: 0 };

/// Ends runs that were going on as interrupted, with the text they had; then kills what is left of their processes,
/// removes their temp folders and starts what waits.
pub(super) async fn recover(runs: &Runs) -> Result<(), StoreError> {
    let means = &runs.inner.means;
    means.proposals.recover().await?;
    let unfinished = means.store.unfinished_runs().await?;
    for left in &unfinished {
        let end = RunEnd {
            state: RunState::Interrupted,
            refusal: None,
            failure: None,
            receipt: None,
            cost_usd: None,
            tokens: None,
            duration_ms: None,
        };
        means
            .store
            .finish_run(&left.run.run_id, end, (means.clock)())
            .await?;
        tracing::info!(thread = %left.thread_id, run = %left.run.run_id, "a run of an earlier start is interrupted");
    }
    let mut locks = Vec::new();
    for left in &unfinished {
        if let Some(id) = &left.session_id {
            // Its process may still be writing there.
            locks.extend(means.agents.sessions().try_hold(&left.run.sdk, id));
        }
    }
    let waiting = means.store.waiting_threads().await?;
    let runs = runs.clone();
    let tasks = runs.inner.tasks.clone();
    tasks.spawn(async move {
        for left in unfinished {
            // A process that was started and not written down any more is found by the run's mark alone.
            let ProcessMark { pid, started } = left.process.unwrap_or(UNKNOWN);
            sweep(Identity { pid, started }, left.run.run_id.as_str()).await;
        }
        drop(locks);
        remove_left_folders(&runs.inner.means).await;
        for thread in waiting {
            runs.send(&thread, Command::Next);
        }
    });
    Ok(())
}

/// Removes the folders of earlier starts and ends the servers that one of them kept, which are marked with its name.
/// What cannot be removed is in nobody's way, and tried again at the next start.
async fn remove_left_folders(means: &Means) {
    let Ok(mut folders) = tokio::fs::read_dir(&means.scratch).await else {
        return;
    };
    while let Ok(Some(folder)) = folders.next_entry().await {
        if folder.path() != means.scratch_of_this_start() {
            if let Some(boot) = folder.file_name().to_str() {
                let ProcessMark { pid, started } = UNKNOWN;
                sweep(Identity { pid, started }, boot).await;
            }
            drop(tokio::fs::remove_dir_all(folder.path()).await);
        }
    }
}
