//! The agent's side of the protocol.

use super::memory::{Memory, Session};
use super::peer::{Peer, Stop};
use super::turn::OneTurn;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;

const NOT_FOUND: i64 = -32002;
const BAD_PARAMS: i64 = -32602;
const UNKNOWN_METHOD: i64 = -32601;

/// Serves until the other side closes.
pub(super) async fn serve(mut peer: Peer, memory: Memory) -> io::Result<()> {
    let mut sessions: HashMap<String, Session> = HashMap::new();
    while let Some(message) = peer.next().await {
        let (id, params) = (&message["id"], &message["params"]);
        match message["method"].as_str().unwrap_or_default() {
            "initialize" => peer.answer(id, &hello())?,
            "session/new" => {
                let session = Memory::begin(folder(params));
                peer.answer(id, &json!({"sessionId": session.session_id}))?;
                sessions.insert(session.session_id.clone(), session);
            }
            method @ ("session/load" | "session/resume") => {
                let session_id = params["sessionId"].as_str().unwrap_or_default();
                match memory.recall(session_id) {
                    None => peer.fail(
                        id,
                        NOT_FOUND,
                        "Resource not found",
                        &json!({"uri": session_id}),
                    )?,
                    Some(session) if session.cwd != folder(params) => {
                        let data =
                            json!({"cwd": "must match the working directory of the session"});
                        peer.fail(id, BAD_PARAMS, "Invalid params", &data)?;
                    }
                    Some(session) => {
                        if method == "session/load" {
                            tell_past(&mut peer, &session)?;
                        }
                        peer.answer(id, &json!({}))?;
                        sessions.insert(session.session_id.clone(), session);
                    }
                }
            }
            "session/prompt" => {
                let session_id = params["sessionId"].as_str().unwrap_or_default();
                let Some(session) = sessions.get_mut(session_id) else {
                    peer.fail(
                        id,
                        NOT_FOUND,
                        "Resource not found",
                        &json!({"uri": session_id}),
                    )?;
                    continue;
                };
                let mut turn = OneTurn {
                    peer: &mut peer,
                    memory: &memory,
                    session,
                };
                match turn.answer(id, &prompt_text(params)).await {
                    Ok(()) => {}
                    Err(Stop::Cancelled) => peer.answer(id, &json!({"stopReason": "cancelled"}))?,
                    Err(Stop::Gone) => return Ok(()),
                    Err(Stop::Output(error)) => return Err(error),
                }
            }
            // Cancelled too late: the turn is over.
            "session/cancel" => {}
            method if id.is_null() => {
                tracing::debug!(method, "a notice the demo agent does not know");
            }
            method => peer.fail(
                id,
                UNKNOWN_METHOD,
                "Method not found",
                &json!({"method": method}),
            )?,
        }
    }
    Ok(())
}

fn hello() -> Value {
    json!({
        "protocolVersion": 1,
        "agentCapabilities": {"loadSession": true, "promptCapabilities": {}, "sessionCapabilities": {"resume": {}}},
        "agentInfo": {"name": "REX demo agent", "version": env!("CARGO_PKG_VERSION")},
        "authMethods": [],
    })
}

fn folder(params: &Value) -> PathBuf {
    PathBuf::from(params["cwd"].as_str().unwrap_or_default())
}

fn prompt_text(params: &Value) -> String {
    let parts = params["prompt"].as_array();
    let texts: Vec<&str> = parts
        .into_iter()
        .flatten()
        .filter_map(|part| part["text"].as_str())
        .collect();
    texts.join("\n")
}

fn tell_past(peer: &mut Peer, session: &Session) -> io::Result<()> {
    for turn in &session.turns {
        for (kind, text) in [
            ("user_message_chunk", &turn.asked),
            ("agent_message_chunk", &turn.answered),
        ] {
            peer.update(&session.session_id, &chunk(kind, text))?;
        }
    }
    Ok(())
}

pub(super) fn chunk(kind: &str, text: &str) -> Value {
    json!({"sessionUpdate": kind, "content": {"type": "text", "text": text}})
}
