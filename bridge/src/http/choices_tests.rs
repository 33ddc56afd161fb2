//! Gateways and prompts: what reaches a program later is checked before it is kept.

use super::threads_tests::review;
use crate::fresh;
use rex_shared::ids::ThreadId;
use serde_json::{Value, json};

#[tokio::test]
async fn a_gateway_is_checked_before_it_is_kept() {
    let (page, _) = review().await;
    let id = fresh::id::<ThreadId>().to_string();
    let good = json!({
        "gatewayId": id,
        "name": "LiteLLM",
        "sdks": ["claude"],
        "baseUrl": "http://localhost:4000",
        "keyRef": "env:LITELLM_KEY",
        "models": ["large", "anthropic/small"],
    });
    for (field, bad) in [
        ("name", json!(" ")),
        ("baseUrl", json!("http://me:secret@host")),
        ("baseUrl", json!("file:///etc/passwd")),
        ("keyRef", json!("sk-the-key-itself")),
        ("models", json!(["--model"])),
        ("sdks", json!(["--help"])),
        ("gatewayId", json!("../x")),
    ] {
        let mut gateway = good.clone();
        gateway[field] = bad;
        let refused = page.post("/api/gateways", gateway).await;
        assert_eq!(refused.status, 422, "{field}: {}", refused.body);
        assert!(!refused.body.contains("secret"), "{}", refused.body);
    }
    assert_eq!(page.post("/api/gateways", good.clone()).await.json(), good);
    let uri = format!("/api/gateways/{id}");
    let change = json!({"keyRef": null, "models": ["huge"]});
    let changed = page.call("PATCH", &uri, Some(change)).await.json();
    assert_eq!(changed["keyRef"], Value::Null);
    assert_eq!(
        (&changed["baseUrl"], &changed["models"]),
        (&good["baseUrl"], &json!(["huge"]))
    );
    let all = page.get("/api/gateways").await.json();
    assert_eq!(
        (&all[0]["gatewayId"], &all[1]),
        (&json!("default"), &changed)
    );
    assert_eq!(page.call("DELETE", &uri, None).await.status, 204);
    let built_in = page.call("DELETE", "/api/gateways/default", None).await;
    assert_eq!(built_in.problem(), (409, "conflict".to_owned()));
}

#[tokio::test]
async fn a_prompt_cannot_bring_an_option_or_a_script() {
    let (page, _) = review().await;
    let uri = format!("/api/threads/{}/prompt", fresh::id::<ThreadId>());
    let prompt = |model: &str, media_type: &str| {
        json!({
            "messageId": fresh::id::<ThreadId>(),
            "text": "Why?",
            "sdk": "demo",
            "gateway": "default",
            "model": model,
            "images": [{"mediaType": media_type, "dataBase64": "AA=="}],
        })
    };
    for bad in [
        prompt("--help", "image/png"),
        prompt("large", "image/svg+xml"),
    ] {
        assert_eq!(
            page.post(&uri, bad).await.problem(),
            (422, "bad-request".to_owned())
        );
    }
    assert_eq!(page.get("/api/stored-threads").await.json(), json!([]));
}
