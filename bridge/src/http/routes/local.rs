//! What another `rex` command of the same home asks of the running bridge. Its words are in `crate::control`.

use crate::bridge::Bridge;
use crate::control::{Link, LinkAsked};
use crate::fresh;
use crate::http::extract::Json;
use crate::http::problem::ApiProblem;
use crate::http::router::{Access, Answer, Route};
use axum::extract::State;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![Route::post("/api/local/link", link).access(Access::Local)]
}

async fn link(State(bridge): State<Arc<Bridge>>, Json(asked): Json<LinkAsked>) -> Answer<Link> {
    if asked.rotate {
        bridge.sign_ins.rotate().await;
    }
    let code = bridge
        .sign_ins
        .issue(fresh::now())
        .map_err(|error| ApiProblem::internal(&error))?;
    Ok(Json(Link {
        code: code.reveal(),
    }))
}
