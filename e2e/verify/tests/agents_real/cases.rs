//! What each program has to stand.

use crate::program::Program;
use crate::world::{FIRST, MODEL, OTHER_MODEL, SECOND, World};
use rex_shared::wire::message::{Memory, RefusalClass, ToolStatus};
use std::io::Write as _;

pub(super) fn goes_on(program: &Program) {
    let mut world = World::new(program);
    let first = world.ask("hello");
    assert_eq!(first.message.memory, Some(Memory::New));
    assert!(first.text().starts_with("turns=1 "), "{}", first.text());
    assert!(!world.report().contains("not named yet"));
    for turns in 2..=4 {
        if turns == 4 {
            world.restart();
        }
        let later = world.ask("and then?");
        assert_eq!(later.message.memory, Some(Memory::Resumed));
        let began = format!("turns={turns} last=\"and then?\"");
        assert!(later.text().starts_with(&began), "{}", later.text());
    }
}

pub(super) fn is_stopped(program: &Program) {
    let world = World::new(program);
    world.ask("hello");
    let stopped = world.ask_and_stop("SLOW:200");
    assert!(stopped.message.interrupted);
    assert!(stopped.text().starts_with("chunk-1 "), "what came is kept");
    world.until_the_client_is_gone();
    let after = world.ask("and now?");
    assert!(after.text().contains("and now?"), "{}", after.text());
}

pub(super) fn is_refused(program: &Program) {
    let world = World::new(program);
    let refused = world.ask("FAIL:400");
    let Some(refusal) = &refused.message.refusal else {
        panic!("refused: {:?}", refused.message);
    };
    assert_eq!(
        (refusal.class, refusal.status),
        (RefusalClass::BadRequest, Some(400)),
        "{refusal:?}"
    );
    assert_eq!(refusal.provider, "First");
    assert_eq!(refused.text(), "", "a refusal is no answer");
    let after = world.ask("and now?");
    assert!(after.text().contains("and now?"), "{}", after.text());
}

pub(super) fn is_overloaded(program: &Program) {
    let world = World::new(program);
    let refused = world.ask("FAIL:529");
    let Some(refusal) = &refused.message.refusal else {
        panic!("refused: {:?}", refused.message);
    };
    assert_eq!(
        (refusal.class, refusal.status),
        (RefusalClass::Overloaded, Some(529)),
        "{refusal:?}"
    );
    let tries = world.asked_of_the_model().len();
    assert!((2..10).contains(&tries), "{tries} tries");
}

pub(super) fn reads_and_cannot_write(program: &Program) {
    let world = World::new(program);
    let read = world.ask(&world.in_workspace(&program.reads));
    assert!(read.text().contains("tools=1"), "{}", read.text());
    assert!(read.text().contains("Backups are kept."), "{}", read.text());
    let tools = read.tools();
    assert_eq!(tools.len(), 1, "{tools:?}");
    assert_eq!(tools.first().copied(), Some(ToolStatus::Done));
    let wrote = world.ask(&world.in_workspace(&program.writes));
    // Codex tells of no command that its sandbox refused.
    let failed =
        !program.tells_failures || wrote.tools().iter().all(|tool| *tool == ToolStatus::Failed);
    assert!(failed, "{:?}", wrote.message);
    assert_eq!(world.files(), ["plan.md"]);
    let receipt = wrote.message.receipt.unwrap();
    assert!(receipt.changed.is_empty(), "{:?}", receipt.changed);
    let sandbox = world.sandbox();
    assert_eq!(receipt.enforced, sandbox.is_enforced());
    if !sandbox.is_enforced() {
        let said = b"NOT TESTED in a sandbox: none holds on this machine\n";
        std::io::stderr().write_all(said).unwrap();
    }
}

pub(super) fn loses_its_record(program: &Program) {
    let mut world = World::new(program);
    world.ask("the first word");
    world.restart_without_records();
    let again = world.ask("and then?");
    assert_eq!(again.message.memory, Some(Memory::Replayed));
    assert_is_told_all(&world, "the first word");
    let report = world.report();
    let later = world.ask("and after that?");
    assert_eq!(later.message.memory, Some(Memory::Resumed));
    assert!(later.text().starts_with("turns=2 "), "{}", later.text());
    assert!(report.contains("outcome     replayed"), "{report}");
}

pub(super) fn moves(program: &Program) {
    let world = World::new(program);
    world.ask("the first word");
    world.move_gateway();
    let report = world.report();
    assert!(report.contains("same address: false"), "{report}");
    let again = world.ask("and then?");
    assert_eq!(again.message.memory, Some(Memory::Replayed));
    let why = &again.forecast.reason;
    assert!(
        why.starts_with("The address of First has changed."),
        "{why}"
    );
    assert_is_told_all(&world, "the first word");
    let later = world.ask("and after that?");
    assert_eq!(later.message.memory, Some(Memory::Resumed));
}

pub(super) fn is_asked_through_another_gateway(program: &Program) {
    let world = World::new(program);
    world.ask("the first word");
    let seeded = world.ask_through(SECOND, MODEL, "and then?");
    assert_eq!(seeded.message.memory, Some(Memory::Seeded));
    assert_is_told_all(&world, "the first word");
    let later = world.ask_through(SECOND, MODEL, "and after that?");
    assert_eq!(later.message.memory, Some(Memory::Resumed));
    let began = "turns=2 last=\"and after that?\"";
    assert!(later.text().starts_with(began), "{}", later.text());
    let back = world.ask_through(FIRST, OTHER_MODEL, "back again");
    assert_eq!(back.message.memory, Some(Memory::Resumed));
    let log = world.asked_of_the_model();
    assert_eq!(log.last().unwrap().model, OTHER_MODEL);
}

pub(super) fn is_told_each_time(program: &Program) {
    let mut world = World::new(program);
    let first = world.ask("the first word");
    assert_eq!(first.message.memory, Some(Memory::New));
    for restarts in [false, true] {
        if restarts {
            world.restart();
        }
        let later = world.ask("and then?");
        assert_eq!(later.message.memory, Some(Memory::Replayed));
        let why = &later.forecast.reason;
        assert!(why.contains("keeps nothing between sends"), "{why}");
        assert!(later.text().starts_with("turns=1 "), "{}", later.text());
        assert_is_told_all(&world, "the first word");
    }
    let files = world.files_with("the first word");
    assert!(
        !files.is_empty() && files.iter().all(|name| name.starts_with("rex.db")),
        "{files:?}"
    );
}

/// The newest request held one turn, and in it everything said before.
fn assert_is_told_all(world: &World, said: &str) {
    let log = world.asked_of_the_model();
    let newest = log.last().unwrap();
    assert_eq!(newest.turns, 1, "a new session");
    assert!(newest.last.contains(said), "{}", newest.last);
}
