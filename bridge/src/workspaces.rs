//! Workspaces: the folders that REX was opened on, each held by a descriptor.
//!
//! Everything in a workspace is reached through its [`Root`], beneath that descriptor: whether a file is inside is
//! never decided by comparing paths. Nothing here writes into a workspace.

pub(crate) mod ignored;
pub mod name;
pub mod root;

pub use root::{Opened, Refused, Root};

use crate::store::{Store, StoreError};
use rex_shared::ids::WorkspaceId;
use rex_shared::wire::problem::{Problem, ProblemType};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The roots of one home's workspaces. Clones share them.
#[derive(Clone)]
pub struct Workspaces {
    store: Store,
    held: Arc<Mutex<HashMap<WorkspaceId, Arc<Root>>>>,
}

impl Workspaces {
    /// The roots of the workspaces that `store` knows; none is held yet.
    pub fn new(store: Store) -> Self {
        Self {
            store,
            held: Arc::default(),
        }
    }

    /// The root of a workspace. A folder that was removed and made again is opened anew.
    pub async fn root(&self, workspace: &WorkspaceId) -> Result<Arc<Root>, Problem> {
        let held = self.lock().get(workspace).cloned();
        if let Some(root) = held {
            let here = root.clone();
            if blocking(move || Ok(here.is_still_there())).await? {
                return Ok(root);
            }
        }
        let Some(record) = self.store.workspace(workspace).await? else {
            return Err(StoreError::UnknownWorkspace.into());
        };
        let root = blocking(move || {
            Root::open(Path::new(&record.root)).map_err(|error| {
                Problem::new(
                    ProblemType::UnknownWorkspace,
                    "This folder cannot be read",
                    format!("{}: {error}. Comments about it are kept.", record.root),
                    "Check that the folder is there and may be read.",
                )
            })
        })
        .await?;
        let root = Arc::new(root);
        self.lock().insert(workspace.clone(), root.clone());
        Ok(root)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<WorkspaceId, Arc<Root>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs file work off the async threads.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| {
        Err(Problem::new(
            ProblemType::Internal,
            "Reading failed",
            "REX gave up in the middle of reading. Nothing was changed.",
            "Try again. The bridge's log says where it happened.",
        ))
    })
}
