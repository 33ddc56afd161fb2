use crate::fresh;
use crate::store::fixture::{Home, at, sdk};
use crate::store::{BrowserRecord, StoreError};
use rex_shared::ids::GatewayId;
use rex_shared::wire::agent::Gateway;

fn gateway() -> Gateway {
    Gateway {
        gateway_id: GatewayId::parse(uuid::Uuid::now_v7().to_string().as_str()).unwrap(),
        name: "LiteLLM".to_owned(),
        sdks: vec![sdk("claude"), sdk("acp:mine")],
        base_url: Some("http://localhost:4000".to_owned()),
        key_ref: Some("env:LITELLM_KEY".to_owned()),
        models: vec!["large".to_owned(), "small".to_owned()],
    }
}

#[tokio::test]
async fn a_gateway_is_made_once_changed_and_deleted() {
    let home = Home::new().await;
    let mut own = gateway();
    for _ in 0..2 {
        home.store.create_gateway(own.clone(), at(1)).await.unwrap();
    }
    let all = home.store.gateways().await.unwrap();
    assert!(all[0].gateway_id.is_default());
    assert_eq!(all[1..], [own.clone()]);
    own.models = vec!["huge".to_owned()];
    let refused = home.store.create_gateway(own.clone(), at(2)).await;
    assert!(matches!(refused, Err(StoreError::IdReused(_))));
    home.store.change_gateway(own.clone()).await.unwrap();
    assert_eq!(
        home.store.gateway(&own.gateway_id).await.unwrap(),
        Some(own.clone())
    );
    home.store.delete_gateway(&own.gateway_id).await.unwrap();
    let gone = home.store.change_gateway(own).await;
    assert!(matches!(gone, Err(StoreError::UnknownGateway)));
}

#[tokio::test]
async fn the_built_in_gateway_stays() {
    let home = Home::new().await;
    let default = GatewayId::default_gateway();
    let refused = home.store.delete_gateway(&default).await;
    assert!(matches!(refused, Err(StoreError::BuiltInGateway)));
    assert!(home.store.gateway(&default).await.unwrap().is_some());
}

#[tokio::test]
async fn a_browser_is_known_by_the_hash_of_its_secret_until_it_is_put_out() {
    let home = Home::new().await;
    let browser = BrowserRecord {
        browser_id: fresh::id(),
        label: "Firefox".to_owned(),
        created_at: at(1),
        last_used_at: at(1),
    };
    home.store
        .add_browser(browser.clone(), [7; 32])
        .await
        .unwrap();
    let by = async |hash, moment| {
        home.store
            .browser_by_secret([hash; 32], moment)
            .await
            .unwrap()
    };
    assert_eq!(by(7, at(2)).await, Some(browser.clone()));
    assert_eq!(by(8, at(2)).await, None);
    let days = |days: i64| at(days * 24 * 60 * 60 * 1000);
    assert_eq!(by(7, days(91)).await, None, "void after 90 unused days");
    home.store
        .touch_browser(&browser.browser_id, days(80))
        .await
        .unwrap();
    assert!(by(7, days(91)).await.is_some());
    assert!(
        home.store
            .remove_browser(&browser.browser_id)
            .await
            .unwrap()
    );
    assert!(
        !home
            .store
            .remove_browser(&browser.browser_id)
            .await
            .unwrap()
    );
    assert!(home.store.browsers(at(2)).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_workspace_remembers_that_the_person_said_go_on() {
    let home = Home::new().await;
    home.store.accept_unenforced(&home.workspace).await.unwrap();
    let workspace = home
        .store
        .workspace(&home.workspace)
        .await
        .unwrap()
        .unwrap();
    assert!(workspace.unenforced_accepted);
    let unknown = home.store.accept_unenforced(&fresh::id()).await;
    assert!(matches!(unknown, Err(StoreError::UnknownWorkspace)));
}
