//! The real program `claude`, driven by the bridge's own adapter and runner against the scripted model server.
//!
//! Not part of an ordinary test run: `cargo verify --agents all` installs the program, says in `REX_CLAUDE` where it
//! is, and runs this. No key, no sign-in and no network beyond loopback is involved.

#![expect(clippy::unwrap_used, reason = "a test")]

use rex_bridge::agents::seam::{Event, Input, Secret, SessionStart, Step, Turn};
use rex_bridge::agents::{Configuration, Registry};
use rex_bridge::processes::{Environment, Heard, Process, Runner};
use rex_shared::ids::{GatewayId, RunId, Sdk};
use rex_shared::wire::agent::Gateway;
use rex_shared::wire::message::{Mode, RefusalClass};
use rex_shared::wire::prompt::Answer;
use rex_verify::model_server::ModelServer;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::timeout;

const LIMIT: Duration = Duration::from_secs(60);
static RUNS: AtomicU64 = AtomicU64::new(0);
const ID: &str = "5a0d7e0e-33aa-5f0f-9a0c-1d6d1a2b3c4d";

/// A machine of its own: home, workspace, the program in a `PATH`, and a model.
struct Machine {
    folder: tempfile::TempDir,
    model: ModelServer,
    registry: Registry,
    runner: Runner,
}

impl Machine {
    async fn new() -> Self {
        let Some(claude) = std::env::var_os("REX_CLAUDE") else {
            panic!("REX_CLAUDE says where the program is; run cargo verify --agents all");
        };
        let folder = tempfile::tempdir().unwrap();
        for name in ["home", "workspace", "bin", "scratch"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        symlink(
            fs::canonicalize(claude).unwrap(),
            folder.path().join("bin/claude"),
        )
        .unwrap();
        let path = std::env::join_paths([
            folder.path().join("bin"),
            PathBuf::from("/usr/bin"),
            PathBuf::from("/bin"),
        ])
        .unwrap();
        let environment =
            Environment::of([("PATH", path), ("HOME", folder.path().join("home").into())]);
        Self {
            model: ModelServer::start().await.unwrap(),
            registry: Registry::standard(
                environment.clone(),
                Path::new("/bin/false"),
                folder.path(),
                &Configuration::default(),
            ),
            runner: Runner::new(environment),
            folder,
        }
    }

    fn sdk() -> Sdk {
        Sdk::parse("claude").unwrap()
    }

    fn turn(&self, session: SessionStart, prompt: &str) -> Turn {
        Turn {
            folder: fs::canonicalize(self.folder.path().join("workspace")).unwrap(),
            scratch: self.folder.path().join("scratch"),
            prompt: prompt.to_owned(),
            images: Vec::new(),
            session,
            mode: Mode::Ask,
            model: Some("fake-large".to_owned()),
            gateway: Gateway {
                gateway_id: GatewayId::parse("0198c0de-0000-7000-8000-000000000001").unwrap(),
                name: "Scripted".to_owned(),
                sdks: vec![Self::sdk()],
                base_url: Some(self.model.url()),
                key_ref: None,
                models: Vec::new(),
            },
            key: Some(Secret::new("not-a-real-key".to_owned())),
        }
    }

    fn first(&self, prompt: &str) -> Turn {
        let id = Some(ID.to_owned());
        self.turn(SessionStart::New { id }, prompt)
    }

    fn later(&self, prompt: &str) -> Turn {
        self.turn(SessionStart::Resume { id: ID.to_owned() }, prompt)
    }

    /// Runs a turn to the end of its process; `answer` sees each event and may say something.
    async fn run(
        &self,
        turn: &Turn,
        mut answer: impl FnMut(&Event) -> Option<Input>,
    ) -> Vec<Event> {
        let agent = self.registry.get(&Self::sdk()).unwrap();
        let found = self.registry.found(&Self::sdk()).await.unwrap();
        let launch = agent.launch(&found, turn).unwrap();
        // Each run has its own mark: what carries it is ended with the run.
        let number = RUNS.fetch_add(1, Ordering::Relaxed);
        let run = RunId::parse(&format!("0198c0de-0000-7000-8000-{number:012}")).unwrap();
        let mut process = self.runner.start(&launch, &run).unwrap();
        let mut dialogue = agent.dialogue(turn);
        let mut events = Vec::new();
        let mut steps = vec![dialogue.open()];
        loop {
            while let Some(step) = steps.pop() {
                let happened = act(&process, step);
                steps.extend(
                    happened
                        .iter()
                        .filter_map(&mut answer)
                        .map(|input| dialogue.told(input)),
                );
                events.extend(happened);
            }
            match timeout(LIMIT, process.next()).await.unwrap() {
                Some(Heard::Line(line)) => steps.push(dialogue.heard(&line)),
                Some(Heard::Exited(exit)) => {
                    events.extend(dialogue.ended(&exit).events);
                    return events;
                }
                Some(Heard::Cut { .. } | Heard::Quiet(_)) => {}
                None => return events,
            }
        }
    }

    /// Runs a turn in which nobody is asked anything, and gives what was answered.
    async fn answered(&self, turn: &Turn) -> String {
        let events = self.run(turn, |_| None).await;
        assert_eq!(events.last(), Some(&Event::Finished), "{events:?}");
        assert_eq!(session(&events), ID);
        text(&events)
    }
}

fn act(process: &Process, step: Step) -> Vec<Event> {
    for line in step.say {
        process.say(line);
    }
    if step.close {
        process.close_stdin();
    }
    step.events
}

/// The last whole text.
fn text(events: &[Event]) -> String {
    events
        .iter()
        .rev()
        .find_map(|event| match event {
            Event::TextWhole { text, .. } => Some(text.clone()),
            _ => None,
        })
        .unwrap_or_default()
}

fn session(events: &[Event]) -> &str {
    events
        .iter()
        .find_map(|event| match event {
            Event::Session { id } => Some(id.as_str()),
            _ => None,
        })
        .unwrap_or_default()
}

/// S38 S45 S46: the id is ours, it is never empty, and every later process goes on with it in the same way.
#[tokio::test]
async fn a_session_has_our_id_and_every_later_process_goes_on_with_it() {
    let machine = Machine::new().await;
    let first = machine.answered(&machine.first("hello")).await;
    assert!(first.starts_with("turns=1 "), "{first}");
    for turns in 2..=4 {
        let said = machine.answered(&machine.later("and then?")).await;
        assert!(said.starts_with(&format!("turns={turns} ")), "{said}");
    }
    let state = machine
        .registry
        .session_log(&Machine::sdk(), ID)
        .await
        .unwrap();
    assert!(state.log.is_some() && state.usable_bytes > 0, "{state:?}");
    assert_eq!(
        state.config_folder,
        machine.folder.path().join("home/.claude")
    );

    let taken = machine.run(&machine.first("again"), |_| None).await;
    assert_eq!(taken, [Event::SessionTaken { id: ID.to_owned() }]);
}

/// S30: a session whose record is gone is told as lost, so that it can be replayed.
#[tokio::test]
async fn a_session_whose_record_is_gone_is_lost() {
    let machine = Machine::new().await;
    machine.answered(&machine.first("hello")).await;
    fs::remove_dir_all(machine.folder.path().join("home/.claude/projects")).unwrap();
    let state = machine
        .registry
        .session_log(&Machine::sdk(), ID)
        .await
        .unwrap();
    assert_eq!((state.log, state.usable_bytes), (None, 0));
    let events = machine.run(&machine.later("and then?"), |_| None).await;
    assert!(
        matches!(events.last(), Some(Event::SessionLost { .. })),
        "{events:?}"
    );
}

#[tokio::test]
async fn no_writing_tool_is_offered_and_a_read_outside_asks_the_person() {
    let machine = Machine::new().await;
    let outside = machine.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    let read = |name: &str| {
        let path = outside.join(name);
        fs::write(&path, format!("words of {name}")).unwrap();
        format!("TOOL:Read {}\n", serde_json::json!({"file_path": path}))
    };
    let (one, two) = (read("one"), read("two"));

    let said_no = |event: &Event| answer_with(event, Answer::Deny);
    let events = machine.run(&machine.first(&one), said_no).await;
    assert!(text(&events).contains("The user said no"), "{events:?}");

    let said_yes = |event: &Event| answer_with(event, Answer::AllowOnce);
    let events = machine
        .run(&machine.later(&format!("{one}{two}")), said_yes)
        .await;
    assert!(
        text(&events).contains("words of one") && text(&events).contains("words of two"),
        "{events:?}"
    );
    assert_eq!(asked(&events), 2, "each time anew");

    let for_the_run = |event: &Event| answer_with(event, Answer::AllowThread);
    let events = machine
        .run(&machine.later(&format!("{two}{one}")), for_the_run)
        .await;
    assert!(text(&events).contains("words of one"), "{events:?}");
    assert_eq!(asked(&events), 1, "once for the folder");

    let written = outside.join("written");
    let write = serde_json::json!({"file_path": written, "content": "x"});
    let events = machine
        .run(&machine.later(&format!("TOOL:Write {write}")), said_yes)
        .await;
    assert_eq!(asked(&events), 0);
    assert!(!written.exists());
    for request in machine.model.log() {
        assert!(
            !request
                .tools
                .iter()
                .any(|tool| ["Write", "Edit", "Bash"].contains(&tool.as_str()))
        );
    }
}

fn answer_with(event: &Event, answer: Answer) -> Option<Input> {
    let Event::Asked(asked) = event else {
        return None;
    };
    Some(Input::Answer {
        ask_id: asked.ask_id.clone(),
        answer,
        text: None,
    })
}

fn asked(events: &[Event]) -> usize {
    events
        .iter()
        .filter(|event| matches!(event, Event::Asked(_)))
        .count()
}

#[tokio::test]
async fn a_stop_ends_the_request_too_so_that_it_costs_no_more() {
    let machine = Machine::new().await;
    let at_first_word =
        |event: &Event| matches!(event, Event::Text { .. }).then_some(Input::Interrupt);
    let events = machine.run(&machine.first("SLOW:200"), at_first_word).await;
    assert_eq!(events.last(), Some(&Event::Interrupted), "{events:?}");
    let gone = machine
        .model
        .log_until(|log| log.iter().any(|request| request.client_gone));
    timeout(LIMIT, gone).await.unwrap();
}

#[tokio::test]
async fn a_refusal_is_told_with_its_kind_after_the_retries_were_told() {
    let machine = Machine::new().await;
    let events = machine.run(&machine.first("FAIL:529"), |_| None).await;
    let Some(Event::Refused(refusal)) = events.last() else {
        panic!("refused: {events:?}");
    };
    assert_eq!(
        (refusal.class, refusal.status),
        (RefusalClass::Overloaded, Some(529))
    );
    assert_eq!(refusal.provider, "Scripted");
    assert!(
        events
            .iter()
            .any(|event| matches!(event, Event::Retrying { .. }))
    );
    assert_eq!(text(&events), "", "a refusal is no answer");
}

#[tokio::test]
async fn a_message_that_begins_with_a_slash_is_a_message() {
    let machine = Machine::new().await;
    let said = machine.answered(&machine.first("/cost")).await;
    assert!(said.contains("/cost"), "{said}");
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_tried_anew_and_only_the_whole_answer_stays() {
    let machine = Machine::new().await;
    let said = machine.answered(&machine.first("hello DROP:1")).await;
    assert!(said.ends_with("last=\"hello DROP:1\""), "{said}");
}
