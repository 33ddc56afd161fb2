//! What the dialog asks of the bridge. What the page offers is read again afterwards.

use crate::api::{self, Answer};
use crate::model::Model;
use rex_shared::ids::GatewayId;
use rex_shared::wire::agent::{Gateway, GatewayPatch};

/// Makes a gateway, or changes the one that is known under its id.
pub(super) async fn save(model: Model, gateway: Gateway, is_new: bool) -> Answer<()> {
    if is_new {
        api::make_gateway(&gateway).await?;
    } else {
        let patch = GatewayPatch {
            name: Some(gateway.name),
            sdks: Some(gateway.sdks),
            base_url: Some(gateway.base_url),
            key_ref: Some(gateway.key_ref),
            models: Some(gateway.models),
        };
        api::change_gateway(&gateway.gateway_id, &patch).await?;
    }
    read(model).await
}

/// Deletes one. What was said through it stays.
pub(super) async fn delete(model: Model, gateway: &GatewayId) -> Answer<()> {
    api::delete_gateway(gateway).await?;
    read(model).await
}

async fn read(model: Model) -> Answer<()> {
    let gateways = api::gateways().await?;
    model.workspace.update(|known| {
        if let Some(known) = known {
            known.gateways = gateways;
        }
    });
    Ok(())
}
