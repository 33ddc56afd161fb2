//! The real `rex` binary: how it starts, hands over, is found again and ends.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test of the binary has to start it, and fails by panicking"
)]

mod accept;
mod debug;
mod doctor;
mod machine;

use machine::{Machine, Rex, names, text, wait_until};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// S8 S150: one process serves; what it keeps lies in its home, and the folder that is reviewed stays as it was.
#[test]
fn it_says_in_one_line_where_it_is_and_leaves_the_folder_alone() {
    let machine = Machine::new();
    let rex = machine.serve("docs");
    assert_eq!(rex.ready["pid"], rex.child.id());
    assert_eq!(rex.ready["home"], machine.path(".rex").to_str().unwrap());
    assert_eq!(rex.ready["version"], env!("CARGO_PKG_VERSION"));
    let (status, page) = rex.ask("GET", "/", "", "");
    assert_eq!(status, 200);
    assert!(page.starts_with("<!doctype html>") || page.starts_with("<!DOCTYPE html>"));
    let secret = rex.sign_in(rex.code()).unwrap();
    let (status, workspace) = rex.ask("GET", "/api/workspace", &secret, "");
    assert_eq!(status, 200, "{workspace}");
    let workspace: Value = serde_json::from_str(&workspace).unwrap();
    assert_eq!(
        workspace["workspace"]["root"],
        machine.path("docs").to_str().unwrap()
    );
    let (_, rest) = rex.end();
    assert_eq!(rest, "");
    assert_eq!(names(&machine.path("docs")), ["a.md"]);
    assert_eq!(
        fs::read_to_string(machine.path(".rex/.gitignore")).unwrap(),
        "*\n"
    );
}

#[test]
fn it_ends_within_three_seconds_although_tabs_are_open() {
    let machine = Machine::new();
    let rex = machine.serve("docs");
    let idle: Vec<_> = (0..10)
        .map(|_| TcpStream::connect((Ipv4Addr::LOCALHOST, rex.port())).unwrap())
        .collect();
    let (took, _) = rex.end();
    assert!(took < Duration::from_secs(3), "{took:?}");
    assert_eq!(idle.len(), 10);
    assert!(!machine.path(".rex/bridge.json").exists());
}

#[test]
fn no_secret_and_no_text_is_in_the_log() {
    const DOCUMENT: &str = "canary of the document";
    const PROMPT: &str = "canary of the prompt";
    let machine = Machine::new();
    fs::write(machine.path("docs/a.md"), DOCUMENT).unwrap();
    let rex = machine.serve("docs");
    let code = rex.code().to_owned();
    let secret = rex.sign_in(&code).unwrap();
    assert!(rex.sign_in("WRNG-CODE").is_none());
    let (_, document) = rex.ask("GET", "/api/documents?document=a.md", &secret, "");
    assert!(document.contains(DOCUMENT), "{document}");
    let prompt = json!({
        "messageId": "01890a5d-ac96-774b-bcce-b302099a8057",
        "text": PROMPT,
        "sdk": "demo",
        "gateway": "default",
        "acceptUnenforced": true,
    });
    let path = "/api/threads/01890a5d-ac96-774b-bcce-b302099a8058/prompt";
    let (status, answer) = rex.ask("POST", path, &secret, &prompt.to_string());
    assert_eq!(status, 202, "{answer}");
    let history = path.replace("prompt", "history");
    wait_until(|| {
        rex.ask("GET", &history, &secret, "")
            .1
            .contains(r#""role":"assistant""#)
    });
    let notice = fs::read(machine.path(".rex/bridge.json")).unwrap();
    let notice: Value = serde_json::from_slice(&notice).unwrap();
    let control = notice["secret"].as_str().unwrap();
    let linked = machine.run(&["link"]);
    let log = rex.log.clone();
    rex.end();
    let log = fs::read_to_string(log).unwrap() + &text(&linked);
    for canary in [&code, &secret, control, DOCUMENT, PROMPT] {
        assert!(
            !log.contains(canary),
            "a canary of {} bytes sang",
            canary.len()
        );
    }
}

/// S152: the second folder of a home is served by the bridge that has the home already.
#[test]
fn a_second_rex_hands_its_folder_to_the_first() {
    let machine = Machine::new();
    fs::create_dir(machine.path("more")).unwrap();
    let first = machine.serve("docs");
    let second = machine.run(&["more", "--no-open", "--json"]);
    assert_eq!(second.status.code(), Some(0), "{}", text(&second));
    let ready: Value = serde_json::from_slice(&second.stdout).unwrap();
    assert_eq!(ready["pid"], first.child.id());
    let url = ready["url"].as_str().unwrap();
    assert!(
        url.starts_with(&format!("http://127.0.0.1:{}/?ws=", first.port())),
        "{url}"
    );
    let secret = first.sign_in(first.code()).unwrap();
    let (_, workspaces) = first.ask("GET", "/api/workspaces", &secret, "");
    assert!(
        workspaces.contains(machine.path("more").to_str().unwrap()),
        "{workspaces}"
    );
    first.end();
}

#[test]
fn of_several_that_start_at_once_one_serves() {
    let machine = Machine::new();
    let starting: Vec<_> = (0..6)
        .map(|_| {
            machine
                .rex(&["docs", "--no-open", "--json", "--port", "0"])
                .env("RUST_LOG", "off")
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let mut serving = None;
    let mut over = Vec::new();
    for mut child in starting {
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let ready: Value = serde_json::from_str(&line).unwrap_or_default();
        if ready["pid"] == child.id() {
            assert!(serving.is_none(), "two bridges on one home");
            serving = Some(Rex {
                child,
                ready,
                out,
                log: machine.path("none"),
            });
        } else {
            over.push((child, ready));
        }
    }
    let serving = serving.unwrap();
    for (child, ready) in over {
        let output = child.wait_with_output().unwrap();
        match output.status.code() {
            Some(0) => assert_eq!(ready["pid"], serving.child.id()),
            _ => assert!(
                text(&output).contains("another REX holds"),
                "{}",
                text(&output)
            ),
        }
    }
    serving.signal(Signal::TERM);
}

#[test]
fn a_bridge_that_does_not_answer_is_named_and_nothing_is_taken_from_it() {
    let machine = Machine::new();
    let first = machine.serve("docs");
    first.signal(Signal::STOP);
    let started = Instant::now();
    let second = machine.run(&["docs", "--no-open"]);
    let took = started.elapsed();
    first.signal(Signal::CONT);
    assert_eq!(second.status.code(), Some(1));
    assert!(took < Duration::from_secs(3), "{took:?}");
    let said = text(&second);
    assert!(
        said.contains(&format!(
            "process {}, port {}",
            first.child.id(),
            first.port()
        )),
        "{said}"
    );
    assert!(said.contains("--home"), "{said}");
    first.end();
}

#[test]
fn a_port_that_was_asked_for_and_is_taken_is_a_failure() {
    let machine = Machine::new();
    let stranger = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = stranger.local_addr().unwrap().port().to_string();
    let rex = machine.run(&["docs", "--no-open", "--port", &port]);
    assert_eq!(rex.status.code(), Some(1));
    assert!(
        text(&rex).contains(&format!("port {port} is taken")),
        "{}",
        text(&rex)
    );
}

/// S8: a database inside the folder to review could be committed; REX refuses and says what to do.
#[test]
fn a_home_inside_the_folder_is_refused_before_anything_is_made() {
    let machine = Machine::new();
    for home in ["docs", "docs/.rex"] {
        let rex = machine.run(&["docs", "--no-open", "--home", home]);
        assert_eq!(rex.status.code(), Some(1));
        assert!(text(&rex).contains("--home"), "{}", text(&rex));
    }
    let around = machine.run(&[".", "--no-open"]);
    assert_eq!(around.status.code(), Some(1));
    assert_eq!(names(&machine.path("docs")), ["a.md"]);
    assert!(!machine.path(".rex").exists());
}

#[test]
fn a_link_signs_in_once_and_rotating_signs_everyone_out() {
    let machine = Machine::new();
    let alone = machine.run(&["link"]);
    assert_eq!(alone.status.code(), Some(1));
    assert!(
        text(&alone).contains("no REX is running"),
        "{}",
        text(&alone)
    );
    let rex = machine.serve("docs");
    let linked = |arguments: &[&str]| {
        let output = machine.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        let said = String::from_utf8(output.stdout).unwrap();
        said.split_once("#code=")
            .unwrap()
            .1
            .split_whitespace()
            .next()
            .unwrap()
            .to_owned()
    };
    let code = linked(&["link"]);
    let secret = rex.sign_in(&code).unwrap();
    assert!(rex.sign_in(&code).is_none());
    assert_eq!(rex.ask("GET", "/api/health", &secret, "").0, 200);
    let code = linked(&["link", "--rotate"]);
    assert_eq!(rex.ask("GET", "/api/health", &secret, "").0, 401);
    assert!(rex.sign_in(rex.code()).is_none());
    assert!(rex.sign_in(&code).is_some());
    rex.end();
}

/// S80: an export needs no bridge, and asks the one that holds the home when there is one.
#[test]
fn comments_are_exported_with_and_without_a_bridge() {
    let machine = Machine::new();
    let path = machine.path("docs").join("a.md");
    let document = path.to_str().unwrap();
    let refused = machine.run(&["export", document]);
    assert_eq!(refused.status.code(), Some(1));
    let rex = machine.serve("docs");
    let served = machine.run(&["export", document]);
    assert_eq!(served.status.code(), Some(0), "{}", text(&served));
    assert!(
        text(&served).starts_with("# Comments on a.md\n"),
        "{}",
        text(&served)
    );
    let elsewhere = machine.run(&["export", "/no/such/place.md"]);
    assert_eq!(elsewhere.status.code(), Some(1));
    assert!(
        text(&elsewhere).contains("REX was opened on"),
        "{}",
        text(&elsewhere)
    );
    rex.end();
    let out = machine.path("out.html");
    let alone = machine.run(&[
        "export",
        document,
        "--format",
        "html",
        "--out",
        out.to_str().unwrap(),
    ]);
    assert_eq!(alone.status.code(), Some(0), "{}", text(&alone));
    assert!(fs::read_to_string(out).unwrap().ends_with("</html>\n"));
}

#[test]
fn a_home_is_backed_up_while_it_serves_and_after_and_never_over_a_file() {
    let machine = Machine::new();
    let to = |name: &str| machine.path(name).to_str().unwrap().to_owned();
    let none = machine.run(&["backup", &to("none.db")]);
    assert_eq!(none.status.code(), Some(1));
    assert!(text(&none).contains("no database"), "{}", text(&none));
    let rex = machine.serve("docs");
    let serving = machine.run(&["backup", &to("one.db")]);
    assert_eq!(serving.status.code(), Some(0), "{}", text(&serving));
    rex.end();
    let after = machine.run(&["backup", &to("two.db")]);
    assert_eq!(after.status.code(), Some(0), "{}", text(&after));
    let again = machine.run(&["backup", &to("two.db")]);
    assert_eq!(again.status.code(), Some(1));
    assert!(
        text(&again).contains("is there already"),
        "{}",
        text(&again)
    );
    for name in ["one.db", "two.db"] {
        let bytes = fs::read(machine.path(name)).unwrap();
        assert!(bytes.starts_with(b"SQLite format 3"));
    }
}

/// S152: a browser that signed in weeks ago is still signed in after the bridge was started again, on the same port.
#[test]
fn a_sign_in_outlives_the_bridge() {
    let machine = Machine::new();
    let rex = machine.serve("docs");
    let secret = rex.sign_in(rex.code()).unwrap();
    rex.end();
    let rex = machine.serve("docs");
    assert_eq!(rex.ask("GET", "/api/health", &secret, "").0, 200);
    rex.end();
    let rotated = machine.run(&["link", "--rotate"]);
    assert_eq!(rotated.status.code(), Some(0), "{}", text(&rotated));
    let rex = machine.serve("docs");
    assert_eq!(rex.ask("GET", "/api/health", &secret, "").0, 401);
    rex.end();
}

#[test]
fn without_a_folder_it_reviews_the_sample_and_takes_it_away_again() {
    let machine = Machine::new();
    let mut command = machine.rex(&["--port", "0", "--no-open", "--json"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    let ready: Value = serde_json::from_str(&line).unwrap();
    let rex = Rex {
        child,
        ready,
        out,
        log: PathBuf::from("/dev/null"),
    };
    assert!(
        rex.ready["url"]
            .as_str()
            .unwrap()
            .ends_with("/?doc=pricing.md")
    );
    let home = PathBuf::from(rex.ready["home"].as_str().unwrap());
    assert!(home.join("rex.db").exists());
    rex.end();
    assert!(!home.exists());
    assert!(!machine.path(".rex").exists());
}

#[test]
fn exit_codes_are_0_done_1_failed_2_usage() {
    let machine = Machine::new();
    assert_eq!(machine.run(&["--version"]).status.code(), Some(0));
    assert_eq!(machine.run(&["--no-such-option"]).status.code(), Some(2));
    assert_eq!(
        machine.run(&["/no/such/folder", "--no-open"]).status.code(),
        Some(1)
    );
}
