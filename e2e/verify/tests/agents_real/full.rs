//! What a program has to stand besides, which takes longer than every change of REX should wait for.

use crate::program::Program;
use crate::world::World;
use rex_shared::wire::message::{Memory, Part, ToolStatus};
use std::fs;

pub(super) fn thinks_and_tells_what_it_used(program: &Program) {
    let world = World::new(program);
    let sent = world.ask("THINK:pondering deeply");
    let thought = sent.message.parts.iter().any(
        |part| matches!(part, Part::Thinking { text, .. } if text.contains("pondering deeply")),
    );
    assert_eq!(thought, program.thinks, "{:?}", sent.message.parts);
    let message = &sent.message;
    assert_eq!(message.tokens.is_some(), program.counts, "{message:?}");
    // What a model of one's own gateway costs, no program knows.
    assert_eq!(message.cost_usd, None);
}

pub(super) fn asks_before_it_reads_outside(program: &Program) {
    if program.reads_outside.is_empty() {
        return;
    }
    let world = World::new(program);
    // The folder for everybody's temp files cannot be seen by a program in a sandbox.
    let outside = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = outside.path().join("secret.txt");
    fs::write(&path, "the word is mirabelle").unwrap();
    let script = program
        .reads_outside
        .replace("$OUTSIDE", path.to_str().unwrap());
    let denied = world.ask_and_answer(&script, "deny");
    assert!(!denied.text().contains("mirabelle"), "{}", denied.text());
    assert_eq!(denied.tools().first(), Some(&ToolStatus::Failed));
    let allowed = world.ask_and_answer(&script, "allowOnce");
    assert!(allowed.text().contains("mirabelle"), "{}", allowed.text());
    assert_eq!(allowed.tools().first(), Some(&ToolStatus::Done));
}

pub(super) fn is_told_again_when_its_record_is_spoilt(program: &Program) {
    if program.record_ends.is_empty() {
        return;
    }
    let world = World::new(program);
    world.ask("the first word");
    world.spoil_records(program.record_ends);
    let report = world.report();
    assert!(report.contains("sdk log:    missing"), "{report}");
    let again = world.ask("and then?");
    assert_eq!(again.message.memory, Some(Memory::Replayed));
    assert!(again.text().starts_with("turns=1 "), "{}", again.text());
    let later = world.ask("and after that?");
    assert_eq!(later.message.memory, Some(Memory::Resumed));
}

pub(super) fn is_told_again_when_its_config_folder_moved(program: &Program) {
    let mut world = World::new(program);
    world.ask("the first word");
    world.restart_with(program.moved_by, "elsewhere");
    let report = world.report();
    for line in [
        "elsewhere\n",
        "sdk log:    missing",
        "next send:  replayed: ",
    ] {
        assert!(report.contains(line), "{line}\n{report}");
    }
    let again = world.ask("and then?");
    assert_eq!(again.message.memory, Some(Memory::Replayed));
    let later = world.ask("and after that?");
    assert_eq!(later.message.memory, Some(Memory::Resumed));
}

/// The folder under review is away for a while, and comes back.
pub(super) fn waits_for_its_folder(program: &Program) {
    let world = World::new(program);
    world.ask("the first word");
    world.move_workspace("workspace", "away");
    let vain = world.ask_in_vain("and then?");
    let why = vain.message.failure.as_deref().unwrap_or_default();
    assert!(
        program.is_kept || why.contains("is not there any more"),
        "{why}"
    );
    world.move_workspace("away", "workspace");
    let later = world.ask("and after that?");
    let remembers = later.message.memory == Some(Memory::Resumed);
    assert_eq!(
        remembers,
        !program.records.is_empty(),
        "{later:?}",
        later = later.message
    );
}

pub(super) fn goes_on_after_a_kill(program: &Program) {
    let world = World::new(program);
    world.ask("the first word");
    let killed = world.ask_and_kill("SLOW:200");
    assert!(killed.text().starts_with("chunk-1 "), "what came is kept");
    let why = killed.message.failure.as_deref().unwrap_or_default();
    let said = if program.is_kept {
        "did not answer"
    } else {
        "killed"
    };
    assert!(why.contains(said), "{why}");
    let after = world.ask("and now?");
    assert!(after.text().contains("and now?"), "{}", after.text());
    let remembers = after.message.memory == Some(Memory::Resumed);
    assert_eq!(remembers, !program.records.is_empty());
}

/// The agent's own word and the disk's, told apart by asking the program itself.
pub(super) fn says_whether_it_has_the_session(program: &Program) {
    let mut world = World::new(program);
    world.ask("the first word");
    let normal = world.asked_report();
    for line in [
        "sdk store:  has it (said ",
        "sdk log:    present",
        "reading:    normal",
    ] {
        assert!(normal.contains(line), "{line}\n{normal}");
    }
    let resumed = world.ask("and then?");
    assert_eq!(resumed.message.memory, Some(Memory::Resumed));
    assert!(
        resumed.text().starts_with("turns=2 "),
        "asking left nothing behind"
    );
    world.restart_without_records();
    let cleaned = world.asked_report();
    assert!(
        cleaned.contains("sdk store:  no record (said "),
        "{cleaned}"
    );
    assert!(cleaned.contains("next send:  replayed: "), "{cleaned}");
    // Who keeps one database for all its sessions made a new one when it was asked.
    let log = if program.record_ends.is_empty() {
        "sdk log:    present"
    } else {
        "sdk log:    missing"
    };
    assert!(cleaned.contains(log), "{cleaned}");
}

pub(super) fn names_its_models(program: &Program) {
    let world = World::new(program);
    let models = world.models();
    let unfit = models.iter().find(|model| model.contains(' '));
    assert_eq!(unfit, None);
}
