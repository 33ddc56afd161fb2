use crate::store::StoreError;
use crate::store::fixture::{Home, at, record, sdk, standing};
use rex_shared::ids::GatewayId;
use rex_shared::wire::place::PlaceState;

const DAY: i64 = 24 * 60 * 60 * 1000;

#[tokio::test]
async fn a_deleted_thread_comes_back_as_it_was() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    home.turn(&thread, "Why?", "Because.", at(2)).await;
    let id = home.store.thread(&thread).await.unwrap().unwrap().places[0]
        .place_id
        .clone();
    let changed = standing(PlaceState::Changed, "per active seat");
    record(&home, &id, changed, at(2)).await;
    let default = GatewayId::default_gateway();
    home.store
        .open_session(&thread, &sdk("demo"), &default, None, "/review", at(3))
        .await
        .unwrap();
    let before = (
        home.store.thread(&thread).await.unwrap(),
        home.store.conversation(&thread, None).await.unwrap(),
        home.store.sessions(&thread).await.unwrap(),
    );
    let undo = home.store.delete_thread(&thread, at(4)).await.unwrap();
    assert!(home.store.thread(&thread).await.unwrap().is_none());
    assert!(home.store.transcript(&thread).await.unwrap().is_empty());

    assert_eq!(
        home.store
            .undo(&undo.undo_id, at(4 + DAY - 1))
            .await
            .unwrap(),
        thread
    );
    let after = (
        home.store.thread(&thread).await.unwrap(),
        home.store.conversation(&thread, None).await.unwrap(),
        home.store.sessions(&thread).await.unwrap(),
    );
    assert_eq!(before, after);
    let twice = home.store.undo(&undo.undo_id, at(5)).await;
    assert!(matches!(twice, Err(StoreError::MovedOn(_))));
}

#[tokio::test]
async fn after_a_day_a_deleted_thread_is_gone() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let undo = home.store.delete_thread(&thread, at(2)).await.unwrap();
    let late = home.store.undo(&undo.undo_id, at(2 + DAY)).await;
    assert!(matches!(late, Err(StoreError::MovedOn(_))));
    let other = home.draft(&[], at(3)).await;
    home.store.delete_thread(&other, at(3 + DAY)).await.unwrap();
    let rows: i64 = home
        .store
        .read(|db| {
            Ok(db.query_row(
                "SELECT count(DISTINCT undo_id) FROM removed_row",
                [],
                |row| row.get(0),
            )?)
        })
        .await
        .unwrap();
    assert_eq!(rows, 1, "old rows are let go of");
}

#[tokio::test]
async fn undo_is_refused_when_the_world_has_moved_on() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let place = home.store.thread(&thread).await.unwrap().unwrap().places[0]
        .place_id
        .clone();
    let removed = home
        .store
        .remove_place(&thread, &place, at(2))
        .await
        .unwrap();
    let deleted = home.store.delete_thread(&thread, at(3)).await.unwrap();
    let refused = home.store.undo(&removed.undo_id, at(4)).await;
    assert!(
        matches!(refused, Err(StoreError::MovedOn(_))),
        "its thread is gone"
    );
    home.send(&thread, "The same id again", at(5)).await;
    let refused = home.store.undo(&deleted.undo_id, at(6)).await;
    assert!(
        matches!(refused, Err(StoreError::MovedOn(_))),
        "the id is taken"
    );
    assert_eq!(home.store.transcript(&thread).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_removed_place_comes_back() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat", "12 euros"], at(1)).await;
    let before = home.store.thread(&thread).await.unwrap().unwrap().places;
    let undo = home
        .store
        .remove_place(&thread, &before[0].place_id, at(2))
        .await
        .unwrap();
    assert_eq!(
        home.store.thread(&thread).await.unwrap().unwrap().places,
        before[1..]
    );
    home.store.undo(&undo.undo_id, at(3)).await.unwrap();
    assert_eq!(
        home.store.thread(&thread).await.unwrap().unwrap().places,
        before
    );
    let unknown = home
        .store
        .remove_place(&thread, &crate::fresh::id(), at(4))
        .await;
    assert!(matches!(unknown, Err(StoreError::UnknownPlace)));
}

#[tokio::test]
async fn a_thread_with_a_run_going_on_is_not_deleted() {
    let home = Home::new().await;
    let thread = home.draft(&[], at(1)).await;
    home.send(&thread, "Why?", at(2)).await;
    let refused = home.store.delete_thread(&thread, at(3)).await;
    assert!(matches!(refused, Err(StoreError::RunGoing)));
}
