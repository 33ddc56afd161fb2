//! Prompts that are not taken, and why.

use super::world::{Disk, Setting, World};
use crate::fresh;
use rex_shared::wire::problem::ProblemType;
use rex_shared::wire::thread::NewThread;

const ANSWERS: &str = "echo 'text It is 12 %.'; remember; echo done";

/// S22: a note never starts a process and never has a session row.
#[tokio::test]
async fn a_note_is_never_sent() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    let note = NewThread {
        thread_id: world.thread.clone(),
        ws: None,
        note: Some("Look at this later.".to_owned()),
        places: Vec::new(),
        is_note: true,
    };
    let workspace = &world.workspace.workspace_id;
    world
        .store
        .create_thread(workspace, note, Vec::new(), fresh::now())
        .await
        .unwrap();
    let refused = world.send(world.a_prompt("Why?")).await.unwrap_err();
    assert_eq!(refused.kind, ProblemType::ThreadIsNote);
    assert!(world.agent.turns().is_empty());
    assert!(
        world
            .store
            .sessions(&world.thread)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        !world.snapshot().await.live,
        "a refused prompt makes nothing live"
    );
}

#[tokio::test]
async fn going_on_without_a_sandbox_is_said_once_for_a_workspace() {
    let disk = Disk::new();
    let world = World::start_with(
        &disk,
        Setting {
            accepted: false,
            ..Setting::default()
        },
    )
    .await;
    world.agent.plays(ANSWERS);
    let refused = world.send(world.a_prompt("Why?")).await.unwrap_err();
    assert_eq!(refused.kind, ProblemType::SandboxUnenforced);
    assert!(
        world.store.row(&world.thread).await.unwrap().is_none(),
        "nothing was stored"
    );

    let mut prompt = world.a_prompt("Why?");
    prompt.accept_unenforced = true;
    let mut tab = world.follow().await;
    world.send(prompt).await.unwrap();
    tab.until_idle().await;
    let workspace = world
        .store
        .workspace(&world.workspace.workspace_id)
        .await
        .unwrap()
        .unwrap();
    assert!(workspace.unenforced_accepted);
}

#[tokio::test]
async fn a_blank_message_and_an_unknown_agent_or_gateway_are_said() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    let blank = world.send(world.a_prompt(" \n")).await.unwrap_err();
    assert_eq!(blank.kind, ProblemType::BadRequest);
    let mut agent = world.a_prompt("Why?");
    agent.sdk = rex_shared::ids::Sdk::parse("nobody").unwrap();
    assert_eq!(
        world.send(agent).await.unwrap_err().kind,
        ProblemType::UnknownAgent
    );
    let mut gateway = world.a_prompt("Why?");
    gateway.gateway = fresh::id();
    assert_eq!(
        world.send(gateway).await.unwrap_err().kind,
        ProblemType::UnknownGateway
    );
}
