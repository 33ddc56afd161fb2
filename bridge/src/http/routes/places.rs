//! A thread's places: look at one, add some, move a draft's here, take one away, put one onto other text.

use super::threads::whole;
use crate::bridge::Bridge;
use crate::follow::rail_removed;
use crate::fresh;
use crate::http::extract::{Json, Path};
use crate::http::router::{Answer, Route};
use crate::store::StoreError;
use axum::extract::State;
use rex_shared::ids::{PlaceId, ThreadId};
use rex_shared::routes::{PLACE, PLACES, REATTACH, SAID_GONE};
use rex_shared::wire::place::{AddPlaces, NewPlace, PlaceDetail, Reattach, SaidGone};
use rex_shared::wire::thread::{Thread, Undo};
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        Route::post(PLACES, add),
        Route::get(PLACE, detail),
        Route::delete(PLACE, remove),
        Route::post(REATTACH, reattach),
        Route::post(SAID_GONE, say_gone),
    ]
}

async fn add(
    State(bridge): State<Arc<Bridge>>,
    Path(thread): Path<ThreadId>,
    Json(added): Json<AddPlaces>,
) -> Answer<Thread> {
    let workspace = bridge.store.workspace_of(&thread).await?;
    let workspace = workspace.ok_or(StoreError::UnknownThread)?;
    let places = bridge
        .documents
        .check_places(&workspace, &added.places)
        .await?;
    if !places.is_empty() {
        bridge
            .store
            .add_places(&thread, places, fresh::now())
            .await?;
    }
    if !added.place_ids.is_empty() {
        let moved = bridge
            .store
            .move_places(added.place_ids, &thread, fresh::now())
            .await?;
        for changed in &moved.changed {
            bridge.rail_changed(changed).await;
        }
        for removed in &moved.removed {
            rail_removed(&bridge.hub, &workspace, removed);
        }
    }
    bridge.rail_changed(&thread).await;
    Ok(Json(whole(&bridge, &thread).await?))
}

async fn detail(
    State(bridge): State<Arc<Bridge>>,
    Path((thread, place)): Path<(ThreadId, PlaceId)>,
) -> Answer<PlaceDetail> {
    Ok(Json(bridge.documents.place(&thread, &place).await?))
}

async fn remove(
    State(bridge): State<Arc<Bridge>>,
    Path((thread, place)): Path<(ThreadId, PlaceId)>,
) -> Answer<Undo> {
    let undo = bridge
        .store
        .remove_place(&thread, &place, fresh::now())
        .await?;
    bridge.rail_changed(&thread).await;
    Ok(Json(undo))
}

/// The old place keeps its anchor; deleting the new one takes this back.
async fn reattach(
    State(bridge): State<Arc<Bridge>>,
    Path((thread, replaced)): Path<(ThreadId, PlaceId)>,
    Json(onto): Json<Reattach>,
) -> Answer<Thread> {
    let workspace = bridge.store.workspace_of(&thread).await?;
    let workspace = workspace.ok_or(StoreError::UnknownThread)?;
    let old = bridge.store.place(&thread, &replaced).await?;
    let old = old.ok_or(StoreError::UnknownPlace)?;
    let place = NewPlace {
        place_id: onto.place_id.unwrap_or_else(fresh::id),
        document: onto.document,
        kind: onto.kind.unwrap_or(old.kind),
        start: onto.start,
        end: onto.end,
        version: onto.version,
        quote: onto.quote,
    };
    let place = bridge.documents.check_place(&workspace, &place).await?;
    bridge
        .store
        .reattach(&thread, &replaced, place, fresh::now())
        .await?;
    bridge.rail_changed(&thread).await;
    Ok(Json(whole(&bridge, &thread).await?))
}

/// The comment stays in its lane; only the question is answered.
async fn say_gone(
    State(bridge): State<Arc<Bridge>>,
    Path((thread, place)): Path<(ThreadId, PlaceId)>,
    Json(said): Json<SaidGone>,
) -> Answer<Thread> {
    bridge
        .store
        .say_gone(&thread, &place, said.gone, fresh::now())
        .await?;
    Ok(Json(whole(&bridge, &thread).await?))
}
