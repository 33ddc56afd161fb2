//! What agents do to a bridge, and that the conversation and its neighbours stand it.

use super::world::{Disk, World, words};
use crate::fresh;
use rex_shared::ids::{GatewayId, ThreadId};
use rex_shared::prompt::reading::read;
use rex_shared::wire::follow::{Frame, Stage};
use rex_shared::wire::message::Memory;
use std::fs;

const ANSWERS: &str = "echo 'text It is 12 %.'; remember; echo done";
const MEGABYTE: u64 = 1024 * 1024;

/// Bytes of memory this process has in use.
fn resident() -> u64 {
    let text = fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = text.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4096
}

/// R19: 128 MB without a line end, then as many short lines as a second gives, and the answer behind them.
#[tokio::test]
async fn a_flood_takes_no_memory_and_the_answer_behind_it_is_heard() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.ask("Why?", ANSWERS).await;
    let before = resident();
    let flood = format!(
        "head -c 134217728 /dev/zero | tr '\\0' x; echo; yes nonsense | head -n 100000; {ANSWERS}"
    );
    let reply = world.ask("And?", &flood).await;
    assert_eq!(words(&reply), "It is 12 %.");
    let grown = resident().saturating_sub(before);
    assert!(grown < 64 * MEGABYTE, "{} MB", grown / MEGABYTE);
    let entries = world.store.transcript(&world.thread).await.unwrap();
    assert!(entries.len() < 300, "{} rows", entries.len());
}

/// R21: a message of a megabyte is asked and stored as it is.
#[tokio::test]
async fn a_message_of_a_megabyte_is_sent_whole() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    let long = "why ".repeat(250_000);
    let script = format!("echo \"text ${{#prompt}}\"; {ANSWERS}");
    let reply = world.ask(&long, &script).await;
    assert!(words(&reply).ends_with("It is 12 %."), "{}", words(&reply));
    assert_eq!(read(&world.last_prompt().await).message.trim(), long.trim());
}

/// R23: twenty at once: eight run, the others say that they wait, and each gets its own answer in its turn.
#[tokio::test]
async fn twenty_runs_at_once_wait_their_turn_and_each_is_answered() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.agent.plays(
        "while [ ! -e go ]; do sleep 0.05; done; echo \"text I am $session\"; remember; echo done",
    );
    let mut tabs = Vec::new();
    for number in 0..20 {
        let thread: ThreadId = fresh::id();
        let tab = world.follow_of(&thread).await;
        let prompt = world.a_prompt(&format!("Question {number}"));
        let sent = world
            .runs
            .prompt(&thread, &world.workspace, prompt, Vec::new());
        assert!(
            !sent.await.unwrap().queued,
            "another thread's run is no queue of this one"
        );
        tabs.push((number, thread, tab));
    }
    let waiting = tabs.iter().filter(|(_, thread, _)| {
        let live = world.live.peek(thread);
        live.and_then(|live| live.stage) == Some(Stage::Queued)
    });
    assert_eq!(waiting.count(), 12);
    let (_, last, _) = tabs.last().unwrap();
    world.runs.stop(last).await.unwrap();
    fs::write(disk.review().join("go"), "").unwrap();
    for (number, thread, tab) in &mut tabs {
        tab.until(|frame| matches!(frame, Frame::Status(status) if status.busy))
            .await;
        tab.until(|frame| matches!(frame, Frame::Status(status) if !status.busy))
            .await;
        let said = world
            .follow_of(thread)
            .await
            .snapshot()
            .await
            .messages
            .pop()
            .unwrap();
        if *number == 19 {
            assert!(said.interrupted, "who waits can be stopped");
        } else {
            let default = GatewayId::default_gateway();
            let session = world.store.session(thread, &world.sdk(), &default).await;
            let id = session.unwrap().unwrap().session_id.unwrap();
            assert_eq!(words(&said), format!("I am {id}"), "question {number}");
        }
    }
    assert_eq!(
        world.agent.turns().len(),
        19,
        "what was stopped was never started"
    );
}

/// R25: a session that the agent does not know is told again and said to be, never begun anew in silence: neither when it
/// says so nor when it opens another one.
#[tokio::test]
async fn a_session_that_is_not_there_is_never_silently_a_new_one() {
    for lost in [
        "echo 'lost no such conversation'; exit 1",
        "echo 'session another'; exit 0",
    ] {
        let disk = Disk::new();
        let world = World::start(&disk).await;
        world.ask("Is 10 % right?", ANSWERS).await;
        let script = format!("case \"$how\" in resume*) {lost};; esac; {ANSWERS}");
        let reply = world.ask("And?", &script).await;
        assert_eq!(reply.memory, Some(Memory::Replayed), "{lost}");
        assert!(world.last_prompt().await.contains("Is 10 % right?"));
        let default = GatewayId::default_gateway();
        let session = world
            .store
            .session(&world.thread, &world.sdk(), &default)
            .await;
        assert_eq!(session.unwrap().unwrap().n, 2);
    }
}
