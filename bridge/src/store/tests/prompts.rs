use crate::fresh;
use crate::store::fixture::{Home, at, ended, place, says};
use crate::store::{Begun, StoreError};
use rex_shared::ids::ThreadId;
use rex_shared::transcript::{EntryKind, RunState};
use rex_shared::wire::message::Mode;
use rex_shared::wire::prompt::PromptImage;
use rex_shared::wire::thread::{Draft, ThreadPatch};

async fn texts(home: &Home, thread: &ThreadId) -> Vec<String> {
    let entries = home.store.transcript(thread).await.unwrap();
    entries
        .into_iter()
        .filter_map(|entry| match entry.body {
            EntryKind::Text { text } => Some(text),
            _ => None,
        })
        .collect()
}

/// S110 S114: a prompt to an id without a record makes the record under that very id, and the next list has it.
#[tokio::test]
async fn a_prompt_makes_the_thread_under_the_id_it_names() {
    let home = Home::new().await;
    let thread: ThreadId = fresh::id();
    let begun = home
        .store
        .begin_run(home.prompt(&thread, "Where?"), at(1))
        .await
        .unwrap();
    assert!(begun.created);
    let rows = home.store.rows(super::listing::all(&home)).await.unwrap();
    assert_eq!(rows[0].thread_id, thread);
    let again = home
        .store
        .begin_run(home.prompt(&thread, "And where else?"), at(2))
        .await
        .unwrap();
    assert!(!again.created);
}

#[tokio::test]
async fn a_prompt_sent_twice_is_stored_once() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let mut prompt = home.prompt(&thread, "Why?");
    prompt.places = vec![place("components.md", "per team")];
    let first = home.store.begin_run(prompt.clone(), at(2)).await.unwrap();
    prompt.run_id = fresh::id();
    prompt.reply_id = fresh::id();
    let Begun { run, again, .. } = home.store.begin_run(prompt.clone(), at(3)).await.unwrap();
    assert!(again);
    assert_eq!(run, first.run);
    assert_eq!(texts(&home, &thread).await, ["Why?"]);
    prompt.prompt.text = "Why not?".to_owned();
    let refused = home.store.begin_run(prompt, at(4)).await;
    assert!(matches!(refused, Err(StoreError::IdReused(_))));
    let mut as_reply = home.prompt(&thread, "Why?");
    as_reply.prompt.message_id = run.reply_id;
    let refused = home.store.begin_run(as_reply, at(5)).await;
    assert!(matches!(refused, Err(StoreError::IdReused(_))));
}

#[tokio::test]
async fn a_stored_prompt_has_left_the_composer() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let typed = ThreadPatch {
        draft: Some(Draft {
            text: "Why?".to_owned(),
            ..Draft::default()
        }),
        ..ThreadPatch::default()
    };
    home.store
        .patch_thread(&thread, typed, at(2))
        .await
        .unwrap();
    home.send(&thread, "Why?", at(3)).await;
    let home = home.killed();
    let conversation = home
        .store
        .conversation(&thread, None)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(conversation.draft, Draft::default());
    assert_eq!(conversation.entries.len(), 1);
    assert_eq!(conversation.runs[0].state, RunState::Running);
}

/// S90: each sent message records what it was.
#[tokio::test]
async fn a_message_records_its_mode_agent_and_model() {
    let home = Home::new().await;
    let thread = fresh::id();
    let mut prompt = home.prompt(&thread, "Change it.");
    prompt.prompt.mode = Mode::Act;
    prompt.prompt.model = Some("large".to_owned());
    home.store.begin_run(prompt, at(1)).await.unwrap();
    let entries = home.store.transcript(&thread).await.unwrap();
    assert!(matches!(&entries[0].body, EntryKind::Notice { name, .. } if name == "modeChange"));
    assert_eq!(entries[1].mode, Mode::Act);
    assert_eq!(entries[1].model.as_deref(), Some("large"));
    assert_eq!(entries[1].sdk.as_str(), "demo");
}

#[tokio::test]
async fn images_are_kept_and_given_back_whole() {
    let home = Home::new().await;
    let thread = fresh::id();
    let image = |data: &str| PromptImage {
        media_type: "image/png".to_owned(),
        data_base64: data.to_owned(),
    };
    let mut prompt = home.prompt(&thread, "What is this?");
    prompt.prompt.images = vec![image("iVBORw0KGgo=")];
    let run = home.store.begin_run(prompt, at(1)).await.unwrap().run;
    let stored = home
        .store
        .stored_prompt(&thread, &run.message_id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(stored.text, "What is this?");
    assert_eq!(stored.images, [image("iVBORw0KGgo=")]);
    let mut broken = home.prompt(&fresh::id(), "");
    broken.prompt.images = vec![image("no base64!")];
    assert!(matches!(
        home.store.begin_run(broken, at(2)).await,
        Err(StoreError::BadImage)
    ));
}

#[tokio::test]
async fn a_prompt_behind_a_run_waits_and_comes_after_the_answer() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let first = home.send(&thread, "First?", at(2)).await;
    let second = home.send(&thread, "Second?", at(3)).await;
    let third = home.send(&thread, "Third?", at(4)).await;
    assert_eq!(
        (second.state, third.state),
        (RunState::Queued, RunState::Queued)
    );
    let waiting: Vec<_> = home
        .store
        .queued(&thread)
        .await
        .unwrap()
        .into_iter()
        .map(|queued| queued.text)
        .collect();
    assert_eq!(waiting, ["Second?", "Third?"]);
    assert_eq!(
        home.store.start_queued(&thread, at(5)).await.unwrap(),
        None,
        "one run at a time"
    );

    home.store
        .edit_queued(&thread, &second.message_id, "Second, then?".to_owned())
        .await
        .unwrap();
    home.store
        .drop_queued(&thread, &third.message_id)
        .await
        .unwrap();
    home.store
        .append(&first.run_id, vec![says(&first, "Answer.")], at(6))
        .await
        .unwrap();
    home.store
        .finish_run(&first.run_id, ended(RunState::Done), at(7))
        .await
        .unwrap();
    assert_eq!(
        home.store.waiting_threads().await.unwrap(),
        std::slice::from_ref(&thread)
    );
    let started = home
        .store
        .start_queued(&thread, at(8))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (started.run_id, started.state),
        (second.run_id, RunState::Running)
    );
    assert_eq!(
        texts(&home, &thread).await,
        ["First?", "Answer.", "Second, then?"]
    );
    let late = home
        .store
        .edit_queued(&thread, &second.message_id, "Too late".to_owned())
        .await;
    assert!(matches!(late, Err(StoreError::UnknownMessage)));
    assert_eq!(
        home.store
            .row(&thread)
            .await
            .unwrap()
            .unwrap()
            .1
            .message_count,
        3
    );
}

#[tokio::test]
async fn the_places_of_a_dropped_prompt_wait_again() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    home.send(&thread, "First?", at(2)).await;
    home.store
        .add_places(&thread, vec![place("faq.md", "per team")], at(3))
        .await
        .unwrap();
    let queued = home.send(&thread, "Second?", at(4)).await;
    home.store
        .drop_queued(&thread, &queued.message_id)
        .await
        .unwrap();
    let places = home.store.thread(&thread).await.unwrap().unwrap().places;
    assert!(places[0].message_id.is_some());
    assert_eq!(places[1].message_id, None);
}

#[tokio::test]
async fn a_queued_prompt_survives_a_kill() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    home.send(&thread, "First?", at(2)).await;
    home.send(&thread, "Second?", at(3)).await;
    let home = home.killed();
    assert_eq!(home.store.queued(&thread).await.unwrap()[0].text, "Second?");
}

/// S20: what failed is sent and failed; trying again makes another run of the same message.
#[tokio::test]
async fn a_retry_sends_the_same_message_again() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let first = home.send(&thread, "Why?", at(2)).await;
    let retry = async |moment| {
        home.store
            .retry_run(&thread, &first.message_id, fresh::id(), fresh::id(), moment)
            .await
    };
    assert!(
        matches!(retry(at(3)).await, Err(StoreError::NothingToRetry)),
        "it is going on"
    );
    home.store
        .finish_run(&first.run_id, ended(RunState::Refused), at(4))
        .await
        .unwrap();
    let second = retry(at(5)).await.unwrap();
    assert_eq!(second.state, RunState::Running);
    assert_eq!(second.message_id, first.message_id);
    home.store
        .append(&second.run_id, vec![says(&second, "So.")], at(6))
        .await
        .unwrap();
    home.store
        .finish_run(&second.run_id, ended(RunState::Done), at(7))
        .await
        .unwrap();
    assert!(matches!(
        retry(at(8)).await,
        Err(StoreError::NothingToRetry)
    ));
    assert_eq!(texts(&home, &thread).await, ["Why?", "So."]);
    let conversation = home
        .store
        .conversation(&thread, None)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(conversation.runs.len(), 2);
}
