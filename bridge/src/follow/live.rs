//! What is going on right now, by thread: memory only, gone with the bridge.

use rex_shared::ids::Millis;
use rex_shared::ids::ThreadId;
use rex_shared::wire::follow::Stage;
use rex_shared::wire::message::Context;
use rex_shared::wire::prompt::Dialog;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The live facts of one thread.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Live {
    /// A run is going on.
    pub busy: bool,
    /// Runs of this thread since the bridge started.
    pub generation: u64,
    /// What the run is doing.
    pub stage: Option<Stage>,
    /// When the run started.
    pub started_at: Option<Millis>,
    /// Questions that wait for the person.
    pub open_dialogs: Vec<Dialog>,
    /// How full the agent's context is.
    pub context: Option<Context>,
}

/// The live threads. Reading it builds nothing.
#[derive(Debug, Clone, Default)]
pub struct LiveTable(Arc<Mutex<HashMap<ThreadId, Live>>>);

impl LiveTable {
    /// The thread's live facts, if the bridge holds a runtime for it.
    pub fn peek(&self, thread: &ThreadId) -> Option<Live> {
        self.lock().get(thread).cloned()
    }

    /// Changes a live thread's facts; makes them when it was cold.
    pub fn update(&self, thread: &ThreadId, change: impl FnOnce(&mut Live)) {
        change(self.lock().entry(thread.clone()).or_default());
    }

    /// The hold ended: the thread is cold again.
    pub fn forget(&self, thread: &ThreadId) {
        self.lock().remove(thread);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<ThreadId, Live>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
