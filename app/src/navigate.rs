//! Going somewhere: every change of what is open goes through here, so that address and screen agree.
//!
//! A click pushes a history entry; boot and repairs replace it. Each navigation makes every answer still under way
//! late: the last click wins.

use crate::api;
use crate::browser::{location, storage};
use crate::model::{Access, Model};
use crate::{lazy, load};
use leptos::task::spawn_local;
use rex_shared::address::{Address, Addressed, sign_in_code};
use rex_shared::ids::{PlaceId, ThreadId};
use rex_shared::wire::thread::{Thread, ThreadRow};
use rex_shared::wire::workspace::{LaneCounts, Workspace};

/// Starts from the address: signs in by its code if it brings one, then opens what it names.
pub fn boot(model: Model) {
    location::on_pop(move || {
        model.go();
        // A sign-in link pasted into an open tab changes only the fragment.
        let (address, code) = arrived(model);
        show(model, address);
        if let Some(code) = code {
            sign_in(model, code);
        }
    });
    let (address, code) = arrived(model);
    model.address.set(address);
    match code {
        Some(code) => sign_in(model, code),
        None if storage::secret().is_none() => model.access.set(Access::Unknown),
        None => enter(model),
    }
}

/// Reads the address bar, says what is malformed in it, and takes that and a code out before anything else happens.
fn arrived(model: Model) -> (Address, Option<String>) {
    let code = sign_in_code(&location::fragment());
    let address = Address::parse(&location::query());
    if code.is_some() || say_malformed(model, &address) {
        location::replace(&address.to_url());
    }
    (address, code)
}

/// Exchanges a code for this browser's secret, and goes on to what the address names.
pub fn sign_in(model: Model, code: String) {
    spawn_local(async move {
        match api::sign_in(code).await {
            Ok(signed_in) => {
                storage::set_secret(Some(&signed_in.secret));
                model.code_refused.set(None);
                model.access.set(Access::Asking);
                enter(model);
            }
            // A browser that is known already loses nothing by a stale link.
            Err(_)
                if model.access.get_untracked() == Access::Asking
                    && storage::secret().is_some() =>
            {
                enter(model);
            }
            Err(failed) => {
                model.code_refused.set(Some(failed.to_string()));
                model.access.set(Access::Unknown);
            }
        }
    });
}

/// Asks for everything the address names, at once.
fn enter(model: Model) {
    let address = model.address.get_untracked();
    model.go();
    load::workspace(model);
    show(model, address);
}

/// Opens a thread's card; the paper stays.
pub fn to_thread(model: Model, thread: ThreadId) {
    let address = model.address.get_untracked().with_thread(Some(thread));
    go(model, address);
}

/// Opens a thread's card and brings the first of its places that has a text into view, in its document if the paper
/// shows none of them.
pub fn to_comment(model: Model, row: &ThreadRow) {
    let open = model.document.path.get_untracked();
    let place = row
        .places
        .iter()
        .find(|place| Some(&place.document) == open.as_ref())
        .or_else(|| row.places.first());
    let address = model
        .address
        .get_untracked()
        .with_thread(Some(row.thread_id.clone()));
    match place {
        Some(place) => {
            go(model, address.with_doc(Some(place.document.clone())));
            model.document.jump.set(Some(place.place_id.clone()));
        }
        None => go(model, address),
    }
}

/// Closes the card.
pub fn close_thread(model: Model) {
    let address = model.address.get_untracked().with_thread(None);
    go(model, address);
}

/// Puts a document on the paper; card and tray stay.
pub fn to_document(model: Model, path: String) {
    let address = model.address.get_untracked().with_doc(Some(path));
    go(model, address);
}

/// A document has another path now: what is open on the old one goes on under the new one, where it was.
pub(crate) fn renamed(model: Model, from: &str, to: &str) {
    model.take_renamed(from, to);
    let address = model.address.get_untracked();
    if address.doc.as_deref() != Some(from) {
        return;
    }
    if let Some(place) = storage::reading_place(from) {
        storage::set_reading_place(to, &place);
    }
    let address = address.with_doc(Some(to.to_owned()));
    location::replace(&address.to_url());
    model.document.open(address.doc.clone());
    model.address.set(address);
}

/// Brings a place into view, in whichever document it is.
pub fn to_place(model: Model, document: String, place: PlaceId) {
    to_document(model, document);
    model.document.jump.set(Some(place));
}

/// Brings a line of a document into view, from 1.
pub fn to_line(model: Model, document: String, line: u32) {
    to_document(model, document);
    model.document.jump_line.set(Some(line));
}

/// An address for *Copy link* of a thread: workspace, document and thread, never a code or secret.
pub fn link_to(model: Model, thread: ThreadId) -> String {
    model
        .address
        .get_untracked()
        .with_thread(Some(thread))
        .link(&location::origin())
}

/// The path and query that open a thread, for a link's `href`.
pub fn url_of_thread(model: Model, thread: ThreadId) -> String {
    model.address.get().with_thread(Some(thread)).to_url()
}

/// The path and query that put a document on the paper, for a link's `href`.
pub fn url_of_document(model: Model, path: String) -> String {
    model.address.get().with_doc(Some(path)).to_url()
}

fn go(model: Model, address: Address) {
    if model.address.with_untracked(|at| *at == address) {
        return;
    }
    location::push(&address.to_url());
    model.go();
    show(model, address);
}

/// Makes the screen agree with an address.
fn show(model: Model, address: Address) {
    let before = model.address.get_untracked();
    let is_other_workspace = before.ws.id() != address.ws.id();
    let thread = address.thread.id().cloned();
    model.document.open(address.doc.clone());
    model.address.set(address);
    if is_other_workspace {
        model.leave_workspace();
        load::workspace(model);
    }
    if model.open_thread.with_untracked(|open| *open != thread) {
        model.pane.clear();
        model.open_thread.set(thread.clone());
        if let Some(id) = thread {
            load_thread(model, id);
        }
    }
}

/// Asks for a thread, once the code for it is there.
pub(crate) fn load_thread(model: Model, id: ThreadId) {
    let asked = model.now();
    lazy::with_thread(model, move |code| {
        if model.still(asked) {
            (code.load)(model, id);
        }
    });
}

/// A stored thread came: its card is filled, and the address is told its workspace and document.
pub(crate) fn arrive(model: Model, thread: Thread) {
    let known = model.ws();
    if known.as_ref() != Some(&thread.workspace_id) {
        if known.is_some() {
            model.notices.say(
                "This comment belongs to another workspace than the address says. It is opened there.",
            );
        }
        let address = model
            .address
            .get_untracked()
            .with_ws(thread.workspace_id.clone())
            .with_doc(None);
        location::replace(&address.to_url());
        model.document.open(None);
        model.address.set(address);
        model.leave_workspace();
        load::workspace(model);
    }
    model.pane.take_thread(thread);
    repair(model);
}

/// Completes the address with what the bridge said, in the same history entry.
pub(crate) fn repair(model: Model) {
    let address = model.address.get_untracked();
    let repaired = model.workspace.with_untracked(|workspace| {
        let thread_came = model.pane.came.get_untracked() || model.pane.unknown.get_untracked();
        let of_thread = model
            .pane
            .places
            .with_untracked(|places| places.first().map(|place| place.document.clone()));
        repaired(address.clone(), workspace.as_ref(), thread_came, of_thread)
    });
    if repaired != address {
        location::replace(&repaired.to_url());
        model.document.open(repaired.doc.clone());
        model.address.set(repaired);
    }
}

/// The address that names what is on screen. A document is chosen only when nothing that is still to come would name
/// one: the thread's first, else the workspace's, and none while there is no comment yet.
fn repaired(
    mut address: Address,
    workspace: Option<&Workspace>,
    thread_came: bool,
    of_thread: Option<String>,
) -> Address {
    if let Some(workspace) = workspace {
        address = address.with_ws(workspace.workspace.workspace_id.clone());
    }
    let waits_for_thread = address.thread.id().is_some() && !thread_came;
    if address.doc.is_some() || waits_for_thread {
        return address;
    }
    let of_workspace = workspace
        .filter(|workspace| workspace.counts != LaneCounts::default())
        .and_then(|workspace| workspace.first_document.clone());
    address.with_doc(of_thread.or(of_workspace))
}

/// The addressed workspace does not exist: the bridge's own one is opened, without what only the other could have.
pub(crate) fn leave_workspace(model: Model) {
    let address = Address::default();
    location::replace(&address.to_url());
    model.go();
    show(model, address);
}

/// Whether there was something to say.
fn say_malformed(model: Model, address: &Address) -> bool {
    let mut said = false;
    let mut say = |sentence: String| {
        model.notices.say(sentence);
        said = true;
    };
    if let Addressed::Malformed(text) = &address.thread {
        say(format!(
            "The address names no comment: “{text}” is not an id. Nothing is opened in its place."
        ));
    }
    if let Addressed::Malformed(text) = &address.ws {
        say(format!(
            "The address names no workspace: “{text}” is not an id. The one REX was started on is shown."
        ));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture::{id, thread};
    use rex_shared::ids::WorkspaceId;
    use rex_shared::wire::workspace::WorkspaceInfo;

    fn workspace(comments: u32) -> Workspace {
        Workspace {
            workspace: WorkspaceInfo {
                workspace_id: id(1, WorkspaceId::parse),
                name: "atlas".to_owned(),
                root: "/atlas".to_owned(),
                available: true,
            },
            counts: LaneCounts {
                open: comments,
                ..LaneCounts::default()
            },
            agents: Vec::new(),
            gateways: Vec::new(),
            first_document: Some("first.md".to_owned()),
            unenforced_accepted: false,
            build: "1".to_owned(),
        }
    }

    fn document(
        address: &Address,
        workspace: &Workspace,
        came: bool,
        of_thread: Option<&str>,
    ) -> Option<String> {
        repaired(
            address.clone(),
            Some(workspace),
            came,
            of_thread.map(str::to_owned),
        )
        .doc
    }

    #[test]
    fn boot_shows_the_first_document_once_there_are_comments() {
        let fresh = Address::default();
        assert_eq!(document(&fresh, &workspace(0), false, None), None);
        assert_eq!(
            document(&fresh, &workspace(1), false, None).as_deref(),
            Some("first.md")
        );
        let named = fresh.with_doc(Some("a.md".to_owned()));
        assert_eq!(
            document(&named, &workspace(1), false, None).as_deref(),
            Some("a.md")
        );
    }

    #[test]
    fn a_link_to_a_comment_opens_the_document_it_is_on() {
        let link = Address::default().with_thread(Some(thread(7)));
        assert_eq!(
            document(&link, &workspace(1), false, None),
            None,
            "it waits"
        );
        assert_eq!(
            document(&link, &workspace(1), true, Some("its.md")).as_deref(),
            Some("its.md")
        );
        assert_eq!(
            document(&link, &workspace(1), true, None).as_deref(),
            Some("first.md"),
            "a comment without places"
        );
    }

    /// S143: a repair names what is on screen and repeats without change, so that a reload ends in the same screen.
    #[test]
    fn a_repaired_address_needs_no_further_repair() {
        for came in [false, true] {
            let link = Address::parse("?x=1").with_thread(Some(thread(7)));
            let of_thread = came.then(|| "its.md".to_owned());
            let once = repaired(link, Some(&workspace(1)), came, of_thread.clone());
            assert_eq!(once.ws.id(), Some(&id(1, WorkspaceId::parse)));
            let reloaded = Address::parse(&once.to_url());
            assert_eq!(
                repaired(reloaded, Some(&workspace(1)), came, of_thread),
                once
            );
        }
    }
}
