//! What a tab sees: cold, then live, on one stream.

use super::world::{Disk, Setting, World, is_empty, words};
use crate::runs::receipt::DiskState;
use rex_shared::assembly::assemble;
use rex_shared::ids::GatewayId;
use rex_shared::wire::follow::{Frame, Status};
use rex_shared::wire::message::{Memory, Mode, Part};
use std::time::Duration;

const ANSWERS: &str = "echo 'text It is 12 %.'; echo used; remember; echo done";

fn statuses(frames: &[std::sync::Arc<Frame>]) -> Vec<&Status> {
    frames
        .iter()
        .filter_map(|frame| match &**frame {
            Frame::Status(status) => Some(status),
            _ => None,
        })
        .collect()
}

/// S110 S114 S115 S116 S118 S119: a tab watches an id that nothing is stored under; the first prompt makes the thread under
/// that id, and the same stream goes live at generation 0 and busy at generation 1.
#[tokio::test]
async fn watching_may_come_before_the_first_prompt() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.agent.plays(ANSWERS);
    let mut tab = world.follow().await;
    let empty = tab.snapshot().await;
    assert!(!empty.live && empty.messages.is_empty());
    assert_eq!(empty.thread_id, world.thread);
    assert!(
        world.store.row(&world.thread).await.unwrap().is_none(),
        "watching stored nothing"
    );

    world.send(world.a_prompt("Why?")).await.unwrap();
    tab.until(|frame| matches!(frame, Frame::Status(status) if !status.live))
        .await;
    let seen: Vec<(bool, bool, u64)> = statuses(&tab.seen)
        .iter()
        .map(|status| (status.live, status.busy, status.generation))
        .collect();
    assert_eq!(&seen[..2], [(true, false, 0), (true, true, 1)]);
    assert_eq!(seen.last(), Some(&(false, false, 1)));
    let (_, row) = world.store.row(&world.thread).await.unwrap().unwrap();
    assert_eq!(row.title.as_deref(), Some("Why?"));
    assert_eq!(row.message_count, 2);
}

/// S99 S103 S108 S120: whoever connects in the middle is shown what whoever was there sees, from the same rows.
#[tokio::test]
async fn a_new_connection_begins_with_a_snapshot_that_equals_what_was_streamed() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.agent.plays("echo 'think Hm.'; echo 'tool c1'; echo 'result c1'; echo 'text One, '; echo 'text two'; read -r line");
    let mut early = world.follow().await;
    world.send(world.a_prompt("Count")).await.unwrap();
    early.until_text("One, two").await;
    let late = world.snapshot().await;
    assert!(late.live && late.busy && late.generation == 1);
    let reply = late.messages.last().unwrap();
    assert_eq!(words(reply), "One, two");
    assert!(matches!(
        reply.parts[..],
        [Part::Thinking { .. }, Part::Tool { .. }, Part::Text { .. }]
    ));
    let stored = world
        .store
        .conversation(&world.thread, None)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        late.messages,
        assemble(&stored.entries, &stored.runs, &stored.places)
    );
    world.runs.shutdown(Duration::from_secs(5)).await;
}

/// S117 S122: a cold snapshot carries the usage that was stored and no context; a held one knows the context too.
#[tokio::test]
async fn usage_is_stored_and_the_context_is_live() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.ask("Why?", ANSWERS).await;
    world.ask("And?", ANSWERS).await;
    let cold = world.snapshot().await;
    assert!(!cold.live);
    assert_eq!(cold.permission_mode, Mode::Ask);
    assert_eq!(cold.usage.cost_usd, Some(0.5));
    assert_eq!(cold.usage.tokens.unwrap().output, 10);
    assert_eq!(cold.usage.context, None);
    assert_eq!(cold.open_dialogs, []);

    let disk = Disk::new();
    let setting = Setting {
        hold: Duration::from_secs(600),
        ..Setting::default()
    };
    let world = World::start_with(&disk, setting).await;
    world.ask("Why?", ANSWERS).await;
    assert_eq!(world.snapshot().await.usage.context.unwrap().used, 15);
}

/// S104: following, forecasting and reporting change no row and no file, and start no process.
#[tokio::test]
async fn looking_builds_nothing() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.ask("Why?", ANSWERS).await;
    let rows = || async {
        let transcript = world.store.transcript(&world.thread).await.unwrap();
        let row = world.store.row(&world.thread).await.unwrap();
        let sessions = world.store.sessions(&world.thread).await.unwrap();
        format!("{transcript:?} {row:?} {sessions:?}")
    };
    let (before, tree, turns) = (
        rows().await,
        DiskState::of(&disk.review()),
        world.agent.turns().len(),
    );
    for _ in 0..3 {
        world.snapshot().await;
        let gateway = GatewayId::default_gateway();
        let forecast = world
            .runs
            .forecast(&world.thread, &world.sdk(), &gateway, Mode::Ask)
            .await
            .unwrap();
        assert_eq!(forecast.memory, Memory::Resumed);
        let report = world.runs.report(&world.thread).await.unwrap();
        assert!(
            report.contains("sdk log:    present") && report.contains("sdk store:  has it (said "),
            "{report}"
        );
        assert!(
            !report.contains("Why?"),
            "a report holds no text of the conversation"
        );
    }
    assert_eq!(rows().await, before);
    assert_eq!(
        tree.changed(&DiskState::of(&disk.review())),
        Vec::<String>::new()
    );
    assert_eq!(world.agent.turns().len(), turns);
    assert!(!world.snapshot().await.live);
}

#[tokio::test]
async fn a_follower_that_lags_is_ended_rather_than_shown_a_hole() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    let mut slow = world.follow().await;
    slow.snapshot().await;
    for _ in 0..300 {
        let status = world.live.status(&world.thread);
        world.hub.tell_thread(&world.thread, Frame::Status(status));
    }
    assert!(slow.next().await.is_none());
    world.snapshot().await;
}

#[tokio::test]
async fn a_stream_ends_with_the_bridge() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    let mut tab = world.follow().await;
    tab.snapshot().await;
    world.end_streams();
    assert!(tab.next().await.is_none());
}

#[tokio::test]
async fn a_run_leaves_nothing_in_its_temp_folder() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    let script = format!("echo x > \"$TMPDIR/file\"; {ANSWERS}");
    world.ask("Why?", &script).await;
    let scratch = world.agent.turns().pop().unwrap().scratch;
    assert!(!scratch.exists());
    assert!(is_empty(scratch.parent().unwrap()));
}
