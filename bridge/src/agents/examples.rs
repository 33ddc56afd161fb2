//! Example turns and programs for the adapters' tests, and what every adapter refuses to start.

use super::found::Found;
use super::seam::{BadTurn, SessionStart, Turn};
use crate::processes::Launch;
use rex_shared::ids::GatewayId;
use rex_shared::wire::agent::Gateway;
use rex_shared::wire::message::Mode;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A question through the agent's own sign-in.
pub(super) fn turn(session: SessionStart) -> Turn {
    Turn {
        folder: PathBuf::from("/a/workspace"),
        scratch: PathBuf::from("/a/scratch"),
        prompt: "why?".to_owned(),
        images: Vec::new(),
        session,
        mode: Mode::Ask,
        model: Some("fake-large".to_owned()),
        gateway: Gateway {
            gateway_id: GatewayId::default_gateway(),
            name: "default".to_owned(),
            sdks: Vec::new(),
            base_url: None,
            key_ref: None,
            models: Vec::new(),
        },
        key: None,
    }
}

pub(super) fn first() -> Turn {
    turn(SessionStart::New { id: None })
}

pub(super) fn later(id: &str) -> Turn {
    turn(SessionStart::Resume { id: id.to_owned() })
}

/// The same through a gateway.
pub(super) fn through_gateway(mut turn: Turn) -> Turn {
    if let Ok(id) = GatewayId::parse("0198c0de-0000-7000-8000-000000000001") {
        turn.gateway.gateway_id = id;
    }
    turn.gateway.name = "Ours".to_owned();
    turn.gateway.base_url = Some("http://gateway".to_owned());
    turn
}

/// A program found on this machine that lists no option of its own.
pub(super) fn found(program: &str, version: &str) -> Found {
    Found {
        program: PathBuf::from(program),
        version: version.to_owned(),
        options: BTreeSet::new(),
    }
}

/// Nothing is started to change files, for a model that could be an option, or in a session whose id is none.
pub(super) fn starts_nothing_else(
    launch: impl Fn(&Turn) -> Result<Launch, BadTurn>,
    no_session_ids: &[&str],
) {
    let mut act = first();
    act.mode = Mode::Act;
    assert!(matches!(launch(&act), Err(BadTurn::Mode(_))));
    for model in ["--help", "a b", "$(id)", ""] {
        let mut turn = first();
        turn.model = Some(model.to_owned());
        assert!(matches!(launch(&turn), Err(BadTurn::Model(_))), "{model}");
    }
    for id in no_session_ids.iter().chain(&["", "a\nb"]) {
        let refused = launch(&later(id));
        assert!(matches!(refused, Err(BadTurn::SessionId(..))), "{id:?}");
    }
}
