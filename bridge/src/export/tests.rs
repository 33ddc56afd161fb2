//! A review with one of everything, written as each kind of file.

use super::{Asked, Bundle, BundleDocument, Format, html, markdown};
use crate::fresh;
use crate::http::testing::Page;
use crate::store::fixture::{at, ended, prompt, says, version};
use rex_shared::ids::ThreadId;
use rex_shared::transcript::RunState;
use serde_json::{Value, json};

const PRICING: &str = "# Pricing\n\nEvery **seat** costs 12 euros, [see](https://example.org/a?b=1&c=2).\n\n| Plan | Seats |\n|---|---|\n| Pier | 10 |\n";
const SCRIPT: &str = "fn main() {\n    let a = \"<script>\";\n}\n";
const ANSWER: &str =
    "# Yes\n\nIt says so in `pricing.md:3`.\n\n<script>alert(1)</script>\n\n```\nopen";

/// Two documents, and a comment in each lane but resolved.
async fn review() -> Page {
    let page = Page::new().await;
    let folder = page.folder("review");
    std::fs::write(folder.join("pricing.md"), PRICING).unwrap();
    std::fs::write(folder.join("main.rs"), SCRIPT).unwrap();
    let workspace = page.bridge.open_workspace(&folder).await.unwrap();
    let asked = make(
        &page,
        None,
        &[
            ("pricing.md", PRICING, "**seat** costs 12"),
            ("main.rs", SCRIPT, "let a"),
        ],
    )
    .await;
    make(
        &page,
        Some("Ask @legal."),
        &[("pricing.md", PRICING, "Pier")],
    )
    .await;
    make(&page, None, &[("pricing.md", PRICING, "euros")]).await;
    let store = &page.bridge.store;
    let run = store
        .begin_run(
            prompt(&workspace.workspace_id, &asked, "Per month? & <b>"),
            at(1),
        )
        .await
        .unwrap()
        .run;
    store
        .append(&run.run_id, vec![says(&run, ANSWER)], at(2))
        .await
        .unwrap();
    store
        .finish_run(&run.run_id, ended(RunState::Done), at(3))
        .await
        .unwrap();
    page
}

async fn make(page: &Page, note: Option<&str>, places: &[(&str, &str, &str)]) -> ThreadId {
    let id = fresh::id::<ThreadId>();
    let places: Vec<Value> = places
        .iter()
        .map(|(document, source, quote)| {
            let start = source.find(quote).unwrap();
            json!({
                "placeId": fresh::id::<ThreadId>(), "document": document, "kind": "text", "start": start,
                "end": start + quote.len(), "version": version(source), "quote": quote,
            })
        })
        .collect();
    let body = json!({"threadId": id, "note": note, "isNote": note.is_some(), "places": places});
    let made = page.post("/api/threads", body).await;
    assert_eq!(made.status, 200, "{}", made.body);
    id
}

async fn exported(page: &Page, documents: &[&str], format: Format) -> String {
    let asked = Asked {
        workspace: page.bridge.workspace(None).await.unwrap(),
        documents: documents.iter().map(|name| (*name).to_owned()).collect(),
        format,
    };
    page.bridge
        .exporter()
        .write(&asked, at(60_000))
        .await
        .unwrap()
}

/// S80: one document's threads as Markdown or JSON.
#[tokio::test]
async fn a_documents_comments_are_written_with_places_and_messages() {
    let page = review().await;
    let text = exported(&page, &["pricing.md"], Format::Json).await;
    let bundle: Bundle = serde_json::from_str(&text).unwrap();
    let numbers: Vec<u32> = bundle
        .threads
        .iter()
        .map(|thread| thread.thread.row.number)
        .collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert_eq!(bundle.threads[0].messages.len(), 2);
    assert_eq!(bundle.versions[&version(PRICING)], PRICING);
    let Some(BundleDocument {
        version: Some(shown),
        ..
    }) = bundle.documents.first()
    else {
        panic!("{:?}", bundle.documents);
    };
    assert_eq!(*shown, version(PRICING));
    assert_eq!(serde_json::to_string_pretty(&bundle).unwrap(), text);
    let other = exported(&page, &["main.rs"], Format::Json).await;
    assert_eq!(
        serde_json::from_str::<Bundle>(&other)
            .unwrap()
            .threads
            .len(),
        1
    );
}

/// S81: places are links with line numbers, quotes are quotes, who spoke is said, and how it came about is folded.
#[tokio::test]
async fn the_markdown_reads_well_in_a_pull_request() {
    let page = review().await;
    let text = exported(&page, &["pricing.md"], Format::Md).await;
    insta::assert_snapshot!(text);
}

#[tokio::test]
async fn a_draft_is_not_shown_to_others_and_a_thread_comes_once() {
    let page = review().await;
    let text = exported(&page, &["pricing.md", "main.rs", "pricing.md"], Format::Md).await;
    assert!(
        text.starts_with("# Comments on pricing.md, main.rs\n"),
        "{text}"
    );
    assert_eq!(text.matches("## Comment 1").count(), 1);
    assert!(!text.contains("Comment 3"), "{text}");
}

#[tokio::test]
async fn the_page_marks_passages_and_links_both_ways_without_any_script() {
    let page = review().await;
    let text = exported(&page, &["pricing.md", "main.rs"], Format::Html).await;
    assert!(!text.contains("<script"), "{text}");
    assert!(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(text.contains("<strong><span id=\"place-"), "{text}");
    assert!(
        text.contains("<mark>seat</mark></strong><mark> costs 12</mark><a class=\"number\" href=\"#comment-1\""),
        "{text}"
    );
    assert!(text.contains("<mark>let</mark>"), "{text}");
    assert!(
        text.contains("href=\"https://example.org/a?b=1&amp;c=2\""),
        "{text}"
    );
    for id in text
        .split(" href=\"#")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
    {
        assert!(
            text.contains(&format!(" id=\"{id}\"")),
            "nothing is at #{id}"
        );
    }
}

#[test]
fn a_bundle_without_comments_is_still_a_file() {
    let bundle = Bundle {
        format: super::FORMAT,
        workspace: "a*b".to_owned(),
        exported_at: at(0),
        documents: Vec::new(),
        formats: [].into(),
        threads: Vec::new(),
        agents: [].into(),
        versions: [].into(),
    };
    assert!(markdown::write(&bundle).contains("From a\\*b, 2027-01-15 08:00 UTC: no comments."));
    assert!(html::write(&bundle, &[]).ends_with("</html>\n"));
}
