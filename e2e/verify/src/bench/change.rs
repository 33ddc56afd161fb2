//! P22: a document of 1 MB with 1,000 comments is changed by another program while it is open.

use super::report::Report;
use super::words::Words;
use crate::bridge::Bridge;
use anyhow::Context as _;
use rex_bundle::machine::{output, workspace};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const RUNS: usize = 20;
const MARKS: usize = 1000;
/// D1: about 1 MB.
const PARAGRAPHS: usize = 1500;
const SENTENCES: usize = 9;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Seen {
    redrawn_ms: f64,
    longest_task_ms: f64,
}

pub(super) fn measure(binary: &Path, report: &mut Report) -> anyhow::Result<()> {
    let (home, folder) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let file = folder.path().join("d1.md");
    let (text, quotes) = document();
    std::fs::write(&file, &text)?;
    let bridge = Bridge::start(binary, home.path(), folder.path())?;
    let (_, bearer) = bridge.sign_in()?;
    comment_on(&bridge, &bearer, &quotes)?;
    let e2e = workspace().join("e2e");
    crate::journeys::packages(&e2e)?;
    let text = output(
        Command::new("node")
            .current_dir(&e2e)
            .arg("bench/change.mjs")
            .arg(format!("{}?doc=d1.md", bridge.ready.url))
            .arg(bearer.trim_start_matches("Bearer "))
            .arg(&file)
            .args([MARKS.to_string(), RUNS.to_string()]),
    )?;
    let seen: Vec<Seen> =
        serde_json::from_str(&text).context("bench/change.mjs printed no list")?;
    report.add(
        "P22 change of D1 with A1k to redrawn marks",
        "ms",
        300.0,
        seen.iter().map(|seen| seen.redrawn_ms).collect(),
    );
    report.add(
        "P22 longest task on the way",
        "ms",
        50.0,
        seen.iter().map(|seen| seen.longest_task_ms).collect(),
    );
    Ok(())
}

/// The document, and in it the sentences that are commented on, by their first byte.
fn document() -> (String, Vec<(usize, String)>) {
    let mut words = Words::new(22);
    let mut text = "# D1\n".to_owned();
    let mut quotes = Vec::new();
    for paragraph in 0..PARAGRAPHS {
        text.push('\n');
        if paragraph % 25 == 0 {
            text.push_str("## Chapter\n\n");
        }
        for sentence in 0..SENTENCES {
            let written = format!("{}.", words.sentence(12));
            // Two paragraphs of three have a comment.
            if sentence == 4 && paragraph % 3 != 2 && quotes.len() < MARKS {
                quotes.push((text.len(), written.clone()));
            }
            text.push_str(&written);
            text.push(if sentence + 1 < SENTENCES { ' ' } else { '\n' });
        }
    }
    (text, quotes)
}

fn comment_on(bridge: &Bridge, bearer: &str, quotes: &[(usize, String)]) -> anyhow::Result<()> {
    // The first answer reads and cuts the whole document, so no time limit here.
    let client: ureq::Agent = ureq::Agent::config_builder().proxy(None).build().into();
    let origin = bridge.ready.url.trim_end_matches('/');
    let shown: Value = client
        .get(format!("{origin}/api/documents?document=d1.md&count=1"))
        .header("authorization", bearer)
        .call()?
        .body_mut()
        .read_json()?;
    for (start, quote) in quotes {
        let place = json!({
            "placeId": uuid::Uuid::now_v7().to_string(),
            "document": "d1.md",
            "kind": "text",
            "start": start,
            "end": start + quote.len(),
            "version": shown["version"],
            "quote": quote,
        });
        let thread = json!({
            "threadId": uuid::Uuid::now_v7().to_string(),
            "note": "To be looked at.",
            "isNote": true,
            "places": [place],
        });
        client
            .post(format!("{origin}/api/threads"))
            .header("authorization", bearer)
            .send_json(thread)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_is_of_one_megabyte_and_every_comment_quotes_it() {
        let (text, quotes) = document();
        assert!((900_000..1_200_000).contains(&text.len()), "{}", text.len());
        assert_eq!(quotes.len(), MARKS);
        assert!(
            quotes
                .iter()
                .all(|(start, quote)| text[*start..].starts_with(quote.as_str()))
        );
    }
}
