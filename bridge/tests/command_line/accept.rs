//! An accept, and a bridge that is killed in the middle of it.

use crate::machine::{Machine, Rex, names, wait_until};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use uuid::Uuid;

const OLD: [&str; 2] = ["Old words.\n", "Old words too.\n"];
const NEW: [&str; 2] = ["New words.\n", "New words too.\n"];

/// What the demo agent proposes for both documents: the proposal's path, and what accepts all of it.
fn proposed(rex: &Rex, secret: &str) -> (String, Value) {
    let thread = Uuid::now_v7();
    let prompt = json!({
        "messageId": Uuid::now_v7().to_string(), "text": "Replace \"Old\" with \"New\".", "places": [], "mode": "act",
        "sdk": "demo", "gateway": "default", "model": null, "images": [], "acceptUnenforced": true,
    });
    let path = format!("/api/threads/{thread}/prompt");
    let (status, body) = rex.ask("POST", &path, secret, &prompt.to_string());
    assert_eq!(status, 202, "{body}");
    let path = format!("/api/threads/{thread}/proposals");
    let mut proposals = Value::Null;
    wait_until(|| {
        let (_, body) = rex.ask("GET", &path, secret, "");
        proposals = serde_json::from_str(&body).unwrap();
        !proposals[0].is_null()
    });
    let files = proposals[0]["files"].as_array().unwrap();
    let hunks = files
        .iter()
        .flat_map(|file| file["hunks"].as_array().unwrap());
    let hunks: Vec<Value> = hunks
        .map(|hunk| json!({"hunkId": hunk["hunkId"]}))
        .collect();
    let id = proposals[0]["proposalId"].as_str().unwrap();
    (format!("/api/proposals/{id}"), json!({"hunks": hunks}))
}

/// R53: killed at any point of an accept, every file has its old bytes or every one its new ones after the next start,
/// and the proposal says which.
#[test]
fn a_kill_in_the_middle_of_an_accept_leaves_old_or_new_and_never_a_mix() {
    for (point, expected) in [
        ("accept-staging", OLD),
        ("accept-going", NEW),
        ("accept-putting", NEW),
        ("accept-put", NEW),
    ] {
        let machine = Machine::new();
        let documents = ["docs/a.md", "docs/b.md"].map(|name| machine.path(name));
        for (document, text) in documents.iter().zip(OLD) {
            fs::write(document, text).unwrap();
        }
        let mut rex = machine.serve_with("docs", &[("REX_KILL_AT", point)]);
        let secret = rex.sign_in(rex.code()).unwrap();
        let (proposal, accept) = proposed(&rex, &secret);
        let _open = rex.send(
            "POST",
            &format!("{proposal}/accept"),
            &secret,
            &accept.to_string(),
        );
        assert_eq!(rex.child.wait().unwrap().signal(), Some(9), "{point}");

        let rex = machine.serve("docs");
        let found = documents
            .each_ref()
            .map(|path| fs::read_to_string(path).unwrap());
        assert_eq!(found, expected, "{point}");
        assert_eq!(names(&machine.path("docs")), ["a.md", "b.md"], "{point}");
        let secret = rex.sign_in(rex.code()).unwrap();
        let (_, body) = rex.ask("GET", &proposal, &secret, "");
        let state = if expected == NEW { "accepted" } else { "open" };
        let told: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(told["state"], state, "{point}");
    }
}
