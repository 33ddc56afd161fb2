use crate::fresh;
use crate::store::StoreError;
use crate::store::fixture::{Home, at, ended};
use crate::store::writer::Durability;
use rex_shared::assembly::assemble;
use rex_shared::transcript::RunState;
use rex_shared::wire::message::{Mode, Part};

fn said(parts: &[Part]) -> String {
    parts
        .iter()
        .map(|part| match part {
            Part::Text { text, .. } => text.as_str(),
            _ => "",
        })
        .collect()
}

/// S106: an id without a record is an answer of its own, not an error.
#[tokio::test]
async fn an_unknown_thread_has_no_conversation() {
    let home = Home::new().await;
    assert_eq!(
        home.store.conversation(&fresh::id(), None).await.unwrap(),
        None
    );
    assert_eq!(home.store.newest_run(&fresh::id()).await.unwrap(), None);
}

/// S4: eight days later the thread is as it was left, and the next message goes on behind it.
#[tokio::test]
async fn next_week_it_is_as_it_was_left() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    home.turn(&thread, "Why?", "Because.", at(2)).await;
    let before = home
        .store
        .conversation(&thread, None)
        .await
        .unwrap()
        .unwrap();
    let stood = home.store.thread(&thread).await.unwrap();
    let home = home.killed();
    assert_eq!(
        home.store
            .conversation(&thread, None)
            .await
            .unwrap()
            .unwrap(),
        before
    );
    assert_eq!(home.store.thread(&thread).await.unwrap(), stood);
    let week = 8 * 24 * 60 * 60 * 1000;
    home.turn(&thread, "And now?", "Still.", at(week)).await;
    let after = home
        .store
        .conversation(&thread, None)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(after.entries[..2], before.entries[..]);
    assert_eq!(after.entries.len(), 4);
}

/// S14: the messages are the rows' own: what is known of the agents' logs changes none of them.
#[tokio::test]
async fn forgetting_every_session_changes_no_message() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    home.turn(&thread, "Why?", "Because.", at(2)).await;
    let run = home.store.newest_run(&thread).await.unwrap().unwrap();
    home.store
        .open_session(&thread, &run.sdk, &run.gateway, None, "/review", at(3))
        .await
        .unwrap();
    let before = home.store.conversation(&thread, None).await.unwrap();
    home.store
        .write(Durability::Streamed, |db| {
            db.execute("DELETE FROM thread_session", [])?;
            Ok(())
        })
        .await
        .unwrap();
    assert_eq!(
        home.store.conversation(&thread, None).await.unwrap(),
        before
    );
}

#[tokio::test]
async fn a_long_conversation_is_read_page_by_page_from_its_end() {
    let home = Home::new().await;
    let thread = home.draft(&[], at(0)).await;
    for turn in 0..120 {
        home.turn(
            &thread,
            &format!("question {turn}"),
            &format!("answer {turn}"),
            at(turn),
        )
        .await;
    }
    let mut pages = Vec::new();
    let mut before = None;
    loop {
        let page = home
            .store
            .conversation(&thread, before.as_ref())
            .await
            .unwrap()
            .unwrap();
        let messages = assemble(&page.entries, &page.runs, &page.places);
        before = messages.first().map(|message| message.message_id.clone());
        pages.push(messages);
        if !page.has_earlier {
            break;
        }
    }
    assert_eq!(
        pages.iter().map(Vec::len).collect::<Vec<_>>(),
        [100, 100, 40]
    );
    pages.reverse();
    let all: Vec<String> = pages
        .concat()
        .iter()
        .map(|message| said(&message.parts))
        .collect();
    let expected: Vec<String> = (0..120)
        .flat_map(|turn| [format!("question {turn}"), format!("answer {turn}")])
        .collect();
    assert_eq!(all, expected);
    let lost = home.store.conversation(&thread, Some(&fresh::id())).await;
    assert!(matches!(lost, Err(StoreError::UnknownMessage)));
}

/// S148: a run that was cut off says so, with what it had said.
#[tokio::test]
async fn a_run_that_was_cut_off_is_told_from_a_finished_one() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let run = home.send(&thread, "Why?", at(2)).await;
    let words = crate::store::fixture::says(&run, "Because sea");
    home.store
        .append(&run.run_id, vec![words], at(3))
        .await
        .unwrap();
    home.store
        .finish_run(&run.run_id, ended(RunState::Interrupted), at(4))
        .await
        .unwrap();
    let page = home
        .store
        .conversation(&thread, None)
        .await
        .unwrap()
        .unwrap();
    let messages = assemble(&page.entries, &page.runs, &page.places);
    assert!(messages[1].interrupted);
    assert_eq!(said(&messages[1].parts), "Because sea");
}

/// S60: the message that brought a place shows it, with the version it was about when it was stored.
#[tokio::test]
async fn a_message_carries_the_places_it_brought() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    home.turn(&thread, "Why?", "Because.", at(2)).await;
    let page = home
        .store
        .conversation(&thread, None)
        .await
        .unwrap()
        .unwrap();
    let messages = assemble(&page.entries, &page.runs, &page.places);
    assert_eq!(messages[0].places.len(), 1);
    assert_eq!(
        messages[0].version.as_ref(),
        Some(&messages[0].places[0].version)
    );
    assert_eq!(page.permission_mode, Mode::Ask);
    assert!(!page.has_earlier);
}

#[tokio::test]
async fn a_refused_run_without_a_word_is_on_the_page_of_its_prompt() {
    let home = Home::new().await;
    let thread = home.draft(&[], at(1)).await;
    let run = home.send(&thread, "Why?", at(2)).await;
    home.store
        .finish_run(&run.run_id, ended(RunState::Refused), at(3))
        .await
        .unwrap();
    let page = home
        .store
        .conversation(&thread, None)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(page.runs.len(), 1);
    assert_eq!(assemble(&page.entries, &page.runs, &page.places).len(), 2);
}
