use crate::fresh;
use crate::store::StoreError;
use crate::store::fixture::{Home, at, new_thread, place};
use rex_shared::ids::{MessageId, ThreadId};
use rex_shared::lane::Lane;
use rex_shared::wire::message::Mode;
use rex_shared::wire::thread::{Draft, NewThread, ThreadPatch, ThreadStatus};

async fn patch(home: &Home, thread: &ThreadId, patch: ThreadPatch) {
    home.store
        .patch_thread(thread, patch, at(50))
        .await
        .unwrap();
}

/// S67 S70: places picked before one was called away are a draft in the database.
#[tokio::test]
async fn a_half_built_comment_is_a_draft_row() {
    let home = Home::new().await;
    let thread = home
        .draft(&["Every seat costs 12 euros.", "per seat"], at(1))
        .await;
    let home = home.killed();
    let stored = home.store.thread(&thread).await.unwrap().unwrap();
    assert_eq!(stored.row.lane, Lane::Draft);
    assert_eq!(stored.places.len(), 2);
    assert!(stored.places.iter().all(|place| place.message_id.is_none()));
}

/// S76: what was typed and chosen in a composer is there after a restart.
#[tokio::test]
async fn a_composer_survives_a_restart() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let draft = Draft {
        text: "Is this before or after VAT?".to_owned(),
        model: Some("large".to_owned()),
        ..Draft::default()
    };
    let typed = ThreadPatch {
        draft: Some(draft.clone()),
        ..ThreadPatch::default()
    };
    patch(&home, &thread, typed).await;
    let home = home.killed();
    let stored = home.store.thread(&thread).await.unwrap().unwrap();
    assert_eq!(stored.draft, draft);
    assert_eq!(stored.row.last_activity_at, at(1), "typing moves no row");
}

#[tokio::test]
async fn a_thread_made_twice_is_made_once() {
    let home = Home::new().await;
    let new = NewThread {
        note: Some("Ask Ines.".to_owned()),
        is_note: true,
        ..new_thread()
    };
    let places = vec![place("pricing.md", "per seat")];
    for _ in 0..2 {
        home.store
            .create_thread(&home.workspace, new.clone(), places.clone(), at(1))
            .await
            .unwrap();
    }
    let other = NewThread {
        note: Some("Ask Tom.".to_owned()),
        ..new.clone()
    };
    let refused = home
        .store
        .create_thread(&home.workspace, other, places, at(1))
        .await;
    assert!(matches!(refused, Err(StoreError::IdReused(_))));
    let stored = home.store.thread(&new.thread_id).await.unwrap().unwrap();
    assert_eq!(stored.places.len(), 1);
    assert_eq!(stored.row.lane, Lane::Note);
}

/// S7: each comment has a number of its own in its workspace, and no number comes twice.
#[tokio::test]
async fn a_number_is_never_used_again() {
    let home = Home::new().await;
    let first = home.draft(&[], at(1)).await;
    let second = home.draft(&[], at(2)).await;
    home.store.delete_thread(&second, at(3)).await.unwrap();
    let third = home.draft(&[], at(4)).await;
    let other = home.store.open_workspace("/other", at(5)).await.unwrap();
    let new = new_thread();
    let elsewhere = new.thread_id.clone();
    home.store
        .create_thread(&other.workspace_id, new, Vec::new(), at(6))
        .await
        .unwrap();
    let mut numbers = Vec::new();
    for thread in [first, third, elsewhere] {
        numbers.push(home.store.row(&thread).await.unwrap().unwrap().1.number);
    }
    assert_eq!(numbers, [1, 3, 1]);
}

/// S96 S97: the title is the name, else the first message, else the note; blank is none.
#[tokio::test]
async fn the_title_is_kept_in_the_same_write() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let title = async || home.store.row(&thread).await.unwrap().unwrap().1.title;
    assert_eq!(title().await, None);
    let noted = ThreadPatch {
        note: Some("check with Ines".to_owned()),
        ..ThreadPatch::default()
    };
    patch(&home, &thread, noted).await;
    assert_eq!(title().await.as_deref(), Some("check with Ines"));
    home.send(&thread, "  Is this\nper month?  ", at(2)).await;
    assert_eq!(title().await.as_deref(), Some("Is this per month?"));
    let named = |name: &str| ThreadPatch {
        name: Some(name.to_owned()),
        ..ThreadPatch::default()
    };
    patch(&home, &thread, named("Price")).await;
    assert_eq!(title().await.as_deref(), Some("Price"));
    patch(&home, &thread, named("  ")).await;
    assert_eq!(title().await.as_deref(), Some("Is this per month?"));
}

/// S19 S22: only the person makes a note, and a note is never sent.
#[tokio::test]
async fn a_note_takes_no_prompt_and_what_was_sent_is_no_note() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let note = |is_note| ThreadPatch {
        is_note: Some(is_note),
        ..ThreadPatch::default()
    };
    patch(&home, &thread, note(true)).await;
    let refused = home
        .store
        .begin_run(home.prompt(&thread, "Why?"), at(2))
        .await;
    assert!(matches!(refused, Err(StoreError::ThreadIsNote)));
    patch(&home, &thread, note(false)).await;
    home.send(&thread, "Why?", at(3)).await;
    let refused = home.store.patch_thread(&thread, note(true), at(4)).await;
    assert!(matches!(refused, Err(StoreError::AlreadySent)));
}

/// S74: resolved is the person's word; only Reopen leaves it.
#[tokio::test]
async fn a_resolved_thread_takes_no_prompt_until_it_is_reopened() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let status = |status| ThreadPatch {
        status: Some(status),
        ..ThreadPatch::default()
    };
    patch(&home, &thread, status(ThreadStatus::Resolved)).await;
    let refused = home
        .store
        .begin_run(home.prompt(&thread, "Why?"), at(2))
        .await;
    assert!(matches!(refused, Err(StoreError::ThreadResolved)));
    patch(&home, &thread, status(ThreadStatus::Open)).await;
    home.send(&thread, "Why?", at(3)).await;
}

/// S123: the mode in force is the last mode entry's, and a fresh thread asks.
#[tokio::test]
async fn the_mode_is_that_of_the_last_mode_entry() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let mode = async || {
        home.store
            .thread(&thread)
            .await
            .unwrap()
            .unwrap()
            .permission_mode
    };
    assert_eq!(mode().await, Mode::Ask);
    let act = ThreadPatch {
        permission_mode: Some(Mode::Act),
        ..ThreadPatch::default()
    };
    patch(&home, &thread, act.clone()).await;
    patch(&home, &thread, act).await;
    assert_eq!(mode().await, Mode::Act);
    assert_eq!(
        home.store.transcript(&thread).await.unwrap().len(),
        1,
        "said once"
    );
    home.turn(&thread, "Why?", "Because.", at(2)).await;
    assert_eq!(mode().await, Mode::Ask, "the prompt said ask");
}

#[tokio::test]
async fn a_patch_of_an_unknown_thread_is_refused() {
    let home = Home::new().await;
    let refused = home
        .store
        .patch_thread(&fresh::id(), ThreadPatch::default(), at(1))
        .await;
    assert!(matches!(refused, Err(StoreError::UnknownThread)));
}

#[tokio::test]
async fn an_answer_is_unread_until_the_person_read_it() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let unread = async || home.store.row(&thread).await.unwrap().unwrap().1.unread;
    home.turn(&thread, "Why?", "Because.", at(2)).await;
    assert!(unread().await);
    let read = async |message: MessageId| {
        let read = ThreadPatch {
            read_up_to: Some(message),
            ..ThreadPatch::default()
        };
        patch(&home, &thread, read).await;
    };
    let transcript = home.store.transcript(&thread).await.unwrap();
    read(transcript[0].message_id.clone()).await;
    assert!(unread().await, "only the question was read");
    read(transcript[1].message_id.clone()).await;
    assert!(!unread().await);
    read(fresh::id()).await;
    assert!(!unread().await);
}

#[tokio::test]
async fn an_answer_read_while_it_is_written_is_news_when_it_ends() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let run = home.send(&thread, "Why?", at(2)).await;
    let words = crate::store::fixture::says(&run, "Because");
    home.store
        .append(&run.run_id, vec![words], at(3))
        .await
        .unwrap();
    let read = ThreadPatch {
        read_up_to: Some(run.reply_id.clone()),
        ..ThreadPatch::default()
    };
    patch(&home, &thread, read.clone()).await;
    let end = crate::store::fixture::ended(rex_shared::transcript::RunState::Done);
    home.store
        .finish_run(&run.run_id, end, at(4))
        .await
        .unwrap();
    assert!(home.store.row(&thread).await.unwrap().unwrap().1.unread);
    patch(&home, &thread, read).await;
    assert!(!home.store.row(&thread).await.unwrap().unwrap().1.unread);
}
