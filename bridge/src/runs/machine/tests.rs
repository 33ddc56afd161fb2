mod parity;
mod world;

use super::*;
use crate::store::RecordOp;
use rex_shared::assembly::assemble;
use rex_shared::ids::{GatewayId, MessageId, RunId, Sdk};
use rex_shared::transcript::{Entry, EntryKind};
use rex_shared::wire::message::{Mode, Part, RefusalClass, Role, ToolStatus};
use rex_shared::wire::prompt::DialogKind;
use serde_json::json;
use world::World;

const NOW: Millis = Millis(7);

fn run() -> RunRecord {
    RunRecord {
        run_id: RunId::parse("00000000-0000-7000-8000-000000000001").unwrap(),
        message_id: MessageId::parse("00000000-0000-7000-8000-000000000002").unwrap(),
        reply_id: MessageId::parse("00000000-0000-7000-8000-000000000003").unwrap(),
        state: RunState::Running,
        mode: Mode::Ask,
        sdk: Sdk::parse("demo").unwrap(),
        gateway: GatewayId::default_gateway(),
        model: None,
        memory: None,
        forecast: None,
        receipt: None,
        refusal: None,
        failure: None,
        first_word_ms: None,
        started_at: Millis(0),
        ended_at: None,
    }
}

fn going() -> (Machine, World) {
    let mut machine = Machine::new(&run());
    let mut world = World::default();
    world.take(machine.on(Input::Started { resumes: None }));
    (machine, world)
}

fn event(event: Event) -> Input {
    Input::Event(event, NOW)
}

fn text(key: &str, delta: &str) -> Input {
    event(Event::Text {
        key: key.to_owned(),
        delta: delta.to_owned(),
    })
}

fn permission(ask_id: &str) -> Input {
    event(Event::Asked(Box::new(Asked {
        ask_id: ask_id.to_owned(),
        kind: DialogKind::Permission,
        title: "Demo asks to run a command".to_owned(),
        action: Some("Bash".to_owned()),
        command: Some("ls".to_owned()),
        path: None,
        diff: None,
        options: Vec::new(),
    })))
}

fn states(world: &World) -> Vec<RunState> {
    world.ends.iter().map(|end| end.state).collect()
}

#[test]
fn text_of_one_block_is_one_part_and_deltas_count_utf16_units() {
    let (mut machine, mut world) = going();
    for delta in ["Grüße 🦀", ", ", "Welt"] {
        world.take(machine.on(text("a", delta)));
    }
    world.take(machine.on(text("b", "Next.")));
    assert!(matches!(
        &world.screen[..],
        [Part::Text { text: first, .. }, Part::Text { text: second, .. }]
            if first == "Grüße 🦀, Welt" && second == "Next."
    ));
}

#[test]
fn the_whole_text_of_a_block_adds_what_was_not_streamed_and_replaces_what_differs() {
    let (mut machine, mut world) = going();
    world.take(machine.on(text("a", "It is")));
    let whole = |text: &str| {
        event(Event::TextWhole {
            key: "a".to_owned(),
            text: text.to_owned(),
        })
    };
    assert_eq!(machine.on(whole("It is")), []);
    world.take(machine.on(whole("It is 12 %")));
    world.take(machine.on(whole("It was 10 %")));
    assert!(matches!(&world.screen[..], [Part::Text { text, .. }] if text == "It was 10 %"));
    assert_eq!(world.read_back(RunState::Running), world.screen);
}

/// S30: the agent does not know the session any more; the same turn starts again as a replay, once, and says so.
#[test]
fn a_lost_session_becomes_a_replay_once_in_the_same_turn() {
    let mut machine = Machine::new(&run());
    let mut world = World::default();
    world.take(machine.on(Input::Started {
        resumes: Some("s1".to_owned()),
    }));
    let lost = || {
        event(Event::SessionLost {
            reason: "no such conversation".to_owned(),
        })
    };
    world.take(machine.on(lost()));
    assert_eq!(world.replays, 1);
    assert!(world.ends.is_empty(), "the turn lives on");
    assert!(
        matches!(&world.rows[..], [Entry { body: EntryKind::Notice { name, .. }, .. }] if name == "session-lost")
    );

    world.take(machine.on(Input::Started { resumes: None }));
    world.take(machine.on(text("a", "Again.")));
    world.take(machine.on(event(Event::Finished)));
    assert_eq!(states(&world), [RunState::Done]);

    let mut machine = Machine::new(&run());
    let mut world = World::default();
    for _ in 0..2 {
        world.take(machine.on(Input::Started {
            resumes: Some("s1".to_owned()),
        }));
        world.take(machine.on(lost()));
    }
    assert_eq!((world.replays, states(&world)), (1, vec![RunState::Failed]));
}

#[test]
fn an_agent_that_opens_another_session_than_the_one_asked_for_has_lost_it() {
    let mut machine = Machine::new(&run());
    machine.on(Input::Started {
        resumes: Some("s1".to_owned()),
    });
    let effects = machine.on(event(Event::Session {
        id: "s2".to_owned(),
    }));
    assert!(effects.contains(&Effect::Replay));
}

#[test]
fn a_taken_id_means_the_next_one_and_not_for_ever() {
    let mut machine = Machine::new(&run());
    let mut next = 0;
    for _ in 0..10 {
        machine.on(Input::Started { resumes: None });
        let effects = machine.on(event(Event::SessionTaken { id: "x".to_owned() }));
        next += effects
            .iter()
            .filter(|effect| **effect == Effect::NextId)
            .count();
    }
    assert_eq!(next, 3);
}

#[test]
fn stop_tells_the_agent_and_the_run_ends_as_stopped_with_its_text() {
    let (mut machine, mut world) = going();
    world.take(machine.on(text("a", "Half")));
    let effects = machine.on(Input::Stop);
    assert!(effects.ends_with(&[Effect::Tell(Said::Interrupt), Effect::Halt]));
    world.take(effects);
    world.take(machine.on(text("a", " more")));
    world.take(machine.on(event(Event::Failed("exit code 143".to_owned()))));
    assert_eq!(states(&world), [RunState::Stopped]);
    assert_eq!(world.ends[0].failure, None);
    assert!(matches!(&world.screen[..], [Part::Text { text, .. }] if text == "Half more"));
}

#[test]
fn an_answer_goes_to_the_agent_once() {
    let (mut machine, mut world) = going();
    world.take(machine.on(permission("p1")));
    let id = world.dialogs[0].dialog_id.clone();
    world.take(machine.answer(&id, Answer::AllowOnce, None).unwrap());
    assert_eq!(world.dialogs[0].state, DialogState::Answered);
    assert_eq!(
        world.told,
        [Said::Answer {
            ask_id: "p1".to_owned(),
            answer: Answer::AllowOnce,
            text: None
        }]
    );
    assert_eq!(machine.answer(&id, Answer::AllowOnce, None), Err(NotOpen));
    assert_eq!(
        world.stages,
        [Stage::Waiting, Stage::Asking, Stage::Waiting]
    );
}

#[test]
fn a_question_expires_when_the_agent_dies() {
    let (mut machine, mut world) = going();
    world.take(machine.on(permission("p1")));
    world.take(machine.on(event(Event::Failed(
        "Demo was killed (signal 9)".to_owned(),
    ))));
    assert_eq!(world.dialogs[0].state, DialogState::Expired);
    let id = world.dialogs[0].dialog_id.clone();
    assert_eq!(machine.answer(&id, Answer::Deny, None), Err(NotOpen));
}

#[test]
fn a_refusal_is_not_a_failure() {
    let (mut machine, mut world) = going();
    world.take(machine.on(event(Event::Refused(Refusal {
        provider: "LiteLLM".to_owned(),
        model: None,
        class: RefusalClass::Overloaded,
        status: Some(529),
        reason: "try later".to_owned(),
    }))));
    assert_eq!(states(&world), [RunState::Refused]);
    assert!(world.ends[0].refusal.is_some() && world.ends[0].failure.is_none());
}

#[test]
fn a_tool_that_never_answered_is_closed_with_the_run() {
    let (mut machine, mut world) = going();
    world.take(machine.on(event(Event::ToolStarted {
        call_id: "c".to_owned(),
        name: "Read".to_owned(),
        input: json!({}),
    })));
    world.take(machine.on(Input::Shutdown));
    assert!(matches!(
        &world.screen[..],
        [Part::Tool {
            status: ToolStatus::Failed,
            ..
        }]
    ));
    assert_eq!(states(&world), [RunState::Interrupted]);
}

#[test]
fn an_endless_answer_is_cut_and_says_so() {
    let (mut machine, mut world) = going();
    let piece = "x".repeat(8 * 1024 * 1024);
    for _ in 0..4 {
        world.take(machine.on(text("a", &piece)));
    }
    assert_eq!(states(&world), [RunState::Failed]);
    assert!(
        matches!(&world.screen[..], [Part::Text { text, .. }] if text.len() == 16 * 1024 * 1024)
    );
}
