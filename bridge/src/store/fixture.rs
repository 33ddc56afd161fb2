//! A home in a temp folder, and short words for what tests store in it.

use super::writer::Durability;
use super::{CheckedPlace, Found, NewEntry, NewRun, RecordOp, Resolved, RunEnd, Standing, Store};
use crate::fresh;
use rex_shared::ids::{GatewayId, MessageId, Millis, PlaceId, Sdk, ThreadId, Version, WorkspaceId};
use rex_shared::transcript::{EntryKind, RunRecord, RunState};
use rex_shared::wire::message::{Mode, Role};
use rex_shared::wire::place::{NewPlace, PlaceKind, PlaceState};
use rex_shared::wire::prompt::Prompt;
use rex_shared::wire::thread::NewThread;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

/// A moment; later ones are `at(1)`, `at(2)`, ….
pub(crate) fn at(later: i64) -> Millis {
    Millis(1_800_000_000_000 + later)
}

pub(crate) struct Home {
    pub(crate) store: Store,
    pub(crate) workspace: WorkspaceId,
    pub(crate) folder: TempDir,
}

impl Home {
    pub(crate) async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("rex.db"), at(0)).unwrap();
        let workspace = store.open_workspace("/review", at(0)).await.unwrap();
        Self {
            store,
            workspace: workspace.workspace_id,
            folder,
        }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("rex.db")
    }

    /// What a bridge that was killed this instant leaves to the next one.
    pub(crate) fn killed(self) -> Self {
        let folder = TempDir::new().unwrap();
        for file in std::fs::read_dir(self.folder.path()).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
        }
        let store = Store::open(&folder.path().join("rex.db"), at(0)).unwrap();
        Self {
            store,
            workspace: self.workspace,
            folder,
        }
    }

    /// A draft on these quotes of `pricing.md`.
    pub(crate) async fn draft(&self, quotes: &[&str], now: Millis) -> ThreadId {
        let new = new_thread();
        let thread = new.thread_id.clone();
        let places = quotes
            .iter()
            .map(|quote| place("pricing.md", quote))
            .collect();
        self.store
            .create_thread(&self.workspace, new, places, now)
            .await
            .unwrap();
        thread
    }

    /// A prompt for a thread that may not exist yet.
    pub(crate) fn prompt(&self, thread: &ThreadId, text: &str) -> NewRun {
        prompt(&self.workspace, thread, text)
    }

    /// Sends a prompt that starts at once.
    pub(crate) async fn send(&self, thread: &ThreadId, text: &str, now: Millis) -> RunRecord {
        let begun = self.store.begin_run(self.prompt(thread, text), now).await;
        begun.unwrap().run
    }

    /// Sends a prompt and has it answered.
    pub(crate) async fn turn(&self, thread: &ThreadId, text: &str, answer: &str, now: Millis) {
        let run = self.send(thread, text, now).await;
        self.store
            .append(&run.run_id, vec![says(&run, answer)], now)
            .await
            .unwrap();
        self.store
            .finish_run(&run.run_id, ended(RunState::Done), now)
            .await
            .unwrap();
    }
}

impl Store {
    /// Whether the database may take another page: where it may not, the disk is full as far as it can tell.
    pub(crate) async fn let_grow(&self, grow: bool) {
        let limited = self.write(Durability::Streamed, move |db| {
            let pages: i64 = match grow {
                true => 1_000_000,
                false => db.query_row("PRAGMA page_count", [], |row| row.get(0))?,
            };
            db.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?;
            Ok(())
        });
        limited.await.unwrap();
    }
}

/// A prompt to the demo agent.
pub(crate) fn prompt(workspace: &WorkspaceId, thread: &ThreadId, text: &str) -> NewRun {
    NewRun {
        thread_id: thread.clone(),
        workspace_id: workspace.clone(),
        run_id: fresh::id(),
        reply_id: fresh::id(),
        prompt: Prompt {
            message_id: fresh::id(),
            ws: None,
            text: text.to_owned(),
            places: Vec::new(),
            mode: Mode::Ask,
            sdk: sdk("demo"),
            gateway: GatewayId::default_gateway(),
            model: None,
            images: Vec::new(),
            accept_unenforced: false,
        },
        places: Vec::new(),
        forecast: None,
    }
}

pub(crate) fn sdk(name: &str) -> Sdk {
    Sdk::parse(name).unwrap()
}

pub(crate) fn new_thread() -> NewThread {
    NewThread {
        thread_id: fresh::id(),
        ws: None,
        note: None,
        places: Vec::new(),
        is_note: false,
    }
}

pub(crate) fn version(source: &str) -> Version {
    Version::parse(blake3::hash(source.as_bytes()).to_hex().as_str()).unwrap()
}

/// A place on a document that is nothing but its quote.
pub(crate) fn place(document: &str, quote: &str) -> CheckedPlace {
    let end = u32::try_from(quote.len()).unwrap();
    CheckedPlace {
        place: NewPlace {
            place_id: fresh::id(),
            document: document.to_owned(),
            kind: PlaceKind::Text,
            start: 0,
            end,
            version: version(quote),
            quote: quote.to_owned(),
        },
        source: Arc::from(quote.as_bytes()),
        standing: standing(PlaceState::Exact, quote),
        now: None,
    }
}

/// A place that stands so at the beginning of a document that is nothing but this text.
pub(crate) fn standing(state: PlaceState, text: &str) -> Standing {
    Standing {
        state,
        version: (state != PlaceState::Unknown).then(|| version(text)),
        found: (!matches!(state, PlaceState::Gone | PlaceState::Unknown)).then(|| Found {
            start: 0,
            end: u32::try_from(text.len()).unwrap(),
            quote: text.to_owned(),
        }),
        offers: Vec::new(),
    }
}

/// Records where one place of `pricing.md` stands, in the version that the standing names.
pub(crate) async fn record(
    home: &Home,
    place: &PlaceId,
    standing: Standing,
    now: Millis,
) -> Resolved {
    let version = standing.version.clone();
    home.store
        .record_standings(
            &home.workspace,
            "pricing.md",
            version,
            vec![(place.clone(), standing)],
            now,
        )
        .await
        .unwrap()
}

pub(crate) fn entry(message: &MessageId, body: EntryKind) -> RecordOp {
    RecordOp::Insert(NewEntry {
        entry_id: fresh::id(),
        message_id: message.clone(),
        role: Role::Assistant,
        body,
    })
}

/// The agent says this, whole.
pub(crate) fn says(run: &RunRecord, text: &str) -> RecordOp {
    entry(
        &run.reply_id,
        EntryKind::Text {
            text: text.to_owned(),
        },
    )
}

pub(crate) fn ended(state: RunState) -> RunEnd {
    RunEnd {
        state,
        refusal: None,
        failure: None,
        receipt: None,
        cost_usd: None,
        tokens: None,
        duration_ms: None,
    }
}

/// Every stored column of every table.
pub(crate) async fn columns(store: &Store) -> BTreeMap<String, Vec<String>> {
    store
        .read(|db| {
            let mut found = db.prepare(
                "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
                 WHERE t.type = 'table' ORDER BY t.name, c.cid",
            )?;
            let mut found = found.query([])?;
            let mut columns: BTreeMap<String, Vec<String>> = BTreeMap::new();
            while let Some(row) = found.next()? {
                columns.entry(row.get(0)?).or_default().push(row.get(1)?);
            }
            Ok(columns)
        })
        .await
        .unwrap()
}

/// Every text in every row, with its table and column.
pub(crate) async fn texts(store: &Store) -> Vec<(String, String)> {
    let columns = columns(store).await;
    store
        .read(move |db| {
            let mut texts = Vec::new();
            for (table, columns) in &columns {
                for column in columns {
                    let mut found =
                        db.prepare(&format!("SELECT CAST(\"{column}\" AS TEXT) FROM {table}"))?;
                    let mut found = found.query([])?;
                    while let Some(row) = found.next()? {
                        if let Ok(Some(text)) = row.get::<_, Option<String>>(0) {
                            texts.push((format!("{table}.{column}"), text));
                        }
                    }
                }
            }
            Ok(texts)
        })
        .await
        .unwrap()
}
