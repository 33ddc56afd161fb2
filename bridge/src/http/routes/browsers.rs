//! Who is signed in; put one out.

use crate::access::Admitted;
use crate::bridge::Bridge;
use crate::fresh;
use crate::http::extract::{Json, Path};
use crate::http::problem::ApiProblem;
use crate::http::router::{Answer, Route};
use axum::Extension;
use axum::extract::State;
use rex_shared::ids::BrowserId;
use rex_shared::wire::problem::ProblemType;
use rex_shared::wire::workspace::Browser;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/browsers", list),
        Route::delete("/api/browsers/{id}", put_out),
    ]
}

async fn list(
    State(bridge): State<Arc<Bridge>>,
    Extension(admitted): Extension<Admitted>,
) -> Answer<Vec<Browser>> {
    Ok(Json(
        bridge
            .sign_ins
            .list(&admitted.browser, fresh::now())
            .await?,
    ))
}

async fn put_out(
    State(bridge): State<Arc<Bridge>>,
    Extension(admitted): Extension<Admitted>,
    Path(id): Path<BrowserId>,
) -> Answer<Vec<Browser>> {
    if !bridge.sign_ins.put_out(&id).await? {
        return Err(ApiProblem::new(
            ProblemType::UnknownBrowser,
            "No such browser",
            "It is not signed in, or was put out already.",
            "Reload the list.",
        ));
    }
    Ok(Json(
        bridge
            .sign_ins
            .list(&admitted.browser, fresh::now())
            .await?,
    ))
}
