//! The paths of the API, said once: as patterns for the bridge's table and as builders for the page.
//!
//! A path that only a later part of the contract brings is not here yet.

use crate::ids::{
    BrowserId, ChangeId, DialogId, GatewayId, MessageId, PlaceId, ProposalId, Sdk, ThreadId,
    Version, WorkspaceId,
};
use crate::percent::encode;
use crate::wire::message::Mode;
use std::fmt::Display;

/// Exchange a one-time code for this browser's secret.
pub const SIGN_IN: &str = "/api/sign-in";
/// Who is signed in.
pub const BROWSERS: &str = "/api/browsers";
/// One signed-in browser.
pub const BROWSER: &str = "/api/browsers/{id}";
/// All workspaces of the home.
pub const WORKSPACES: &str = "/api/workspaces";
/// One workspace.
pub const WORKSPACE: &str = "/api/workspace";
/// The file tree.
pub const FILES: &str = "/api/files";
/// One document as a typed tree.
pub const DOCUMENTS: &str = "/api/documents";
/// One file's bytes.
pub const DOCUMENTS_RAW: &str = "/api/documents/raw";
/// A missing document's comments are about another file now.
pub const DOCUMENTS_RENAMED: &str = "/api/documents/renamed";
/// The newest changes of a document, the last one first.
pub const CHANGES: &str = "/api/changes";
/// What one change did to the places.
pub const CHANGE: &str = "/api/changes/{id}";
/// The rail.
pub const STORED_THREADS: &str = "/api/stored-threads";
/// Make a draft or a note.
pub const THREADS: &str = "/api/threads";
/// One thread.
pub const THREAD: &str = "/api/threads/{id}";
/// Add places.
pub const PLACES: &str = "/api/threads/{id}/places";
/// One place.
pub const PLACE: &str = "/api/threads/{id}/places/{place_id}";
/// Put a place onto other text.
pub const REATTACH: &str = "/api/threads/{id}/places/{place_id}/reattach";
/// Say that a place's text is gone for good.
pub const SAID_GONE: &str = "/api/threads/{id}/places/{place_id}/gone";
/// Stored messages.
pub const HISTORY: &str = "/api/threads/{id}/history";
/// The stream of a thread and its workspace.
pub const FOLLOW_THREAD: &str = "/api/threads/{id}/follow";
/// The stream of a workspace.
pub const FOLLOW: &str = "/api/follow";
/// Send.
pub const PROMPT: &str = "/api/threads/{id}/prompt";
/// End the run.
pub const STOP: &str = "/api/threads/{id}/stop";
/// Send the refused or interrupted prompt again.
pub const RETRY: &str = "/api/threads/{id}/retry";
/// A queued prompt.
pub const QUEUE: &str = "/api/threads/{id}/queue/{message_id}";
/// Answer an agent's question.
pub const DIALOG: &str = "/api/threads/{id}/dialogs/{dialog_id}";
/// What a send will do.
pub const FORECAST: &str = "/api/threads/{id}/forecast";
/// A report on a thread.
pub const DEBUG: &str = "/api/threads/{id}/debug";
/// Model endpoints.
pub const GATEWAYS: &str = "/api/gateways";
/// One model endpoint.
pub const GATEWAY: &str = "/api/gateways/{id}";
/// Ask an agent program for the models it offers.
pub const AGENT_MODELS: &str = "/api/agents/{sdk}/models";
/// What act runs of a thread want changed.
pub const PROPOSALS: &str = "/api/threads/{id}/proposals";
/// One proposal.
pub const PROPOSAL: &str = "/api/proposals/{id}";
/// One document of a proposal, both sides aligned.
pub const COMPARISON: &str = "/api/proposals/{id}/comparison";
/// Write hunks into the documents.
pub const ACCEPT: &str = "/api/proposals/{id}/accept";
/// Turn hunks down.
pub const REJECT: &str = "/api/proposals/{id}/reject";
/// Take an act back.
pub const UNDO: &str = "/api/undo";
/// The comments of a document as a file.
pub const EXPORT: &str = "/api/export";
/// Alive or not.
pub const HEALTH: &str = "/api/health";
/// Whether this installation is sound; trying it out.
pub const DOCTOR: &str = "/api/doctor";

/// Adds the parameters that are there.
fn with_query(path: &str, parameters: &[(&str, Option<&str>)]) -> String {
    let mut out = path.to_owned();
    let mut sign = '?';
    for (name, value) in parameters {
        if let Some(value) = value {
            out.push(sign);
            out.push_str(name);
            out.push('=');
            out.push_str(&encode(value));
            sign = '&';
        }
    }
    out
}

/// Fills the holes of a pattern in order. Ids need no quoting: they are UUIDs or `default`.
fn filled(pattern: &str, ids: &[&dyn Display]) -> String {
    let mut out = String::new();
    let mut ids = ids.iter();
    for part in pattern.split('/').skip(1) {
        out.push('/');
        match part.starts_with('{').then(|| ids.next()).flatten() {
            Some(id) => out.push_str(&id.to_string()),
            None => out.push_str(part),
        }
    }
    out
}

/// [`WORKSPACE`] of a workspace.
pub fn workspace(ws: Option<&WorkspaceId>) -> String {
    with_query(WORKSPACE, &[("ws", ws.map(WorkspaceId::as_str))])
}

/// [`PROPOSALS`] of a thread.
pub fn proposals(thread: &ThreadId) -> String {
    filled(PROPOSALS, &[thread])
}

/// [`PROPOSAL`] of a proposal.
pub fn proposal(proposal: &ProposalId) -> String {
    filled(PROPOSAL, &[proposal])
}

/// [`COMPARISON`] of a document; `unfold` is the old line at which a folded stretch begins, 0 for all of them.
pub fn comparison(proposal: &ProposalId, document: &str, unfold: Option<u32>) -> String {
    let unfold = unfold.map(|line| line.to_string());
    let path = filled(COMPARISON, &[proposal]);
    with_query(
        &path,
        &[("document", Some(document)), ("unfold", unfold.as_deref())],
    )
}

/// [`ACCEPT`] of a proposal.
pub fn accept(proposal: &ProposalId) -> String {
    filled(ACCEPT, &[proposal])
}

/// [`REJECT`] of a proposal.
pub fn reject(proposal: &ProposalId) -> String {
    filled(REJECT, &[proposal])
}

/// [`FILES`] of a workspace.
pub fn files(ws: Option<&WorkspaceId>) -> String {
    with_query(FILES, &[("ws", ws.map(WorkspaceId::as_str))])
}

/// Which part of which version of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocumentQuery<'a> {
    /// Workspace-relative path.
    pub document: &'a str,
    /// Ordinal of the first block.
    pub from: Option<u32>,
    /// Number of blocks.
    pub count: Option<u32>,
    /// The version whose blocks the page has already.
    pub since: Option<&'a Version>,
    /// An older version.
    pub version: Option<&'a Version>,
}

/// [`DOCUMENTS`] with its parameters.
pub fn documents(ws: Option<&WorkspaceId>, query: &DocumentQuery<'_>) -> String {
    let from = query.from.map(|from| from.to_string());
    let count = query.count.map(|count| count.to_string());
    with_query(
        DOCUMENTS,
        &[
            ("ws", ws.map(WorkspaceId::as_str)),
            ("document", Some(query.document)),
            ("from", from.as_deref()),
            ("count", count.as_deref()),
            ("since", query.since.map(Version::as_str)),
            ("version", query.version.map(Version::as_str)),
        ],
    )
}

/// [`DOCUMENTS_RAW`] of a document.
pub fn documents_raw(ws: Option<&WorkspaceId>, document: &str) -> String {
    with_query(
        DOCUMENTS_RAW,
        &[
            ("ws", ws.map(WorkspaceId::as_str)),
            ("document", Some(document)),
        ],
    )
}

/// [`CHANGES`] of a document.
pub fn changes(ws: Option<&WorkspaceId>, document: &str) -> String {
    with_query(
        CHANGES,
        &[
            ("ws", ws.map(WorkspaceId::as_str)),
            ("document", Some(document)),
        ],
    )
}

/// [`CHANGE`] of a change.
pub fn change(id: &ChangeId) -> String {
    filled(CHANGE, &[id])
}

/// Rows that the page asks for at once, the most there are.
pub const RAIL_PAGE: usize = 200;

/// [`STORED_THREADS`] of a workspace, a page from after a thread of the previous one.
pub fn stored_threads(ws: Option<&WorkspaceId>, after: Option<&ThreadId>) -> String {
    with_query(
        STORED_THREADS,
        &[
            ("ws", ws.map(WorkspaceId::as_str)),
            ("after", after.map(ThreadId::as_str)),
            ("limit", Some(&RAIL_PAGE.to_string())),
        ],
    )
}

/// [`BROWSER`] of a browser.
pub fn browser(id: &BrowserId) -> String {
    filled(BROWSER, &[id])
}

/// [`THREAD`] of a thread.
pub fn thread(id: &ThreadId) -> String {
    filled(THREAD, &[id])
}

/// [`PLACES`] of a thread.
pub fn places(id: &ThreadId) -> String {
    filled(PLACES, &[id])
}

/// [`PLACE`] of a thread.
pub fn place(id: &ThreadId, place: &PlaceId) -> String {
    filled(PLACE, &[id, place])
}

/// [`REATTACH`] of a thread's place.
pub fn reattach(id: &ThreadId, place: &PlaceId) -> String {
    filled(REATTACH, &[id, place])
}

/// [`SAID_GONE`] of a thread's place.
pub fn said_gone(id: &ThreadId, place: &PlaceId) -> String {
    filled(SAID_GONE, &[id, place])
}

/// [`HISTORY`] of a thread, before a message.
pub fn history(id: &ThreadId, before: Option<&MessageId>) -> String {
    with_query(
        &filled(HISTORY, &[id]),
        &[("before", before.map(MessageId::as_str))],
    )
}

/// [`FOLLOW_THREAD`] of a thread, or [`FOLLOW`] of a workspace when none is open.
pub fn follow(ws: Option<&WorkspaceId>, thread: Option<&ThreadId>) -> String {
    match thread {
        Some(id) => with_query(
            &filled(FOLLOW_THREAD, &[id]),
            &[("ws", ws.map(WorkspaceId::as_str))],
        ),
        None => with_query(FOLLOW, &[("ws", ws.map(WorkspaceId::as_str))]),
    }
}

/// [`PROMPT`] of a thread.
pub fn prompt(id: &ThreadId) -> String {
    filled(PROMPT, &[id])
}

/// [`STOP`] of a thread.
pub fn stop(id: &ThreadId) -> String {
    filled(STOP, &[id])
}

/// [`RETRY`] of a thread.
pub fn retry(id: &ThreadId) -> String {
    filled(RETRY, &[id])
}

/// [`QUEUE`] of a thread's queued message.
pub fn queue(id: &ThreadId, message: &MessageId) -> String {
    filled(QUEUE, &[id, message])
}

/// [`DIALOG`] of a thread's dialog.
pub fn dialog(id: &ThreadId, dialog: &DialogId) -> String {
    filled(DIALOG, &[id, dialog])
}

/// [`FORECAST`] of a thread's next send.
pub fn forecast(
    id: &ThreadId,
    sdk: &Sdk,
    gateway: &GatewayId,
    model: Option<&str>,
    mode: Mode,
) -> String {
    with_query(
        &filled(FORECAST, &[id]),
        &[
            ("sdk", Some(sdk.as_str())),
            ("gateway", Some(gateway.as_str())),
            ("model", model),
            (
                "mode",
                Some(match mode {
                    Mode::Ask => "ask",
                    Mode::Act => "act",
                }),
            ),
        ],
    )
}

/// [`GATEWAY`] of a gateway.
pub fn gateway(id: &GatewayId) -> String {
    filled(GATEWAY, &[id])
}

/// [`AGENT_MODELS`] of an agent, started in a workspace.
pub fn agent_models(sdk: &Sdk, ws: Option<&WorkspaceId>) -> String {
    with_query(
        &filled(AGENT_MODELS, &[sdk]),
        &[("ws", ws.map(WorkspaceId::as_str))],
    )
}

/// [`DEBUG`] of a thread.
pub fn debug(id: &ThreadId) -> String {
    filled(DEBUG, &[id])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_fill_the_holes_of_a_pattern_in_order() {
        let thread = ThreadId::parse("01890a5d-ac96-774b-bcce-b302099a8057").unwrap();
        let message = MessageId::parse("01890a5d-ac96-774b-bcce-b302099a8058").unwrap();
        assert_eq!(
            queue(&thread, &message),
            "/api/threads/01890a5d-ac96-774b-bcce-b302099a8057/queue/01890a5d-ac96-774b-bcce-b302099a8058"
        );
    }

    #[test]
    fn a_path_with_signs_of_the_query_stays_one_value() {
        let query = DocumentQuery {
            document: "a&b/c d#?.md",
            from: Some(200),
            ..DocumentQuery::default()
        };
        assert_eq!(
            documents(None, &query),
            "/api/documents?document=a%26b/c%20d%23%3F.md&from=200"
        );
    }
}
