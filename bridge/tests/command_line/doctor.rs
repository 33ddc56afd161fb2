//! `rex doctor`: whether an installation is sound, with a bridge running, without one, and when it is not.

use crate::machine::{Machine, text};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Output;

/// What it says of one thing: how that is, and in which words.
fn said(output: &Output, name: &str) -> (String, String) {
    let diagnosis: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("no JSON: {}", text(output)));
    let checks = ["seen", "tried"].map(|part| diagnosis[part]["checks"].as_array().unwrap());
    let found = checks
        .into_iter()
        .flatten()
        .rfind(|check| check["name"] == name);
    let Some(check) = found else {
        panic!("nothing is said of {name}: {diagnosis}");
    };
    let word = |key: &str| check[key].as_str().unwrap().to_owned();
    (word("state"), word("says"))
}

/// G-S35: it attacks the gate of the bridge that runs, and looks at who listens, at the files and at the lock.
#[test]
fn a_sound_installation_is_said_to_be_sound() {
    let machine = Machine::new();
    let rex = machine.serve("docs");
    let output = machine.run(&["doctor", "--json", "--ask", "demo"]);
    for (name, words) in [
        ("home", "yours alone"),
        ("lock", &format!("process {}", rex.child.id())),
        ("database", "sound"),
        ("port", "this machine alone"),
        ("gate", "refused all of 11 attacks"),
        ("agent demo", "found"),
        ("agent demo, asked", "another process of it went on"),
    ] {
        let (state, says) = said(&output, name);
        assert_eq!(state, "good", "{name}: {says}");
        assert!(says.contains(words), "{name}: {says}");
    }
    rex.end();
    let after = machine.run(&["doctor", "--json"]);
    assert_eq!(said(&after, "lock").1, "no REX is running on this home");
    let left = fs::read_dir(machine.path("docs")).unwrap().count();
    assert_eq!(left, 1, "a.md and nothing of doctor's");
}

#[test]
fn what_is_broken_is_said_with_what_to_do_and_is_a_failure() {
    let machine = Machine::new();
    machine.serve("docs").end();
    let database = machine.path(".rex/rex.db");
    let mut bytes = fs::read(&database).unwrap();
    let begin = bytes.len() / 2;
    bytes[begin..].fill(0x5a);
    fs::write(&database, bytes).unwrap();
    fs::set_permissions(machine.path(".rex"), fs::Permissions::from_mode(0o755)).unwrap();
    let output = machine.run(&["doctor", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(said(&output, "database").0, "bad");
    assert_eq!(said(&output, "home").0, "bad");
    let told = text(&machine.run(&["doctor"]));
    assert!(told.contains("BAD home"), "{told}");
    assert!(told.contains("chmod 700"), "{told}");
}

/// G-S27: a machine where nothing keeps agents from writing is told so.
#[test]
fn a_sandbox_that_is_not_there_is_said_not_to_be() {
    let machine = Machine::new();
    let mut command = machine.rex(&["doctor", "--json"]);
    let output = command.env("REX_SANDBOX", "off").output().unwrap();
    let (state, says) = said(&output, "sandbox");
    assert_eq!(state, "bad");
    assert!(says.starts_with("NOT ENFORCED"), "{says}");
    assert_eq!(said(&output, "home").0, "notice", "and nothing was made");
    assert!(!machine.path(".rex").exists());
}

#[test]
fn a_home_that_asking_an_agent_makes_is_the_persons_alone() {
    let machine = Machine::new();
    let output = machine.run(&["doctor", "--json", "--ask", "demo"]);
    assert_eq!(said(&output, "home").0, "good", "{}", text(&output));
}
