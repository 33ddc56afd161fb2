//! The demo agent, spoken to in its protocol.

use super::memory::Memory;
use super::peer::Peer;
use super::serve::serve;
use serde_json::{Value, json};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;

const LIMIT: Duration = Duration::from_secs(10);

/// What the agent writes, line by line.
struct Lines(mpsc::UnboundedSender<Value>, Vec<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = serde_json::from_slice(&std::mem::take(&mut self.1))?;
        self.0.send(line).map_err(io::Error::other)
    }
}

/// A running demo agent in a workspace of its own.
struct Demo {
    say: mpsc::UnboundedSender<String>,
    heard: mpsc::UnboundedReceiver<Value>,
    number: u64,
}

impl Demo {
    fn start(memory: &Path) -> Self {
        let (say, incoming) = mpsc::unbounded_channel();
        let (sender, heard) = mpsc::unbounded_channel();
        let peer = Peer::new(incoming, Box::new(Lines(sender, Vec::new())));
        tokio::spawn(serve(peer, Memory::at(memory.to_owned())));
        Self {
            say,
            heard,
            number: 0,
        }
    }

    fn request(&mut self, method: &str, params: &Value) -> u64 {
        self.number += 1;
        self.send(
            &json!({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}),
        );
        self.number
    }

    fn send(&self, message: &Value) {
        self.say.send(message.to_string()).unwrap();
    }

    async fn next(&mut self) -> Value {
        timeout(LIMIT, self.heard.recv()).await.unwrap().unwrap()
    }

    /// What was told until the answer, and the answer.
    async fn answer(&mut self, id: u64) -> (Vec<Value>, Value) {
        let mut told = Vec::new();
        loop {
            let message = self.next().await;
            if message["id"] == id && message["method"].is_null() {
                return (told, message);
            }
            told.push(message["params"]["update"].clone());
        }
    }

    async fn call(&mut self, method: &str, params: &Value) -> Value {
        let id = self.request(method, params);
        self.answer(id).await.1
    }

    async fn begin(&mut self, folder: &Path) -> String {
        let made = self.call("session/new", &json!({"cwd": folder})).await;
        made["result"]["sessionId"].as_str().unwrap().to_owned()
    }

    fn prompt(&mut self, session_id: &str, text: &str) -> u64 {
        let prompt = json!([{"type": "text", "text": text}]);
        self.request(
            "session/prompt",
            &json!({"sessionId": session_id, "prompt": prompt}),
        )
    }

    async fn ask(&mut self, session_id: &str, text: &str) -> (String, Value) {
        let id = self.prompt(session_id, text);
        let (told, answer) = self.answer(id).await;
        (words(&told), answer)
    }
}

fn words(told: &[Value]) -> String {
    told.iter()
        .filter(|update| update["sessionUpdate"] == "agent_message_chunk")
        .filter_map(|update| update["content"]["text"].as_str())
        .collect()
}

fn workspace() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("workspace");
    fs::create_dir(&root).unwrap();
    fs::write(
        root.join("plan.md"),
        "# Plan\n\nBackups are kept 30 days.\n",
    )
    .unwrap();
    fs::write(
        root.join("law.md"),
        "Legal says:\nbackups must be kept 90 days.\n",
    )
    .unwrap();
    let memory = folder.path().join("memory");
    (folder, root, memory)
}

const ABOUT_LINE_3: &str = "The comment is about these passages:\n\n- plan.md:3-3\n  > Backups are kept 30 days.\n\nThe user now asks:\n\n";

/// S64: the passage arrives with its file and lines, and the agent reads it there.
#[tokio::test]
async fn it_reads_the_place_it_is_given_and_finds_where_the_same_words_stand() {
    let (_folder, root, memory) = workspace();
    let mut demo = Demo::start(&memory);
    let session = demo.begin(&root).await;
    let id = demo.prompt(&session, &format!("{ABOUT_LINE_3}Is this right?"));
    let (told, answer) = demo.answer(id).await;
    let said = words(&told);
    assert!(said.starts_with("I am REX's demo agent"), "{said}");
    assert!(said.contains("turn 1 of what I remember."), "{said}");
    assert!(
        said.contains("`plan.md:3` says:\n\n> Backups are kept 30 days."),
        "{said}"
    );
    assert!(
        said.contains("`law.md:2`") && said.contains("with other numbers"),
        "{said}"
    );
    assert_eq!(answer["result"]["stopReason"], "end_turn");

    let reads: Vec<&Value> = told
        .iter()
        .filter(|update| update["sessionUpdate"] == "tool_call")
        .collect();
    let paths: Vec<&str> = reads
        .iter()
        .filter_map(|update| update["rawInput"]["path"].as_str())
        .collect();
    assert_eq!(paths, ["plan.md", "law.md"]);
    let pieces = told
        .iter()
        .filter(|update| update["sessionUpdate"] == "agent_message_chunk")
        .count();
    assert!(pieces > 5, "in small pieces: {pieces}");
}

#[tokio::test]
async fn a_file_that_changed_or_is_gone_is_said_so() {
    let (_folder, root, memory) = workspace();
    let mut demo = Demo::start(&memory);
    let session = demo.begin(&root).await;
    let gone =
        "The comment is about these passages:\n\n- old.md:1-1\n  > x\n\nThe user now asks:\n\n?";
    assert!(
        demo.ask(&session, gone)
            .await
            .0
            .contains("I could not read `old.md`.")
    );
    let moved = "The comment is about these passages:\n\n- plan.md (no longer found there; it read:)\n  > Backups are kept 7 days.\n\nThe user now asks:\n\n?";
    assert!(
        demo.ask(&session, moved)
            .await
            .0
            .contains("not in it as it was quoted")
    );
}

/// S23: a session of an earlier process is gone on with, and one that is not there is refused by its number.
#[tokio::test]
async fn it_remembers_across_processes_and_says_which_turn_it_is() {
    let (_folder, root, memory) = workspace();
    let mut first = Demo::start(&memory);
    let session = first.begin(&root).await;
    first.ask(&session, "hello").await;

    let mut second = Demo::start(&memory);
    let params = json!({"sessionId": session, "cwd": root});
    assert!(second.call("session/resume", &params).await["error"].is_null());
    let (said, _) = second.ask(&session, "and again").await;
    assert!(said.contains("turn 2 of what I remember"), "{said}");

    let mut third = Demo::start(&memory);
    let id = third.request("session/load", &params);
    let (past, _) = third.answer(id).await;
    assert_eq!(past.len(), 4, "both turns are told again");
    assert!(third.ask(&session, "third").await.0.contains("turn 3 of"));

    let elsewhere = json!({"sessionId": session, "cwd": "/"});
    assert_eq!(
        third.call("session/load", &elsewhere).await["error"]["code"],
        -32602
    );
    for unknown in [
        "99999999-9999-4999-8999-999999999999",
        "../../etc/passwd",
        "",
    ] {
        let params = json!({"sessionId": unknown, "cwd": root});
        assert_eq!(
            third.call("session/resume", &params).await["error"]["code"],
            -32002,
            "{unknown}"
        );
    }
    fs::remove_dir_all(&memory).unwrap();
    let mut fourth = Demo::start(&memory);
    assert_eq!(
        fourth.call("session/resume", &params).await["error"]["code"],
        -32002
    );
}

#[tokio::test]
async fn it_asks_for_permission_and_goes_on_as_it_is_answered() {
    let (_folder, root, memory) = workspace();
    let mut demo = Demo::start(&memory);
    let session = demo.begin(&root).await;
    for (message, option, expected) in [
        ("ask permission", "once", "You let me read `/etc/hostname`"),
        ("ask permission", "no", "You did not let me read"),
        (
            "ask permission to run a command",
            "always",
            "I counted myself: 5 lines in 2 files",
        ),
        (
            "ask permission to run a command",
            "no",
            "You did not let me run",
        ),
    ] {
        let id = demo.prompt(&session, message);
        let request = demo.next().await;
        assert_eq!(request["method"], "session/request_permission");
        let outcome = json!({"outcome": {"outcome": "selected", "optionId": option}});
        demo.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": outcome}));
        let (told, _) = demo.answer(id).await;
        assert!(
            words(&told).contains(expected),
            "{message}: {}",
            words(&told)
        );
    }
}

#[tokio::test]
async fn a_slow_answer_can_be_cancelled_and_is_not_remembered() {
    let (_folder, root, memory) = workspace();
    let mut demo = Demo::start(&memory);
    let session = demo.begin(&root).await;
    let id = demo.prompt(&session, "slow, please");
    while demo.next().await["params"]["update"]["sessionUpdate"] != "agent_message_chunk" {}
    demo.send(
        &json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}}),
    );
    assert_eq!(demo.answer(id).await.1["result"]["stopReason"], "cancelled");
    assert!(demo.ask(&session, "again").await.0.contains("turn 1 of"));
}

#[tokio::test]
async fn it_fails_as_a_provider_does_and_once_if_so_asked() {
    let (_folder, root, memory) = workspace();
    let mut demo = Demo::start(&memory);
    let session = demo.begin(&root).await;
    let (_, refused) = demo.ask(&session, "fail with 400").await;
    assert_eq!(refused["error"]["code"], -32603);
    assert_eq!(refused["error"]["data"]["status"], 400);
    assert_eq!(
        demo.ask(&session, "fail once").await.1["error"]["data"]["status"],
        529
    );
    assert_eq!(
        demo.ask(&session, "fail once").await.1["result"]["stopReason"],
        "end_turn"
    );
}

#[tokio::test]
async fn what_it_does_not_know_is_refused_and_noise_is_passed_over() {
    let (_folder, _root, memory) = workspace();
    let mut demo = Demo::start(&memory);
    demo.say.send("no message".to_owned()).unwrap();
    assert_eq!(
        demo.call("session/fly", &json!({})).await["error"]["code"],
        -32601
    );
    let unknown = json!({"sessionId": "x", "prompt": []});
    assert_eq!(
        demo.call("session/prompt", &unknown).await["error"]["code"],
        -32002
    );
}
