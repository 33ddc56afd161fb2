//! What a person does while a run goes on: stop it, queue behind it, answer it, try again.

use super::world::{Disk, World, id_of, words};
use crate::fresh;
use rex_shared::wire::follow::Frame;
use rex_shared::wire::message::Role;
use rex_shared::wire::problem::ProblemType;
use rex_shared::wire::prompt::{Answer, DialogAnswer, DialogState};

const ANSWERS: &str = "echo 'text It is 12 %.'; remember; echo done";

/// S148: what was stopped is not a finished answer, and its text is kept.
#[tokio::test]
async fn stop_ends_the_run_and_keeps_what_was_said() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world
        .agent
        .plays("echo 'text Half an answer'; read -r line; exit 0");
    let mut tab = world.follow().await;
    world.send(world.a_prompt("Why?")).await.unwrap();
    tab.until_text("Half an answer").await;
    world.runs.stop(&world.thread).await.unwrap();
    tab.until(|frame| matches!(frame, Frame::Status(status) if !status.busy))
        .await;
    let reply = world.messages().await.pop().unwrap();
    assert_eq!(words(&reply), "Half an answer");
    assert!(reply.interrupted && reply.failure.is_none());
    world.runs.stop(&world.thread).await.unwrap();
}

#[tokio::test]
async fn a_killed_agent_is_a_failure_that_names_the_signal() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    let reply = world.ask("Why?", "echo 'text Half'; kill -9 $$").await;
    assert_eq!(
        reply.failure.as_deref(),
        Some("Scripted was killed (signal 9).")
    );
    assert_eq!(words(&reply), "Half");
}

#[tokio::test]
async fn a_refused_prompt_is_sent_again_without_a_second_message() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    let attempt = world.ask("Why?", "echo 'refused try later'; exit 0").await;
    assert!(attempt.refusal.is_some() && attempt.parts.is_empty());

    world.agent.plays(ANSWERS);
    let mut tab = world.follow().await;
    world.runs.retry(&world.thread).await.unwrap();
    tab.until_idle().await;
    let messages = world.messages().await;
    let roles: Vec<Role> = messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::Assistant]);
    assert!(messages[1].refusal.is_some() && messages[2].refusal.is_none());
    let refused = world.runs.retry(&world.thread).await.unwrap_err();
    assert_eq!(refused.kind, ProblemType::NothingToRetry);
}

#[tokio::test]
async fn a_prompt_sent_while_busy_waits_can_be_edited_and_goes_next() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world
        .agent
        .plays("read -r line; echo 'text First.'; remember; echo done");
    let mut tab = world.follow().await;
    world.send(world.a_prompt("One")).await.unwrap();
    tab.until(|frame| matches!(frame, Frame::Status(status) if status.busy))
        .await;
    let (two, three) = (world.a_prompt("Two"), world.a_prompt("Three"));
    let accepted = world.send(two.clone()).await.unwrap();
    assert!(accepted.queued && accepted.run_id.is_none());
    world.send(three.clone()).await.unwrap();
    world
        .runs
        .edit_queued(&world.thread, &id_of(&two), "Two, edited".to_owned())
        .await
        .unwrap();
    world
        .runs
        .drop_queued(&world.thread, &id_of(&three))
        .await
        .unwrap();
    let queued = world.snapshot().await.queued;
    assert_eq!(queued.len(), 1);
    assert_eq!(queued[0].text, "Two, edited");

    world.agent.plays(ANSWERS);
    world.runs.stop(&world.thread).await.unwrap();
    tab.until_text("It is 12 %.").await;
    tab.until(|frame| matches!(frame, Frame::Status(status) if !status.live))
        .await;
    let said: Vec<String> = world.messages().await.iter().map(words).collect();
    assert_eq!(said, ["One", "First.", "Two, edited", "It is 12 %."]);
    let told = tab.seen.iter().rev().find_map(|frame| match &**frame {
        Frame::Snapshot(snapshot) => Some(snapshot),
        _ => None,
    });
    let told = told.expect("tabs are told that it waits no more");
    assert!(told.busy && told.queued.is_empty());
    let late = world
        .runs
        .edit_queued(&world.thread, &id_of(&two), "Late".to_owned())
        .await;
    assert_eq!(late.unwrap_err().kind, ProblemType::UnknownMessage);
}

#[tokio::test]
async fn the_same_prompt_twice_is_one_run_and_another_body_is_refused() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.agent.plays(ANSWERS);
    let mut tab = world.follow().await;
    let prompt = world.a_prompt("Why?");
    let (one, two) = tokio::join!(world.send(prompt.clone()), world.send(prompt.clone()));
    assert_eq!(one.unwrap().run_id, two.unwrap().run_id);
    tab.until_idle().await;
    assert_eq!(world.messages().await.len(), 2);
    let mut other = prompt;
    other.text = "Something else".to_owned();
    assert_eq!(
        world.send(other).await.unwrap_err().kind,
        ProblemType::IdReused
    );
}

#[tokio::test]
async fn an_answer_reaches_the_agent_and_a_late_one_is_refused() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.agent.plays(
        "echo 'ask p1'; read -r answer; echo \"text You said $answer.\"; remember; echo done",
    );
    let mut tab = world.follow().await;
    world.send(world.a_prompt("Run it")).await.unwrap();
    let frame = tab.until(|frame| matches!(frame, Frame::Dialog(_))).await;
    let Frame::Dialog(asked) = &*frame else {
        unreachable!()
    };
    let row = world.store.row(&world.thread).await.unwrap().unwrap().1;
    assert!(crate::follow::decorate(&world.live, row).asks_you);
    assert_eq!(
        world.snapshot().await.open_dialogs,
        std::slice::from_ref(&asked.dialog)
    );

    let allow = || DialogAnswer {
        answer: Answer::AllowOnce,
        text: None,
    };
    let id = asked.dialog.dialog_id.clone();
    world
        .runs
        .answer(&world.thread, &id, allow())
        .await
        .unwrap();
    tab.until_text("You said allow.").await;
    let again = world
        .runs
        .answer(&world.thread, &id, allow())
        .await
        .unwrap_err();
    assert_eq!(again.kind, ProblemType::DialogClosed);
    let never = world
        .runs
        .answer(&world.thread, &fresh::id(), allow())
        .await
        .unwrap_err();
    assert_eq!(never.kind, ProblemType::UnknownDialog);
}

#[tokio::test]
async fn a_question_of_an_agent_that_died_expires() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.agent.plays("echo 'ask p1'; kill -9 $$");
    let mut tab = world.follow().await;
    world.send(world.a_prompt("Run it")).await.unwrap();
    let expired = |frame: &Frame| matches!(frame, Frame::Dialog(dialog) if dialog.dialog.state == DialogState::Expired);
    let frame = tab.until(expired).await;
    let Frame::Dialog(asked) = &*frame else {
        unreachable!()
    };
    let answer = DialogAnswer {
        answer: Answer::Deny,
        text: None,
    };
    let late = world
        .runs
        .answer(&world.thread, &asked.dialog.dialog_id, answer)
        .await;
    assert_eq!(late.unwrap_err().kind, ProblemType::DialogClosed);
    assert_eq!(world.snapshot().await.open_dialogs, []);
}
