//! Gateways: list, make, change, delete named model endpoints.

use crate::bridge::Bridge;
use crate::fresh;
use crate::http::choices::check_gateway;
use crate::http::extract::{Json, Path};
use crate::http::problem::ApiProblem;
use crate::http::router::{Answer, Route};
use crate::store::StoreError;
use axum::extract::State;
use axum::http::StatusCode;
use rex_shared::ids::GatewayId;
use rex_shared::routes::{GATEWAY, GATEWAYS};
use rex_shared::wire::agent::{Gateway, GatewayPatch};
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        Route::get(GATEWAYS, all),
        Route::post(GATEWAYS, make),
        Route::patch(GATEWAY, change),
        Route::delete(GATEWAY, delete),
    ]
}

async fn all(State(bridge): State<Arc<Bridge>>) -> Answer<Vec<Gateway>> {
    Ok(Json(bridge.store.gateways().await?))
}

async fn make(State(bridge): State<Arc<Bridge>>, Json(gateway): Json<Gateway>) -> Answer<Gateway> {
    check_gateway(&gateway)?;
    bridge
        .store
        .create_gateway(gateway.clone(), fresh::now())
        .await?;
    Ok(Json(gateway))
}

/// Sessions opened through another address are not resumed any more: each row remembers its own.
async fn change(
    State(bridge): State<Arc<Bridge>>,
    Path(id): Path<GatewayId>,
    Json(patch): Json<GatewayPatch>,
) -> Answer<Gateway> {
    let known = bridge.store.gateway(&id).await?;
    let known = known.ok_or(StoreError::UnknownGateway)?;
    let gateway = Gateway {
        gateway_id: id,
        name: patch.name.unwrap_or(known.name),
        sdks: patch.sdks.unwrap_or(known.sdks),
        base_url: patch.base_url.unwrap_or(known.base_url),
        key_ref: patch.key_ref.unwrap_or(known.key_ref),
        models: patch.models.unwrap_or(known.models),
    };
    check_gateway(&gateway)?;
    bridge.store.change_gateway(gateway.clone()).await?;
    Ok(Json(gateway))
}

async fn delete(
    State(bridge): State<Arc<Bridge>>,
    Path(id): Path<GatewayId>,
) -> Result<StatusCode, ApiProblem> {
    bridge.store.delete_gateway(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}
