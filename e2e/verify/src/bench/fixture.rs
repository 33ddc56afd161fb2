//! F10k: a home with 10,000 threads and 200,000 messages, one thread of 5,000. Always the same, made once per schema.

use super::words::Words;
use anyhow::Context as _;
use rex_bridge::store::{NewEntry, NewRun, RecordOp, RunEnd, Store};
use rex_bundle::machine::target;
use rex_shared::ids::{EntryId, GatewayId, MessageId, Millis, RunId, Sdk, ThreadId, WorkspaceId};
use rex_shared::transcript::{EntryKind, RunState};
use rex_shared::wire::message::{Mode, Role};
use rex_shared::wire::prompt::Prompt;
use std::path::{Path, PathBuf};

const THREADS: u64 = 10_000;
const LONG: u64 = 5_000;
const MESSAGES: u64 = 200_000;
/// 1 December 2026, in milliseconds.
const BEGIN: i64 = 1_796_083_200_000;

/// The folder that the fixture's workspace is.
pub(super) fn folder(home: &Path) -> PathBuf {
    home.with_extension("folder")
}

/// The home with the fixture, made if it is not there.
pub(super) fn ten_thousand(binary: &Path) -> anyhow::Result<PathBuf> {
    let schema = rex_bridge::store::schema_version();
    let home = target().join("bench").join(format!("f10k-{schema}"));
    if home.join("complete").exists() {
        return Ok(home);
    }
    if home.exists() {
        std::fs::remove_dir_all(&home)?;
    }
    let folder = folder(&home);
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("a.md"), "# A\n\nOne sentence to read.\n")?;
    // A real start makes the home and names the workspace, so that the fixture copies no rule of theirs.
    drop(crate::bridge::Bridge::start(binary, &home, &folder)?);
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(fill(&home))?;
    std::fs::write(home.join("complete"), "")?;
    Ok(home)
}

async fn fill(home: &Path) -> anyhow::Result<()> {
    let store = Store::open(&home.join("rex.db"), Millis(BEGIN))?;
    let workspace = store
        .workspaces()
        .await?
        .into_iter()
        .next()
        .context("the home has no workspace")?
        .workspace_id;
    let mut words = Words::new(1);
    let per_thread = (MESSAGES - LONG) / (THREADS - 1);
    for thread in 0..THREADS {
        let messages = if thread == 0 { LONG } else { per_thread };
        for turn in 0..messages / 2 {
            one_turn(&store, &workspace, &mut words, thread, turn).await?;
        }
    }
    store.close().await;
    Ok(())
}

async fn one_turn(
    store: &Store,
    workspace: &WorkspaceId,
    words: &mut Words,
    thread: u64,
    turn: u64,
) -> anyhow::Result<()> {
    let now = Millis(BEGIN + i64::try_from(thread * 10_000 + turn)?);
    let id = |kind: u64| format!("{kind:08x}-{thread:04x}-7000-8000-{turn:012x}");
    let run_id = RunId::parse(&id(1))?;
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
    let thread_id = ThreadId::parse(&format!("00000000-0000-7000-8000-{thread:012x}"))?;
    let new = NewRun {
        thread_id,
        workspace_id: workspace.clone(),
        run_id: run_id.clone(),
        reply_id: reply_id.clone(),
        prompt,
        places: Vec::new(),
        forecast: None,
    };
    store.begin_run(new, now).await?;
    let body = EntryKind::Text {
        text: words.sentence(40),
    };
    let entry = NewEntry {
        entry_id: EntryId::parse(&id(4))?,
        message_id: reply_id,
        role: Role::Assistant,
        body,
    };
    store
        .append(&run_id, vec![RecordOp::Insert(entry)], now)
        .await?;
    let end = RunEnd {
        state: RunState::Done,
        refusal: None,
        failure: None,
        receipt: None,
        cost_usd: None,
        tokens: None,
        duration_ms: Some(1000),
    };
    store.finish_run(&run_id, end, now).await?;
    Ok(())
}
