//! Going somewhere: every change of what is open goes through here, so that address and screen agree.
//!
//! A click pushes a history entry, a repair replaces it. Each navigation makes every answer still under way late.

use crate::model::Model;
use leptos::prelude::*;
use rex_shared::ids::{PlaceId, ThreadId};

/// Opens a thread's card; the paper stays.
pub fn to_thread(model: Model, thread: ThreadId) {
    let address = model.address.get_untracked().with_thread(Some(thread));
    go(model, address);
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

/// Brings a place into view, in whichever document it is.
pub fn to_place(model: Model, document: String, place: PlaceId) {
    to_document(model, document);
    model.document.jump.set(Some(place));
}

fn go(model: Model, address: rex_shared::address::Address) {
    if model.address.with_untracked(|at| *at == address) {
        return;
    }
    model.go();
    model.open_thread.set(address.thread.id().cloned());
    model.document.open(address.doc.clone());
    model.address.set(address);
}
