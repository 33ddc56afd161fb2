//! Asking the bridge for what is open. An answer is dropped whole when what it was asked for is no longer open.

use crate::api::{self, Failed};
use crate::model::{Access, Model};
use crate::navigate;
use leptos::task::spawn_local;
use rex_shared::ids::ThreadId;
use rex_shared::routes::RAIL_PAGE;
use rex_shared::wire::problem::ProblemType;
use rex_shared::wire::thread::ThreadRow;

/// Asks for everything anew, after a time without a stream.
pub fn again(model: Model) {
    rail(model);
    workspace(model);
    if let Some(id) = model.open_thread.get_untracked()
        && !model.pane.came.get_untracked()
    {
        navigate::load_thread(model, id);
    }
}

/// That the bridge is away is the connection's word; what was missed is asked for again when it is back.
fn say(model: Model, failed: &Failed) {
    if *failed != Failed::NotConnected {
        model.failed(failed);
    }
}

/// Asks for the workspace and its files, and lets the address be repaired by what came.
pub fn workspace(model: Model) {
    let asked = model.now();
    files(model);
    spawn_local(async move {
        let workspace = model.in_workspace();
        let answer = api::workspace(model.ws().as_ref()).await;
        if !model.still_in(workspace) {
            return;
        }
        match answer {
            Ok(workspace) => {
                model.take_workspace(workspace);
                model.access.set(Access::Known);
                if model.still(asked) {
                    navigate::repair(model);
                }
            }
            Err(failed) if failed.kind() == Some(ProblemType::UnknownWorkspace) => {
                model.notices.say(
                    "The address names a workspace that REX does not have. \
                     The one REX was started on is shown instead.",
                );
                navigate::leave_workspace(model);
            }
            Err(failed) => say(model, &failed),
        }
    });
}

/// Asks for the file tree.
pub fn files(model: Model) {
    spawn_local(async move {
        let workspace = model.in_workspace();
        let answer = api::files(model.ws().as_ref()).await;
        if !model.still_in(workspace) {
            return;
        }
        match answer {
            Ok(files) => model.files.set(Some(files)),
            // An unknown workspace is said by the workspace's own answer.
            Err(failed) if failed.kind() == Some(ProblemType::UnknownWorkspace) => {}
            Err(failed) => say(model, &failed),
        }
    });
}

/// Asks for the newest rows only, after a moment without a stream.
pub fn newest_rows(model: Model) {
    model.rail.listing();
    spawn_local(async move {
        let workspace = model.in_workspace();
        match api::stored_threads(model.ws().as_ref(), None).await {
            Ok(rows) if model.still_in(workspace) => model.rail.merge(rows),
            Ok(_) => {}
            Err(failed) => say(model, &failed),
        }
    });
}

/// Asks for the whole rail, page by page.
pub fn rail(model: Model) {
    model.rail.listing();
    spawn_local(async move {
        let workspace = model.in_workspace();
        let ws = model.ws();
        let mut rows = Vec::new();
        loop {
            let after = rows.last().map(|row: &ThreadRow| row.thread_id.clone());
            let answer = api::stored_threads(ws.as_ref(), after.as_ref()).await;
            if !model.still_in(workspace) {
                return;
            }
            match answer {
                Ok(page) => {
                    let is_last = page.len() < RAIL_PAGE;
                    rows.extend(page);
                    if is_last {
                        break;
                    }
                }
                Err(failed) if failed.kind() == Some(ProblemType::UnknownWorkspace) => return,
                Err(failed) => return say(model, &failed),
            }
        }
        model.rail.replace(rows);
    });
}

/// Asks for a thread and its stored messages, both at once. History may paint before the stream's snapshot does.
pub fn thread(model: Model, id: ThreadId) {
    let asked = model.now();
    let history_of = id.clone();
    spawn_local(async move {
        let answer = api::history(&history_of, None).await;
        if model.still(asked) {
            match answer {
                Ok(history) => model.pane.take_history(history),
                // Neither stored nor live: the thread's own answer says so.
                Err(failed) if failed.kind() == Some(ProblemType::UnknownThread) => {}
                Err(failed) => say(model, &failed),
            }
        }
    });
    spawn_local(async move {
        let answer = api::thread(&id).await;
        if !model.still(asked) {
            return;
        }
        match answer {
            Ok(thread) => navigate::arrive(model, thread),
            Err(failed) if failed.kind() == Some(ProblemType::UnknownThread) => {
                model.pane.unknown.set(true);
                navigate::repair(model);
            }
            Err(failed) => say(model, &failed),
        }
    });
}
