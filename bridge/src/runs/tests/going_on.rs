//! One send after another: resume, replay, stop, retry, queue, questions.

use super::world::{Disk, Setting, World, place_on, words};
use crate::agents::seam::SessionStart;
use rex_shared::ids::GatewayId;
use rex_shared::prompt::reading::read;
use rex_shared::wire::message::{Memory, Mode, Role};
use std::time::Duration;

const ANSWERS: &str = "echo 'text It is 12 %.'; remember; echo done";

fn forget_everything(disk: &Disk) {
    std::fs::remove_dir_all(disk.records()).unwrap();
}

/// S23 S45 S46: the session has an id after the first run, and every later send resumes it by the same path.
#[tokio::test]
async fn the_second_and_the_tenth_send_resume_the_session_of_the_first() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    assert_eq!(world.ask("Why?", ANSWERS).await.memory, Some(Memory::New));
    let session = world
        .store
        .session(&world.thread, &world.sdk(), &GatewayId::default_gateway())
        .await
        .unwrap()
        .unwrap();
    let id = session.session_id.expect("the session has an id");
    for n in 2..=10 {
        let reply = world.ask("And?", ANSWERS).await;
        assert_eq!(reply.memory, Some(Memory::Resumed), "send {n}");
        let turn = world.agent.turns().pop().unwrap();
        assert_eq!(turn.session, SessionStart::Resume { id: id.clone() });
        assert_eq!(turn.prompt, "And?", "it is told only what is new");
    }
}

/// S24 S27 S29: the agent's record is gone; the conversation is told again from the rows, and the turn says so.
#[tokio::test]
async fn a_record_that_is_gone_means_the_rows_are_told_again() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.ask("Is 10 % right?", ANSWERS).await;
    let before = world.messages().await;
    forget_everything(&disk);
    assert_eq!(
        world.messages().await,
        before,
        "the reader sees the same thread"
    );

    let reply = world.ask("And for teams?", ANSWERS).await;
    assert_eq!(reply.memory, Some(Memory::Replayed));
    let told = world.last_prompt().await;
    assert!(
        told.contains("Is 10 % right?") && told.contains("It is 12 %."),
        "{told}"
    );
    assert_eq!(read(&told).message, "And for teams?");
    let forecast = reply.forecast.unwrap();
    assert!(
        forecast
            .reason
            .starts_with("Scripted's own record is gone."),
        "{}",
        forecast.reason
    );
    let turn = world.agent.turns().pop().unwrap();
    assert!(matches!(turn.session, SessionStart::New { .. }));
    assert_eq!(
        world.ask("More?", ANSWERS).await.memory,
        Some(Memory::Resumed)
    );
}

/// S30: the agent refuses the resume itself; the same turn is told again once, and the turn records it.
#[tokio::test]
async fn a_resume_that_the_agent_refuses_becomes_a_replay_in_the_same_turn() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.ask("Is 10 % right?", ANSWERS).await;
    let script = format!(
        "case \"$how\" in resume*) echo 'lost no such conversation'; exit 1;; esac; {ANSWERS}"
    );
    let reply = world.ask("And?", &script).await;
    assert_eq!(words(&reply), "It is 12 %.");
    assert_eq!(reply.memory, Some(Memory::Replayed));
    assert_eq!(
        reply.forecast.unwrap().memory,
        Memory::Resumed,
        "what was said before stays on record"
    );
    assert!(reply.failure.is_none());
    assert!(world.last_prompt().await.contains("Is 10 % right?"));
    assert_eq!(world.messages().await.len(), 4, "one turn, not two");
}

#[tokio::test]
async fn an_id_that_the_agent_calls_taken_is_followed_by_the_next() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    let script = format!(
        "mkdir \"$RECORDS/first\" 2>/dev/null && {{ echo \"taken $session\"; exit 1; }}; {ANSWERS}"
    );
    let reply = world.ask("Why?", &script).await;
    assert_eq!(words(&reply), "It is 12 %.");
    assert_eq!(reply.memory, Some(Memory::New));
    let ids: Vec<SessionStart> = world
        .agent
        .turns()
        .into_iter()
        .map(|turn| turn.session)
        .collect();
    assert_eq!(ids.len(), 2);
    assert_ne!(ids[0], ids[1]);
}

/// S58 S59 S60 S62 S64: a place joins with a later message; the turn shows it, and the agent that remembers is told it
/// alone, by its address.
#[tokio::test]
async fn a_place_that_joins_later_is_told_alone_and_shown_with_its_message() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world
        .ask_about("Is it right?", vec![place_on("Teams pay 10 %.")], ANSWERS)
        .await;
    let first = read(&world.last_prompt().await);
    assert_eq!(
        (first.places.len(), first.places[0].lines),
        (1, Some((3, 3)))
    );

    world
        .ask_about(
            "Here it says 12.",
            vec![place_on("Teams pay 12 %.")],
            ANSWERS,
        )
        .await;
    let second = read(&world.last_prompt().await);
    assert_eq!(second.places.len(), 1);
    assert_eq!(second.places[0].document, "pricing.md");
    assert_eq!(second.places[0].lines, Some((7, 7)));
    assert_eq!(second.places[0].heading.as_deref(), Some("Volume"));
    let quotes: Vec<Vec<String>> = world
        .messages()
        .await
        .into_iter()
        .filter(|message| message.role == Role::User)
        .map(|message| {
            message
                .places
                .into_iter()
                .map(|place| place.quote)
                .collect()
        })
        .collect();
    assert_eq!(quotes, [["Teams pay 10 %."], ["Teams pay 12 %."]]);

    forget_everything(&disk);
    world.ask("Both?", ANSWERS).await;
    assert_eq!(
        read(&world.last_prompt().await).places.len(),
        2,
        "a replay is told all of them"
    );
}

/// S90: each message records the mode it was sent in, with its agent and what the run did to the disk.
#[tokio::test]
async fn a_turn_records_its_mode_and_what_changed_on_disk() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    let quiet = world.ask("Why?", ANSWERS).await;
    assert_eq!((quiet.mode, quiet.sdk.clone()), (Mode::Ask, world.sdk()));
    let receipt = quiet.receipt.unwrap();
    assert!(!receipt.enforced && receipt.changed.is_empty());
    let loud = world
        .ask("And?", &format!("echo x > new.md; {ANSWERS}"))
        .await;
    assert_eq!(loud.receipt.unwrap().changed, ["new.md"]);
    let entries = world.store.transcript(&world.thread).await.unwrap();
    assert!(entries.iter().all(|entry| entry.mode == Mode::Ask));
}

/// S100 S107: a held thread that is idle is not busy, reads the same rows and can be asked again.
#[tokio::test]
async fn a_thread_is_held_for_a_while_and_can_be_asked_again_meanwhile() {
    let disk = Disk::new();
    let setting = Setting {
        hold: Duration::from_secs(600),
        ..Setting::default()
    };
    let world = World::start_with(&disk, setting).await;
    world.ask("Why?", ANSWERS).await;
    let held = world.snapshot().await;
    assert!(held.live && !held.busy);
    assert_eq!(held.generation, 1);
    world.ask("And?", ANSWERS).await;
    assert_eq!(world.snapshot().await.generation, 2);
}
