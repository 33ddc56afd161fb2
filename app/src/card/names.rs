//! What a person calls an agent and a gateway, looked up in what the workspace offers.

use rex_shared::ids::{GatewayId, Sdk};
use rex_shared::wire::agent::Gateway;
use rex_shared::wire::workspace::Workspace;

/// The agent's word, such as `Claude`; one that is no longer offered keeps its own name.
pub(super) fn agent(workspace: Option<&Workspace>, sdk: &Sdk) -> String {
    workspace
        .and_then(|workspace| workspace.agents.iter().find(|agent| agent.sdk == *sdk))
        .map_or_else(|| sdk.to_string(), |agent| agent.label.clone())
}

/// The gateway's name; nothing for the program's own, which needs no name.
pub(super) fn gateway(workspace: Option<&Workspace>, id: &GatewayId) -> Option<String> {
    if id.is_default() {
        return None;
    }
    workspace
        .and_then(|workspace| {
            workspace
                .gateways
                .iter()
                .find(|gateway| gateway.gateway_id == *id)
        })
        .map(|gateway| gateway.name.clone())
}

/// The gateways that serve an agent. One that names none serves every agent, as the built-in one does.
pub(super) fn gateways_of<'a>(
    workspace: &'a Workspace,
    sdk: &'a Sdk,
) -> impl Iterator<Item = &'a Gateway> {
    workspace
        .gateways
        .iter()
        .filter(move |gateway| gateway.sdks.is_empty() || gateway.sdks.contains(sdk))
}
