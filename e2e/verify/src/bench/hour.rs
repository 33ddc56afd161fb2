//! P8: memory after an hour of use, without its pauses.
//!
//! The hour is one of a busy person with two tabs on the 10,000 threads: every minute they open another document and
//! another comment in it, read its history, ask, and follow the answer of the demo agent to its end; every third minute
//! they save the document with a new paragraph, and every tenth they look at a file of code. A pause costs no memory,
//! so there is none; all that a pause would let go of (a thread is held for ten minutes) is still held at the end.

use super::client::Client;
use super::fixture::{DOCUMENTS, Fixture, document};
use super::report::{MEGABYTE, Report};
use crate::bridge::Bridge;
use rex_bundle::machine::workspace;
use rex_shared::ids::{GatewayId, MessageId, Sdk, ThreadId};
use rex_shared::routes::{self, DocumentQuery};
use rex_shared::wire::message::Mode;
use rex_shared::wire::prompt::Prompt;
use std::path::Path;

const MINUTES: u64 = 60;
/// Files of this workspace that are read as code, a language each.
const CODE: [&str; 6] = [
    "bridge/src/store/rows.rs",
    "migrations/0001_foundation.sql",
    "e2e/journeys/rex.ts",
    "style/tokens.css",
    "e2e/package-lock.json",
    "Cargo.toml",
];

pub(super) fn measure(binary: &Path, fixture: &Fixture, report: &mut Report) -> anyhow::Result<()> {
    // What is used is a copy of the home: the fixture stays as it is.
    let home = tempfile::tempdir()?;
    for file in std::fs::read_dir(&fixture.home)? {
        let file = file?;
        if file.file_type()?.is_file() {
            std::fs::copy(file.path(), home.path().join(file.file_name()))?;
        }
    }
    for file in CODE {
        std::fs::copy(workspace().join(file), fixture.folder.join(name(file)))?;
    }
    let bridge = Bridge::start(binary, home.path(), &fixture.folder)?;
    let client = Client::sign_in(&bridge)?;
    let mut other_tab = client.follow(&routes::follow(None, None))?;
    super::listing::list_all(&client)?;
    let mut weights = Vec::new();
    for minute in 0..MINUTES {
        let asked = ask(&client, minute)?;
        other_tab.until("rail", |frame| frame["row"]["threadId"] == asked.as_str())?;
        if minute % 3 == 2 {
            let saved = document(minute);
            write(&fixture.folder.join(&saved), minute)?;
            other_tab.until("document", |frame| frame["document"] == saved.as_str())?;
        }
        if minute % 10 == 9 {
            let file = CODE[usize::try_from(minute / 10)? % CODE.len()];
            read(&client, name(file))?;
        }
        weights.push(bridge.memory()? / MEGABYTE);
    }
    report.add("P8 memory in an hour of use", "MB", 60.0, weights);
    Ok(())
}

/// Opens a document and one of its comments, asks there and follows the answer to its end. Gives the comment.
fn ask(client: &Client, minute: u64) -> anyhow::Result<ThreadId> {
    read(client, &document(minute))?;
    let thread = ThreadId::parse(&format!(
        "00000000-0000-7000-8000-{:012x}",
        minute + DOCUMENTS * (minute % 7)
    ))?;
    client.get(&routes::history(&thread, None))?;
    let mut frames = client.follow(&routes::follow(None, Some(&thread)))?;
    frames.until("snapshot", |_| true)?;
    let prompt = Prompt {
        message_id: MessageId::parse(&format!("00000009-0000-7000-8000-{minute:012x}"))?,
        ws: None,
        text: "Where else do these words stand?".to_owned(),
        places: Vec::new(),
        mode: Mode::Ask,
        sdk: Sdk::parse("demo")?,
        gateway: GatewayId::default_gateway(),
        model: None,
        images: Vec::new(),
        accept_unenforced: true,
    };
    client.post(&routes::prompt(&thread), &prompt)?;
    frames.until("status", |frame| frame["busy"] == true)?;
    frames.until("status", |frame| frame["busy"] == false)?;
    Ok(thread)
}

/// What the page asks for when a document is opened.
fn read(client: &Client, document: &str) -> anyhow::Result<()> {
    client.get("/api/files")?;
    client.get(&routes::documents(
        None,
        &DocumentQuery {
            document,
            ..DocumentQuery::default()
        },
    ))?;
    Ok(())
}

/// Saves a document with one more paragraph at its end.
fn write(file: &Path, minute: u64) -> anyhow::Result<()> {
    let source = std::fs::read_to_string(file)?;
    std::fs::write(file, format!("{source}\nWritten in minute {minute}.\n"))?;
    Ok(())
}

/// The last part of a path.
fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
