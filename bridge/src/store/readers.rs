//! A few readers: connections that cannot write, lent to one read transaction at a time.

use super::error::StoreError;
use rusqlite::Connection;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// The readers' pool.
pub(super) struct Readers {
    idle: Arc<Mutex<Vec<Connection>>>,
    free: Arc<Semaphore>,
}

impl Readers {
    pub(super) fn new(connections: Vec<Connection>) -> Self {
        Self {
            free: Arc::new(Semaphore::new(connections.len())),
            idle: Arc::new(Mutex::new(connections)),
        }
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let turn = Arc::clone(&self.free)
            .acquire_owned()
            .await
            .map_err(|_| StoreError::Closed)?;
        let idle = Arc::clone(&self.idle);
        tokio::task::spawn_blocking(move || {
            let lent = Lent::take(idle)?;
            let result = lent.read(work);
            drop(lent);
            drop(turn);
            result
        })
        .await
        .map_err(|_| StoreError::Closed)?
    }
}

/// A connection that goes back to the pool however its reading ends.
struct Lent {
    connection: Option<Connection>,
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl Lent {
    fn take(idle: Arc<Mutex<Vec<Connection>>>) -> Result<Self, StoreError> {
        let connection = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if connection.is_none() {
            return Err(StoreError::Closed);
        }
        Ok(Self { connection, idle })
    }

    fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let Some(connection) = &self.connection else {
            return Err(StoreError::Closed);
        };
        // One snapshot for all statements of the read.
        let snapshot = connection.unchecked_transaction()?;
        work(&snapshot)
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            self.idle
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(connection);
        }
    }
}
