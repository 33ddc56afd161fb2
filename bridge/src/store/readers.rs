//! A few readers: threads that each own a connection which cannot write, and take one read after another.

use super::error::StoreError;
use rusqlite::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use tokio::sync::{mpsc, oneshot};

/// Reads that may wait. More than this and callers wait too.
const QUEUE: usize = 256;

type Job = Box<dyn FnOnce(&Connection) + Send>;

/// The handle to the threads.
pub(super) struct Readers {
    /// `None` only while it is dropped.
    jobs: Option<mpsc::Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    /// Starts a thread for each connection.
    pub(super) fn start(connections: Vec<Connection>) -> Result<Self, StoreError> {
        let (jobs, waiting) = mpsc::channel::<Job>(QUEUE);
        let waiting = Arc::new(Mutex::new(waiting));
        let mut readers = Self {
            jobs: Some(jobs),
            threads: Vec::new(),
        };
        for connection in connections {
            let waiting = Arc::clone(&waiting);
            let thread = std::thread::Builder::new()
                .name("store-reader".to_owned())
                .spawn(move || work_off(&connection, &waiting))?;
            readers.threads.push(thread);
        }
        Ok(readers)
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, result) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            // A caller that went away needs no answer.
            drop(answer.send(in_one_snapshot(connection, work)));
        });
        let jobs = self.jobs.as_ref().ok_or(StoreError::Closed)?;
        jobs.send(job).await.map_err(|_| StoreError::Closed)?;
        result.await.map_err(|_| StoreError::Closed)?
    }
}

impl Drop for Readers {
    /// Waits for the reads under way, so that no connection of a reader is open afterwards.
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            drop(thread.join());
        }
    }
}

fn work_off(connection: &Connection, waiting: &Mutex<mpsc::Receiver<Job>>) {
    let next = || {
        let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.blocking_recv()
    };
    while let Some(job) = next() {
        // A panic in one read fails its caller, nothing else.
        drop(catch_unwind(AssertUnwindSafe(|| job(connection))));
    }
}

/// All statements of a read see the same commit.
fn in_one_snapshot<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let snapshot = connection.unchecked_transaction()?;
    work(&snapshot)
}
