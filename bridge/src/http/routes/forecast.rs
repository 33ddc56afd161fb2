//! What the next send will do, said before it.

use crate::bridge::Bridge;
use crate::http::extract::{Json, Path, Query};
use crate::http::router::{Answer, Route};
use axum::extract::State;
use rex_shared::ids::{GatewayId, Sdk, ThreadId};
use rex_shared::routes::FORECAST;
use rex_shared::wire::message::{Forecast, Mode};
use serde::Deserialize;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![Route::get(FORECAST, forecast)]
}

/// The model is taken and makes no difference: a session outlives a change of it.
#[derive(Deserialize)]
struct Send {
    sdk: Sdk,
    gateway: GatewayId,
    #[serde(default)]
    mode: Mode,
}

async fn forecast(
    State(bridge): State<Arc<Bridge>>,
    Path(thread): Path<ThreadId>,
    Query(send): Query<Send>,
) -> Answer<Forecast> {
    let forecast = bridge
        .runs
        .forecast(&thread, &send.sdk, &send.gateway, send.mode)
        .await?;
    Ok(Json(forecast))
}
