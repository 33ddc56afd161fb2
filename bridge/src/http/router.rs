//! The route table: one row for each route, which says who may call it and how much it takes.
//!
//! The table is the only way to a handler, so that neither the gate nor its test can miss a route.

use super::extract::Json;
use super::gate::{self, Gate};
use super::problem::ApiProblem;
use super::{routes, shell};
use crate::bridge::Bridge;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{MethodFilter, MethodRouter, on};
use rex_shared::wire::problem::ProblemType;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes a body may have unless its route says otherwise.
pub(in crate::http) const BODY: usize = 1024 * 1024;

/// Who may call a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) enum Access {
    /// A signed-in browser.
    Secret,
    /// Anyone who passes the checks of host and origin.
    Open,
    /// A `rex` command of the same home, by the secret in the home's own file.
    Local,
}

/// One row of the table.
pub(in crate::http) struct Route {
    /// The method.
    pub(in crate::http) method: Method,
    /// The path, with `{name}` for a parameter.
    pub(in crate::http) path: &'static str,
    /// Who may call it.
    pub(in crate::http) access: Access,
    /// Bytes its body may have.
    pub(in crate::http) limit: usize,
    /// What it does.
    pub(in crate::http) handler: MethodRouter<Arc<Bridge>>,
}

impl Route {
    /// A row for signed-in browsers with the usual body limit.
    pub(in crate::http) fn new<H, T>(method: Method, path: &'static str, handler: H) -> Self
    where
        H: Handler<T, Arc<Bridge>>,
        T: 'static,
    {
        let filter = MethodFilter::try_from(method.clone())
            .expect("the table holds methods that axum routes");
        Self {
            method,
            path,
            access: Access::Secret,
            limit: BODY,
            handler: on(filter, handler),
        }
    }

    /// A GET row.
    pub(in crate::http) fn get<H: Handler<T, Arc<Bridge>>, T: 'static>(
        path: &'static str,
        handler: H,
    ) -> Self {
        Self::new(Method::GET, path, handler)
    }

    /// A POST row.
    pub(in crate::http) fn post<H: Handler<T, Arc<Bridge>>, T: 'static>(
        path: &'static str,
        handler: H,
    ) -> Self {
        Self::new(Method::POST, path, handler)
    }

    /// A PATCH row.
    pub(in crate::http) fn patch<H: Handler<T, Arc<Bridge>>, T: 'static>(
        path: &'static str,
        handler: H,
    ) -> Self {
        Self::new(Method::PATCH, path, handler)
    }

    /// A DELETE row.
    pub(in crate::http) fn delete<H: Handler<T, Arc<Bridge>>, T: 'static>(
        path: &'static str,
        handler: H,
    ) -> Self {
        Self::new(Method::DELETE, path, handler)
    }

    /// The same for somebody else. Only a path without parameters may be anything but [`Access::Secret`].
    pub(in crate::http) fn access(self, access: Access) -> Self {
        Self { access, ..self }
    }

    /// The same with another body limit, in bytes.
    pub(in crate::http) fn limit(self, limit: usize) -> Self {
        Self { limit, ..self }
    }
}

/// Every route of the bridge.
pub(in crate::http) fn table() -> Vec<Route> {
    [
        routes::sign_in::routes(),
        routes::agents::routes(),
        routes::browsers::routes(),
        routes::changes::routes(),
        routes::export::routes(),
        routes::gateways::routes(),
        routes::doctor::routes(),
        routes::health::routes(),
        routes::history::routes(),
        routes::local::routes(),
        routes::workspaces::routes(),
        routes::files::routes(),
        routes::documents::routes(),
        routes::places::routes(),
        routes::prompt::routes(),
        routes::proposals::routes(),
        routes::queue::routes(),
        routes::rail::routes(),
        routes::threads::routes(),
        routes::undo::routes(),
        routes::dialogs::routes(),
        routes::forecast::routes(),
        routes::debug::routes(),
        routes::follow::routes(),
        shell::routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The whole bridge as one service: the gate first, then the table.
pub fn router(bridge: Arc<Bridge>) -> Router {
    build(bridge, table())
}

pub(in crate::http) fn build(bridge: Arc<Bridge>, table: Vec<Route>) -> Router {
    let gate = Gate::new(bridge.clone(), &table);
    let mut paths: BTreeMap<&'static str, MethodRouter<Arc<Bridge>>> = BTreeMap::new();
    for route in table {
        let handler = route.handler.layer(DefaultBodyLimit::max(route.limit));
        let path = paths.entry(route.path).or_default();
        *path = std::mem::take(path).merge(handler);
    }
    let mut router = Router::new();
    for (path, handlers) in paths {
        router = router.route(path, handlers);
    }
    let router = router
        .method_not_allowed_fallback(no_such_method)
        .fallback(no_such_route)
        .with_state(bridge);
    gate::before(gate, router)
}

async fn no_such_route() -> ApiProblem {
    ApiProblem::new(
        ProblemType::UnknownRoute,
        "No such address",
        "REX has nothing here. Nothing was changed.",
        "Reload the page: it may be of another version.",
    )
}

async fn no_such_method() -> ApiProblem {
    ApiProblem::new(
        ProblemType::MethodNotAllowed,
        "Not done this way",
        "This address does not take that method. Nothing was changed.",
        "Reload the page: it may be of another version.",
    )
}

/// The answer of a handler.
pub(in crate::http) type Answer<T> = Result<Json<T>, ApiProblem>;
