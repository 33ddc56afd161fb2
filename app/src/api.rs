//! The bridge's routes as typed functions: one for each, named after what a person does.
//!
//! Every call carries this browser's secret. Answers come as wire types; failures as [`Failed`], whose words are for the
//! person. Nothing is retried here: every repeat of an act is harmless by its ids, and whether to repeat is the caller's.

use crate::browser::storage;
use gloo_net::http::{Method, Request, RequestBuilder, Response};
use rex_shared::ids::{
    BrowserId, ChangeId, DialogId, GatewayId, MessageId, PlaceId, ProposalId, Sdk, ThreadId,
    WorkspaceId,
};
use rex_shared::json::from_json;
use rex_shared::routes;
use rex_shared::wire::agent::{Gateway, GatewayPatch};
use rex_shared::wire::change::{Change, ChangeReport};
use rex_shared::wire::document::{Document, Files, Renamed};
use rex_shared::wire::message::{Forecast, History, Mode};
use rex_shared::wire::place::{AddPlaces, PlaceDetail, Reattach, SaidGone};
use rex_shared::wire::problem::{Problem, ProblemType};
use rex_shared::wire::prompt::{Accepted, DialogAnswer, Prompt, QueueEdit};
use rex_shared::wire::proposal::{Accept, Comparison, Proposal, ProposalChanged, Reject};
use rex_shared::wire::thread::{NewThread, Thread, ThreadPatch, ThreadRow, Undo};
use rex_shared::wire::workspace::{
    Browser, Health, OpenWorkspace, SignIn, SignedIn, Workspace, WorkspaceInfo,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Failed {
    /// The bridge did not answer at all.
    #[error("Not connected. Nothing was lost; REX tries again by itself.")]
    NotConnected,
    /// The bridge answered with words this page does not know: another build serves now.
    #[error("The bridge answered in words this page does not know. Reload the page.")]
    Unreadable,
    /// The bridge said no, and why.
    #[error("{} {}", .0.detail, .0.hint)]
    Problem(Box<Problem>),
}

impl Failed {
    /// The bridge's slug, if it said no.
    pub fn kind(&self) -> Option<ProblemType> {
        match self {
            Self::Problem(problem) => Some(problem.kind),
            Self::NotConnected | Self::Unreadable => None,
        }
    }
}

/// An answer of the bridge.
pub type Answer<T> = Result<T, Failed>;

/// A request with the secret; what the follow uses too.
pub(crate) fn request(method: Method, path: &str) -> RequestBuilder {
    let request = RequestBuilder::new(path).method(method);
    match storage::secret() {
        Some(secret) => request.header("authorization", &format!("Bearer {secret}")),
        None => request,
    }
}

/// Turns an answer that is not a success into its problem.
pub(crate) async fn accepted(response: Response) -> Answer<Response> {
    if response.ok() {
        return Ok(response);
    }
    let problem: Problem = read(response).await?;
    Err(Failed::Problem(Box::new(problem)))
}

async fn sent(request: Result<Request, gloo_net::Error>) -> Answer<Response> {
    let request = request.map_err(|_| Failed::Unreadable)?;
    accepted(request.send().await.map_err(|_| Failed::NotConnected)?).await
}

async fn read<T: DeserializeOwned>(response: Response) -> Answer<T> {
    let text = response.text().await.map_err(|_| Failed::NotConnected)?;
    from_json(&text).map_err(|_| Failed::Unreadable)
}

async fn get<T: DeserializeOwned>(path: &str) -> Answer<T> {
    read(sent(request(Method::GET, path).build()).await?).await
}

async fn say<B: Serialize, T: DeserializeOwned>(method: Method, path: &str, body: &B) -> Answer<T> {
    read(sent(request(method, path).json(body)).await?).await
}

/// Sends without a body and expects nothing back.
async fn act(method: Method, path: &str) -> Answer<()> {
    sent(request(method, path).build()).await.map(drop)
}

/// Exchanges a one-time code for this browser's secret.
pub async fn sign_in(code: String) -> Answer<SignedIn> {
    say(Method::POST, routes::SIGN_IN, &SignIn { code }).await
}

/// Who is signed in.
pub async fn browsers() -> Answer<Vec<Browser>> {
    get(routes::BROWSERS).await
}

/// Puts a browser out.
pub async fn put_out(browser: &BrowserId) -> Answer<()> {
    act(Method::DELETE, &routes::browser(browser)).await
}

/// Whether the bridge is well.
pub async fn health() -> Answer<Health> {
    get(routes::HEALTH).await
}

/// All workspaces of the home.
pub async fn workspaces() -> Answer<Vec<WorkspaceInfo>> {
    get(routes::WORKSPACES).await
}

/// Opens a folder.
pub async fn open_workspace(path: String) -> Answer<WorkspaceInfo> {
    say(Method::POST, routes::WORKSPACES, &OpenWorkspace { path }).await
}

/// One workspace; `None` is the one the bridge was started on.
pub async fn workspace(ws: Option<&WorkspaceId>) -> Answer<Workspace> {
    get(&routes::workspace(ws)).await
}

/// The file tree.
pub async fn files(ws: Option<&WorkspaceId>) -> Answer<Files> {
    get(&routes::files(ws)).await
}

/// One page of a document.
pub async fn document(
    ws: Option<&WorkspaceId>,
    query: &routes::DocumentQuery<'_>,
) -> Answer<Document> {
    get(&routes::documents(ws, query)).await
}

/// The changes of a document that are kept, newest first.
pub async fn changes(ws: Option<&WorkspaceId>, document: &str) -> Answer<Vec<Change>> {
    get(&routes::changes(ws, document)).await
}

/// What a change did to every place.
pub async fn change(id: &ChangeId) -> Answer<ChangeReport> {
    get(&routes::change(id)).await
}

/// The comments of a missing document are about another file from now on.
pub async fn renamed(renamed: &Renamed) -> Answer<Files> {
    say(Method::POST, routes::DOCUMENTS_RENAMED, renamed).await
}

/// A file's bytes with their media type, for an image.
pub async fn bytes(ws: Option<&WorkspaceId>, document: &str) -> Answer<(Vec<u8>, String)> {
    let response = sent(request(Method::GET, &routes::documents_raw(ws, document)).build()).await?;
    let media_type = response.headers().get("content-type").unwrap_or_default();
    let bytes = response.binary().await.map_err(|_| Failed::NotConnected)?;
    Ok((bytes, media_type))
}

/// The rail, from after a thread of the previous page.
pub async fn stored_threads(
    ws: Option<&WorkspaceId>,
    after: Option<&ThreadId>,
) -> Answer<Vec<ThreadRow>> {
    get(&routes::stored_threads(ws, after)).await
}

/// Makes a draft or a note.
pub async fn make_thread(thread: &NewThread) -> Answer<Thread> {
    say(Method::POST, routes::THREADS, thread).await
}

/// One thread whole.
pub async fn thread(id: &ThreadId) -> Answer<Thread> {
    get(&routes::thread(id)).await
}

/// Changes a thread; what the patch leaves out stays.
pub async fn patch_thread(id: &ThreadId, patch: &ThreadPatch) -> Answer<Thread> {
    say(Method::PATCH, &routes::thread(id), patch).await
}

/// Deletes a thread; can be undone for 24 hours.
pub async fn delete_thread(id: &ThreadId) -> Answer<Undo> {
    read(sent(request(Method::DELETE, &routes::thread(id)).build()).await?).await
}

/// What act runs of a thread want changed.
pub async fn proposals(id: &ThreadId) -> Answer<Vec<Proposal>> {
    get(&routes::proposals(id)).await
}

/// One proposal.
pub async fn proposal(id: &ProposalId) -> Answer<Proposal> {
    get(&routes::proposal(id)).await
}

/// One document of a proposal, both sides aligned.
pub async fn comparison(
    id: &ProposalId,
    document: &str,
    unfold: Option<u32>,
) -> Answer<Comparison> {
    get(&routes::comparison(id, document, unfold)).await
}

/// Writes pieces of a proposal into the documents: all of it or nothing.
pub async fn accept(id: &ProposalId, accept: &Accept) -> Answer<ProposalChanged> {
    say(Method::POST, &routes::accept(id), accept).await
}

/// Turns pieces of a proposal down.
pub async fn reject(id: &ProposalId, reject: &Reject) -> Answer<ProposalChanged> {
    say(Method::POST, &routes::reject(id), reject).await
}

/// Takes an act back.
pub async fn undo(undo: &Undo) -> Answer<()> {
    sent(request(Method::POST, routes::UNDO).json(undo))
        .await
        .map(drop)
}

/// Adds places, or moves a draft's places here.
pub async fn add_places(id: &ThreadId, places: &AddPlaces) -> Answer<Thread> {
    say(Method::POST, &routes::places(id), places).await
}

/// Takes a place away.
pub async fn remove_place(id: &ThreadId, place: &PlaceId) -> Answer<()> {
    act(Method::DELETE, &routes::place(id, place)).await
}

/// A place with what it was made on, and where it may belong.
pub async fn place(id: &ThreadId, place: &PlaceId) -> Answer<PlaceDetail> {
    get(&routes::place(id, place)).await
}

/// Puts a new place in the stead of one that lost its text. Removing the new one takes it back.
pub async fn reattach(id: &ThreadId, place: &PlaceId, here: &Reattach) -> Answer<Thread> {
    say(Method::POST, &routes::reattach(id, place), here).await
}

/// Says that a lost place's text is gone for good, or takes that back.
pub async fn say_gone(id: &ThreadId, place: &PlaceId, said: &SaidGone) -> Answer<Thread> {
    say(Method::POST, &routes::said_gone(id, place), said).await
}

/// Stored messages, the newest 100 or those before one.
pub async fn history(id: &ThreadId, before: Option<&MessageId>) -> Answer<History> {
    get(&routes::history(id, before)).await
}

/// Sends. A repeat with the same message id is stored once.
pub async fn prompt(id: &ThreadId, prompt: &Prompt) -> Answer<Accepted> {
    say(Method::POST, &routes::prompt(id), prompt).await
}

/// Ends the run.
pub async fn stop(id: &ThreadId) -> Answer<()> {
    act(Method::POST, &routes::stop(id)).await
}

/// Sends the refused or interrupted prompt again.
pub async fn retry(id: &ThreadId) -> Answer<Accepted> {
    read(sent(request(Method::POST, &routes::retry(id)).build()).await?).await
}

/// Edits a queued prompt.
pub async fn edit_queued(id: &ThreadId, message: &MessageId, text: String) -> Answer<()> {
    let edit = QueueEdit { text };
    sent(request(Method::PATCH, &routes::queue(id, message)).json(&edit))
        .await
        .map(drop)
}

/// Drops a queued prompt.
pub async fn drop_queued(id: &ThreadId, message: &MessageId) -> Answer<()> {
    act(Method::DELETE, &routes::queue(id, message)).await
}

/// Answers an agent's question.
pub async fn answer(id: &ThreadId, dialog: &DialogId, answer: &DialogAnswer) -> Answer<()> {
    sent(request(Method::POST, &routes::dialog(id, dialog)).json(answer))
        .await
        .map(drop)
}

/// The report on a thread, as text; with `ask` its agents are asked first, which starts their programs.
pub async fn report(id: &ThreadId, ask: bool) -> Answer<String> {
    let method = if ask { Method::POST } else { Method::GET };
    let response = sent(request(method, &routes::debug(id)).build()).await?;
    response.text().await.map_err(|_| Failed::NotConnected)
}

/// The gateways there are, the built-in one first.
pub async fn gateways() -> Answer<Vec<Gateway>> {
    get(routes::GATEWAYS).await
}

/// Makes a gateway.
pub async fn make_gateway(gateway: &Gateway) -> Answer<Gateway> {
    say(Method::POST, routes::GATEWAYS, gateway).await
}

/// Changes a gateway; what the patch leaves out stays.
pub async fn change_gateway(id: &GatewayId, patch: &GatewayPatch) -> Answer<Gateway> {
    say(Method::PATCH, &routes::gateway(id), patch).await
}

/// Deletes a gateway.
pub async fn delete_gateway(id: &GatewayId) -> Answer<()> {
    act(Method::DELETE, &routes::gateway(id)).await
}

/// Asks an agent which models it offers, for which its program is started.
pub async fn agent_models(sdk: &Sdk, ws: Option<&WorkspaceId>) -> Answer<Vec<String>> {
    read(sent(request(Method::POST, &routes::agent_models(sdk, ws)).build()).await?).await
}

/// What a send will do.
pub async fn forecast(
    id: &ThreadId,
    sdk: &Sdk,
    gateway: &GatewayId,
    model: Option<&str>,
    mode: Mode,
) -> Answer<Forecast> {
    get(&routes::forecast(id, sdk, gateway, model, mode)).await
}
