//! F10k: a home with 10,000 threads and 200,000 messages, one thread of 5,000. Always the same, made once per schema.

use super::words::Words;
use crate::bridge::Bridge;
use anyhow::Context as _;
use rex_bridge::store::{
    CheckedPlace, Found, NewEntry, NewRun, RecordOp, RunEnd, Standing, Store, WholeTurn,
};
use rex_bundle::machine::target;
use rex_shared::ids::{
    EntryId, GatewayId, MessageId, Millis, PlaceId, RunId, Sdk, ThreadId, Version, WorkspaceId,
};
use rex_shared::transcript::{EntryKind, RunState};
use rex_shared::wire::message::{Mode, Role};
use rex_shared::wire::place::{NewPlace, PlaceKind, PlaceState};
use rex_shared::wire::prompt::Prompt;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) const THREADS: u64 = 10_000;
/// Messages of the first thread.
const LONG: u64 = 5_000;
const MESSAGES: u64 = 200_000;
/// Documents of the workspace; the threads are spread over them evenly, one on each paragraph.
pub(super) const DOCUMENTS: u64 = 100;
/// 1 December 2026, in milliseconds.
const BEGIN: i64 = 1_796_083_200_000;
/// Turns that are stored in one transaction.
const AT_ONCE: usize = 2_000;

/// A home and the folder its workspace is.
pub(super) struct Fixture {
    pub(super) home: PathBuf,
    pub(super) folder: PathBuf,
}

/// Name of a document of the workspace.
pub(super) fn document(number: u64) -> String {
    format!("part-{:02}.md", number % DOCUMENTS)
}

/// The fixture, made if it is not there.
pub(super) fn ten_thousand(binary: &Path) -> anyhow::Result<Fixture> {
    let schema = rex_bridge::store::schema_version();
    let at = target().join("bench").join(format!("f10k-{schema}"));
    let fixture = Fixture {
        home: at.join("home"),
        folder: at.join("folder"),
    };
    // Written anew each time: what used the fixture before may have edited them.
    std::fs::create_dir_all(&fixture.folder)?;
    let documents = write_documents(&fixture.folder)?;
    if at.join("complete").exists() {
        return Ok(fixture);
    }
    if fixture.home.exists() {
        std::fs::remove_dir_all(&fixture.home)?;
    }
    // A real start makes the home and names the workspace, so that the fixture copies no rule of theirs.
    drop(Bridge::start(binary, &fixture.home, &fixture.folder)?);
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(fill(&fixture.home, &documents))?;
    std::fs::write(at.join("complete"), "")?;
    Ok(fixture)
}

/// A document, its paragraphs and where they stand.
struct Paragraphs {
    name: String,
    source: Arc<[u8]>,
    version: Version,
    ranges: Vec<(usize, usize)>,
}

fn write_documents(folder: &Path) -> anyhow::Result<Vec<Paragraphs>> {
    let mut words = Words::new(7);
    (0..DOCUMENTS)
        .map(|number| {
            let name = document(number);
            let mut source = format!("# Part {number}\n");
            let mut ranges = Vec::new();
            for paragraph in 0..THREADS / DOCUMENTS {
                if paragraph % 10 == 0 {
                    writeln!(source, "\n## Section {}", paragraph / 10 + 1)?;
                }
                source.push('\n');
                let start = source.len();
                source.push_str(&words.sentence(30));
                ranges.push((start, source.len()));
                source.push('\n');
            }
            std::fs::write(folder.join(&name), &source)?;
            Ok(Paragraphs {
                name,
                version: Version::parse(blake3::hash(source.as_bytes()).to_hex().as_str())?,
                source: Arc::from(source.into_bytes()),
                ranges,
            })
        })
        .collect()
}

async fn fill(home: &Path, documents: &[Paragraphs]) -> anyhow::Result<()> {
    let store = Store::open(&home.join("rex.db"), Millis(BEGIN))?;
    let workspace = store
        .workspaces()
        .await?
        .into_iter()
        .next()
        .context("the home has no workspace")?
        .workspace_id;
    let mut words = Words::new(1);
    let mut turns = Vec::with_capacity(AT_ONCE);
    for thread in 0..THREADS {
        let messages = match thread {
            0 => LONG,
            _ => (MESSAGES - LONG) / (THREADS - 1),
        };
        for turn in 0..messages.div_ceil(2) {
            let mut one = one_turn(&workspace, &mut words, thread, turn)?;
            if turn == 0 {
                one.prompt.places.push(place(documents, thread)?);
            }
            turns.push(one);
            if turns.len() == AT_ONCE {
                store.add_turns(std::mem::take(&mut turns)).await?;
            }
        }
    }
    store.add_turns(turns).await?;
    store.close().await;
    Ok(())
}

fn one_turn(
    workspace: &WorkspaceId,
    words: &mut Words,
    thread: u64,
    turn: u64,
) -> anyhow::Result<WholeTurn> {
    let id = |kind: u64| format!("{kind:08x}-{thread:04x}-7000-8000-{turn:012x}");
    let reply_id = MessageId::parse(&id(2))?;
    let prompt = Prompt {
        message_id: MessageId::parse(&id(3))?,
        ws: None,
        text: words.sentence(12),
        places: Vec::new(),
        mode: Mode::Ask,
        sdk: Sdk::parse("demo")?,
        gateway: GatewayId::default_gateway(),
        model: None,
        images: Vec::new(),
        accept_unenforced: false,
    };
    let answer = NewEntry {
        entry_id: EntryId::parse(&id(4))?,
        message_id: reply_id.clone(),
        role: Role::Assistant,
        body: EntryKind::Text {
            text: words.sentence(40),
        },
    };
    Ok(WholeTurn {
        prompt: NewRun {
            thread_id: ThreadId::parse(&format!("00000000-0000-7000-8000-{thread:012x}"))?,
            workspace_id: workspace.clone(),
            run_id: RunId::parse(&id(1))?,
            reply_id,
            prompt,
            places: Vec::new(),
            forecast: None,
        },
        stream: vec![RecordOp::Insert(answer)],
        end: RunEnd {
            state: RunState::Done,
            refusal: None,
            failure: None,
            receipt: None,
            cost_usd: None,
            tokens: None,
            duration_ms: Some(1000),
        },
        at: Millis(BEGIN + i64::try_from(thread * 10_000 + turn)?),
    })
}

/// The paragraph that a thread is about.
fn place(documents: &[Paragraphs], thread: u64) -> anyhow::Result<CheckedPlace> {
    let document = &documents[usize::try_from(thread % DOCUMENTS)?];
    let (start, end) = document.ranges[usize::try_from(thread / DOCUMENTS)?];
    let quote = String::from_utf8(document.source[start..end].to_vec())?;
    let (start, end) = (u32::try_from(start)?, u32::try_from(end)?);
    Ok(CheckedPlace {
        place: NewPlace {
            place_id: PlaceId::parse(&format!("00000005-0000-7000-8000-{thread:012x}"))?,
            document: document.name.clone(),
            kind: PlaceKind::Text,
            start,
            end,
            version: document.version.clone(),
            quote: quote.clone(),
        },
        source: Arc::clone(&document.source),
        standing: Standing {
            state: PlaceState::Exact,
            version: Some(document.version.clone()),
            found: Some(Found { start, end, quote }),
            offers: Vec::new(),
        },
        now: None,
    })
}
