//! What a person does to the open thread, apart from writing to it.

use crate::api::{self, Failed};
use crate::browser::page;
use crate::model::Model;
use crate::navigate;
use leptos::task::spawn_local;
use rex_shared::ids::{MessageId, PlaceId, ThreadId};
use rex_shared::wire::follow::{Frame, Rail};
use rex_shared::wire::message::Role;
use rex_shared::wire::thread::{Thread, ThreadPatch, ThreadStatus};

/// Changes the thread and shows what the bridge then has.
pub(super) fn patch(model: Model, thread: ThreadId, patch: ThreadPatch) {
    spawn_local(async move {
        match api::patch_thread(&thread, &patch).await {
            Ok(changed) => take(model, changed),
            Err(failed) => model.failed(&failed),
        }
    });
}

/// Shows a thread as the bridge has it, in rail and card.
pub(crate) fn take(model: Model, thread: Thread) {
    let row = Box::new(thread.row.clone());
    model.apply(Frame::Rail(Rail::Row { row }));
    if is_open(model, &thread.row.thread_id) {
        model.pane.places.set(thread.places);
        model.pane.note.set(thread.note);
    }
}

fn is_open(model: Model, thread: &ThreadId) -> bool {
    model
        .open_thread
        .with_untracked(|open| open.as_ref() == Some(thread))
}

/// Asks for the places of the open thread as they stand now.
pub(super) fn read_places(model: Model, thread: ThreadId) {
    spawn_local(async move {
        match api::thread(&thread).await {
            Ok(came) if is_open(model, &thread) => model.pane.places.set(came.places),
            Ok(_) => {}
            // The connection's word says so.
            Err(Failed::NotConnected) => {}
            Err(failed) => model.failed(&failed),
        }
    });
}

/// Resolves, or reopens.
pub(crate) fn set_status(model: Model, thread: ThreadId, status: ThreadStatus) {
    let change = ThreadPatch {
        status: Some(status),
        ..ThreadPatch::default()
    };
    patch(model, thread, change);
}

/// Gives a name; a blank one takes the name away.
pub(super) fn rename(model: Model, thread: ThreadId, name: String) {
    let change = ThreadPatch {
        name: Some(name),
        ..ThreadPatch::default()
    };
    patch(model, thread, change);
}

/// Ends the run.
pub(super) fn stop(model: Model, thread: ThreadId) {
    spawn_local(async move {
        if let Err(failed) = api::stop(&thread).await {
            model.failed(&failed);
        }
    });
}

/// Takes a place away that was not sent yet.
pub(super) fn remove_place(model: Model, thread: ThreadId, place: PlaceId) {
    spawn_local(async move {
        match api::remove_place(&thread, &place).await {
            Ok(()) => model
                .pane
                .places
                .update(|places| places.retain(|known| known.place_id != place)),
            Err(failed) => model.failed(&failed),
        }
    });
}

/// Deletes the thread, closes its card and offers to take it back.
pub(super) fn delete(model: Model, thread: ThreadId) {
    spawn_local(async move {
        match api::delete_thread(&thread).await {
            Ok(undo) => {
                model.apply(Frame::Rail(Rail::Removed {
                    removed: thread.clone(),
                }));
                if is_open(model, &thread) {
                    navigate::close_thread(model);
                }
                model
                    .notices
                    .say_with_undo("The comment was deleted.", undo);
            }
            Err(failed) => model.failed(&failed),
        }
    });
}

/// Copies the thread's address, which holds no code and no secret.
pub(super) fn copy_link(model: Model, thread: ThreadId) {
    let link = navigate::link_to(model, thread);
    spawn_local(async move {
        let said = if page::copy(&link).await {
            "Link copied.".to_owned()
        } else {
            format!("The browser does not let REX copy. The link is {link}")
        };
        model.notices.say(said);
    });
}

/// Marks everything on screen as read, if something is not. Only an act of the person comes here: looking writes nothing.
pub(super) fn mark_read(model: Model, thread: &ThreadId) {
    let unread = model.rail.rows.with_untracked(|rows| {
        rows.get(thread)
            .is_some_and(|row| row.with_untracked(|row| row.unread))
    });
    let newest = newest_answer(model);
    if let (true, Some(newest)) = (unread, newest) {
        let change = ThreadPatch {
            read_up_to: Some(newest),
            ..ThreadPatch::default()
        };
        patch(model, thread.clone(), change);
    }
}

fn newest_answer(model: Model) -> Option<MessageId> {
    model.pane.messages.with_untracked(|rows| {
        rows.iter()
            .rev()
            .find(|row| row.role == Role::Assistant)
            .or(rows.last())
            .map(|row| row.message_id.clone())
    })
}
