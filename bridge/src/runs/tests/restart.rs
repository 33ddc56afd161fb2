//! The bridge goes away, by order or in the middle of a word, and comes back.

use super::world::{Disk, Setting, World, words};
use rex_shared::ids::Millis;
use rex_shared::transcript::RunState;
use rex_shared::wire::follow::Frame;
use rex_shared::wire::message::Memory;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tokio::runtime::Runtime;

const ANSWERS: &str = "echo 'text It is 12 %.'; remember; echo done";

/// Runs one life of a bridge and lets it die with everything in it, as a kill does: no task gets to say goodbye.
fn one_life<T>(life: impl Future<Output = T>) -> T {
    let runtime = Runtime::new().unwrap();
    let lived = runtime.block_on(life);
    runtime.shutdown_background();
    lived
}

/// S13 S148: the bridge dies in the middle of an answer, at whatever word. Everything a tab was shown is there, marked
/// as cut off, and the next prompt goes on.
#[test]
fn all_that_was_shown_survives_and_the_run_is_interrupted() {
    for word in ["1 ", "7 ", "50 ", "300 "] {
        dies_after(word);
    }
}

fn dies_after(word: &str) {
    let disk = Disk::new();
    let shown = one_life(async {
        let world = World::start(&disk).await;
        world.agent.plays(
            "i=0; while [ $i -lt 2000 ]; do i=$((i+1)); echo \"text $i \"; done; read -r line",
        );
        let mut tab = world.follow().await;
        world.send(world.a_prompt("Count")).await.unwrap();
        tab.until_text(word).await;
        tab.text()
    });
    one_life(async {
        let world = World::start(&disk).await;
        let cut = world.messages().await.pop().unwrap();
        assert!(
            words(&cut).starts_with(shown["Count".len()..].trim_end()),
            "what was shown is stored"
        );
        assert!(cut.interrupted);
        let run = world
            .store
            .newest_run(&world.thread)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(run.state, RunState::Interrupted);
        assert_eq!(words(&world.ask("Go on", ANSWERS).await), "It is 12 %.");
    });
}

#[test]
fn what_waited_is_started_by_the_next_bridge() {
    let disk = Disk::new();
    one_life(async {
        let world = World::start(&disk).await;
        world.agent.plays("echo 'text Slow'; read -r line");
        let mut tab = world.follow().await;
        world.send(world.a_prompt("One")).await.unwrap();
        tab.until_text("Slow").await;
        assert!(world.send(world.a_prompt("Two")).await.unwrap().queued);
    });
    one_life(async {
        let world = World::start(&disk).await;
        // The agent has no script yet when it is started, so it ends without an answer; but it was asked.
        let mut tab = world.follow().await;
        tab.until(|frame| match frame {
            Frame::Snapshot(snapshot) => snapshot.queued.is_empty() && !snapshot.busy,
            Frame::Status(status) => !status.live,
            _ => false,
        })
        .await;
        let said: Vec<String> = world.messages().await.iter().map(words).collect();
        assert_eq!(said, ["One", "Slow", "Two", ""]);
    });
}

#[tokio::test]
async fn an_orderly_end_interrupts_runs_and_stores_what_they_said() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world
        .agent
        .plays("echo 'text Half'; trap '' TERM; while :; do sleep 1; done");
    let mut tab = world.follow().await;
    world.send(world.a_prompt("Why?")).await.unwrap();
    tab.until_text("Half").await;
    world.runs.shutdown(Duration::from_secs(3)).await;
    let reply = world.messages().await.pop().unwrap();
    assert!(reply.interrupted);
    assert_eq!(words(&reply), "Half");
    assert!(
        world.send(world.a_prompt("More")).await.is_err(),
        "nothing new begins"
    );
}

#[tokio::test]
async fn what_cannot_be_stored_is_not_shown_and_ends_the_run() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.agent.plays(
        "echo 'text One'; while [ ! -e go ]; do sleep 0.05; done; echo 'text  two'; read -r line",
    );
    let mut tab = world.follow().await;
    world.send(world.a_prompt("Count")).await.unwrap();
    tab.until_text("One").await;
    world.store.close().await;
    std::fs::write(disk.review().join("go"), "").unwrap();
    tab.until(|frame| matches!(frame, Frame::Status(status) if !status.busy))
        .await;
    assert!(!tab.text().contains("two"));
    world.runs.shutdown(Duration::from_secs(3)).await;
    drop(world);
    let world = World::start(&disk).await;
    let reply = world.messages().await.pop().unwrap();
    assert_eq!(words(&reply), "One");
    assert!(reply.interrupted);
}

static DAYS: AtomicI64 = AtomicI64::new(0);

fn calendar() -> Millis {
    Millis(1_900_000_000_000 + DAYS.load(Ordering::Relaxed) * 86_400_000)
}

/// S4 S14 S15: eight days later, after a restart, the thread is as it was and the next send continues it; and when every
/// file of the agent is deleted nothing on screen changes.
#[test]
fn a_conversation_waits_for_eight_days() {
    let disk = Disk::new();
    let setting = || Setting {
        clock: calendar,
        ..Setting::default()
    };
    let before = one_life(async {
        let world = World::start_with(&disk, setting()).await;
        world.ask("Is 10 % right?", ANSWERS).await;
        (
            world.messages().await,
            world.store.row(&world.thread).await.unwrap(),
        )
    });
    DAYS.store(8, Ordering::Relaxed);
    one_life(async {
        let world = World::start_with(&disk, setting()).await;
        let now = (
            world.messages().await,
            world.store.row(&world.thread).await.unwrap(),
        );
        assert_eq!(now, before);
        let reply = world.ask("And?", ANSWERS).await;
        assert_eq!(reply.memory, Some(Memory::Resumed));
        assert_eq!(reply.created_at, calendar());

        let shown = world.messages().await;
        std::fs::remove_dir_all(disk.records()).unwrap();
        assert_eq!(world.messages().await, shown);
    });
}
