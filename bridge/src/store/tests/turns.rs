use crate::fresh;
use crate::store::fixture::{Home, at, ended, entry, place};
use crate::store::{NewRun, StoreError, WholeTurn};
use rex_shared::ids::ThreadId;
use rex_shared::transcript::{EntryKind, RunState};
use rex_shared::wire::thread::ThreadRow;

/// A question on one place and its answer, for a thread that does not exist yet.
fn turn(home: &Home, thread: &ThreadId) -> WholeTurn {
    let prompt = NewRun {
        places: vec![place("pricing.md", "per seat")],
        ..home.prompt(thread, "Why?")
    };
    let answer = EntryKind::Text {
        text: "Because.".to_owned(),
    };
    WholeTurn {
        stream: vec![entry(&prompt.reply_id, answer)],
        end: ended(RunState::Done),
        at: at(7),
        prompt,
    }
}

/// What a person sees of a thread, without the ids and the number that are its own alone.
async fn seen(home: &Home, thread: &ThreadId) -> (ThreadRow, Vec<String>, Vec<EntryKind>) {
    let (_, row) = home.store.row(thread).await.unwrap().unwrap();
    let quotes = row.places.iter().map(|place| place.quote.clone()).collect();
    let anonymous = ThreadRow {
        thread_id: ThreadId::parse("00000000-0000-7000-8000-000000000000").unwrap(),
        number: 0,
        places: Vec::new(),
        ..row
    };
    let entries = home.store.transcript(thread).await.unwrap();
    let bodies = entries.into_iter().map(|entry| entry.body).collect();
    (anonymous, quotes, bodies)
}

#[tokio::test]
async fn a_turn_stored_whole_is_the_turn_that_was_streamed() {
    let home = Home::new().await;
    let (streamed, whole): (ThreadId, ThreadId) = (fresh::id(), fresh::id());
    let steps = turn(&home, &streamed);
    let run = steps.prompt.run_id.clone();
    home.store.begin_run(steps.prompt, steps.at).await.unwrap();
    home.store
        .append(&run, steps.stream, steps.at)
        .await
        .unwrap();
    home.store
        .finish_run(&run, steps.end, steps.at)
        .await
        .unwrap();

    let at_once = vec![turn(&home, &whole)];
    home.store.add_turns(at_once).await.unwrap();

    let shown = seen(&home, &whole).await;
    assert_eq!(shown, seen(&home, &streamed).await);
    assert_eq!(
        (shown.1.as_slice(), shown.2.len()),
        (&["per seat".to_owned()][..], 2)
    );
}

#[tokio::test]
async fn one_bad_turn_leaves_none_of_them() {
    let home = Home::new().await;
    let (good, bad): (ThreadId, ThreadId) = (fresh::id(), fresh::id());
    let mut turns = vec![turn(&home, &good), turn(&home, &bad)];
    turns[1].prompt.prompt.message_id = turns[0].prompt.prompt.message_id.clone();
    let refused = home.store.add_turns(turns).await;
    assert!(matches!(refused, Err(StoreError::IdReused("message"))));
    assert_eq!(home.store.row(&good).await.unwrap(), None);
}
