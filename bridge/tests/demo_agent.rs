//! The demo agent as a real program: the `rex` binary, started by the runner and spoken to by its adapter.

#![expect(clippy::unwrap_used, reason = "a test")]

use rex_bridge::agents::seam::{Event, Input, SessionStart, Step, Turn};
use rex_bridge::agents::{Configuration, Registry};
use rex_bridge::processes::{Environment, Heard, Process, Runner};
use rex_shared::ids::{GatewayId, RunId, Sdk};
use rex_shared::wire::agent::Gateway;
use rex_shared::wire::message::{Mode, RefusalClass};
use rex_shared::wire::prompt::Answer;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::timeout;

const LIMIT: Duration = Duration::from_secs(30);
static RUNS: AtomicU64 = AtomicU64::new(0);

struct Machine {
    sdk: Sdk,
    folder: tempfile::TempDir,
    registry: Registry,
    runner: Runner,
}

impl Machine {
    /// With the agent that REX brings.
    fn new() -> Self {
        Self::with("demo", |_| String::new())
    }

    /// With what a person wrote down about agents, given the folder it may use.
    fn with(sdk: &str, configuration: impl FnOnce(&Path) -> String) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["workspace", "home", "scratch"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        fs::write(
            folder.path().join("workspace/plan.md"),
            "Backups are kept 30 days.\n",
        )
        .unwrap();
        let home = folder.path().join("home");
        fs::write(home.join("config.toml"), configuration(folder.path())).unwrap();
        let environment = Environment::of([("PATH", "/usr/bin:/bin")]);
        let rex = Path::new(env!("CARGO_BIN_EXE_rex"));
        Self {
            sdk: Sdk::parse(sdk).unwrap(),
            registry: Registry::standard(
                environment.clone(),
                rex,
                &home,
                &Configuration::read(&home).unwrap(),
            ),
            runner: Runner::new(environment),
            folder,
        }
    }

    /// Runs a turn to the end of its process; `answer` sees each event and may say something.
    async fn run(
        &self,
        session: SessionStart,
        prompt: &str,
        mut answer: impl FnMut(&Event) -> Option<Input>,
    ) -> Vec<Event> {
        let turn = Turn {
            folder: self.folder.path().join("workspace"),
            scratch: self.folder.path().join("scratch"),
            prompt: prompt.to_owned(),
            images: Vec::new(),
            session,
            mode: Mode::Ask,
            model: None,
            gateway: Gateway {
                gateway_id: GatewayId::default_gateway(),
                name: "default".to_owned(),
                sdks: vec![self.sdk.clone()],
                base_url: None,
                key_ref: None,
                models: Vec::new(),
            },
            key: None,
        };
        let agent = self.registry.get(&self.sdk).unwrap();
        let found = self.registry.found(&self.sdk).await.unwrap();
        let launch = agent.launch(&found, &turn).unwrap();
        // Each run has its own mark: what carries it is ended with the run.
        let number = RUNS.fetch_add(1, Ordering::Relaxed);
        let run = RunId::parse(&format!("0198c0de-0000-7000-8000-{number:012}")).unwrap();
        let mut process = self.runner.start(&launch, &run).unwrap();
        let mut dialogue = agent.dialogue(&turn);
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
                Some(Heard::Exited(exit)) => steps.push(dialogue.ended(&exit)),
                Some(Heard::Cut { .. } | Heard::Quiet(_)) => {}
                None => return events,
            }
        }
    }

    async fn first(&self, prompt: &str) -> Vec<Event> {
        self.run(SessionStart::New { id: None }, prompt, |_| None)
            .await
    }

    async fn later(&self, id: &str, prompt: &str) -> Vec<Event> {
        self.run(SessionStart::Resume { id: id.to_owned() }, prompt, |_| None)
            .await
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

fn text(events: &[Event]) -> String {
    events
        .iter()
        .filter_map(|event| match event {
            Event::Text { delta, .. } => Some(delta.as_str()),
            _ => None,
        })
        .collect()
}

fn session(events: &[Event]) -> String {
    let id = events.iter().find_map(|event| match event {
        Event::Session { id } => Some(id.clone()),
        _ => None,
    });
    id.unwrap_or_default()
}

/// S23 S45 S46: the first run tells its session's id, and the second and the third go on with it in the same way.
#[tokio::test]
async fn a_session_goes_on_in_the_next_process_and_the_one_after() {
    let machine = Machine::new();
    let first = machine.first("hello").await;
    let id = session(&first);
    assert!(!id.is_empty());
    assert_eq!(first.last(), Some(&Event::Finished));
    let state = machine
        .registry
        .session_log(&machine.sdk, &id)
        .await
        .unwrap();
    assert!(state.log.is_some() && state.usable_bytes > 0, "{state:?}");
    for number in 2..=3 {
        let events = machine.later(&id, "and then?").await;
        assert!(
            text(&events).contains(&format!("turn {number} of what I remember")),
            "{events:?}"
        );
        assert_eq!(session(&events), id);
    }
}

#[tokio::test]
async fn an_agent_that_a_person_wrote_down_is_driven_like_any_other() {
    let machine = Machine::with("acp:mine", |folder| {
        let rex = env!("CARGO_BIN_EXE_rex");
        let memory = folder.join("memory");
        format!(
            "[acp.mine]\nprogram = {rex:?}\narguments = [\"demo-agent\"]\nenvironment = {{ REX_DEMO_HOME = {memory:?} }}\n"
        )
    });
    let first = machine.first("hello").await;
    assert_eq!(first.last(), Some(&Event::Finished), "{first:?}");
    let later = machine.later(&session(&first), "and then?").await;
    assert!(
        text(&later).contains("turn 2 of what I remember"),
        "{later:?}"
    );
    assert!(machine.folder.path().join("memory").exists());
}

/// S30: a session whose record is gone is told as lost, so that it can be replayed.
#[tokio::test]
async fn a_session_whose_record_is_gone_is_lost() {
    let machine = Machine::new();
    let id = session(&machine.first("hello").await);
    fs::remove_dir_all(machine.folder.path().join("home/demo-agent")).unwrap();
    let state = machine
        .registry
        .session_log(&machine.sdk, &id)
        .await
        .unwrap();
    assert_eq!((state.log, state.usable_bytes), (None, 0));
    let events = machine.later(&id, "and then?").await;
    assert!(
        matches!(events.as_slice(), [Event::SessionLost { .. }]),
        "{events:?}"
    );
}

#[tokio::test]
async fn a_permission_is_asked_and_the_answer_decides() {
    let machine = Machine::new();
    for (answer, expected) in [
        (Answer::AllowOnce, "You let me run"),
        (Answer::Deny, "You did not let me run"),
    ] {
        let say = |event: &Event| match event {
            Event::Asked(asked) => Some(Input::Answer {
                ask_id: asked.ask_id.clone(),
                answer,
                text: None,
            }),
            _ => None,
        };
        let new = SessionStart::New { id: None };
        let events = machine
            .run(new, "ask permission to run a command", say)
            .await;
        assert!(text(&events).contains(expected), "{events:?}");
    }
}

#[tokio::test]
async fn a_slow_answer_is_stopped() {
    let machine = Machine::new();
    let at_first_word =
        |event: &Event| matches!(event, Event::Text { .. }).then_some(Input::Interrupt);
    let events = machine
        .run(
            SessionStart::New { id: None },
            "slow, please",
            at_first_word,
        )
        .await;
    assert_eq!(events.last(), Some(&Event::Interrupted), "{events:?}");
}

#[tokio::test]
async fn a_refusal_and_a_crash_are_told_as_what_they_are() {
    let machine = Machine::new();
    let events = machine.first("fail").await;
    let Some(Event::Refused(refusal)) = events.last() else {
        panic!("refused: {events:?}");
    };
    assert_eq!(
        (refusal.class, refusal.status),
        (RefusalClass::Overloaded, Some(529))
    );
    assert_eq!(refusal.provider, "Demo");

    let events = machine.first("crash").await;
    let said = "Demo ended with exit code 70 before it finished";
    assert_eq!(
        events.last(),
        Some(&Event::Failed(said.to_owned())),
        "{events:?}"
    );
    assert!(!text(&events).is_empty(), "what was said before stays");
}
