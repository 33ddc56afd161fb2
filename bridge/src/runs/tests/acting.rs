//! Act: a run in a private copy, and what becomes of its changes.

use super::world::{Disk, PRICING, World, is_empty, words};
use crate::agents::seam::SessionStart;
use crate::runs::receipt::DiskState;
use rex_shared::ids::GatewayId;
use rex_shared::wire::message::{Memory, Message, Mode};
use rex_shared::wire::proposal::{Proposal, ProposalState};

const EDITS: &str = "sed -i 's/10 %/12 %/' pricing.md; echo \"text I work in $PWD\"; echo done";
const ANSWERS: &str = "echo 'text It is 12 %.'; remember; echo done";

async fn act(world: &World, text: &str, script: &str) -> Message {
    world.agent.plays(script);
    let mut prompt = world.a_prompt(text);
    prompt.mode = Mode::Act;
    let mut tab = world.follow().await;
    world.send(prompt).await.unwrap();
    tab.until_idle().await;
    world.messages().await.pop().unwrap()
}

async fn proposals(world: &World) -> Vec<Proposal> {
    let found = world.store.proposals(&world.thread).await.unwrap();
    found.iter().map(|proposal| proposal.told()).collect()
}

/// S90 S91: what an act run changes is changed in its copy only; the workspace is as before, metadata too, and the
/// difference waits as a proposal.
#[tokio::test]
async fn an_act_run_changes_its_copy_only_and_proposes_it() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    let before = DiskState::of(&disk.review());
    let reply = act(&world, "Correct it.", EDITS).await;
    assert_eq!((reply.mode, reply.memory), (Mode::Act, Some(Memory::New)));
    assert_eq!(reply.receipt.unwrap().changed, Vec::<String>::new());
    assert_eq!(
        before.changed(&DiskState::of(&disk.review())),
        Vec::<String>::new()
    );
    let folder = world.agent.turns().pop().unwrap().folder;
    assert_ne!(folder, disk.review());
    assert!(!folder.exists(), "the copy goes with its run");
    // A person reads of the workspace, not of the copy.
    let text = words(&world.messages().await.pop().unwrap());
    assert_eq!(text, format!("I work in {}", disk.review().display()));
    let proposals = proposals(&world).await;
    assert_eq!(proposals.len(), 1);
    assert_eq!(proposals[0].state, ProposalState::Open);
    assert_eq!(proposals[0].files[0].document, "pricing.md");
    let report = world.runs.report(&world.thread).await.unwrap();
    assert!(report.contains("1 in 1 files: 1 open"), "{report}");
}

#[tokio::test]
async fn an_act_run_is_given_the_conversation_and_leaves_the_session_alone() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.ask("Is 10 % right?", ANSWERS).await;
    let session = || async {
        let default = GatewayId::default_gateway();
        world
            .store
            .session(&world.thread, &world.sdk(), &default)
            .await
            .unwrap()
    };
    let before = session().await;
    let reply = act(&world, "Then correct it.", &format!("remember; {EDITS}")).await;
    assert_eq!(reply.memory, Some(Memory::Seeded));
    let turn = world.agent.turns().pop().unwrap();
    assert!(turn.prompt.contains("Is 10 % right?") && turn.prompt.contains("private copy"));
    assert_eq!(session().await, before);
    let again = world.ask("Why?", ANSWERS).await;
    assert_eq!(again.memory, Some(Memory::Resumed));
    let id = before.unwrap().session_id.unwrap();
    assert_eq!(
        world.agent.turns().pop().unwrap().session,
        SessionStart::Resume { id }
    );
}

#[tokio::test]
async fn the_next_act_run_finds_what_waits_in_its_copy() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    act(&world, "Correct it.", EDITS).await;
    act(
        &world,
        "Say more.",
        "echo 'Really.' >> pricing.md; echo done",
    )
    .await;
    let proposals = proposals(&world).await;
    assert_eq!(proposals.len(), 2);
    assert_eq!(proposals[0].state, ProposalState::Superseded);
    assert_eq!(proposals[1].files[0].hunks.len(), 2);
}

#[tokio::test]
async fn what_a_run_changed_before_it_failed_is_proposed_too() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    let script = "sed -i 's/10 %/12 %/' pricing.md; echo 'refused too much to do'";
    let reply = act(&world, "Correct it.", script).await;
    assert!(reply.refusal.is_some());
    assert_eq!(proposals(&world).await.len(), 1);
    assert_eq!(
        std::fs::read_to_string(disk.review().join("pricing.md")).unwrap(),
        PRICING
    );
}

#[tokio::test]
async fn a_copy_that_a_crash_left_is_removed_at_the_next_start() {
    let disk = Disk::new();
    let left = disk
        .home()
        .join("runs/01890a5d-ac96-774b-bcce-b302099a8051/copy-x/workspace");
    std::fs::create_dir_all(&left).unwrap();
    let world = World::start(&disk).await;
    world.ask("Why?", ANSWERS).await;
    assert!(!left.exists());
    assert!(is_empty(&left));
}
