use crate::fresh;
use crate::store::fixture::{Home, at, sdk};
use crate::store::{SessionAnswer, SessionRecord, StoreError};
use rex_shared::ids::{GatewayId, ThreadId};
use rex_shared::wire::agent::Gateway;

async fn open(
    home: &Home,
    thread: &ThreadId,
    name: &str,
    gateway: &GatewayId,
    url: Option<&str>,
) -> SessionRecord {
    home.store
        .open_session(
            thread,
            &sdk(name),
            gateway,
            url.map(str::to_owned),
            "/review",
            at(5),
        )
        .await
        .unwrap()
}

async fn litellm(home: &Home) -> GatewayId {
    let gateway = Gateway {
        gateway_id: GatewayId::parse(uuid::Uuid::now_v7().to_string().as_str()).unwrap(),
        name: "LiteLLM".to_owned(),
        sdks: vec![sdk("claude")],
        base_url: Some("http://localhost:4000".to_owned()),
        key_ref: None,
        models: Vec::new(),
    };
    home.store
        .create_gateway(gateway.clone(), at(1))
        .await
        .unwrap();
    gateway.gateway_id
}

/// S31: one session for each thread, sdk and gateway; a second one for the same takes its place.
#[tokio::test]
async fn a_second_session_of_a_combination_replaces_the_first() {
    let home = Home::new().await;
    let thread = home.draft(&[], at(1)).await;
    let (default, other) = (GatewayId::default_gateway(), litellm(&home).await);
    let (claude, demo) = (sdk("claude"), sdk("demo"));
    assert_eq!(open(&home, &thread, "claude", &default, None).await.n, 1);
    home.store
        .name_session(&thread, &claude, &default, "abc")
        .await
        .unwrap();
    home.store
        .finish_session_turn(&thread, &claude, &default, at(6))
        .await
        .unwrap();
    open(&home, &thread, "claude", &other, None).await;
    open(&home, &thread, "demo", &default, None).await;
    let known = home
        .store
        .session(&thread, &claude, &default)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (known.session_id.as_deref(), known.finished_at),
        (Some("abc"), Some(at(6)))
    );

    let finished = SessionAnswer {
        has: true,
        asked_at: at(6),
    };
    assert_eq!(known.answer, Some(finished), "a turn it ended is its word");
    let none = SessionAnswer {
        has: false,
        asked_at: at(7),
    };
    home.store.answer_session(&known, none).await.unwrap();

    let second = open(&home, &thread, "claude", &default, None).await;
    assert_eq!(second.answer, None, "of another session nothing was said");
    home.store.answer_session(&known, none).await.unwrap();
    assert_eq!(
        (second.n, second.session_id, second.finished_at),
        (2, None, None)
    );
    let sessions = home.store.sessions(&thread).await.unwrap();
    assert_eq!(sessions.len(), 3);
    assert!(sessions.iter().all(|session| session.answer.is_none()));
    assert!(
        home.store
            .session(&fresh::id(), &demo, &default)
            .await
            .unwrap()
            .is_none()
    );
}

/// S32: with the thread or the gateway its sessions go.
#[tokio::test]
async fn sessions_go_with_their_thread_and_their_gateway() {
    let home = Home::new().await;
    let (first, second) = (home.draft(&[], at(1)).await, home.draft(&[], at(2)).await);
    let (default, other) = (GatewayId::default_gateway(), litellm(&home).await);
    open(&home, &first, "claude", &default, None).await;
    open(&home, &first, "claude", &other, None).await;
    open(&home, &second, "claude", &other, None).await;
    home.store.delete_gateway(&other).await.unwrap();
    assert_eq!(home.store.sessions(&first).await.unwrap().len(), 1);
    assert!(home.store.sessions(&second).await.unwrap().is_empty());
    home.store.delete_thread(&first, at(6)).await.unwrap();
    assert!(home.store.sessions(&first).await.unwrap().is_empty());
    let orphan = home
        .store
        .open_session(&first, &sdk("claude"), &default, None, "/review", at(7))
        .await;
    assert!(
        matches!(orphan, Err(StoreError::Sqlite(_))),
        "a session belongs to a thread"
    );
}

/// S33: the address the session was opened at, and when, stand on its row, whatever becomes of the gateway.
#[tokio::test]
async fn a_session_keeps_the_address_it_was_opened_at() {
    let home = Home::new().await;
    let thread = home.draft(&[], at(1)).await;
    let gateway = litellm(&home).await;
    open(
        &home,
        &thread,
        "claude",
        &gateway,
        Some("http://localhost:4000"),
    )
    .await;
    let mut moved = home.store.gateway(&gateway).await.unwrap().unwrap();
    moved.base_url = Some("http://localhost:5000".to_owned());
    home.store.change_gateway(moved).await.unwrap();
    let known = home
        .store
        .session(&thread, &sdk("claude"), &gateway)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(known.base_url.as_deref(), Some("http://localhost:4000"));
    assert_eq!(
        (known.created_at, known.folder.as_str()),
        (at(5), "/review")
    );
}
