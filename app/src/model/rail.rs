//! The rail: every thread's row by id, their order, and which are shown.

use crate::reactive::{SharedState, State, Stored};
use crate::sorted::sort_by_key;
use rex_shared::ids::ThreadId;
use rex_shared::lane::Lane;
use rex_shared::wire::follow::Rail;
use rex_shared::wire::thread::ThreadRow;
use rex_shared::wire::workspace::LaneCounts;
use std::collections::{HashMap, HashSet};

/// Which lane the rail and the paper show; `None` is all.
pub type LaneFilter = Option<Lane>;

/// What goes on in the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Activity {
    /// Threads whose run goes on without the person.
    pub answering: u32,
    /// Threads whose run waits for the person.
    pub asks: u32,
}

/// The rail's rows by id.
#[derive(Debug, Clone, Copy)]
pub struct RailRows {
    /// Every row. The map changes when a thread comes or goes, a row's own signal when the row does.
    pub rows: State<HashMap<ThreadId, SharedState<ThreadRow>>>,
    /// The ids of all threads in the order of the design.
    pub order: State<Vec<ThreadId>>,
    /// The filter, which acts on rail and paper alike.
    pub filter: State<LaneFilter>,
    /// Whether the rows came at all.
    pub came: State<bool>,
    /// Threads that a frame told of since the last listing was asked for: the frame is newer than the listing.
    told: Stored<HashSet<ThreadId>>,
}

impl RailRows {
    pub(super) fn new() -> Self {
        Self {
            rows: State::default(),
            order: State::default(),
            filter: State::default(),
            came: State::default(),
            told: Stored::new(HashSet::new()),
        }
    }

    /// The row of a thread, if the rail has it. Tracks the map, not the row.
    pub fn row(&self, id: &ThreadId) -> Option<SharedState<ThreadRow>> {
        self.rows.with(|rows| rows.get(id).cloned())
    }

    /// Call this before asking for a listing.
    pub fn listing(&self) {
        self.told.update_value(HashSet::clear);
    }

    /// Replaces the whole rail by a listing, keeping the signal of every row that stays. Threads that a frame told of
    /// meanwhile are as the frame said.
    pub fn replace(&self, list: Vec<ThreadRow>) {
        let listed: HashSet<_> = list.iter().map(|row| row.thread_id.clone()).collect();
        let told = self.told.get_value();
        self.rows
            .update(|rows| rows.retain(|id, _| told.contains(id) || listed.contains(id)));
        self.merge(list);
        self.came.set(true);
    }

    /// Takes rows of a listing. Threads that a frame told of meanwhile are as the frame said.
    pub fn merge(&self, list: Vec<ThreadRow>) {
        let told = self.told.get_value();
        let mut new = Vec::new();
        for row in list {
            if told.contains(&row.thread_id) {
                continue;
            }
            match self
                .rows
                .with_untracked(|rows| rows.get(&row.thread_id).cloned())
            {
                Some(signal) => set_if_new(&signal, row),
                None => new.push((row.thread_id.clone(), SharedState::new(row))),
            }
        }
        if !new.is_empty() {
            self.rows.update(|rows| rows.extend(new));
        }
        self.sort();
    }

    /// Empties the rail for another workspace.
    pub(super) fn clear(&self) {
        self.rows.set(HashMap::new());
        self.order.set(Vec::new());
        self.came.set(false);
    }

    /// Takes a change of one row. Gives the row as it was.
    pub(super) fn apply(&self, change: Rail) -> Option<ThreadRow> {
        self.told.update_value(|told| {
            told.insert(match &change {
                Rail::Row { row } => row.thread_id.clone(),
                Rail::Removed { removed } => removed.clone(),
            });
        });
        let before = match change {
            Rail::Row { row } => {
                let known = self
                    .rows
                    .with_untracked(|rows| rows.get(&row.thread_id).cloned());
                match known {
                    Some(signal) => {
                        let before = signal.get_untracked();
                        set_if_new(&signal, *row);
                        Some(before)
                    }
                    None => {
                        let id = row.thread_id.clone();
                        self.rows.update(|rows| {
                            rows.insert(id, SharedState::new(*row));
                        });
                        None
                    }
                }
            }
            Rail::Removed { removed } => self
                .rows
                .try_update(|rows| rows.remove(&removed))
                .flatten()
                .map(|signal| signal.get_untracked()),
        };
        self.sort();
        before
    }

    fn sort(&self) {
        let mut order: Vec<_> = self.rows.with_untracked(|rows| {
            rows.iter()
                .map(|(id, row)| (row.with_untracked(sort_key), id.clone()))
                .collect()
        });
        sort_by_key(&mut order, |(key, _)| *key);
        let order: Vec<_> = order.into_iter().map(|(_, id)| id).collect();
        if self.order.with_untracked(|old| *old != order) {
            self.order.set(order);
        }
    }

    /// Threads in each lane. Tracks every row.
    pub fn counts(&self) -> LaneCounts {
        let mut counts = LaneCounts::default();
        self.rows.with(|rows| {
            for row in rows.values() {
                *match row.with(|row| row.lane) {
                    Lane::Draft => &mut counts.draft,
                    Lane::Note => &mut counts.note,
                    Lane::Open => &mut counts.open,
                    Lane::Gone => &mut counts.gone,
                    Lane::Resolved => &mut counts.resolved,
                } += 1;
            }
        });
        counts
    }

    /// What goes on. Tracks every row.
    pub fn activity(&self) -> Activity {
        let mut activity = Activity::default();
        self.rows.with(|rows| {
            for row in rows.values() {
                row.with(|row| match (row.asks_you, row.busy) {
                    (true, _) => activity.asks += 1,
                    (false, true) => activity.answering += 1,
                    (false, false) => {}
                });
            }
        });
        activity
    }

    /// The next thread after `after` that asks the person, going round; else the next that is answering.
    pub fn next_active(&self, after: Option<&ThreadId>) -> Option<ThreadRow> {
        let order = self.order.get();
        let start = after
            .and_then(|after| order.iter().position(|id| id == after))
            .map_or(0, |at| at + 1);
        let round = || {
            order[start.min(order.len())..]
                .iter()
                .chain(&order[..start.min(order.len())])
                .filter_map(|id| self.row(id))
                .map(|row| row.get())
        };
        round()
            .find(|row| row.asks_you)
            .or_else(|| round().find(|row| row.busy))
    }

    /// The shown ids in order; see [`shown`]. Tracks order, filter and the lanes of the rows.
    pub fn shown(&self, before: &[ThreadId], held: bool) -> Vec<ThreadId> {
        let filter = self.filter.get();
        self.rows.with(|rows| {
            self.order.with(|order| {
                shown(order, before, held, |id| {
                    rows.get(id).is_some_and(|row| {
                        filter.is_none_or(|lane| row.with(|row| row.lane) == lane)
                    })
                })
            })
        })
    }
}

/// Manual order first, then newest activity. The number decides between equals, so that the order is total.
fn sort_key(row: &ThreadRow) -> [i64; 4] {
    [
        row.position.is_none().into(),
        row.position.unwrap_or_default(),
        row.last_activity_at.0.saturating_neg(),
        -i64::from(row.number),
    ]
}

/// The list on screen. While the pointer is over it (`held`) no row moves: what was there stays in its order, even
/// if it left its lane, and what is new comes at the end.
fn shown(
    order: &[ThreadId],
    before: &[ThreadId],
    held: bool,
    fits: impl Fn(&ThreadId) -> bool,
) -> Vec<ThreadId> {
    let fitting = order.iter().filter(|id| fits(id));
    if !held {
        return fitting.cloned().collect();
    }
    let stays = before.iter().filter(|id| order.contains(id));
    let new = fitting.filter(|id| !before.contains(id));
    stays.chain(new).cloned().collect()
}

fn set_if_new(signal: &SharedState<ThreadRow>, row: ThreadRow) {
    if signal.with_untracked(|old| *old != row) {
        signal.set(row);
    }
}
