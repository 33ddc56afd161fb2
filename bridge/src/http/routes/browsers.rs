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
use rex_shared::routes::{BROWSER, BROWSERS};
use rex_shared::wire::problem::ProblemType;
use rex_shared::wire::workspace::Browser;
use std::sync::Arc;

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![Route::get(BROWSERS, list), Route::delete(BROWSER, put_out)]
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

#[cfg(test)]
mod tests {
    use crate::fresh;
    use crate::http::testing::Page;

    #[tokio::test]
    async fn a_browser_sees_who_is_signed_in_and_puts_another_out() {
        let page = Page::new().await;
        let code = page.bridge.sign_ins.issue(fresh::now()).unwrap().reveal();
        let other = page
            .bridge
            .sign_ins
            .exchange(&code, "Other", fresh::now())
            .await
            .unwrap()
            .unwrap();
        let list = page.get("/api/browsers").await.json();
        let find = |label: &str| {
            let browser = list
                .as_array()
                .unwrap()
                .iter()
                .find(|browser| browser["label"] == label);
            browser.unwrap().clone()
        };
        assert_eq!(find("Test")["current"], true);
        assert_eq!(find("Other")["current"], false);
        let id = find("Other")["browserId"].as_str().unwrap().to_owned();
        let left = page
            .call("DELETE", &format!("/api/browsers/{id}"), None)
            .await
            .json();
        assert_eq!(left.as_array().unwrap().len(), 1);
        assert!(
            page.bridge
                .sign_ins
                .admit(other.reveal(), fresh::now())
                .await
                .unwrap()
                .is_none()
        );
        let again = page
            .call("DELETE", &format!("/api/browsers/{id}"), None)
            .await;
        assert_eq!(again.status, 401);
    }

    #[tokio::test]
    async fn a_secret_is_nowhere_in_the_home() {
        let page = Page::new().await;
        page.bridge.store.close().await;
        for file in std::fs::read_dir(&page.bridge.home).unwrap() {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            assert!(!text.contains(&page.secret));
        }
    }
}
