//! `rex debug THREAD`: one report, whether a bridge runs or not.

use crate::machine::{Machine, text, wait_until};
use serde_json::json;

const THREAD: &str = "01890a5d-ac96-774b-bcce-b302099a8058";

/// S48 S56: the report tells what the agent and the disk say, from the bridge that runs, from the agent itself when it is
/// asked, and from the home alone.
#[test]
fn one_comment_is_reported_on_with_and_without_a_bridge() {
    let machine = Machine::new();
    let rex = machine.serve("docs");
    let secret = rex.sign_in(rex.code()).unwrap();
    let prompt = json!({
        "messageId": "01890a5d-ac96-774b-bcce-b302099a8057",
        "text": "Is a mirabelle a plum?",
        "sdk": "demo",
        "gateway": "default",
        "acceptUnenforced": true,
    });
    let path = format!("/api/threads/{THREAD}/prompt");
    let (status, answer) = rex.ask("POST", &path, &secret, &prompt.to_string());
    assert_eq!(status, 202, "{answer}");
    let report = || text(&machine.run(&["debug", THREAD]));
    wait_until(|| report().contains("outcome     new"));
    wait_until(|| report().contains("sdk store:  has it"));
    let has = [
        "sdk log:    present",
        "reading:    normal",
        "next send:  resumed: Demo remembers this comment.",
    ];
    let running = report();
    let asked = text(&machine.run(&["debug", "--ask", THREAD]));
    rex.end();
    let link = format!("http://127.0.0.1:7390/?thread={THREAD}");
    let alone = text(&machine.run(&["debug", &link]));
    for report in [running, asked, alone] {
        for line in has {
            assert!(report.contains(line), "{line}\n{report}");
        }
        assert!(report.contains(THREAD), "{report}");
        assert!(!report.contains("mirabelle"), "{report}");
    }

    std::fs::remove_dir_all(machine.path(".rex/demo-agent")).unwrap();
    let cleaned = text(&machine.run(&["debug", "--ask", THREAD]));
    for line in [
        "sdk store:  no record",
        "sdk log:    missing",
        "reading:    the cache was cleaned",
        "next send:  replayed: Demo's own record is gone.",
    ] {
        assert!(cleaned.contains(line), "{line}\n{cleaned}");
    }
}

#[test]
fn a_comment_that_is_not_there_is_said() {
    let machine = Machine::new();
    let unknown = machine.run(&["debug", THREAD]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(
        text(&unknown).contains("no REX is running"),
        "{}",
        text(&unknown)
    );
    let rex = machine.serve("docs");
    for (thread, said) in [(THREAD, "comment"), ("#4", "Copy its link")] {
        let output = machine.run(&["debug", thread]);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output).contains(said), "{}", text(&output));
    }
    rex.end();
}
