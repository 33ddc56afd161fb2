//! What is going on right now, by thread: memory only, gone with the bridge.

use rex_shared::ids::Millis;
use rex_shared::ids::ThreadId;
use rex_shared::wire::follow::{Stage, Status};
use rex_shared::wire::message::Context;
use rex_shared::wire::prompt::Dialog;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
pub struct LiveTable(Arc<Mutex<Threads>>);

#[derive(Debug, Default)]
struct Threads {
    live: HashMap<ThreadId, Live>,
    /// Generations outlast the hold: a frame of a run before it must still be told from one after it.
    generations: HashMap<ThreadId, u64>,
}

impl LiveTable {
    /// The thread's live facts, if the bridge holds a runtime for it.
    pub fn peek(&self, thread: &ThreadId) -> Option<Live> {
        self.lock().live.get(thread).cloned()
    }

    /// Runs of this thread since the bridge started, whether it is live or not.
    pub fn generation(&self, thread: &ThreadId) -> u64 {
        self.lock()
            .generations
            .get(thread)
            .copied()
            .unwrap_or_default()
    }

    /// The thread as its status frame says it.
    pub fn status(&self, thread: &ThreadId) -> Status {
        let generation = self.generation(thread);
        let live = self.peek(thread);
        let known = live.as_ref();
        Status {
            thread_id: thread.clone(),
            generation,
            live: known.is_some(),
            busy: known.is_some_and(|live| live.busy),
            stage: known.and_then(|live| live.stage),
            started_at: known.and_then(|live| live.started_at),
        }
    }

    /// The bridge holds the thread from now on; whether it did not before.
    pub fn hold(&self, thread: &ThreadId) -> bool {
        let mut threads = self.lock();
        if threads.live.contains_key(thread) {
            return false;
        }
        let generation = threads.generations.get(thread).copied().unwrap_or_default();
        threads.live.insert(
            thread.clone(),
            Live {
                generation,
                ..Live::default()
            },
        );
        true
    }

    /// Changes a live thread's facts; makes them when it was cold.
    pub fn update(&self, thread: &ThreadId, change: impl FnOnce(&mut Live)) {
        let mut threads = self.lock();
        let live = threads.live.entry(thread.clone()).or_default();
        change(live);
        let generation = live.generation;
        threads.generations.insert(thread.clone(), generation);
    }

    /// The hold ended: the thread is cold again.
    pub fn forget(&self, thread: &ThreadId) {
        self.lock().live.remove(thread);
    }

    fn lock(&self) -> MutexGuard<'_, Threads> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S149: the number grows with each run of one start, over holds too, so that an older frame can be told.
    #[test]
    fn a_generation_outlasts_the_hold() {
        let table = LiveTable::default();
        let thread = ThreadId::parse("00000000-0000-7000-8000-000000000001").unwrap();
        assert!(table.hold(&thread));
        table.update(&thread, |live| live.generation += 1);
        table.forget(&thread);
        assert_eq!(table.peek(&thread), None);
        assert_eq!(table.status(&thread).generation, 1);
        assert!(table.hold(&thread));
        table.update(&thread, |live| live.generation += 1);
        assert_eq!(table.generation(&thread), 2);
    }

    /// S98 S100: held is not busy, and looking makes nothing live.
    #[test]
    fn looking_makes_nothing_live_and_held_is_not_busy() {
        let table = LiveTable::default();
        let thread = ThreadId::parse("00000000-0000-7000-8000-000000000001").unwrap();
        assert!(!table.status(&thread).live);
        assert_eq!(table.peek(&thread), None);
        table.hold(&thread);
        let status = table.status(&thread);
        assert!(status.live && !status.busy);
    }
}
